#pragma once

#include "core/convert/forms/vision/regions.h"

#include <cstdint>

/// Regions of images averaged over samples between the pixels.
namespace crosswalk::forms {

struct RoiAlign {
    Bins bins = {};
    std::int64_t samples = 0; ///< in a bin along each axis; 0 or less: one for each pixel that the bin spans
    bool isShifted = false;   ///< regions are moved by half a pixel; else they are at least one pixel large
    bool isNumbered = true;   ///< a region is (image, x1, y1, x2, y2), else (x1, y1, x2, y2) of the first image
    bool ownChannels = false; ///< each bin reads separate channels, of channels * bins (a multiple of the bins)
};

/// images (N, C, H, W), regions (R, 5) or (R, 4): (R, channels, height, width).
OnnxValue roiAlign(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const RoiAlign& how);
/// Regions (image, x, y, width, height, degrees) around their middle; counts the samples as roiAlign.
OnnxValue rotatedRoiAlign(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins,
                          std::int64_t samples);

} // namespace crosswalk::forms
