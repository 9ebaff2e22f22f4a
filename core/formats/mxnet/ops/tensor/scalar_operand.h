#pragma once

#include "core/formats/mxnet/ops/tensor/arithmetic.h"

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

/// A row of a table: the tensor and the number.
template <arithmetic::Binary op>
OnnxValues scalar(NodeContext& ctx)
{
    const auto [x, number] = scalarOperands(ctx);
    return {op(ctx, x, number)};
}

/// The number first.
template <arithmetic::Binary op>
OnnxValues reversed(NodeContext& ctx)
{
    const auto [x, number] = scalarOperands(ctx);
    return {op(ctx, number, x)};
}

} // namespace crosswalk::mxnet
