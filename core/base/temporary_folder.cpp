#include "core/base/temporary_folder.h"

#include "core/base/diagnostic.h"
#include "core/base/folder_entries.h"
#include "core/base/process_cleanup.h"
#include "core/base/stale_files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace crosswalk {
namespace {

constexpr std::string_view prefix = "crosswalk-";
constexpr std::string_view pattern = "crosswalk-XXXXXX";

/// Folders of this user that no process uses.
void removeStaleFolders(const std::filesystem::path& parent)
{
    for (const std::filesystem::path& entry : entriesOf(parent)) {
        const std::string name = entry.filename().string();
        struct stat status = {};
        const bool isOurs = name.starts_with(prefix) && name.size() == pattern.size() &&
                            ::lstat(entry.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                            status.st_uid == ::getuid();
        // A folder is created before it is marked: a young one may be in use.
        constexpr std::time_t youngest = 60;
        if (isOurs && std::time(nullptr) - status.st_ctim.tv_sec > youngest && isUnused(entry)) {
            std::error_code failed;
            std::filesystem::remove_all(entry, failed);
        }
    }
}

} // namespace

TemporaryFolder::TemporaryFolder()
{
    std::error_code error;
    const auto parent = std::filesystem::temp_directory_path(error);
    if (!error) {
        removeStaleFolders(parent);
    }
    std::string name = (parent / pattern).string();
    const auto lock = cleanupLock();
    if (error || ::mkdtemp(name.data()) == nullptr) {
        throw ModelError("unwritable", std::string("cannot create a temporary folder: ") + std::strerror(errno));
    }
    m_path = name;
    addTemporary(m_path);
    m_lock = ::open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    markInUse(m_lock);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
    dropTemporary(m_path);
    ::close(m_lock);
}

} // namespace crosswalk
