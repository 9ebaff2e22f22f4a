#include "core/convert/forms/tensor/concat_split.h"

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/shape_terms.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::forms {

OnnxValue stacked(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis)
{
    const OnnxValue first = parts.front();
    if (parts.size() == 1) {
        return emit::unsqueeze(ctx, first, {axis});
    }
    const auto rank = static_cast<std::int64_t>(ctx.rank(first));
    const Shape& shape = ctx.shape(first);
    // One Concat and one Reshape are equivalent to an Unsqueeze for each part, if the dimensions that move are fixed.
    if (axis < rank && std::find(shape.begin(), shape.end(), Dim(0)) == shape.end() &&
        std::all_of(shape.iteratorAt(axis), shape.end(), [](const Dim& dim) { return dim.isFixed(); })) {
        ShapeTerms terms = termsOf(ctx, first);
        terms.insert(terms.iteratorAt(axis), fixedTerm(static_cast<std::int64_t>(parts.size())));
        const OnnxValue joined = emit::concat(ctx, parts, axis);
        for (std::int64_t i = 0; i < axis; ++i) {
            terms[static_cast<std::size_t>(i)] = termOf(ctx, joined, {i});
        }
        return reshapeTo(ctx, joined, terms);
    }
    OnnxValues widened;
    for (const OnnxValue part : parts) {
        widened.push_back(emit::unsqueeze(ctx, part, {axis}));
    }
    return emit::concat(ctx, widened, axis);
}

OnnxValues splitEvenly(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count,
                       const std::string& attribute)
{
    if (count == 1) {
        return {x};
    }
    if (count < 1 || count > std::numeric_limits<std::int32_t>::max()) {
        ctx.invalid(fmt::format("a tensor cannot be split into {} parts", count), attribute);
    }
    const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (dim.isFixed() && dim.size % count != 0) {
        ctx.invalid(fmt::format("{} parts of equal size do not form a dimension of {}", count, dim.size), attribute);
    }
    OnnxAttributes attributes{{"axis", axis}};
    if (ctx.onnx.opset() >= 18) {
        attributes.emplace_back("num_outputs", count);
    }
    return ctx.onnx.add("Split", {x}, attributes, static_cast<std::size_t>(count));
}

} // namespace crosswalk::forms
