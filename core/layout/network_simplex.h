#pragma once

#include <cstdint>
#include <vector>

namespace crosswalk::layered {

/// One demand on the levels of two vertices: level[to] - level[from] >= least, and `weight` for every step of that
/// difference.
struct LevelEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int32_t least = 1;
    std::int32_t weight = 1;
    friend bool operator==(const LevelEdge&, const LevelEdge&) = default;
};

/// Lowers the sum of weight times difference over all edges, from levels that keep the demands to others that do, until
/// it is least or after `pivots` steps. The network simplex of Gansner, Koutsofios, North and Vo (1993).
void lowerLevels(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges, std::size_t pivots);

} // namespace crosswalk::layered
