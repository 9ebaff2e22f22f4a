#include "core/base/child_process.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace crosswalk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int startFailed = 127; ///< exit status of a child whose program cannot be executed, as a shell has it

class Pipe {
public:
    Pipe()
    {
        if (::pipe2(m_ends.data(), O_CLOEXEC) != 0) {
            throw ModelError("unreadable", fmt::format("cannot create a pipe: {}", std::strerror(errno)));
        }
    }
    ~Pipe()
    {
        closeRead();
        closeWrite();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int read() const { return m_ends[0]; }
    int write() const { return m_ends[1]; }
    void closeRead() { close(m_ends[0]); }
    void closeWrite() { close(m_ends[1]); }

private:
    static void close(int& descriptor)
    {
        if (descriptor >= 0) {
            ::close(descriptor);
            descriptor = -1;
        }
    }

    std::array<int, 2> m_ends{-1, -1};
};

/// In the child, between fork and exec: only functions that are safe in a copy of one thread of many.
[[noreturn]] void execute(char* const* words, const ChildLimits& limits, const Pipe& output, const Pipe& errors,
                          const Pipe& started, ::pid_t parent)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int input = ::open("/dev/null", O_RDONLY);
    if (::getppid() != parent || input < 0 || ::dup2(input, STDIN_FILENO) < 0 ||
        ::dup2(output.write(), STDOUT_FILENO) < 0 || ::dup2(errors.write(), STDERR_FILENO) < 0) {
        ::_exit(startFailed);
    }
    const ::rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (limits.memory != 0) {
        const ::rlimit memory{limits.memory, limits.memory};
        ::setrlimit(RLIMIT_DATA, &memory);
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGABRT}) {
        std::signal(signal, SIG_DFL);
    }
    ::sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(words[0], words);
    const int why = errno;
    [[maybe_unused]] const auto written = ::write(started.write(), &why, sizeof why);
    ::_exit(startFailed);
}

/// Reads what has arrived on a stream; false at its end.
bool readSome(int descriptor, std::uint64_t limit, std::string& kept)
{
    std::array<char, 1U << 16U> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    const ::ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0) {
        return errno == EINTR || errno == EAGAIN;
    }
    kept.append(buffer.data(), std::min<std::uint64_t>(static_cast<std::uint64_t>(count), limit - kept.size()));
    return count > 0;
}

} // namespace

ChildResult runChild(std::span<const std::string> command, const ChildLimits& limits, const std::stop_token& stop)
{
    assert(!command.empty());
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str())); // NOLINT: execv does not change them
    }
    words.push_back(nullptr);
    Pipe output;
    Pipe errors;
    Pipe started;
    const auto start = Clock::now();
    const ::pid_t parent = ::getpid();
    const ::pid_t child = ::fork();
    if (child == 0) {
        execute(words.data(), limits, output, errors, started, parent);
    }
    if (child < 0) {
        throw ModelError("unreadable", fmt::format("cannot start {}: {}", command[0], std::strerror(errno)));
    }
    ::setpgid(child, child); // as the child does: whichever comes first
    output.closeWrite();
    errors.closeWrite();
    started.closeWrite();

    ChildResult result;
    std::array<std::string*, 2> texts{&result.output, &result.errors};
    std::array<::pollfd, 2> streams{{{output.read(), POLLIN, 0}, {errors.read(), POLLIN, 0}}};
    bool isEnded = false;
    int status = 0;
    ::rusage used{};
    const auto kill = [&](ChildResult::End why) {
        if (result.end == ChildResult::End::Exited) {
            result.end = why;
            ::kill(-child, SIGKILL);
        }
    };
    while (!isEnded) {
        if (stop.stop_requested()) {
            kill(ChildResult::End::Cancelled);
        } else if (limits.time.count() != 0 && Clock::now() - start >= limits.time) {
            kill(ChildResult::End::TimedOut);
        }
        // The child usually ends right after it closed its streams, but may also run on without them.
        const bool isQuiet = streams[0].fd < 0 && streams[1].fd < 0;
        ::poll(streams.data(), streams.size(), isQuiet ? 1 : 50);
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (streams[i].fd >= 0 && streams[i].revents != 0 && !readSome(streams[i].fd, limits.output, *texts[i])) {
                streams[i].fd = -1; // poll() skips it
            }
        }
        isEnded = ::wait4(child, &status, WNOHANG, &used) == child;
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
        while (streams[i].fd >= 0 && ::poll(&streams[i], 1, 0) > 0 &&
               readSome(streams[i].fd, limits.output, *texts[i])) {
        }
    }
    ::kill(-child, SIGKILL); // what it left behind
    int why = 0;
    if (::read(started.read(), &why, sizeof why) == sizeof why) {
        throw ModelError("unreadable", fmt::format("cannot start {}: {}", command[0], std::strerror(why)));
    }
    if (result.end == ChildResult::End::Exited && WIFSIGNALED(status)) {
        result.end = ChildResult::End::Signalled;
    }
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    constexpr std::uint64_t kilobyte = 1024; // the unit of ru_maxrss
    result.peakBytes = static_cast<std::uint64_t>(used.ru_maxrss) * kilobyte;
    return result;
}

} // namespace crosswalk
