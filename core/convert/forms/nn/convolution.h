#pragma once

#include "core/convert/forms/nn/window_padding.h"

#include <cstdint>

namespace crosswalk::forms {

struct Convolution {
    Window window = {};
    WindowPadding padding = {}; ///< of the data, which it contains, channels first
    OnnxValue weight = {};      ///< (filters, channels / groups, kernel...)
    OnnxValue bias = {};        ///< (filters), may be absent
    std::int64_t groups = 1;
};

/// A convolution in any floating type: as matrix products in double precision, which needs fixed padding.
OnnxValue convolution(const NodeContext& ctx, const Convolution& how);

} // namespace crosswalk::forms
