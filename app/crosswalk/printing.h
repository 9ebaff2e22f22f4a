#pragma once

#include "core/base/diagnostic.h"

#include <cstdio>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace crosswalk::app {

/// Writes text with what files say in it, made visible (visibleText).
void writeText(std::FILE* stream, std::string_view text);

/// fmt::print, by way of writeText.
template <typename... Arguments>
void printText(fmt::format_string<Arguments...> format, Arguments&&... arguments)
{
    writeText(stdout, fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <typename... Arguments>
void printText(std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments)
{
    writeText(stream, fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Prints a problem to standard error and returns the exit status for it.
int reportError(const Diagnostic& problem, std::string_view file);
/// Prints all problems, errors first. Omits notes if `quiet`.
void reportAll(std::span<const Diagnostic> problems, std::string_view file, bool quiet);

/// "41 ms", "3.2 s".
std::string readableSeconds(double seconds);

} // namespace crosswalk::app
