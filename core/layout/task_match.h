#pragma once

#include "core/layout/incremental.h"

namespace crosswalk {

/// By number before: the number now, TaskMatch::none for what is gone. The first of a key goes with the first, and so
/// on.
std::vector<std::uint32_t> pairByKey(std::span<const std::uint64_t> before, std::span<const std::uint64_t> now);

/// Which boxes and edges of two tasks are the same.
struct TaskMatch {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    TaskMatch(const LayoutTask& task, std::span<const std::uint64_t> keys, const LayoutTask& before,
              std::span<const std::uint64_t> keysBefore);

    std::vector<std::uint32_t> boxBefore;  ///< by box
    std::vector<std::uint32_t> boxNow;     ///< by box before
    std::vector<std::uint32_t> edgeBefore; ///< by edge
    // By box before: gone or of another size, or not all of its lines are as they were.
    std::vector<bool> isOtherAbove; ///< itself, or a line into it
    std::vector<bool> isOtherBelow; ///< itself, or a line out of it

private:
    void matchEdges(const LayoutTask& task, const LayoutTask& before);
};

} // namespace crosswalk
