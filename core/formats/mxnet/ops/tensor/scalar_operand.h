#pragma once

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/mxnet/mxnet_forms.h"

#include <string_view>

namespace crosswalk::mxnet {

/// A tensor and a number of rank 0, of one element type.
struct ScalarOperands {
    OnnxValue tensor;
    OnnxValue number;
};

/// Casts the number to an element type as C does: integers truncate, 8-bit integers wrap, and a bool is true if the
/// number is not zero.
double castNumber(ElementType type, double number);
/// The same for an attribute of the node. Rejects a number beyond the range of a C integer: the result of the cast is
/// undefined.
double castNumber(const NodeContext& ctx, ElementType type, double number, std::string_view attribute);
/// An attribute of the node as a constant of x's element type, rank 0.
OnnxValue castLike(const NodeContext& ctx, OnnxValue x, double number, std::string_view attribute);

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
