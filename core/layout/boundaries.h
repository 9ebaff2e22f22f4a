#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::layered {

/// Layers at which a graph is cut into segments that are processed separately: every layer of size one and, where there
/// is none nearby, the thinnest. Includes the first and the last layer. `sizes` counts the boxes of each layer and the
/// lines that pass through it.
std::vector<std::uint32_t> findBoundaries(std::span<const std::uint32_t> sizes);

} // namespace crosswalk::layered
