#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace crosswalk {

/// Names in use. A name that is taken gets the first free number: `name#2`, `name#3` and so on. n names take O(n) time,
/// also if all are equal.
class UniqueNames {
public:
    void take(const std::string& name) { m_next.try_emplace(name, 2U); }
    bool isEmpty() const { return m_next.empty(); }
    /// `wanted`, or `wanted` with a number; taken from then on.
    std::string unique(const std::string& wanted)
    {
        const auto [entry, isFree] = m_next.try_emplace(wanted, 2U);
        if (isFree) {
            return wanted;
        }
        std::uint32_t& next = entry->second; // references stay valid when the table grows
        std::string name;
        do {
            name = wanted + "#" + std::to_string(next++);
        } while (!m_next.try_emplace(name, 2U).second);
        return name;
    }

private:
    std::unordered_map<std::string, std::uint32_t> m_next; ///< by taken name: the number to try next
};

} // namespace crosswalk
