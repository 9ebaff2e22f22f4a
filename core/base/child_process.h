#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

namespace crosswalk {

/// What a child process may use. 0: no limit.
struct ChildLimits {
    std::chrono::milliseconds time{0}; ///< wall-clock time
    std::uint64_t memory = 0;          ///< bytes of memory that no file backs: mapped weights do not count
    std::uint64_t output = 16U << 20U; ///< bytes kept of each stream; the rest is read and dropped
};

struct ChildResult {
    enum class End : std::uint8_t { Exited, Signalled, TimedOut, Cancelled };
    End end = End::Exited;
    int code = 0; ///< exit status, or the number of the signal
    std::string output;
    std::string errors;
    double seconds = 0;
    std::uint64_t peakBytes = 0; ///< largest resident set
};

/// Runs a program, by its path, without a shell, with an empty standard input. On a time limit or a stop request the
/// child and the processes that it started are killed; they are also killed if this process dies. Several threads may
/// call this. Throws ModelError "unreadable" if the program cannot be started.
ChildResult runChild(std::span<const std::string> command, const ChildLimits& limits, const std::stop_token& stop);

} // namespace crosswalk
