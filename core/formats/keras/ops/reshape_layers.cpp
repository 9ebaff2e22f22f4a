// Layers that move elements: Flatten, Reshape, Permute, RepeatVector, padding and cropping.

#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::keras {
namespace {

OnnxValues flatten(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue x = layer.input(0);
    const std::size_t rank = ctx.rank(x);
    const bool isLast = hasChannelsLast(layer);
    if (rank == 1) {
        return {emit::unsqueeze(ctx, x, {1})};
    }
    if (rank > 2 && !isLast) {
        x = toChannelsLast(ctx, x);
    }
    if (rank == 2) {
        return {x};
    }
    Ints rest(rank - 1);
    std::iota(rest.begin(), rest.end(), 1);
    return {reshapeTo(ctx, x, {termOf(ctx, x, {0}), termOf(ctx, x, rest)})};
}

OnnxValues reshapeLayer(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    ShapeTerms terms{termOf(ctx, x, {0})};
    const Ints sizes = layer.settings.ints("target_shape");
    if (std::ranges::count_if(sizes, [](std::int64_t size) { return size < 0; }) > 1) {
        ctx.invalid("target_shape has more than one open size", "target_shape");
    }
    for (const std::int64_t size : sizes) {
        terms.push_back(size < 0 ? restTerm() : fixedTerm(size));
    }
    return {reshapeTo(ctx, x, terms, "target_shape")};
}

OnnxValues permute(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    Ints order{0};
    for (const std::int64_t axis : layer.settings.ints("dims")) {
        order.push_back(axis);
    }
    Ints sorted = order;
    std::ranges::sort(sorted);
    Ints all(ctx.rank(x));
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) {
        ctx.invalid(fmt::format("dims do not name each of the {} axes once", all.size() - 1), "dims");
    }
    return {emit::transpose(ctx, x, order)};
}

OnnxValues repeatVector(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    if (ctx.rank(x) != 2) {
        ctx.invalid(fmt::format("data of {} dimensions, but it needs 2", ctx.rank(x)));
    }
    const std::int64_t count = layer.settings.integer("n");
    return {emit::expand(ctx, emit::unsqueeze(ctx, x, {1}), ctx.onnx.ints({1, count, 1}))};
}

/// Amounts at the beginning and at the end of each spatial axis.
struct Amounts {
    Ints begin;
    Ints end;
};

/// One number for all ends, one for both ends of each axis, two for each axis, and in Keras 1 a dictionary.
Amounts amountsOf(const Layer& layer, const std::string& setting, std::size_t rank)
{
    Ints given;
    if (layer.settings.hasBelow(setting)) {
        constexpr std::array<const char*, 4> ofImages{"top_pad", "bottom_pad", "left_pad", "right_pad"};
        const Settings parts = layer.settings.below(setting);
        for (std::size_t i = rank == 1 ? 2 : 0; i < ofImages.size(); ++i) {
            given.push_back(parts.integer(ofImages.at(i), 0));
        }
    } else {
        given = layer.settings.ints(setting, {1});
    }
    Amounts amounts;
    for (std::size_t i = 0; i < rank; ++i) {
        if (given.size() == 1) {
            amounts.begin.push_back(given[0]);
            amounts.end.push_back(given[0]);
        } else if (given.size() == 2 * rank) {
            amounts.begin.push_back(given[2 * i]);
            amounts.end.push_back(given[2 * i + 1]);
        } else if (given.size() == rank) {
            amounts.begin.push_back(given[i]);
            amounts.end.push_back(given[i]);
        } else {
            layer.ctx.invalid(fmt::format("{} has {} numbers for {} axes", setting, given.size(), rank), setting);
        }
    }
    const auto isNegative = [](std::int64_t n) { return n < 0; };
    if (std::ranges::any_of(amounts.begin, isNegative) || std::ranges::any_of(amounts.end, isNegative)) {
        layer.ctx.invalid(fmt::format("{} is negative", setting), setting);
    }
    return amounts;
}

std::size_t spatialRankOfData(const Layer& layer)
{
    const std::size_t rank = layer.ctx.rank(layer.input(0));
    if (rank < 3) {
        layer.ctx.invalid(fmt::format("data of {} dimensions", rank));
    }
    return rank - 2;
}

OnnxValues zeroPadding(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::size_t rank = spatialRankOfData(layer);
    const Amounts amounts = amountsOf(layer, "padding", rank);
    const std::size_t first = hasChannelsLast(layer) ? 1 : 2;
    Ints pads(2 * (rank + 2), 0);
    for (std::size_t i = 0; i < rank; ++i) {
        pads[first + i] = amounts.begin[i];
        pads[rank + 2 + first + i] = amounts.end[i];
    }
    return {ctx.emit("Pad", {layer.input(0), ctx.onnx.ints(pads)})};
}

OnnxValues cropping(const Layer& layer)
{
    const std::size_t rank = spatialRankOfData(layer);
    const Amounts amounts = amountsOf(layer, "cropping", rank);
    Ints ends;
    Ints axes;
    for (std::size_t i = 0; i < rank; ++i) {
        axes.push_back(static_cast<std::int64_t>(i) + (hasChannelsLast(layer) ? 1 : 2));
        ends.push_back(amounts.end[i] == 0 ? std::numeric_limits<std::int64_t>::max() : -amounts.end[i]);
    }
    return {emit::slice(layer.ctx, layer.input(0), amounts.begin, ends, axes)};
}

} // namespace

std::span<const OpRow> reshapeLayers()
{
    static constexpr OpRow rows[] = {
        {"Cropping1D", cropping, "Slice"},     {"Cropping2D", cropping, "Slice"},
        {"Cropping3D", cropping, "Slice"},     {"Flatten", flatten, "Reshape"},
        {"Permute", permute, "Transpose"},     {"RepeatVector", repeatVector, "Unsqueeze, Expand"},
        {"Reshape", reshapeLayer, "Reshape"},  {"ZeroPadding1D", zeroPadding, "Pad"},
        {"ZeroPadding2D", zeroPadding, "Pad"}, {"ZeroPadding3D", zeroPadding, "Pad"},
    };
    return rows;
}

} // namespace crosswalk::keras
