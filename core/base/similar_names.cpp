#include "core/base/similar_names.h"

#include <algorithm>
#include <utility>

namespace crosswalk {
namespace {

constexpr std::size_t shortestPart = 3; ///< of a name, for the name to be taken for similar

/// The number of letters to insert, leave out or replace that make one word the other; `limit` where it is not less.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference >= limit) {
        return limit;
    }
    std::vector<std::size_t> row(b.size() + 1); // from what was read of `a` to each beginning of `b`
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
        }
    }
    return std::min(row.back(), limit);
}

} // namespace

std::vector<std::string> similarNames(std::string_view written, std::span<const std::string> names, std::size_t most)
{
    const std::size_t limit = written.size() / 3 + 1;
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const std::string& name : names) {
        const std::size_t distance = editDistance(written, name, limit);
        if (distance < limit) {
            near.emplace_back(distance, name);
        } else if (written.size() >= shortestPart && name.find(written) != std::string::npos) {
            near.emplace_back(limit, name);
        }
    }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> found;
    for (const auto& [distance, name] : near) {
        if (found.size() < most && std::find(found.begin(), found.end(), name) == found.end()) {
            found.emplace_back(name);
        }
    }
    return found;
}

} // namespace crosswalk
