#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {

bool hasChannelsLast(const Layer& layer)
{
    const std::string format = layer.settings.text("data_format", "channels_last");
    if (format != "channels_last" && format != "channels_first") {
        layer.ctx.invalid(fmt::format("data_format {} is neither channels_last nor channels_first", format),
                          "data_format");
    }
    return format == "channels_last";
}

Ints perAxis(const Layer& layer, const std::string& setting, std::size_t rank, std::int64_t otherwise)
{
    Ints sizes = layer.settings.ints(setting, {otherwise});
    if (layer.settings.extents(setting).empty()) { // one number
        sizes.assign(rank, sizes.front());
    }
    if (sizes.size() != rank) {
        layer.ctx.invalid(fmt::format("{} has {} numbers for {} axes", setting, sizes.size(), rank), setting);
    }
    const auto isBad = [](std::int64_t n) { return n < 1 || n > std::numeric_limits<std::int32_t>::max(); };
    if (std::ranges::any_of(sizes, isBad)) {
        layer.ctx.invalid(fmt::format("{} is not positive", setting), setting);
    }
    return sizes;
}

Shape kernelShape(const Layer& layer, std::size_t rank, const Dim& beforeLast, const Dim& last)
{
    Shape shape(rank);
    if (layer.settings.has("kernel_size")) {
        const Ints sizes = perAxis(layer, "kernel_size", rank, 1);
        std::ranges::transform(sizes, shape.begin(), [](std::int64_t size) { return Dim(size); });
    }
    shape.push_back(beforeLast);
    shape.push_back(last);
    return shape;
}

OnnxValue channelsFirst(const Layer& layer, OnnxValue x)
{
    return hasChannelsLast(layer) ? toChannelsFirst(layer.ctx, x) : x;
}

OnnxValue inLayout(const Layer& layer, OnnxValue y)
{
    return hasChannelsLast(layer) ? toChannelsLast(layer.ctx, y) : y;
}

Window windowOf(const Layer& layer, const Ints& kernel)
{
    return {.kernel = kernel,
            .stride = perAxis(layer, "strides", kernel.size(), 1),
            .dilate = perAxis(layer, "dilation_rate", kernel.size(), 1)};
}

WindowPadding paddingOf(const Layer& layer, OnnxValue x, const Window& window, double filler)
{
    const std::string kind = layer.settings.text("padding", "valid");
    WindowPadding padding = validPadding(x, window);
    if (kind == "valid") {
        return padding;
    }
    if (kind == "same") {
        return samePadding(layer.ctx, x, window, filler);
    }
    if (kind == "causal" && window.rank() == 1) {
        padding.begin[0] = window.reach(0) - 1;
        return padding;
    }
    layer.refuse(fmt::format("padding {} is not one of valid, same and causal", kind), "padding");
}

OnnxValue reversed(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    constexpr std::int64_t beforeFirst = std::numeric_limits<std::int64_t>::min() + 1; // -1 is the last element
    return emit::slice(ctx, x, Ints(axes.size(), -1), Ints(axes.size(), beforeFirst), axes, Ints(axes.size(), -1));
}

} // namespace crosswalk::keras
