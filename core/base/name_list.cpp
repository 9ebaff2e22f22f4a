#include "core/base/name_list.h"

namespace crosswalk {

std::vector<std::string> namesIn(std::span<const std::string> lists)
{
    std::vector<std::string> names;
    for (const std::string& list : lists) {
        names.emplace_back();
        for (const char c : list) {
            if (c != ',') {
                names.back() += c;
            } else if (names.back().ends_with('\\')) {
                names.back().back() = c;
            } else {
                names.emplace_back();
            }
        }
    }
    return names;
}

} // namespace crosswalk
