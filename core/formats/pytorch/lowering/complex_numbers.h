#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::pytorch {

/// Represents complex numbers, which ONNX's operators do not support, by two real tensors each: operators on them
/// become operators on real and imaginary parts, and spectra become "complex::fft_fft" and so on, with both parts as
/// inputs
/// ("self" and "self.imag") and as results. Nodes without such a form stay as they are, with those that they need.
/// Returns the ones that read complex numbers.
std::vector<NodeId> splitComplexNumbers(GraphRewriter& graph);

} // namespace crosswalk::pytorch
