#include "core/formats/tensorflow/ops/nn/window_padding.h"

#include "core/convert/emit.h"
#include "core/formats/tensorflow/ops/operands.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
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

bool hasChannelsLast(const NodeContext& ctx, const Settings& settings, std::size_t rank)
{
    const std::string format = settings.text("data_format");
    if (format != "NHWC" && format != "NCHW" && format != "NDHWC" && format != "NCDHW") {
        ctx.refuse(fmt::format("data_format {} is one that only some devices have", format), "data_format",
                   "save the model for NHWC");
    }
    const bool isLast = format.back() == 'C';
    if (rank != format.size()) {
        ctx.invalid(fmt::format("data_format {} meets {} dimensions", format, rank), "data_format");
    }
    return isLast;
}

Ints spatialOf(const NodeContext& ctx, const Ints& all, bool channelsLast, std::string_view attribute)
{
    if (all.size() < 3) {
        ctx.invalid(fmt::format("{} has {} numbers", attribute, all.size()), std::string(attribute));
    }
    if (all.front() != 1 || all[channelsLast ? all.size() - 1 : 1] != 1) {
        ctx.refuse(fmt::format("{} reaches over batch or channels", attribute), std::string(attribute));
    }
    const auto first = all.begin() + (channelsLast ? 1 : 2);
    Ints spatial(first, first + static_cast<std::ptrdiff_t>(all.size()) - 2);
    if (std::ranges::any_of(spatial, [](auto n) { return n < 1 || n > std::numeric_limits<std::int32_t>::max(); })) {
        ctx.invalid(fmt::format("{} is not positive", attribute), std::string(attribute));
    }
    return spatial;
}

void WindowPadding::appendTo(OnnxAttributes& attributes) const
{
    if (isSame) {
        attributes.emplace_back("auto_pad", "SAME_UPPER");
    } else {
        attributes.emplace_back("pads", onnxPads(begin, end));
    }
}

bool WindowPadding::isZero() const
{
    const auto none = [](const Ints& pads) { return std::ranges::all_of(pads, [](auto pad) { return pad == 0; }); };
    return !isSame && none(begin) && none(end);
}

std::int64_t samePadding(std::int64_t size, std::int64_t stride, std::int64_t reach)
{
    return std::max<std::int64_t>(((size + stride - 1) / stride - 1) * stride + reach - size, 0);
}

WindowPadding paddingOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, const Window& window,
                        bool channelsLast, double filler)
{
    WindowPadding padding{.x = x, .begin = Ints(window.rank(), 0), .end = Ints(window.rank(), 0)};
    const std::string kind = settings.text("padding");
    if (kind == "VALID") {
        return padding;
    }
    if (kind == "EXPLICIT") {
        const Ints pads = settings.ints("explicit_paddings");
        if (pads.size() != 2 * (window.rank() + 2)) {
            ctx.invalid(fmt::format("explicit_paddings has {} numbers", pads.size()), "explicit_paddings");
        }
        for (std::size_t i = 0; i < window.rank(); ++i) {
            const std::size_t first = 2 * (i + (channelsLast ? 1 : 2));
            padding.begin[i] = pads[first];
            padding.end[i] = pads[first + 1];
        }
        return padding;
    }
    if (kind != "SAME") {
        ctx.invalid(fmt::format("padding {} is none of SAME, VALID and EXPLICIT", kind), "padding");
    }
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
        const std::int64_t total =
            window.stride[i] == 1 ? window.reach(i) - 1 : samePadding(size.size, window.stride[i], window.reach(i));
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

} // namespace crosswalk::tensorflow
