#pragma once

#include "core/base/diagnostic.h"
#include "crosswalk/result.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace crosswalk::fuzz {

[[noreturn]] inline void reportDefect(std::string_view what)
{
    std::fprintf(stderr, "defect: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

/// Whether there is a result. Any problem is allowed for an arbitrary file, except those that are mistakes of the
/// program: an internal error, and an export that onnx's checker or strict inference rejects.
template <typename T>
bool expectNoDefect(const Result<T>& result)
{
    if (result) {
        return true;
    }
    const Diagnostic& problem = result.problem();
    if (problem.code == Code("internal") || problem.code == Code("invalid-export")) {
        reportDefect(formatLine(problem, "model"));
    }
    return false;
}

} // namespace crosswalk::fuzz
