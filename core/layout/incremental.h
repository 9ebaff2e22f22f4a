#pragma once

#include "core/layout/layout.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace crosswalk {

/// The arguments of layoutGraph.
struct LayoutTask {
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
    std::vector<std::uint32_t> first; ///< as in LayoutOptions
    std::vector<std::uint32_t> last;
    friend bool operator==(const LayoutTask&, const LayoutTask&) = default;
};

/// A task with its layout. `keys` by box identify equal boxes of different tasks; they need not be unique.
struct LaidOutTask {
    const LayoutTask& task;
    std::span<const std::uint64_t> keys;
    const Layout& layout;
};

/// Lays out only the part between two layers of the drawing `before`: those above the first change and below the last
/// one. The part above keeps its position; the part below moves up or down as a whole. Returns nothing if most of the
/// graph changed, or if stopped.
std::optional<Layout> layoutChanges(const LayoutTask& task, std::span<const std::uint64_t> keys,
                                    const LaidOutTask& before, std::stop_token stop = {});

} // namespace crosswalk
