#pragma once

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/tensorflow/ops/operands.h"

namespace crosswalk::tensorflow {

/// An operator that is a function of its two inputs.
template <forms::arithmetic::Binary function>
OnnxValues binary(NodeContext& ctx)
{
    return {function(ctx, ctx.input(0), ctx.input(1))};
}

} // namespace crosswalk::tensorflow
