#pragma once

#include "app/manual/program_description.h"

#include <CLI/CLI.hpp>

namespace crosswalk::app {

/// Describes a command line for its manual pages and completions. Hidden commands are left out.
manual::ProgramDescription describe(const CLI::App& app);

} // namespace crosswalk::app
