#include "app/crosswalk/desktop_program.h"

#include "app/crosswalk/exit_status.h"
#include "core/base/diagnostic.h"
#include "core/base/process_cleanup.h"

#include <cerrno>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace crosswalk::app {

int runDesktopProgram(const std::vector<std::string>& arguments)
{
    std::error_code ignored;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", ignored).replace_filename("crosswalk-gui");
    std::string program = ::access(beside.c_str(), X_OK) == 0 ? beside.string() : "crosswalk-gui";
    std::vector<char*> argv{program.data()};
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    pid_t child = 0;
    const int error = ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, argv.data(), environ);
    if (error != 0) {
        throw ModelError("no-gui", "png and pdf need crosswalk-gui, which is neither beside crosswalk nor on PATH",
                         "install crosswalk-gui, or write .svg");
    }
    addChild(child);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    dropChild(child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(Internal);
}

} // namespace crosswalk::app
