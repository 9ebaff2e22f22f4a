#include "core/convert/forms/nn/softmax.h"

#include "core/base/half.h"
#include "core/convert/forms/tensor/fill.h"

#include <limits>
#include <numeric>

namespace crosswalk::forms {
namespace {

/// True for the elements along `axis` that stand before the row's length.
OnnxValue lengthMask(const NodeContext& ctx, OnnxValue x, OnnxValue lengths, std::int64_t axis)
{
    const std::size_t rank = ctx.rank(x);
    const Dim size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    OnnxValue places;
    if (size.isFixed()) {
        Ints counted(static_cast<std::size_t>(size.size));
        for (std::size_t i = 0; i < counted.size(); ++i) {
            counted[i] = static_cast<std::int64_t>(i);
        }
        places = ctx.onnx.ints(counted);
    } else {
        const OnnxValue end = emit::squeeze(ctx, emit::dimVector(ctx, x, axis), {0});
        const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
        places = ctx.emit("Range", {zero, end, ctx.onnx.scalar(ElementType::Int64, 1)});
    }
    Ints behind(rank - 1 - static_cast<std::size_t>(axis));
    for (std::size_t i = 0; i < behind.size(); ++i) {
        behind[i] = static_cast<std::int64_t>(i) + 1;
    }
    places = emit::unsqueeze(ctx, places, behind);
    const OnnxValue bound = emit::unsqueeze(ctx, emit::cast(ctx, lengths, ElementType::Int64), {axis});
    return ctx.emit("Less", {places, bound});
}

double roundedTo(ElementType type, double value)
{
    const auto single = static_cast<float>(value);
    return type == ElementType::Float16   ? static_cast<double>(halfToFloat(floatToHalf(single)))
           : type == ElementType::Float64 ? value
                                          : static_cast<double>(single);
}

} // namespace

OnnxValue softmax(const NodeContext& ctx, OnnxValue x, const Softmax& how)
{
    const ElementType from = ctx.element(x);
    const ElementType to = how.type;
    const double temperature = roundedTo(from, how.temperature);
    const bool wide = temperature != 1 || byteSize(to) > byteSize(from) || !isFloating(from);
    const ElementType inside = !wide                                              ? from
                               : to == ElementType::Float64 || byteSize(from) > 4 ? ElementType::Float64
                                                                                  : ElementType::Float32;
    x = emit::cast(ctx, x, inside);
    if (temperature != 1) {
        x = ctx.emit("Div", {x, emit::scalarLike(ctx, x, how.negate ? -temperature : temperature)});
    } else if (how.negate) {
        x = ctx.emit("Neg", {x});
    }
    OnnxValue mask;
    if (how.lengths) {
        mask = lengthMask(ctx, x, how.lengths, how.axis);
        const double lowest = -std::numeric_limits<double>::infinity();
        x = ctx.emit("Where", {mask, x, emit::scalarLike(ctx, x, lowest)});
    }
    OnnxValue y = emit::softmax(ctx, x, how.axis, how.logarithm);
    if (mask) { // zero beyond the length, for the logarithm too
        y = ctx.emit("Where", {mask, y, emit::scalarLike(ctx, y, 0)});
    }
    return emit::cast(ctx, y, to);
}

OnnxValue softmaxOfRest(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.onnx.opset() < 13) { // where Softmax flattens everything from the axis on
        return ctx.emit("Softmax", {x}, {{"axis", 1}});
    }
    const OnnxValue flat = ctx.emit("Softmax", {ctx.emit("Flatten", {x}, {{"axis", 1}})}, {{"axis", 1}});
    const OnnxValue y = emit::reshape(ctx, flat, emit::shapeVector(ctx, x));
    ctx.onnx.refine(y, ctx.shape(x));
    return y;
}

} // namespace crosswalk::forms
