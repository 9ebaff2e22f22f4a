#pragma once

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/mxnet/mxnet_forms.h"

/// The element types that MXNet's numpy operators give.
namespace crosswalk::mxnet {

/// The type that a and b meet in: the wider; a floating one before any integer.
ElementType promoted(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// What a quotient or a mean of the type is: float32 where it is no floating one.
ElementType quotientType(ElementType promotedType);

/// A row of a table: two tensors in the type that they meet in.
template <arithmetic::Binary op>
OnnxValues mixed(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    const ElementType type = promoted(ctx, a, b);
    return {op(ctx, emit::cast(ctx, a, type), emit::cast(ctx, b, type))};
}

} // namespace crosswalk::mxnet
