#pragma once

#include "core/convert/forms/elementwise/elementary.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/promotion.h"

namespace crosswalk::pytorch {

/// An operator that is a function of one tensor. The result is floating: integers are converted.
template <forms::elementary::Unary function>
OnnxValues floating(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {function(ctx, emit::cast(ctx, x, floatingType(ctx.element(x))))};
}

} // namespace crosswalk::pytorch
