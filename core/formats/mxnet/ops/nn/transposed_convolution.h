#pragma once

#include "core/formats/mxnet/ops/nn/spatial.h"

namespace crosswalk::mxnet {

/// How much of the full result of a transposed convolution is cut at the ends of each spatial dimension; a negative
/// number at the end adds.
struct TransposedEnds {
    Ints begin;
    Ints end;
};

/// ConvTranspose of x (channels first) in whatever type; Window::pad means nothing here. The weight's shape is
/// (channels, filters / groups, kernel...); bias may be absent.
OnnxValue transposedConvolution(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias,
                                const Window& window, std::int64_t groups, const TransposedEnds& ends);

} // namespace crosswalk::mxnet
