#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::tensorflow {

/// Replaces ExpandDims, a convolution or pooling over images (batch, height, width, channels), and Squeeze of the same
/// axis by the convolution or pooling over series (batch, steps, channels), with data_format NWC, which TensorFlow does
/// not have.
void fuseSeriesWindows(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
