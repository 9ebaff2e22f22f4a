#pragma once

#include "core/convert/forms/nn/window.h"

namespace crosswalk::forms {

/// The padding for a window over a tensor, as ONNX's operators accept it.
struct WindowPadding {
    OnnxValue x;         ///< channels first; padded beforehand where ONNX's attributes cannot express the padding
    bool isSame = false; ///< auto_pad = SAME_UPPER, for open sizes; else pads
    Ints begin = {};
    Ints end = {};

    void appendTo(OnnxAttributes& attributes) const;
};

/// Without padding.
WindowPadding validPadding(OnnxValue x, const Window& window);
/// The padding that makes the output ceil(size / stride) large, with the odd element at the end. `filler`: the value of
/// explicit padding.
WindowPadding samePadding(const NodeContext& ctx, OnnxValue x, const Window& window, double filler);

} // namespace crosswalk::forms
