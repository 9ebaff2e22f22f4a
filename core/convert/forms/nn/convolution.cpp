#include "core/convert/forms/nn/convolution.h"

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/nn/double_convolution.h"

#include <cassert>

namespace crosswalk::forms {

OnnxValue convolution(const NodeContext& ctx, const Convolution& how)
{
    const WindowPadding& padding = how.padding;
    const ElementType type = ctx.element(padding.x);
    if (type == ElementType::Float64) {
        assert(!padding.isSame);
        return doubleConvolution(ctx, padding.x, how.weight, how.bias, how.window, how.groups, padding.begin,
                                 padding.end);
    }
    OnnxAttributes attributes{
        {"kernel_shape", how.window.kernel}, {"strides", how.window.stride}, {"dilations", how.window.dilate}};
    padding.appendTo(attributes);
    attributes.emplace_back("group", how.groups);
    const ElementType wide = widened(type);
    // Operands of another type than x stay as they are, so that the mismatch is reported.
    const auto widen = [&](OnnxValue operand) {
        return ctx.element(operand) == type ? emit::cast(ctx, operand, wide) : operand;
    };
    OnnxValues inputs{widen(padding.x), widen(how.weight)};
    if (how.bias) {
        inputs.push_back(widen(how.bias));
    }
    return emit::cast(ctx, ctx.emit("Conv", inputs, attributes), type);
}

} // namespace crosswalk::forms
