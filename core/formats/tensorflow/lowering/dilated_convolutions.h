#pragma once

#include "core/graph/graph_rewriter.h"

namespace crosswalk::tensorflow {

/// Replaces SpaceToBatchND, a convolution with steps of 1 and without padding, and BatchToSpaceND by a convolution with
/// dilations: the block sizes. It pads by the difference of the paddings and the crops. The convolution of a series
/// (batch, steps, channels) has a further axis of size one between ExpandDims and Squeeze.
void fuseDilatedConvolutions(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
