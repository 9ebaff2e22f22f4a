#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace crosswalk::bench {

struct ProcessRun {
    int status = -1;
    double seconds = 0;    ///< wall-clock time
    double cpuSeconds = 0; ///< user and system time
    std::uint64_t peakAnonymous =
        0; ///< bytes of anonymous memory (RssAnon), sampled every millisecond; 0 if not measured
};

/// Runs a program until it exits; discards its output.
ProcessRun runProcess(const std::vector<std::string>& command, bool watchMemory = false);

/// Anonymous memory of this process, in bytes.
std::uint64_t anonymousMemory();

/// Peak growth of this process's memory while `work` runs, in bytes.
std::uint64_t peakGrowth(const std::function<void()>& work);

} // namespace crosswalk::bench
