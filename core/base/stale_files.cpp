#include "core/base/stale_files.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace crosswalk {

std::string temporaryPrefix(const std::filesystem::path& target)
{
    constexpr std::size_t longest = 200; // names end at 255 bytes
    return "." + target.filename().string().substr(0, longest) + ".";
}

void markInUse(int descriptor)
{
    ::flock(descriptor, LOCK_EX | LOCK_NB);
}

bool isUnused(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0) {
        return false;
    }
    const bool isFree = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return isFree;
}

void removeStaleFiles(const std::filesystem::path& target)
{
    const std::string prefix = temporaryPrefix(target);
    const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    std::error_code ignored;
    for (auto entry = std::filesystem::directory_iterator(folder, ignored);
         !ignored && entry != std::filesystem::directory_iterator(); entry.increment(ignored)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(temporarySuffix)) {
            continue;
        }
        // "<process>-<number>" lies between.
        const auto middle =
            std::string_view(name).substr(prefix.size(), std::max(name.size(), prefix.size() + temporarySuffix.size()) -
                                                             prefix.size() - temporarySuffix.size());
        if (!middle.empty() && middle.find_first_not_of("0123456789-") == std::string_view::npos &&
            isUnused(entry->path())) {
            std::filesystem::remove(entry->path(), ignored);
        }
    }
}

} // namespace crosswalk
