#include "core/formats/tensorflow/ops/nn/padding_attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::tensorflow {

bool hasChannelsLast(const NodeContext& ctx, const Settings& settings, std::size_t rank)
{
    const std::string format = settings.text("data_format");
    // Series have a format by lowering alone (fuseSeriesWindows).
    if (format != "NHWC" && format != "NCHW" && format != "NDHWC" && format != "NCDHW" && format != "NWC") {
        ctx.refuse(fmt::format("only some devices support data_format {}", format), "data_format",
                   "save the model with NHWC");
    }
    const bool isLast = format.back() == 'C';
    if (rank != format.size()) {
        ctx.invalid(fmt::format("data_format {} does not match {} dimensions", format, rank), "data_format");
    }
    return isLast;
}

Ints spatialOf(const NodeContext& ctx, const Ints& all, bool channelsLast, std::string_view attribute)
{
    if (all.size() < 3) {
        ctx.invalid(fmt::format("{} has {} numbers", attribute, all.size()), std::string(attribute));
    }
    if (all.front() != 1 || all[channelsLast ? all.size() - 1 : 1] != 1) {
        ctx.refuse(fmt::format("{} must be 1 for batch and channels", attribute), std::string(attribute));
    }
    const auto first = all.iteratorAt(channelsLast ? 1 : 2);
    Ints spatial(first, first + static_cast<std::ptrdiff_t>(all.size()) - 2);
    if (std::ranges::any_of(spatial, [](auto n) { return n < 1 || n > std::numeric_limits<std::int32_t>::max(); })) {
        ctx.invalid(fmt::format("{} is not positive", attribute), std::string(attribute));
    }
    return spatial;
}

WindowPadding paddingOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, const Window& window,
                        bool channelsLast, double filler)
{
    WindowPadding padding = validPadding(x, window);
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
        ctx.invalid(fmt::format("padding {} is not one of SAME, VALID and EXPLICIT", kind), "padding");
    }
    return samePadding(ctx, x, window, filler);
}

} // namespace crosswalk::tensorflow
