#include "core/base/stale_files.h"

#include "core/base/folder_entries.h"

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
    for (const std::filesystem::path& entry : entriesOf(target.parent_path())) {
        const std::string name = entry.filename().string();
        if (!name.starts_with(prefix) || !name.ends_with(temporarySuffix)) {
            continue;
        }
        // "<process>-<number>" lies between.
        const auto middle =
            std::string_view(name).substr(prefix.size(), std::max(name.size(), prefix.size() + temporarySuffix.size()) -
                                                             prefix.size() - temporarySuffix.size());
        if (!middle.empty() && middle.find_first_not_of("0123456789-") == std::string_view::npos && isUnused(entry)) {
            std::error_code failed;
            std::filesystem::remove(entry, failed);
        }
    }
}

} // namespace crosswalk
