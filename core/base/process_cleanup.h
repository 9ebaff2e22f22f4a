#pragma once

#include <filesystem>
#include <mutex>
#include <sys/types.h>

namespace crosswalk {

// What must not outlive the process: temporary files and folders, and child processes. A process that is told to end
// calls cleanUpProcess() from a thread that nothing else blocks. Several threads may call these functions.

void addTemporary(const std::filesystem::path& path);
void dropTemporary(const std::filesystem::path& path);
void addChild(pid_t child);
void dropChild(pid_t child);

/// Held while a temporary file takes the name of its target, so that cleanUpProcess() does not come between.
std::unique_lock<std::recursive_mutex> cleanupLock();

/// Kills the children and removes the temporary files and folders. Nothing is published afterwards: threads that call
/// the functions above wait for the end of the process, which the caller brings about.
void cleanUpProcess();

} // namespace crosswalk
