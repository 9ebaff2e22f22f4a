#pragma once

#include "core/base/diagnostic.h"

namespace crosswalk {

/// The error of whatever runs out of memory. Its message is how a process that ended with it is recognised.
inline Diagnostic outOfMemory()
{
    return {.code = "out-of-memory", .message = "there is not enough memory"};
}

} // namespace crosswalk
