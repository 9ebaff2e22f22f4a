#include "core/base/process_cleanup.h"

#include <csignal>
#include <set>

namespace crosswalk {
namespace {

struct Leavings {
    std::recursive_mutex mutex;
    std::set<std::filesystem::path> paths;
    std::set<pid_t> children;
};

/// Never destroyed: a thread may clean up while the process ends.
Leavings& leavings()
{
    static auto* all = new Leavings;
    return *all;
}

} // namespace

void addTemporary(const std::filesystem::path& path)
{
    const auto lock = cleanupLock();
    leavings().paths.insert(path);
}

void dropTemporary(const std::filesystem::path& path)
{
    const auto lock = cleanupLock();
    leavings().paths.erase(path);
}

void addChild(pid_t child)
{
    const auto lock = cleanupLock();
    leavings().children.insert(child);
}

void dropChild(pid_t child)
{
    const auto lock = cleanupLock();
    leavings().children.erase(child);
}

std::unique_lock<std::recursive_mutex> cleanupLock()
{
    return std::unique_lock(leavings().mutex);
}

void cleanUpProcess()
{
    leavings().mutex.lock(); // and never unlocked
    for (const pid_t child : leavings().children) {
        ::kill(child, SIGKILL);
    }
    for (const auto& path : leavings().paths) {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
}

} // namespace crosswalk
