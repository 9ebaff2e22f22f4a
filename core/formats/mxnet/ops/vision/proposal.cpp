// _contrib_Proposal and _contrib_MultiProposal: the best boxes of a region proposal network.

#include "core/convert/emit.h"
#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Settings {
    std::int64_t considered; ///< before suppression; all if not positive
    std::int64_t kept;       ///< rows of the result
    double threshold;
    float leastSize;
    std::int64_t stride;
    bool addsDeltas; ///< iou_loss: the network predicts the distances of the corners
    std::vector<double> scales;
    std::vector<double> ratios;
};

Settings settingsOf(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    Settings settings{attributes.integer("rpn_pre_nms_top_n", 6000),
                      attributes.integer("rpn_post_nms_top_n", 300),
                      attributes.number("threshold", 0.7),
                      static_cast<float>(attributes.integer("rpn_min_size", 16)),
                      attributes.integer("feature_stride", 16),
                      attributes.boolean("iou_loss", false),
                      attributes.numbers("scales"),
                      attributes.numbers("ratios")};
    if (!attributes.has("scales")) {
        settings.scales = {4, 8, 16, 32};
    }
    if (!attributes.has("ratios")) {
        settings.ratios = {0.5, 1, 2};
    }
    if (settings.kept < 1 || settings.kept > elementLimit / 5) {
        ctx.invalid(fmt::format("rpn_post_nms_top_n = {} is out of range", settings.kept), "rpn_post_nms_top_n");
    }
    if (settings.stride < 1 || settings.stride > (1 << 20)) {
        ctx.invalid(fmt::format("feature_stride = {} is out of range", settings.stride), "feature_stride");
    }
    return settings;
}

/// Left, top, right and bottom, as tensors (H, W, A) or broadcastable to it.
struct Corners {
    OnnxValue x1;
    OnnxValue y1;
    OnnxValue x2;
    OnnxValue y2;
};

/// The boxes around the first position of the map, for each ratio and scale, in MXNet's single precision.
std::vector<std::array<float, 4>> anchorsOf(const Settings& settings)
{
    std::vector<std::array<float, 4>> anchors;
    const auto side = static_cast<float>(settings.stride);
    const float centre = 0.5F * (side - 1);
    for (const double ratioAttribute : settings.ratios) {
        for (const double scaleAttribute : settings.scales) {
            const auto ratio = static_cast<float>(ratioAttribute);
            const auto scale = static_cast<float>(scaleAttribute);
            const float area = std::floor(side * side / ratio);
            const float width = std::floor(std::sqrt(area) + 0.5F) * scale;
            const float height = std::floor(width / scale * ratio + 0.5F) * scale;
            anchors.push_back({centre - 0.5F * (width - 1), centre - 0.5F * (height - 1), centre + 0.5F * (width - 1),
                               centre + 0.5F * (height - 1)});
        }
    }
    return anchors;
}

OnnxValue number(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(ElementType::Float32, value);
}

OnnxValue plus(const NodeContext& ctx, OnnxValue a, double b)
{
    return ctx.emit("Add", {a, number(ctx, b)});
}

OnnxValue halved(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Mul", {x, number(ctx, 0.5)});
}

/// Positions of the map along an axis: (H, 1, 1) or (W, 1).
OnnxValue stepsAlong(const NodeContext& ctx, OnnxValue map, std::int64_t axis)
{
    const OnnxValue steps = emit::cast(ctx, countUp(ctx, map, axis), ElementType::Float32);
    return emit::unsqueeze(ctx, steps, axis == 1 ? Ints{1, 2} : Ints{1});
}

/// The anchors at every position of a map (channels, H, W).
Corners shiftedAnchors(const NodeContext& ctx, OnnxValue map, const Settings& settings)
{
    const auto anchors = anchorsOf(settings);
    const OnnxValue stride = number(ctx, static_cast<double>(settings.stride));
    const auto shifted = [&](std::size_t corner) {
        std::vector<float> own;
        own.reserve(anchors.size());
        for (const auto& anchor : anchors) {
            own.push_back(anchor[corner]);
        }
        const Ints dims{static_cast<std::int64_t>(own.size())};
        const OnnxValue base = ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, dims, own));
        const std::int64_t axis = corner % 2 == 0 ? 2 : 1;
        return ctx.emit("Add", {base, ctx.emit("Mul", {stepsAlong(ctx, map, axis), stride})});
    };
    return {shifted(0), shifted(1), shifted(2), shifted(3)};
}

/// The anchors moved by the network's deltas, (H, W, A) each.
Corners predicted(const NodeContext& ctx, const Corners& anchors, const OnnxValues& deltas, bool addsDeltas)
{
    if (addsDeltas) {
        const auto moved = [&](OnnxValue corner, std::size_t i) { return ctx.emit("Add", {corner, deltas[i]}); };
        return {moved(anchors.x1, 0), moved(anchors.y1, 1), moved(anchors.x2, 2), moved(anchors.y2, 3)};
    }
    const auto along = [&](OnnxValue low, OnnxValue high, OnnxValue shift, OnnxValue growth) {
        const OnnxValue size = plus(ctx, ctx.emit("Sub", {high, low}), 1);
        const OnnxValue centre = ctx.emit("Add", {low, halved(ctx, plus(ctx, size, -1))});
        const OnnxValue moved = ctx.emit("Add", {ctx.emit("Mul", {shift, size}), centre});
        const OnnxValue grown = ctx.emit("Mul", {ctx.emit("Exp", {growth}), size});
        const OnnxValue half = halved(ctx, plus(ctx, grown, -1));
        return std::pair(ctx.emit("Sub", {moved, half}), ctx.emit("Add", {moved, half}));
    };
    const auto [x1, x2] = along(anchors.x1, anchors.x2, deltas[0], deltas[2]);
    const auto [y1, y2] = along(anchors.y1, anchors.y2, deltas[1], deltas[3]);
    return {x1, y1, x2, y2};
}

/// The boxes of one image: corners (count) each, and scores; invalid boxes score -1.
struct Found {
    Corners boxes;
    OnnxValue scores;
};

Found foundIn(const NodeContext& ctx, OnnxValue classes, OnnxValue deltas, OnnxValue info, const Settings& settings)
{
    const auto anchorCount = static_cast<std::int64_t>(settings.scales.size() * settings.ratios.size());
    const OnnxValues sizes = emit::split(ctx, info, 0, {1, 1, 1}); // height, width, scale of the image
    const OnnxValue split = emit::reshape(
        ctx, deltas,
        emit::concat(
            ctx, {ctx.onnx.ints({anchorCount, 4}), emit::dimVector(ctx, deltas, 1), emit::dimVector(ctx, deltas, 2)},
            0));
    OnnxValues moves = emit::split(ctx, emit::transpose(ctx, split, {1, 2, 3, 0}), 0, {1, 1, 1, 1});
    for (OnnxValue& move : moves) {
        move = emit::squeeze(ctx, move, {0});
    }
    Corners boxes = predicted(ctx, shiftedAnchors(ctx, deltas, settings), moves, settings.addsDeltas);
    const auto clipped = [&](OnnxValue x, OnnxValue size) {
        return ctx.emit("Max", {ctx.emit("Min", {x, plus(ctx, size, -1)}), number(ctx, 0)});
    };
    boxes = {clipped(boxes.x1, sizes[1]), clipped(boxes.y1, sizes[0]), clipped(boxes.x2, sizes[1]),
             clipped(boxes.y2, sizes[0])};
    const OnnxValue front = emit::slice(ctx, classes, Ints{anchorCount}, Ints{2 * anchorCount}, Ints{0});
    OnnxValue scores = emit::transpose(ctx, front, {1, 2, 0});
    const auto isPadding = [&](std::int64_t axis, OnnxValue size) { // padding beyond the image in its batch
        const OnnxValue real = ctx.emit("Div", {size, number(ctx, static_cast<double>(settings.stride))});
        return ctx.emit("Not", {ctx.emit("Less", {stepsAlong(ctx, deltas, axis), ctx.emit("Floor", {real})})});
    };
    const OnnxValue least = ctx.emit("Mul", {sizes[2], number(ctx, static_cast<double>(settings.leastSize))});
    const auto isSmall = [&](OnnxValue low, OnnxValue high) {
        return ctx.emit("Less", {plus(ctx, ctx.emit("Sub", {high, low}), 1), least});
    };
    const OnnxValue small = ctx.emit("Or", {isSmall(boxes.x1, boxes.x2), isSmall(boxes.y1, boxes.y2)});
    const OnnxValue padding = ctx.emit("Or", {isPadding(1, sizes[0]), isPadding(2, sizes[1])});
    scores = ctx.emit("Where", {ctx.emit("Or", {small, padding}), number(ctx, -1), scores});
    const OnnxValue margin = halved(ctx, least);
    const auto flat = [&](OnnxValue x) { return emit::reshape(ctx, x, Ints{-1}); };
    const auto widened = [&](OnnxValue x, std::string_view op) {
        return flat(ctx.emit("Where", {small, ctx.emit(op, {x, margin}), x}));
    };
    return {{widened(boxes.x1, "Sub"), widened(boxes.y1, "Sub"), widened(boxes.x2, "Add"), widened(boxes.y2, "Add")},
            flat(scores)};
}

struct Proposals {
    OnnxValue boxes;  ///< (kept, 4)
    OnnxValue scores; ///< (kept, 1)
};

Proposals bestOf(const NodeContext& ctx, const Found& found, const Settings& settings)
{
    OnnxValue count = emit::dimVector(ctx, found.scores, 0);
    if (settings.considered > 0) {
        if (const auto known = sizes::known(ctx, count)) {
            count = ctx.onnx.ints({std::min(*known, settings.considered)});
        } else {
            const OnnxValue all = emit::cast(ctx, count, ElementType::Float32);
            const OnnxValue fewer = ctx.emit("Min", {all, number(ctx, static_cast<double>(settings.considered))});
            count = emit::cast(ctx, fewer, ElementType::Int64);
        }
    }
    const OnnxValues sorted = ctx.onnx.add("TopK", {found.scores, count}, {{"axis", 0}}, 2);
    const auto column = [&](OnnxValue x) { return emit::unsqueeze(ctx, emit::gather(ctx, x, sorted[1], 0), {1}); };
    const Corners best{column(found.boxes.x1), column(found.boxes.y1), column(found.boxes.x2), column(found.boxes.y2)};
    const OnnxValue boxes = emit::concat(ctx, {best.x1, best.y1, best.x2, best.y2}, 1);
    // A box includes its last pixel. Keeps the sorted order, because scores can be equal.
    const OnnxValue whole = emit::concat(ctx, {best.y1, best.x1, plus(ctx, best.y2, 1), plus(ctx, best.x2, 1)}, 1);
    const OnnxValue places = ctx.emit("Range", {ctx.onnx.scalar(ElementType::Int64, 0), emit::squeeze(ctx, count, {0}),
                                                ctx.onnx.scalar(ElementType::Int64, 1)});
    const OnnxValue ranks = ctx.emit("Neg", {emit::cast(ctx, places, ElementType::Float32)});
    const OnnxValue chosen =
        ctx.emit("NonMaxSuppression", {emit::unsqueeze(ctx, whole, {0}), emit::unsqueeze(ctx, ranks, {0, 1}),
                                       ctx.onnx.ints({settings.kept}), number(ctx, settings.threshold)});
    const OnnxValue rows = emit::squeeze(ctx, emit::slice(ctx, chosen, Ints{2}, Ints{3}, Ints{1}), {1});
    const OnnxValue survivors = emit::slice(ctx, ctx.emit("Shape", {rows}), Ints{0}, Ints{1}, Ints{0});
    // If fewer are left, they repeat from the first.
    const OnnxValue turns = ctx.emit("Mod", {countTo(ctx, settings.kept), survivors});
    const OnnxValue picked = emit::gather(ctx, rows, turns, 0);
    const Proposals proposals{emit::gather(ctx, boxes, picked, 0),
                              emit::unsqueeze(ctx, emit::gather(ctx, sorted[0], picked, 0), {1})};
    ctx.onnx.refine(proposals.boxes, {Dim(settings.kept), Dim(4)});
    ctx.onnx.refine(proposals.scores, {Dim(settings.kept), Dim(1)});
    return proposals;
}

void expectNetwork(const NodeContext& ctx, const Settings& settings)
{
    for (std::size_t i = 0; i < 3; ++i) {
        if (ctx.rank(ctx.input(i)) != (i < 2 ? 4U : 2U) || ctx.element(ctx.input(i)) != ElementType::Float32) {
            ctx.invalid("a proposal requires scores and deltas (N, channels, H, W) and sizes (N, 3), in float32");
        }
    }
    const auto anchors = static_cast<std::int64_t>(settings.scales.size() * settings.ratios.size());
    if (anchors < 1 || ctx.fixedDim(ctx.input(0), 1) != 2 * anchors || ctx.fixedDim(ctx.input(1), 1) != 4 * anchors) {
        ctx.invalid(fmt::format("{} scores and {} deltas per position, for {} anchors", ctx.fixedDim(ctx.input(0), 1),
                                ctx.fixedDim(ctx.input(1), 1), anchors),
                    "scales");
    }
}

OnnxValue firstOf(const NodeContext& ctx, OnnxValue x)
{
    return emit::squeeze(ctx, x, {0});
}

OnnxValues results(const NodeContext& ctx, OnnxValue image, const Proposals& proposals)
{
    OnnxValues outputs{emit::concat(ctx, {image, proposals.boxes}, 1)};
    if (Attributes(ctx).boolean("output_score", false)) {
        outputs.push_back(proposals.scores);
    }
    return outputs;
}

OnnxValues proposal(NodeContext& ctx)
{
    const Settings settings = settingsOf(ctx);
    expectNetwork(ctx, settings);
    const Dim& batch = ctx.shape(ctx.input(0))[0];
    if (batch.isFixed() && batch.size != 1) {
        ctx.invalid(fmt::format("Proposal requires one image, not {}", batch.size));
    }
    const Found found =
        foundIn(ctx, firstOf(ctx, ctx.input(0)), firstOf(ctx, ctx.input(1)), firstOf(ctx, ctx.input(2)), settings);
    const OnnxValue zeros = filled(ctx, ElementType::Float32, {settings.kept, 1}, 0);
    return results(ctx, zeros, bestOf(ctx, found, settings));
}

OnnxValues multiProposal(NodeContext& ctx)
{
    const Settings settings = settingsOf(ctx);
    expectNetwork(ctx, settings);
    const OnnxValues stacked =
        forEach(ctx, {ctx.input(0), ctx.input(1), ctx.input(2)}, [&](const OnnxValues& image) -> OnnxValues {
            const Proposals best = bestOf(ctx, foundIn(ctx, image[0], image[1], image[2], settings), settings);
            return {best.boxes, best.scores};
        });
    const OnnxValue images = emit::cast(ctx, countUp(ctx, ctx.input(0), 0), ElementType::Float32);
    const OnnxValue repeated = ctx.emit("Tile", {emit::unsqueeze(ctx, images, {1}), ctx.onnx.ints({1, settings.kept})});
    const Proposals all{emit::reshape(ctx, stacked[0], Ints{-1, 4}), emit::reshape(ctx, stacked[1], Ints{-1, 1})};
    return results(ctx, emit::reshape(ctx, repeated, Ints{-1, 1}), all);
}

constexpr std::string_view form = "TopK, NonMaxSuppression, Gather and arithmetic";

} // namespace

std::span<const OpRow> proposalOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_MultiProposal", multiProposal, form},
        {"_contrib_Proposal", proposal, form},
    };
    return rows;
}

} // namespace crosswalk::mxnet
