#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace crosswalk::bench {

struct ProcessRun {
    int status = -1;
    double seconds = 0;    ///< from start to end
    double cpuSeconds = 0; ///< of its own and the kernel's for it
    std::uint64_t peakAnonymous =
        0; ///< bytes of anonymous memory (RssAnon), sampled each millisecond; 0 when not asked
};

/// Runs a program to its end; its output goes to nowhere.
ProcessRun runProcess(const std::vector<std::string>& command, bool watchMemory = false);

/// Anonymous memory of this process, in bytes.
std::uint64_t anonymousMemory();

/// By how many bytes the memory of this process grows at most while `work` runs.
std::uint64_t peakGrowth(const std::function<void()>& work);

} // namespace crosswalk::bench
