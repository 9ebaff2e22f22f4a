#pragma once

#include "core/convert/emit.h"

#include <cstdint>

/// Images sampled at a grid (N, 2, height, width) of positions, x before y, which run from -1, the middle of the first
/// pixel, to 1, the middle of the last one.
namespace crosswalk::forms {

struct GridSize {
    std::int64_t height; ///< at least 2, as the width
    std::int64_t width;
};

/// Affine matrices (N, 6) applied to evenly spaced places.
OnnxValue affineGrid(const NodeContext& ctx, OnnxValue matrices, GridSize target);
/// Every pixel moved by a flow (N, 2, H, W) in pixels.
OnnxValue warpedGrid(const NodeContext& ctx, OnnxValue flow);
/// Images (N, C, H, W) linearly interpolated at the places of the grid, zeros around them: (N, C, height, width).
OnnxValue sampledAlong(const NodeContext& ctx, OnnxValue images, OnnxValue grid);

} // namespace crosswalk::forms
