#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace crosswalk::layered {

/// A constraint on two vertices: level[to] - level[from] >= least. Each unit of that difference costs `weight`.
struct LevelEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int32_t least = 1;
    std::int32_t weight = 1;
    friend bool operator==(const LevelEdge&, const LevelEdge&) = default;
};

/// Minimizes the weighted sum of differences over all edges, starting from feasible levels, in at most `pivots` steps.
/// The network simplex of Gansner, Koutsofios, North and Vo (1993). If stopped, the levels are feasible.
void lowerLevels(std::vector<std::int32_t>& levels, const std::vector<LevelEdge>& edges, std::size_t pivots,
                 const std::stop_token& stop);

} // namespace crosswalk::layered
