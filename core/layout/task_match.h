#pragma once

#include "core/layout/incremental.h"

#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk {

/// By old number: the new number, TaskMatch::none if it was removed. The first element of a key matches the first, and
/// so on.
std::vector<std::uint32_t> pairByKey(std::span<const std::uint64_t> before, std::span<const std::uint64_t> now);

/// Matches the boxes and edges of two tasks.
struct TaskMatch {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    TaskMatch(const LayoutTask& task, std::span<const std::uint64_t> keys, const LayoutTask& before,
              std::span<const std::uint64_t> keysBefore);

    std::vector<std::uint32_t> boxBefore;  ///< old box of each box
    std::vector<std::uint32_t> boxNow;     ///< new box of each old box
    std::vector<std::uint32_t> edgeBefore; ///< old edge of each edge
    // By old box: removed, resized, or with changed lines.
    std::vector<bool> changedAbove; ///< itself, or an incoming line
    std::vector<bool> changedBelow; ///< itself, or an outgoing line

private:
    void matchEdges(const LayoutTask& task, const LayoutTask& before);
};

} // namespace crosswalk
