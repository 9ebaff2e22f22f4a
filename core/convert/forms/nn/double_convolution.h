#pragma once

#include "core/convert/forms/nn/window.h"

#include <cstdint>

namespace crosswalk::forms {

/// Convolution as matrix products, in double precision: ONNX Runtime's Conv has none on CPUs. x and the weight have
/// channels first; `begin` and `end` are the padding (negative: cut); bias may be absent.
OnnxValue doubleConvolution(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias, const Window& window,
                            std::int64_t groups, const Ints& begin, const Ints& end);

} // namespace crosswalk::forms
