#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// Maps the boxes of a scene to the same boxes of the next: by equal index, or by a table.
class SameBoxes {
public:
    SameBoxes() = default;
    /// `list` has the new index of each old box, or an index that no box has. Null: the indices are equal.
    explicit SameBoxes(std::shared_ptr<const std::vector<std::uint32_t>> list)
        : m_list(std::move(list))
    {
    }
    static SameBoxes nothing();
    std::optional<std::uint32_t> now(std::uint32_t before) const;
    /// The inverse map, for all boxes.
    SameBoxes turned() const;

private:
    std::shared_ptr<const std::vector<std::uint32_t>> m_list;
};

} // namespace crosswalk::ui
