#include "core/convert/forms/tensor/int_vector.h"

#include "core/convert/emit.h"

namespace crosswalk::forms {

std::optional<Ints> knownInts(const NodeContext& ctx, OnnxValue x)
{
    if (const Tensor* stored = ctx.onnx.content(x)) {
        return stored->toInts();
    }
    if (const auto dims = ctx.onnx.integers(x)) {
        Ints values;
        for (const Dim& dim : *dims) {
            if (!dim.isFixed()) {
                return std::nullopt;
            }
            values.push_back(dim.size);
        }
        return values;
    }
    return std::nullopt;
}

OnnxValue asInt64(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, ElementType::Int64);
}

OnnxValue intVector(const NodeContext& ctx, OnnxValue x)
{
    if (const auto values = knownInts(ctx, x)) {
        return ctx.onnx.ints(*values);
    }
    const OnnxValue wide = asInt64(ctx, x);
    const auto& shape = ctx.onnx.shape(wide);
    return shape && shape->empty() ? emit::unsqueeze(ctx, wide, {0}) : wide;
}

OnnxValue scalarOf(const NodeContext& ctx, OnnxValue vector)
{
    return emit::squeeze(ctx, vector, {0});
}

} // namespace crosswalk::forms
