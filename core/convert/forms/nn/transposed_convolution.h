#pragma once

#include "core/convert/forms/nn/window.h"

#include <cstdint>

namespace crosswalk::forms {

/// The crop of the full result of a transposed convolution at both ends of each spatial dimension; a negative number at
/// the end extends it.
struct TransposedEnds {
    Ints begin;
    Ints end;
};

/// ConvTranspose of x (channels first) in any floating type. The weight's shape is
/// (channels, filters / groups, kernel...); bias may be absent.
OnnxValue transposedConvolution(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias,
                                const Window& window, std::int64_t groups, const TransposedEnds& ends);
/// The same to sizes known when the model runs, an int64 vector of the spatial dimensions: the largest output there can
/// be, cut at the end, or with `isCentered` evenly, the odd element at the end. In one group.
OnnxValue transposedConvolutionTo(const NodeContext& ctx, OnnxValue x, OnnxValue weight, const Window& window,
                                  OnnxValue sizes, bool isCentered);

} // namespace crosswalk::forms
