#pragma once

#include "core/layout/scene.h"

#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::ui {

/// Boxes from which edges lead to any of the given boxes, and these boxes; ascending. Loops are followed once.
std::vector<std::uint32_t> upstreamOf(const Scene& scene, std::span<const std::uint32_t> boxes);
/// Boxes to which edges lead from any of the given boxes, and these boxes; ascending.
std::vector<std::uint32_t> downstreamOf(const Scene& scene, std::span<const std::uint32_t> boxes);
/// The given boxes and all boxes on paths from one of them to another; ascending. Edges that close loops are not part
/// of a path.
std::vector<std::uint32_t> pathsBetween(const Scene& scene, std::span<const std::uint32_t> boxes);

} // namespace crosswalk::ui
