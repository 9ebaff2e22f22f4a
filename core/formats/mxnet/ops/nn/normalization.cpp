// InstanceNorm, LayerNorm, GroupNorm, L2Normalization and LRN: normalisations by what they see.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/precision.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

struct Moments {
    OnnxValue centered;
    OnnxValue mean;
    OnnxValue deviation; ///< square root of the variance plus eps
};

Moments momentsOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, double eps)
{
    Moments found;
    found.mean = emit::reduce(ctx, "ReduceMean", x, axes, true);
    found.centered = ctx.emit("Sub", {x, found.mean});
    const OnnxValue square = ctx.emit("Mul", {found.centered, found.centered});
    const OnnxValue variance = emit::reduce(ctx, "ReduceMean", square, axes, true);
    found.deviation = ctx.emit("Sqrt", {ctx.emit("Add", {variance, emit::scalarLike(ctx, variance, eps)})});
    return found;
}

OnnxValue scaled(const NodeContext& ctx, const Moments& by, OnnxValue gamma, OnnxValue beta)
{
    const OnnxValue unit = ctx.emit("Div", {by.centered, by.deviation});
    return ctx.emit("Add", {ctx.emit("Mul", {unit, gamma}), beta});
}

/// A vector along `axis` of a tensor of that rank, so that it broadcasts.
OnnxValue along(const NodeContext& ctx, OnnxValue vector, std::int64_t axis, std::size_t rank)
{
    Ints behind(rank - 1 - static_cast<std::size_t>(axis));
    std::iota(behind.begin(), behind.end(), 1);
    return emit::unsqueeze(ctx, vector, behind);
}

Ints axesFrom(std::int64_t first, std::size_t rank)
{
    Ints axes(rank - static_cast<std::size_t>(first));
    std::iota(axes.begin(), axes.end(), first);
    return axes;
}

void expectVectors(const NodeContext& ctx, const Dim& size)
{
    ctx.expectWeight(1, {size.isFixed() ? size : Dim()});
    ctx.expectWeight(2, {size.isFixed() ? size : Dim()});
}

OnnxValues instanceNorm(NodeContext& ctx)
{
    const double eps = Attributes(ctx).number("eps", 1e-3);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    if (rank < 3) {
        ctx.invalid("InstanceNorm needs data of at least 3 dimensions");
    }
    expectVectors(ctx, ctx.shape(x)[1]);
    if (ctx.element(x) != ElementType::Float64) {
        return {ctx.emit("InstanceNormalization", {x, ctx.input(1), ctx.input(2)}, {{"epsilon", eps}})};
    }
    const Moments moments = momentsOf(ctx, x, axesFrom(2, rank), eps);
    return {scaled(ctx, moments, along(ctx, ctx.input(1), 1, rank), along(ctx, ctx.input(2), 1, rank))};
}

OnnxValues layerNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double eps = attributes.number("eps", 1e-5);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const std::int64_t axis = ctx.axis(attributes.integer("axis", -1), rank);
    expectVectors(ctx, ctx.shape(x)[static_cast<std::size_t>(axis)]);
    const bool isLast = axis == static_cast<std::int64_t>(rank) - 1;
    const bool wantsMoments = attributes.boolean("output_mean_var", false);
    if (ctx.onnx.opset() >= 17 && isLast && !wantsMoments) {
        return {ctx.emit("LayerNormalization", {x, ctx.input(1), ctx.input(2)}, {{"axis", -1}, {"epsilon", eps}})};
    }
    const Precision precision(ctx, x);
    const Moments moments = momentsOf(ctx, precision.widen(x), {axis}, eps);
    const OnnxValue y = scaled(ctx, moments, along(ctx, precision.widen(ctx.input(1)), axis, rank),
                               along(ctx, precision.widen(ctx.input(2)), axis, rank));
    return {precision.restore(y), precision.restore(moments.mean), precision.restore(moments.deviation)};
}

/// A stored vector with each element `times` times in a row.
OnnxValue repeated(const NodeContext& ctx, OnnxValue vector, std::int64_t times)
{
    std::vector<Tensor> parts;
    const Tensor* stored = ctx.onnx.content(vector);
    if (stored == nullptr) {
        return {};
    }
    const auto values = stored->toDoubles();
    for (const double value : values) {
        parts.push_back(Tensor::filled(stored->type(), {times}, value));
    }
    return ctx.onnx.constant(Tensor::joined(parts));
}

OnnxValues groupNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t groups = attributes.integer("num_groups", 1);
    const double eps = attributes.number("eps", 1e-5);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    if (rank < 3 || groups < 1 || channels % groups != 0) {
        ctx.invalid(fmt::format("num_groups = {} does not divide {} channels", groups, channels), "num_groups");
    }
    // One gamma for each group in MXNet 1.x, for each channel in 2.0.
    const OnnxValue gamma = ctx.input(1);
    const Dim count = ctx.shape(gamma).size() == 1 ? ctx.shape(gamma)[0] : Dim();
    const bool perChannel = groups != channels && count.isFixed() && count.size == channels;
    expectVectors(ctx, Dim(perChannel ? channels : groups));
    const bool wantsMoments = attributes.boolean("output_mean_var", false);
    const std::int64_t times = perChannel ? 1 : channels / groups;
    if (ctx.onnx.opset() >= 21 && !wantsMoments) {
        const OnnxValue scale = times == 1 ? gamma : repeated(ctx, gamma, times);
        const OnnxValue shift = times == 1 ? ctx.input(2) : repeated(ctx, ctx.input(2), times);
        if (scale && shift) {
            const OnnxValue y =
                ctx.emit("GroupNormalization", {x, scale, shift}, {{"num_groups", groups}, {"epsilon", eps}});
            ctx.onnx.refineElement(y, ctx.element(x)); // the schema has no inference of its own
            ctx.onnx.refine(y, ctx.shape(x));
            return {y};
        }
    }
    const Precision precision(ctx, x);
    const OnnxValue wide = precision.widen(x);
    const OnnxValue scale = precision.widen(gamma);
    const OnnxValue shift = precision.widen(ctx.input(2));
    const OnnxValue shape = emit::shapeVector(ctx, x);
    const OnnxValue grouped = emit::reshape(ctx, wide, Ints{0, groups, -1});
    OnnxValues outputs;
    if (wantsMoments || ctx.element(wide) == ElementType::Float64) {
        const Moments moments = momentsOf(ctx, grouped, {2}, eps);
        const OnnxValue unit = ctx.emit("Div", {moments.centered, moments.deviation});
        outputs = {unit, emit::squeeze(ctx, moments.mean, {2}), emit::squeeze(ctx, moments.deviation, {2})};
        if (!perChannel) {
            outputs[0] = ctx.emit("Mul", {outputs[0], along(ctx, scale, 1, 3)});
            outputs[0] = ctx.emit("Add", {outputs[0], along(ctx, shift, 1, 3)});
        }
    } else {
        const ElementType type = ctx.element(wide);
        const OnnxValue one = perChannel ? ctx.onnx.constant(Tensor::filled(type, {groups}, 1)) : scale;
        const OnnxValue zero = perChannel ? ctx.onnx.constant(Tensor::filled(type, {groups}, 0)) : shift;
        outputs = {ctx.emit("InstanceNormalization", {grouped, one, zero}, {{"epsilon", eps}})};
    }
    outputs[0] = emit::reshape(ctx, outputs[0], shape);
    if (perChannel) {
        outputs[0] = ctx.emit("Mul", {outputs[0], along(ctx, scale, 1, rank)});
        outputs[0] = ctx.emit("Add", {outputs[0], along(ctx, shift, 1, rank)});
    }
    ctx.onnx.refine(outputs[0], ctx.shape(x));
    for (OnnxValue& output : outputs) {
        output = precision.restore(output);
    }
    return outputs;
}

OnnxValues l2Normalization(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double eps = attributes.number("eps", 1e-10);
    const std::string mode = attributes.choice("mode", {"instance", "spatial", "channel"}, "instance");
    const std::size_t rank = ctx.rank(ctx.input(0));
    if (rank < 2 || (rank < 3 && mode != "instance")) {
        ctx.invalid(fmt::format("mode = {} needs more dimensions than {}", mode, rank), "mode");
    }
    const Precision precision(ctx, ctx.input(0));
    const OnnxValue x = precision.widen(ctx.input(0));
    const Ints axes = mode == "channel" ? Ints{1} : axesFrom(mode == "instance" ? 1 : 2, rank);
    const OnnxValue sum = emit::reduce(ctx, "ReduceSumSquare", x, axes, true);
    const OnnxValue norm = ctx.emit("Sqrt", {ctx.emit("Add", {sum, emit::scalarLike(ctx, sum, eps)})});
    return {precision.restore(ctx.emit("Div", {x, norm}))};
}

/// Sum over `size` neighbours along axis 1, zeros beyond the ends.
OnnxValue neighbourSum(const NodeContext& ctx, OnnxValue x, std::int64_t size)
{
    const std::int64_t half = size / 2;
    const OnnxValue padded = ctx.emit("Pad", {x, ctx.onnx.ints({0, half, 0, 0, 0, half, 0, 0})});
    OnnxValues parts;
    for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t end = i == size - 1 ? std::numeric_limits<std::int64_t>::max() : i + 1 - size;
        parts.push_back(emit::slice(ctx, padded, Ints{i}, Ints{end}, Ints{1}));
    }
    return parts.size() == 1 ? parts[0] : ctx.emit("Sum", parts);
}

OnnxValues lrn(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t size = attributes.integer("nsize");
    const double alpha = attributes.number("alpha", 1e-4);
    const double beta = attributes.number("beta", 0.75);
    const double bias = attributes.number("knorm", 2);
    const OnnxValue x = ctx.input(0);
    if (size < 1 || size % 2 == 0 || size > 4096) {
        ctx.invalid(fmt::format("nsize = {} is not odd", size), "nsize");
    }
    if (ctx.rank(x) != 4) {
        ctx.invalid("LRN takes images: data of 4 dimensions");
    }
    if (ctx.element(x) != ElementType::Float64) {
        return {ctx.emit("LRN", {x}, {{"size", size}, {"alpha", alpha}, {"beta", beta}, {"bias", bias}})};
    }
    const OnnxValue sum = neighbourSum(ctx, ctx.emit("Mul", {x, x}), size);
    const OnnxValue spread = ctx.emit("Mul", {sum, emit::scalarLike(ctx, x, alpha / static_cast<double>(size))});
    const OnnxValue base = ctx.emit("Add", {spread, emit::scalarLike(ctx, x, bias)});
    return {ctx.emit("Div", {x, ctx.emit("Pow", {base, emit::scalarLike(ctx, x, beta)})})};
}

constexpr OpRow rows[] = {
    {"GroupNorm", groupNorm, "GroupNormalization, or Reshape and InstanceNormalization"},
    {"InstanceNorm", instanceNorm, "InstanceNormalization"},
    {"L2Normalization", l2Normalization, "ReduceSumSquare, Sqrt, Div"},
    {"LRN", lrn, "LRN"},
    {"LayerNorm", layerNorm, "LayerNormalization, or ReduceMean, Sub, Sqrt and Div"},
};

} // namespace

std::span<const OpRow> normalizationOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
