#include "core/convert/forms/elementwise/gelu.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"

namespace crosswalk::forms {
namespace {

OnnxValue times(const NodeContext& ctx, OnnxValue x, double factor)
{
    return ctx.emit("Mul", {x, emit::scalarLike(ctx, x, factor)});
}

OnnxValue composedGelu(const NodeContext& ctx, OnnxValue x, bool isApproximate)
{
    constexpr double rootOfHalf = 0.70710678118654752440;
    constexpr double rootOfTwoByPi = 0.79788456080286535588;
    OnnxValue inner;
    if (isApproximate) {
        const OnnxValue cube = ctx.emit("Mul", {ctx.emit("Mul", {x, x}), x});
        const OnnxValue sum = ctx.emit("Add", {x, times(ctx, cube, 0.044715)});
        inner = elementary::tanh(ctx, times(ctx, sum, rootOfTwoByPi));
    } else {
        inner = elementary::erf(ctx, times(ctx, x, rootOfHalf));
    }
    const OnnxValue share = ctx.emit("Add", {inner, emit::scalarLike(ctx, x, 1)});
    return ctx.emit("Mul", {times(ctx, x, 0.5), share});
}

} // namespace

OnnxValue gelu(const NodeContext& ctx, OnnxValue x, bool isApproximate)
{
    constexpr int firstOpset = 20;
    const Precision precision(ctx, x);
    const OnnxValue wide = precision.widen(x);
    if (ctx.onnx.opset() < firstOpset || precision.wide() == ElementType::Float64) { // ONNX Runtime has no double Gelu
        return precision.restore(composedGelu(ctx, wide, isApproximate));
    }
    const OnnxAttributes attributes = isApproximate ? OnnxAttributes{{"approximate", "tanh"}} : OnnxAttributes{};
    return precision.restore(ctx.emit("Gelu", {wide}, attributes));
}

} // namespace crosswalk::forms
