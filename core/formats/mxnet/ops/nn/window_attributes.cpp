#include "core/formats/mxnet/ops/nn/window_attributes.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

Ints perDimension(const NodeContext& ctx, const Attributes& attributes, std::string_view name, std::size_t rank,
                  std::int64_t fallback, std::int64_t least)
{
    const Ints values = attributes.ints(name, Ints(rank, fallback));
    if (values.size() != rank) {
        ctx.invalid(fmt::format("{} has {} numbers, but the kernel has {} dimensions", name, values.size(), rank),
                    std::string(name));
    }
    for (const auto value : values) {
        if (value < least || value > std::numeric_limits<std::int32_t>::max()) {
            ctx.invalid(fmt::format("{} = {} is out of range", name, value), std::string(name));
        }
    }
    return values;
}

} // namespace

LayerWindow LayerWindow::of(const NodeContext& ctx, const Attributes& attributes)
{
    LayerWindow window;
    const std::size_t rank = attributes.ints("kernel").size();
    if (rank < 1 || rank > 3) {
        ctx.invalid(fmt::format("kernel has {} dimensions; {} accepts 1 to 3", rank, ctx.node.op), "kernel");
    }
    window.kernel = perDimension(ctx, attributes, "kernel", rank, 1, 1);
    window.stride = perDimension(ctx, attributes, "stride", rank, 1, 1);
    window.dilate = perDimension(ctx, attributes, "dilate", rank, 1, 1);
    window.pad = perDimension(ctx, attributes, "pad", rank, 0, 0);
    window.channelsLast = isChannelsLast(ctx, attributes.text("layout", ""), rank);
    return window;
}

bool isChannelsLast(const NodeContext& ctx, const std::string& layout, std::size_t spatialRank)
{
    if (layout.empty()) {
        return false;
    }
    constexpr std::string_view first[] = {"NCW", "NCHW", "NCDHW"};
    constexpr std::string_view last[] = {"NWC", "NHWC", "NDHWC"};
    if (layout != first[spatialRank - 1] && layout != last[spatialRank - 1]) {
        ctx.invalid(fmt::format("layout = {} is not a layout of {} spatial dimensions", layout, spatialRank), "layout");
    }
    return layout == last[spatialRank - 1];
}

} // namespace crosswalk::mxnet
