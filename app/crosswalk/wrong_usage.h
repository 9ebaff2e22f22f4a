#pragma once

#include "core/base/diagnostic.h"

#include <CLI/CLI.hpp>

namespace crosswalk::app {

/// Why a command line cannot be read ("usage"): "there is no command konvert; did you mean convert?", with the page of
/// help to read on. What nobody knows is named before what is missing: it may be that, misspelled.
Diagnostic wrongUsage(const CLI::App& app, const CLI::ParseError& error);

} // namespace crosswalk::app
