#include "core/base/child_process.h"

#include "core/base/diagnostic.h"
#include "core/base/process_cleanup.h"
#include "core/base/shadow_memory.h"

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
#include <sys/socket.h>
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

/// What the standard streams of a child become.
struct ChildStreams {
    int input;
    int output;
    int errors;
};

/// In the child, between fork and exec: only functions that are safe in a copy of one thread of many.
[[noreturn]] void execute(char* const* words, const ChildLimits& limits, const ChildStreams& streams, int started,
                          ::pid_t parent)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent || ::dup2(streams.input, STDIN_FILENO) < 0 || ::dup2(streams.output, STDOUT_FILENO) < 0 ||
        ::dup2(streams.errors, STDERR_FILENO) < 0) {
        ::_exit(startFailed);
    }
    const ::rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (limits.memory != 0 && !hasShadowMemory) {
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
    [[maybe_unused]] const auto written = ::write(started, &why, sizeof why);
    ::_exit(startFailed);
}

/// Starts a program. `started` is closed by its start, and otherwise gets the number of the error (see expectStarted).
::pid_t startChild(std::span<const std::string> command, const ChildLimits& limits, const ChildStreams& streams,
                   const Pipe& started)
{
    assert(!command.empty());
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str())); // NOLINT: execv does not change them
    }
    words.push_back(nullptr);
    const ::pid_t parent = ::getpid();
    const ::pid_t child = ::fork();
    if (child == 0) {
        execute(words.data(), limits, streams, started.write(), parent);
    }
    if (child < 0) {
        throw ModelError("unreadable", fmt::format("cannot start {}: {}", command[0], std::strerror(errno)));
    }
    ::setpgid(child, child); // as the child does: whichever comes first
    return child;
}

void expectStarted(const std::string& program, const Pipe& started)
{
    int why = 0;
    if (::read(started.read(), &why, sizeof why) == sizeof why) {
        throw ModelError("unreadable", fmt::format("cannot start {}: {}", program, std::strerror(why)));
    }
}

/// The empty file, open for reading and writing until the end of the scope.
class NullDevice {
public:
    NullDevice()
        : m_file(::open("/dev/null", O_RDWR | O_CLOEXEC))
    {
        if (m_file < 0) {
            throw ModelError("unreadable", fmt::format("cannot open /dev/null: {}", std::strerror(errno)));
        }
    }
    ~NullDevice() { ::close(m_file); }
    NullDevice(const NullDevice&) = delete;
    NullDevice& operator=(const NullDevice&) = delete;

    int file() const { return m_file; }

private:
    int m_file;
};

ChildResult resultOf(int status, ChildResult::End why)
{
    ChildResult result;
    result.end = why == ChildResult::End::Exited && WIFSIGNALED(status) ? ChildResult::End::Signalled : why;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    return result;
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
    Pipe output;
    Pipe errors;
    Pipe started;
    const NullDevice nothing;
    const auto start = Clock::now();
    const ::pid_t child = startChild(command, limits, {nothing.file(), output.write(), errors.write()}, started);
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
    expectStarted(command[0], started);
    const ChildResult ended = resultOf(status, result.end);
    result.end = ended.end;
    result.code = ended.code;
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    constexpr std::uint64_t kilobyte = 1024; // the unit of ru_maxrss
    result.peakBytes = static_cast<std::uint64_t>(used.ru_maxrss) * kilobyte;
    return result;
}

TalkingChild::TalkingChild(std::span<const std::string> command, const ChildLimits& limits)
{
    std::array<int, 2> sockets{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        throw ModelError("unreadable", fmt::format("cannot create a socket: {}", std::strerror(errno)));
    }
    m_socket = sockets[0];
    try {
        Pipe started;
        const NullDevice nothing;
        m_process = startChild(command, limits, {sockets[1], sockets[1], nothing.file()}, started);
        started.closeWrite();
        expectStarted(command[0], started);
    } catch (...) {
        ::close(sockets[1]);
        kill();
        ::close(m_socket);
        throw;
    }
    ::close(sockets[1]);
    addChild(m_process);
}

TalkingChild::~TalkingChild()
{
    kill();
    ::close(m_socket);
}

std::optional<ChildResult> TalkingChild::send(std::span<const std::byte> bytes, Clock::time_point until,
                                              const std::stop_token& stop)
{
    while (!bytes.empty()) {
        if (auto ended = wait(POLLOUT, until, stop)) {
            return ended;
        }
        const auto sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && errno != EAGAIN) {
            return end(std::nullopt);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<::ssize_t>(sent, 0)));
    }
    return std::nullopt;
}

std::optional<ChildResult> TalkingChild::receive(std::span<std::byte> bytes, Clock::time_point until,
                                                 const std::stop_token& stop)
{
    while (!bytes.empty()) {
        if (auto ended = wait(POLLIN, until, stop)) {
            return ended;
        }
        const auto received = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (received == 0 || (received < 0 && errno != EINTR && errno != EAGAIN)) {
            return end(std::nullopt);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<::ssize_t>(received, 0)));
    }
    return std::nullopt;
}

std::optional<ChildResult> TalkingChild::wait(short event, Clock::time_point until, const std::stop_token& stop)
{
    constexpr int interval = 20; // milliseconds: so soon is a stop request noticed
    while (m_process >= 0) {
        if (stop.stop_requested()) {
            return end(ChildResult::End::Cancelled);
        }
        if (Clock::now() >= until) {
            return end(ChildResult::End::TimedOut);
        }
        ::pollfd socket{m_socket, event, 0};
        if (::poll(&socket, 1, interval) > 0) {
            return std::nullopt; // also at the end of the stream, which the caller finds
        }
    }
    return m_result;
}

/// Ends the child for a reason, or waits for it if it has closed the socket, and says how it ended.
ChildResult TalkingChild::end(std::optional<ChildResult::End> why)
{
    if (m_process < 0) {
        return m_result;
    }
    int status = 0;
    constexpr std::chrono::seconds grace{1}; // a child that closed the socket ends soon
    const auto until = Clock::now() + grace;
    bool hasEnded = false;
    while (!why && !hasEnded && Clock::now() < until) {
        hasEnded = ::waitpid(m_process, &status, WNOHANG) == m_process;
        ::poll(nullptr, 0, hasEnded ? 0 : 1);
    }
    ::kill(-m_process, SIGKILL); // with what it started
    if (!hasEnded) {
        ::waitpid(m_process, &status, 0);
    }
    dropChild(m_process);
    m_process = -1;
    m_result = resultOf(status, why.value_or(ChildResult::End::Exited));
    return m_result;
}

} // namespace crosswalk
