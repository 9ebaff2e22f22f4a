#pragma once

#include "core/convert/forms/vision/regions.h"

#include <cstdint>

namespace crosswalk::forms {

/// Samples of a region that offsets move.
struct RegionSamples {
    std::int64_t classes = 1; ///< of the channels of the result, each with separate offsets
    std::int64_t parts = 1;   ///< of a region along each axis, each with an offset
    std::int64_t perBin = 1;  ///< along each axis
    double reach = 0;         ///< an offset of 1 in sizes of the region
};

/// Regions (image, x1, y1, x2, y2) of images (N, C, H, W) averaged over samples between the pixels, each bin in
/// separate channels: (R, bins.channels, height, width). Bins are square. `offsets` (R, classes * 2, parts, parts), x
/// before y, may be absent.
OnnxValue deformableRoiPooling(const NodeContext& ctx, OnnxValue images, OnnxValue regions, OnnxValue offsets,
                               const Bins& bins, const RegionSamples& samples);

} // namespace crosswalk::forms
