#pragma once

#include "core/base/diagnostic.h"

#include <span>
#include <string>
#include <string_view>

namespace crosswalk::app {

/// Prints a problem to standard error and returns the exit status for it.
int reportError(const Diagnostic& problem, std::string_view file);
/// Prints all problems, errors first. Omits notes if `quiet`.
void reportAll(std::span<const Diagnostic> problems, std::string_view file, bool quiet);

/// "41 ms", "3.2 s".
std::string readableSeconds(double seconds);

} // namespace crosswalk::app
