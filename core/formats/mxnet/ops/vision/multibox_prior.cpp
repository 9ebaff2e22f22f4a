// _contrib_MultiBoxPrior: anchors for every position of a feature map.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/vision/suppression.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Prior {
    std::vector<float> widths;  ///< half sizes of the anchors of one position, for a square map
    std::vector<float> heights; ///< halves
    float offsetY = 0.5F;
    float offsetX = 0.5F;
    float stepY = 0; ///< 0: one over the map's height
    float stepX = 0;
    bool clip = false;
};

std::vector<float> floats(const Attributes& attributes, std::string_view name, std::vector<float> fallback)
{
    const auto numbers = attributes.numbers(name);
    return numbers.empty() ? std::move(fallback) : std::vector<float>(numbers.begin(), numbers.end());
}

Prior priorOf(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    Prior prior;
    const auto sizes = floats(attributes, "sizes", {1});
    const auto ratios = floats(attributes, "ratios", {1});
    const auto add = [&](float size, float ratio) {
        prior.widths.push_back(size * std::sqrt(ratio));
        prior.heights.push_back(size / std::sqrt(ratio) / 2);
    };
    for (const float size : sizes) { // all sizes in the first ratio, then the first size in the other ratios
        add(size, ratios[0]);
    }
    for (std::size_t i = 1; i < ratios.size(); ++i) {
        add(sizes[0], ratios[i]);
    }
    const auto steps = floats(attributes, "steps", {-1, -1});
    const auto offsets = floats(attributes, "offsets", {0.5F, 0.5F});
    if (steps.size() != 2 || offsets.size() != 2) {
        ctx.invalid("steps and offsets must be pairs of y and x");
    }
    if (steps[0] > 0 && steps[1] > 0) {
        prior.stepY = steps[0];
        prior.stepX = steps[1];
    }
    prior.offsetY = offsets[0];
    prior.offsetX = offsets[1];
    prior.clip = attributes.boolean("clip", false);
    return prior;
}

/// All anchors of a map of fixed size, as a constant.
OnnxValue fixedAnchors(const NodeContext& ctx, const Prior& prior, std::int64_t height, std::int64_t width,
                       ElementType type)
{
    constexpr std::int64_t most = 1 << 24; // numbers
    const auto each = static_cast<std::int64_t>(prior.widths.size());
    if (height > most || width > most || height * width > most / (4 * each)) {
        ctx.refuse(fmt::format("anchors for {}x{} positions are too many for a constant", height, width));
    }
    const auto h = static_cast<float>(height);
    const auto w = static_cast<float>(width);
    const float stepY = prior.stepY > 0 ? prior.stepY : 1.0F / h;
    const float stepX = prior.stepX > 0 ? prior.stepX : 1.0F / w;
    std::vector<float> anchors;
    anchors.reserve(static_cast<std::size_t>(height * width * each * 4));
    for (std::int64_t r = 0; r < height; ++r) {
        const float y = (static_cast<float>(r) + prior.offsetY) * stepY;
        for (std::int64_t c = 0; c < width; ++c) {
            const float x = (static_cast<float>(c) + prior.offsetX) * stepX;
            for (std::size_t k = 0; k < prior.widths.size(); ++k) {
                const float halfWidth = prior.widths[k] * h / w / 2;
                for (const float edge : {x - halfWidth, y - prior.heights[k], x + halfWidth, y + prior.heights[k]}) {
                    anchors.push_back(prior.clip ? std::min(std::max(edge, 0.0F), 1.0F) : edge);
                }
            }
        }
    }
    const Ints dims{1, height * width * each, 4};
    return ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, dims, anchors).converted(type));
}

OnnxValue vectorOf(const NodeContext& ctx, const std::vector<float>& values, Ints dims)
{
    return ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, std::move(dims), values));
}

/// The same for a map of open size.
OnnxValue openAnchors(const NodeContext& ctx, const Prior& prior, OnnxValue map)
{
    const auto each = static_cast<std::int64_t>(prior.widths.size());
    const auto number = [&](float value) { return ctx.onnx.scalar(ElementType::Float32, static_cast<double>(value)); };
    const auto sizeOf = [&](std::int64_t axis) {
        return emit::cast(ctx, emit::dimVector(ctx, map, axis), ElementType::Float32);
    };
    const auto centers = [&](std::int64_t axis, float offset, float step) {
        const OnnxValue places = emit::cast(ctx, placesAlong(ctx, map, axis), ElementType::Float32);
        const OnnxValue shifted = ctx.emit("Add", {places, number(offset)});
        return step > 0 ? ctx.emit("Mul", {shifted, number(step)}) : ctx.emit("Div", {shifted, sizeOf(axis)});
    };
    const OnnxValue y = emit::unsqueeze(ctx, centers(2, prior.offsetY, prior.stepY), {1, 2}); // (H, 1, 1)
    const OnnxValue x = emit::unsqueeze(ctx, centers(3, prior.offsetX, prior.stepX), {0, 2}); // (1, W, 1)
    OnnxValue halfWidth = ctx.emit("Mul", {vectorOf(ctx, prior.widths, {1, 1, each}), sizeOf(2)});
    halfWidth = ctx.emit("Div", {ctx.emit("Div", {halfWidth, sizeOf(3)}), number(2)});
    const OnnxValue halfHeight = vectorOf(ctx, prior.heights, {1, 1, each});
    const OnnxValue all =
        emit::concat(ctx, {emit::dimVector(ctx, map, 2), emit::dimVector(ctx, map, 3), ctx.onnx.ints({each})}, 0);
    OnnxValues edges;
    for (const OnnxValue edge : {ctx.emit("Sub", {x, halfWidth}), ctx.emit("Sub", {y, halfHeight}),
                                 ctx.emit("Add", {x, halfWidth}), ctx.emit("Add", {y, halfHeight})}) {
        edges.push_back(emit::unsqueeze(ctx, emit::expand(ctx, edge, all), {3}));
    }
    OnnxValue anchors = emit::reshape(ctx, emit::concat(ctx, edges, 3), Ints{1, -1, 4});
    if (prior.clip) {
        anchors = emit::clip(ctx, anchors, 0, 1);
    }
    return emit::cast(ctx, anchors, ctx.element(map));
}

OnnxValues multiBoxPrior(NodeContext& ctx)
{
    const Prior prior = priorOf(ctx);
    const OnnxValue map = ctx.input(0);
    const Shape& shape = ctx.shape(map);
    if (shape.size() != 4) {
        ctx.invalid("MultiBoxPrior requires a feature map of 4 dimensions");
    }
    if (shape[2].isFixed() && shape[3].isFixed()) {
        return {fixedAnchors(ctx, prior, shape[2].size, shape[3].size, ctx.element(map))};
    }
    return {openAnchors(ctx, prior, map)};
}

} // namespace

std::span<const OpRow> multiBoxPriorOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_MultiBoxPrior", multiBoxPrior, "a constant, or Range and arithmetic if the size is open"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
