#pragma once

#include "core/convert/forms/nn/window.h"

namespace crosswalk::forms {

/// A convolution of images (N, C, H, W) in which each position of the kernel reads where an offset of its own moves it,
/// linearly interpolated between the pixels.
struct DeformableConvolution {
    Window window = {};
    Ints pad = {}; ///< before and after each spatial dimension
    std::int64_t filters = 0;
    std::int64_t groups = 1;       ///< of the weight
    std::int64_t offsetGroups = 1; ///< of the channels, each with offsets of its own
    /// Up to one pixel beyond the last one the last one is read, before the first one nothing; else images fade to 0 at
    /// all edges. Without a mask.
    bool keepsLastPixel = false;
};

/// C is fixed. Every type but half precision, which is to be widened.
struct DeformableOperands {
    OnnxValue x;
    OnnxValue offsets;   ///< (N, offsetGroups * positions * 2, h, w), y before x
    OnnxValue mask = {}; ///< (N, offsetGroups * positions, h, w): factors of what is read; may be absent
    OnnxValue weight;    ///< (filters, C / groups, kernel...)
    OnnxValue bias = {}; ///< (filters), may be absent
};

OnnxValue deformableConvolution(const NodeContext& ctx, const DeformableOperands& operands,
                                const DeformableConvolution& how);

} // namespace crosswalk::forms
