#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::layered {

/// Layers at which a graph is cut into segments that are worked on one by one: every layer of size one, and where none
/// is near the thinnest. The first and the last layer are among them. `sizes` counts what stands in each layer and what
/// passes through it.
std::vector<std::uint32_t> findBoundaries(std::span<const std::uint32_t> sizes);

} // namespace crosswalk::layered
