#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

/// A tensor and a number of rank 0, of one element type.
struct ScalarOperands {
    OnnxValue tensor;
    OnnxValue number;
};

/// The number as a cast of C's has it in that type: cut off, and narrow integers wrap.
double castNumber(ElementType type, double number);

/// Input 0 and attribute scalar of the node, in the type that MXNet computes in.
ScalarOperands scalarOperands(const NodeContext& ctx);

} // namespace crosswalk::mxnet
