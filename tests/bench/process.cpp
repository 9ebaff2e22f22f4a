#include "tests/bench/process.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <malloc.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace crosswalk::bench {
namespace {

/// A size in /proc/PROCESS/status, in bytes.
std::uint64_t statusOf(const std::string& process, std::string_view name)
{
    std::ifstream status("/proc/" + process + "/status");
    for (std::string word; status >> word;) {
        if (word == name) {
            std::uint64_t kilobytes = 0;
            status >> kilobytes;
            return kilobytes * 1024;
        }
    }
    return 0;
}

} // namespace

ProcessRun runProcess(const std::vector<std::string>& command, bool watchMemory)
{
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ProcessRun run;
    pid_t child = 0;
    const auto start = std::chrono::steady_clock::now();
    if (posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0) {
        int status = 0;
        rusage used{};
        while (wait4(child, &status, watchMemory ? WNOHANG : 0, &used) == 0) {
            run.peakAnonymous = std::max(run.peakAnonymous, statusOf(std::to_string(child), "RssAnon:"));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        run.cpuSeconds = seconds(used.ru_utime) + seconds(used.ru_stime);
        run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    posix_spawn_file_actions_destroy(&actions);
    return run;
}

std::uint64_t anonymousMemory()
{
    return statusOf("self", "RssAnon:");
}

std::uint64_t peakGrowth(const std::function<void()>& work)
{
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5"; // resets the peak
    const std::uint64_t before = statusOf("self", "VmRSS:");
    work();
    return statusOf("self", "VmHWM:") - before;
}

} // namespace crosswalk::bench
