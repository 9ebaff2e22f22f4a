#include "core/convert/forms/vision/regions.h"

#include "core/convert/forms/vision/image_sampling.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::forms {

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
        ctx.invalid(fmt::format("{} requires images: data of 4 dimensions", ctx.node.op));
    }
    const Shape& shape = ctx.shape(regions);
    if (shape.size() != 2 || (shape[1].isFixed() && shape[1].size != numbers)) {
        ctx.invalid(fmt::format("{} requires regions of {} numbers, not {}", ctx.node.op, numbers, toString(shape)));
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
    return {emit::cast(ctx, safe, ElementType::Int64), exists}; // a fraction is truncated
}

} // namespace crosswalk::forms
