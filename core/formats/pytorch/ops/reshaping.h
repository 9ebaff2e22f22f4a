#pragma once

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"

#include <algorithm>

namespace crosswalk::pytorch {

/// x in the sizes of an int64 vector, in which 0 is the number itself, not a copied dimension.
inline OnnxValue reshaped(const NodeContext& ctx, OnnxValue x, OnnxValue sizes)
{
    const auto known = forms::knownInts(ctx, sizes);
    if (known && std::find(known->begin(), known->end(), 0) == known->end()) {
        return emit::reshape(ctx, x, *known);
    }
    constexpr int firstAllowZero = 14;
    if (ctx.onnx.opset() >= firstAllowZero) {
        return ctx.emit("Reshape", {x, sizes}, {{"allowzero", 1}});
    }
    const bool isEmpty = known && std::find(known->begin(), known->end(), -1) == known->end();
    return isEmpty ? forms::filled(ctx, ctx.element(x), *known, 0) : emit::reshape(ctx, x, sizes);
}

/// x, which has one element, without axes.
inline OnnxValue asScalar(const NodeContext& ctx, OnnxValue x)
{
    return ctx.rank(x) == 0 ? x : emit::reshape(ctx, x, ctx.onnx.ints({}));
}

} // namespace crosswalk::pytorch
