#pragma once

#include "core/base/diagnostic.h"

#include <span>
#include <string>
#include <string_view>

namespace crosswalk::app {

/// Tells a problem on standard error and returns the status that it ends the program with.
int complain(const Diagnostic& problem, std::string_view file);
/// All of them, errors first; notes are left out when `quiet`.
void tell(std::span<const Diagnostic> problems, std::string_view file, bool quiet);

/// "41 ms", "3.2 s".
std::string readableSeconds(double seconds);

} // namespace crosswalk::app
