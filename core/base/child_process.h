#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// A child process that this one talks to: a socket is its standard input and output. What it writes to its standard
/// error is dropped. It is killed, with the processes that it started, by the destructor, by a time limit or a stop
/// request, and if the thread that started it ends.
class TalkingChild {
public:
    using Clock = std::chrono::steady_clock;

    /// Throws ModelError "unreadable" if the program cannot be started. Of the limits, only the memory applies.
    TalkingChild(std::span<const std::string> command, const ChildLimits& limits);
    ~TalkingChild();
    TalkingChild(const TalkingChild&) = delete;
    TalkingChild& operator=(const TalkingChild&) = delete;

    /// Sends or receives all bytes. Otherwise the child has ended, or is ended, and the result says how.
    std::optional<ChildResult> send(std::span<const std::byte> bytes, Clock::time_point until,
                                    const std::stop_token& stop);
    std::optional<ChildResult> receive(std::span<std::byte> bytes, Clock::time_point until,
                                       const std::stop_token& stop);

    /// Ends the child, as a stop request does.
    void kill() { end(ChildResult::End::Cancelled); }

private:
    std::optional<ChildResult> wait(short event, Clock::time_point until, const std::stop_token& stop);
    ChildResult end(std::optional<ChildResult::End> why);

    int m_socket = -1;
    int m_process = -1; ///< -1: has ended
    ChildResult m_result;
};

} // namespace crosswalk
