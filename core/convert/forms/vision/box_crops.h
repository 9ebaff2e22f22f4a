#pragma once

#include "core/convert/emit.h"

namespace crosswalk::forms {

/// Crops boxes out of images and resizes them to a common size. The first and the last sample are on the edges of the
/// box; a single one is in its middle.
struct BoxCrops {
    OnnxValue images;       ///< (N, H, W, C), any numeric type
    OnnxValue boxes;        ///< (boxes, 4): (y1, x1, y2, x2) in float32, from 0, the first pixel, to 1, the last one
    OnnxValue imageOfBox;   ///< (boxes): the index of its image
    OnnxValue size;         ///< height and width of the crops, an int64 vector
    bool isNearest = false; ///< else linear between four pixels
    double beyond = 0;      ///< the value outside the image
};
/// float32 (boxes, height, width, C).
OnnxValue boxCrops(const NodeContext& ctx, const BoxCrops& how);

} // namespace crosswalk::forms
