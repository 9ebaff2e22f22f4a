#pragma once

#include "core/base/diagnostic.h"

#include <CLI/CLI.hpp>

#include <vector>

namespace crosswalk::app {

/// The commands that users call: hidden ones are left out.
std::vector<const CLI::App*> commandsOf(const CLI::App& app);

/// Why a command line is invalid ("usage"): "there is no command konvert; did you mean convert?", with the help page as
/// a hint. Unknown words are reported before missing ones: the unknown word may be the missing one, misspelled.
Diagnostic wrongUsage(const CLI::App& app, const CLI::ParseError& error);

} // namespace crosswalk::app
