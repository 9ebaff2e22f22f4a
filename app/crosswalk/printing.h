#pragma once

#include "core/base/diagnostic.h"

#include <cstdio>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace crosswalk::app {

/// Writes text that can contain text of a file, made visible (visibleText).
void writeText(std::FILE* stream, std::string_view text);
/// Writes a line: line ends in text of a file are made visible too (visibleLine).
void writeLine(std::FILE* stream, std::string_view line);

/// fmt::print of one line, by way of writeLine, which ends it.
template <typename... Arguments>
void printLine(fmt::format_string<Arguments...> format, Arguments&&... arguments)
{
    writeLine(stdout, fmt::format(format, std::forward<Arguments>(arguments)...));
}

template <typename... Arguments>
void printLine(std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments)
{
    writeLine(stream, fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Prints a problem to standard error and returns the exit status for it.
int reportError(const Diagnostic& problem, std::string_view file);
/// Prints all problems, errors first. Omits notes if `quiet`.
void reportAll(std::span<const Diagnostic> problems, std::string_view file, bool quiet);

/// "41 ms", "3.2 s".
std::string readableSeconds(double seconds);

} // namespace crosswalk::app
