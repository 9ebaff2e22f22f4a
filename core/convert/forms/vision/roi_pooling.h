#pragma once

#include "core/convert/forms/vision/regions.h"

/// Regions (image, x1, y1, x2, y2) of images (N, C, H, W), pooled in bins of whole pixels.
namespace crosswalk::forms {

/// The largest element of every bin, (R, C, height, width); 0 for an empty bin and for a region of no image. The sizes
/// of bins are computed in the type of the data.
OnnxValue maxRoiPooling(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins);
/// The mean of every bin over the channels that belong to it, (R, bins.channels, height, width).
OnnxValue positionSensitivePooling(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins);

} // namespace crosswalk::forms
