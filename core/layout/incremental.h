#pragma once

#include "core/layout/layout.h"

#include <optional>

namespace crosswalk {

/// What layoutGraph is given.
struct LayoutTask {
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
    std::vector<std::uint32_t> first; ///< as in LayoutOptions
    std::vector<std::uint32_t> last;
    friend bool operator==(const LayoutTask&, const LayoutTask&) = default;
};

/// A task that was laid out. `keys` say by box which is the same in another task; several may be equal.
struct LaidOutTask {
    const LayoutTask& task;
    std::span<const std::uint64_t> keys;
    const Layout& layout;
};

/// Lays out only what lies between two layers of the drawing `before`: those above the first change and below the last
/// one. What is above stays where it was, and what is below moves down or up as a whole. Nothing where more changed
/// than stays, or when stopped.
std::optional<Layout> layoutChanges(const LayoutTask& task, std::span<const std::uint64_t> keys,
                                    const LaidOutTask& before, std::stop_token stop = {});

} // namespace crosswalk
