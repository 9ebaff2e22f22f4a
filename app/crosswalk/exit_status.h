#pragma once

#include "core/base/diagnostic.h"

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::app {

/// The exit statuses of the command line; scripts rely on them.
enum ExitStatus : int {
    Done = 0,
    Different = 1, ///< verify or diff found a difference
    WrongUsage = 2,
    BadInput = 3, ///< cannot be read, is damaged, or lacks weights
    NotConvertible = 4,
    NotWritable = 5,
    RuntimeMissing = 6, ///< ONNX Runtime or crosswalk-gui is required but missing
    Internal = 70,
    Cancelled = 130,
};

/// The exit status for an error that stops a command.
ExitStatus statusOf(const Diagnostic& problem);

/// Every exit status with its meaning, in ascending order.
std::vector<std::pair<int, std::string>> exitStatusMeanings();

} // namespace crosswalk::app
