#pragma once

#include "core/base/diagnostic.h"
#include "crosswalk/result.h"

#include <utility>

namespace crosswalk {

/// The problem that the exception being handled stands for.
Diagnostic problemOfException();

/// The result of a function, or the problem that it throws.
template <typename T, typename Function>
Result<T> withoutExceptions(Function&& function)
{
    try {
        return std::forward<Function>(function)();
    } catch (...) {
        return problemOfException();
    }
}

} // namespace crosswalk
