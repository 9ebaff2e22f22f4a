#include "core/base/folder_entries.h"

#include <system_error>

namespace crosswalk {

std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> entries;
    std::error_code failed; // a loop over the range would throw where an entry cannot be read
    for (auto entry = std::filesystem::directory_iterator(folder.empty() ? "." : folder, failed);
         !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
        entries.push_back(entry->path());
    }
    return entries;
}

} // namespace crosswalk
