#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace crosswalk::ui {

/// Which boxes of a scene are the same in the next: those of equal number, or as a list says.
class SameBoxes {
public:
    SameBoxes() = default;
    /// By box before: the same box now, or a number that no box has. Null for equal numbers.
    explicit SameBoxes(std::shared_ptr<const std::vector<std::uint32_t>> list)
        : m_list(std::move(list))
    {
    }
    static SameBoxes nothing();
    std::optional<std::uint32_t> now(std::uint32_t before) const;
    /// The way back, for all boxes.
    SameBoxes turned() const;

private:
    std::shared_ptr<const std::vector<std::uint32_t>> m_list;
};

} // namespace crosswalk::ui
