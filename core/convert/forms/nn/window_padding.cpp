#include "core/convert/forms/nn/window_padding.h"

#include "core/base/rounded_quotient.h"
#include "core/convert/forms/elementwise/arithmetic.h"

#include <algorithm>

namespace crosswalk::forms {
namespace {

/// The padding of each spatial dimension in all as an int64 vector: max((ceil(size / stride) - 1) stride + reach -
/// size, 0).
OnnxValue computedTotals(const NodeContext& ctx, OnnxValue x, const Window& window)
{
    const auto rank = static_cast<std::int64_t>(window.rank());
    const OnnxValue sizes = emit::slice(ctx, emit::shapeVector(ctx, x), Ints{2}, Ints{rank + 2}, Ints{0});
    Ints reach;
    Ints up;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        reach.push_back(window.reach(i));
        up.push_back(window.stride[i] - 1);
    }
    const OnnxValue stride = ctx.onnx.ints(window.stride);
    const OnnxValue count = ctx.emit("Div", {ctx.emit("Add", {sizes, ctx.onnx.ints(up)}), stride});
    const OnnxValue steps = ctx.emit("Mul", {ctx.emit("Sub", {count, ctx.onnx.ints({1})}), stride});
    const OnnxValue total = ctx.emit("Sub", {ctx.emit("Add", {steps, ctx.onnx.ints(reach)}), sizes});
    return arithmetic::maximum(ctx, total, ctx.onnx.ints({0}));
}

OnnxValue paddedBeforehand(const NodeContext& ctx, OnnxValue x, const Window& window, double filler)
{
    const OnnxValue total = computedTotals(ctx, x, window);
    const OnnxValue begin = ctx.emit("Div", {total, ctx.onnx.ints({2})});
    const OnnxValue end = ctx.emit("Sub", {total, begin});
    const OnnxValue outer = ctx.onnx.ints({0, 0});
    const OnnxValue pads = emit::concat(ctx, {outer, begin, outer, end}, 0);
    return ctx.emit("Pad", {x, pads, emit::scalarLike(ctx, x, filler)});
}

} // namespace

std::int64_t samePaddingTotal(std::int64_t size, std::int64_t stride, std::int64_t reach)
{
    return std::max<std::int64_t>((quotientRoundedUp(size, stride) - 1) * stride - size + reach, 0);
}

void WindowPadding::appendTo(OnnxAttributes& attributes) const
{
    if (isSame) {
        attributes.emplace_back("auto_pad", "SAME_UPPER");
    } else {
        attributes.emplace_back("pads", onnxPads(begin, end));
    }
}

WindowPadding validPadding(OnnxValue x, const Window& window)
{
    return {.x = x, .begin = Ints(window.rank(), 0), .end = Ints(window.rank(), 0)};
}

WindowPadding samePadding(const NodeContext& ctx, OnnxValue x, const Window& window, double filler)
{
    WindowPadding padding = validPadding(x, window);
    const Shape& shape = ctx.shape(x);
    bool isOpen = false;
    bool isSimple = true; // ONNX's SAME_UPPER cannot be dilated, and does not define windows narrower than their step
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const Dim& size = shape.at(i + 2);
        isSimple = isSimple && window.dilate[i] == 1 && window.kernel[i] >= window.stride[i];
        if (!size.isFixed() && window.stride[i] != 1) {
            isOpen = true;
            continue;
        }
        const std::int64_t total = window.stride[i] == 1
                                       ? window.reach(i) - 1
                                       : samePaddingTotal(size.size, window.stride[i], window.reach(i));
        padding.begin[i] = total / 2;
        padding.end[i] = total - total / 2;
    }
    if (isOpen && isSimple) {
        padding.isSame = true;
    } else if (isOpen) {
        padding.x = paddedBeforehand(ctx, x, window, filler);
        padding.begin = padding.end = Ints(window.rank(), 0);
    }
    return padding;
}

} // namespace crosswalk::forms
