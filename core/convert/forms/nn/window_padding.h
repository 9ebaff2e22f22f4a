#pragma once

#include "core/convert/forms/nn/window.h"

#include <cstdint>

namespace crosswalk::forms {

/// The padding for a window over a tensor, as ONNX's operators accept it.
struct WindowPadding {
    OnnxValue x;         ///< channels first; padded beforehand where ONNX's attributes cannot express the padding
    bool isSame = false; ///< auto_pad = SAME_UPPER, for open sizes; else pads
    Ints begin = {};
    Ints end = {};

    void appendTo(OnnxAttributes& attributes) const;
};

/// How much a dimension of `size` elements is padded in all for ceil(size / stride) windows. `reach`: from the first to
/// the last element of a window, as Window::reach.
std::int64_t samePaddingTotal(std::int64_t size, std::int64_t stride, std::int64_t reach);

/// Without padding.
WindowPadding validPadding(OnnxValue x, const Window& window);
/// The padding that makes the output ceil(size / stride) large, with the odd element at the end. `filler`: the value of
/// explicit padding.
WindowPadding samePadding(const NodeContext& ctx, OnnxValue x, const Window& window, double filler);

} // namespace crosswalk::forms
