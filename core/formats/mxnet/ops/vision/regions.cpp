#include "core/formats/mxnet/ops/vision/regions.h"

#include "core/formats/mxnet/ops/vision/image_sampling.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

constexpr std::int64_t mostBins = 4096;

void expectBins(const NodeContext& ctx, std::int64_t count)
{
    if (count < 1 || count > mostBins) {
        ctx.invalid(fmt::format("pooled_size = {} is out of range", count), "pooled_size");
    }
}

double scaleOf(const Attributes& attributes)
{
    return static_cast<double>(static_cast<float>(attributes.number("spatial_scale")));
}

} // namespace

Bins Bins::of(const NodeContext& ctx, const Attributes& attributes)
{
    const Ints size = attributes.ints("pooled_size");
    if (size.size() != 2) {
        ctx.invalid("pooled_size is a pair of a height and a width", "pooled_size");
    }
    expectBins(ctx, size[0]);
    expectBins(ctx, size[1]);
    Bins bins;
    bins.height = size[0];
    bins.width = size[1];
    bins.scale = scaleOf(attributes);
    return bins;
}

Bins Bins::positionSensitive(const NodeContext& ctx, const Attributes& attributes)
{
    Bins bins;
    bins.height = bins.width = attributes.integer("pooled_size");
    expectBins(ctx, bins.height);
    bins.scale = scaleOf(attributes);
    bins.channels = attributes.integer("output_dim");
    bins.groups = attributes.integer("group_size", 0);
    bins.groups = bins.groups == 0 ? bins.height : bins.groups;
    const std::int64_t channels = ctx.fixedDim(ctx.input(0), 1);
    if (bins.channels < 1 || bins.groups < 1 || bins.groups > mostBins ||
        bins.channels > channels / (bins.groups * bins.groups)) {
        ctx.invalid(fmt::format("the data has {} channels for output_dim = {} and group_size = {}", channels,
                                bins.channels, bins.groups),
                    "output_dim");
    }
    return bins;
}

Ints Bins::groupOfBin() const
{
    Ints own;
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            const std::int64_t row = std::min(y * groups / height, groups - 1);
            const std::int64_t column = std::min(x * groups / width, groups - 1);
            own.push_back(row * groups + column);
        }
    }
    return own;
}

OnnxValue Bins::ownChannels(const NodeContext& ctx, OnnxValue results) const
{
    const std::int64_t area = height * width;
    Ints places = groupOfBin();
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = places[i] * area + static_cast<std::int64_t>(i);
    }
    const std::int64_t all = channels * groups * groups;
    const OnnxValue used = emit::slice(ctx, results, Ints{0}, Ints{all}, Ints{0});
    const OnnxValue flat = emit::reshape(ctx, used, Ints{channels, groups * groups * area});
    return emit::reshape(ctx, emit::gather(ctx, flat, ctx.onnx.ints(places), 1), Ints{channels, height, width});
}

void expectRegions(const NodeContext& ctx, OnnxValue images, OnnxValue regions, std::int64_t numbers)
{
    if (ctx.rank(images) != 4) {
        ctx.invalid(fmt::format("{} takes images: data of 4 dimensions", ctx.node.op));
    }
    const Shape& shape = ctx.shape(regions);
    if (shape.size() != 2 || (shape[1].isFixed() && shape[1].size != numbers)) {
        ctx.invalid(fmt::format("{} takes regions of {} numbers, not {}", ctx.node.op, numbers, toString(shape)));
    }
}

OnnxValue columnOf(const NodeContext& ctx, OnnxValue region, std::int64_t i)
{
    return emit::slice(ctx, region, Ints{i}, Ints{i + 1}, Ints{0});
}

RegionImage imageOf(const NodeContext& ctx, OnnxValue number, OnnxValue images)
{
    const OnnxValue count = emit::cast(ctx, emit::dimVector(ctx, images, 0), ctx.element(number));
    const OnnxValue exists = isStrictlyWithin(ctx, number, emit::scalarLike(ctx, number, -1), count);
    const OnnxValue safe = ctx.emit("Where", {exists, number, emit::scalarLike(ctx, number, 0)});
    return {emit::cast(ctx, safe, ElementType::Int64), exists}; // a fraction is cut off
}

} // namespace crosswalk::mxnet
