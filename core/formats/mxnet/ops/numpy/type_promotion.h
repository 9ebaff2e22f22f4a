#pragma once

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/mxnet/mxnet_forms.h"

/// The element types that MXNet's numpy operators return.
namespace crosswalk::mxnet {

/// The common type of a and b: the wider; a floating-point type wins over any integer.
ElementType promoted(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// The type of a quotient or a mean: float32 for types that are not floating-point.
ElementType quotientType(ElementType promotedType);

/// A row of a table: two tensors in their common type.
template <arithmetic::Binary op>
OnnxValues mixed(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    const ElementType type = promoted(ctx, a, b);
    return {op(ctx, emit::cast(ctx, a, type), emit::cast(ctx, b, type))};
}

} // namespace crosswalk::mxnet
