#include "app/crosswalk/interruption.h"

#include "app/crosswalk/exit_status.h"
#include "core/base/process_cleanup.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace crosswalk::app {
namespace {

constexpr int patience = 800; ///< milliseconds that a command has for ending by itself

/// The end of the pipe that the signal handler writes to. A plain number: the handler only reads it.
int& signalPipe()
{
    static int descriptor = -1;
    return descriptor;
}

extern "C" void onInterrupt(int /*signal*/)
{
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(signalPipe(), "", 1);
    errno = error;
}

void waitForSignal(int pipe)
{
    char byte = 0;
    while (::read(pipe, &byte, 1) < 0 && errno == EINTR) {
    }
}

[[noreturn]] void endAtOnce()
{
    cleanUpProcess();
    constexpr std::string_view text = "error: cancelled\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    ::_exit(Cancelled);
}

void watch(int pipe, std::stop_source source)
{
    waitForSignal(pipe);
    source.request_stop();
    pollfd again{pipe, POLLIN, 0};
    ::poll(&again, 1, patience);
    endAtOnce();
}

} // namespace

std::stop_token stopOnSignals()
{
    std::stop_source source;
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return source.get_token(); // signals keep their default effect
    }
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK); // the handler never waits
    signalPipe() = ends[1];
    std::thread(watch, ends[0], source).detach();
    struct sigaction action = {};
    action.sa_handler = onInterrupt;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction inherited = {};
        ::sigaction(signal, nullptr, &inherited);
        if (inherited.sa_handler != SIG_IGN) {
            ::sigaction(signal, &action, nullptr);
        }
    }
    return source.get_token();
}

} // namespace crosswalk::app
