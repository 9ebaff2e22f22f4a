#pragma once

#include "core/convert/forms/nn/window.h"

#include <cstdint>

namespace crosswalk::forms {

/// A convolution of images (N, C, H, W) in which an offset moves each kernel position; reads interpolate linearly
/// between the pixels.
struct DeformableConvolution {
    Window window = {};
    Ints pad = {}; ///< before and after each spatial dimension
    std::int64_t filters = 0;
    std::int64_t groups = 1;       ///< of the weight
    std::int64_t offsetGroups = 1; ///< of the channels, each with separate offsets
    /// Reads up to one pixel beyond the last one return the last one, reads before the first one nothing; else images
    /// fade to 0 at all edges. Without a mask.
    bool keepsLastPixel = false;
};

/// C is fixed. Every type except half precision, which must be widened.
struct DeformableOperands {
    OnnxValue x;
    OnnxValue offsets;   ///< (N, offsetGroups * positions * 2, h, w), y before x
    OnnxValue mask = {}; ///< (N, offsetGroups * positions, h, w): factors of the read values; may be absent
    OnnxValue weight;    ///< (filters, C / groups, kernel...)
    OnnxValue bias = {}; ///< (filters), may be absent
};

OnnxValue deformableConvolution(const NodeContext& ctx, const DeformableOperands& operands,
                                const DeformableConvolution& how);

} // namespace crosswalk::forms
