#include "core/convert/forms/nn/normalization.h"

#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/nn/window.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace crosswalk::forms {
namespace {

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

/// A stored vector with each element `times` times in a row.
OnnxValue repeated(const NodeContext& ctx, OnnxValue vector, std::int64_t times)
{
    std::vector<Tensor> parts;
    const Tensor* stored = ctx.onnx.content(vector);
    if (stored == nullptr) {
        return {};
    }
    const auto values = stored->toDoubles();
    parts.reserve(values.size());
    for (const double value : values) {
        parts.push_back(Tensor::filled(stored->type(), {times}, value));
    }
    return ctx.onnx.constant(Tensor::joined(parts));
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

} // namespace

Moments momentsOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, double eps)
{
    Moments found;
    found.mean = emit::reduce(ctx, "ReduceMean", x, axes, true);
    found.centered = ctx.emit("Sub", {x, found.mean});
    const OnnxValue square = ctx.emit("Mul", {found.centered, found.centered});
    found.variance = emit::reduce(ctx, "ReduceMean", square, axes, true);
    found.deviation = ctx.emit("Sqrt", {ctx.emit("Add", {found.variance, emit::scalarLike(ctx, found.variance, eps)})});
    return found;
}

OnnxValue batchNorm(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const BatchStatistics& given, double eps)
{
    const ElementType type = ctx.element(x);
    BatchStatistics by = given;
    const ElementType wide = ctx.element(by.mean);
    OnnxValue y = emit::cast(ctx, x, wide);
    for (OnnxValue* part : {&by.gamma, &by.beta, &by.variance}) {
        *part = emit::cast(ctx, *part, wide);
    }
    const std::size_t rank = ctx.rank(x);
    if (rank == 1) {
        y = emit::unsqueeze(ctx, y, {0});
        axis = 1;
    }
    y = toChannelsFirst(ctx, y, axis);
    y = ctx.emit("BatchNormalization", {y, by.gamma, by.beta, by.mean, by.variance}, {{"epsilon", eps}});
    y = fromChannelsFirst(ctx, y, axis);
    if (rank == 1) {
        y = emit::squeeze(ctx, y, {0});
    }
    return emit::cast(ctx, y, type);
}

OnnxValue instanceNorm(const NodeContext& ctx, OnnxValue x, OnnxValue gamma, OnnxValue beta, double eps)
{
    if (ctx.element(x) != ElementType::Float64) {
        return ctx.emit("InstanceNormalization", {x, gamma, beta}, {{"epsilon", eps}});
    }
    const std::size_t rank = ctx.rank(x);
    const Moments moments = momentsOf(ctx, x, axesFrom(2, rank), eps);
    return scaled(ctx, moments, along(ctx, gamma, 1, rank), along(ctx, beta, 1, rank));
}

Normalized layerNorm(const NodeContext& ctx, OnnxValue x, OnnxValue gamma, OnnxValue beta, std::int64_t axis,
                     const Normalization& how)
{
    const std::size_t rank = ctx.rank(x);
    const bool isLast = axis == static_cast<std::int64_t>(rank) - 1;
    if (ctx.onnx.opset() >= 17 && isLast && !how.wantsMoments) {
        return {.y = ctx.emit("LayerNormalization", {x, gamma, beta}, {{"axis", -1}, {"epsilon", how.epsilon}})};
    }
    const Precision precision(ctx, x);
    const Moments moments = momentsOf(ctx, precision.widen(x), {axis}, how.epsilon);
    const OnnxValue y = scaled(ctx, moments, along(ctx, precision.widen(gamma), axis, rank),
                               along(ctx, precision.widen(beta), axis, rank));
    return {precision.restore(y), precision.restore(moments.mean), precision.restore(moments.deviation)};
}

Normalized groupNorm(const NodeContext& ctx, OnnxValue x, OnnxValue gamma, OnnxValue beta, std::int64_t groups,
                     const Normalization& how)
{
    const std::size_t rank = ctx.rank(x);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    const Dim count = ctx.shape(gamma).size() == 1 ? ctx.shape(gamma)[0] : Dim();
    const bool perChannel = groups != channels && count.isFixed() && count.size == channels;
    const std::int64_t times = perChannel ? 1 : channels / groups;
    if (ctx.onnx.opset() >= 21 && !how.wantsMoments) {
        const OnnxValue scale = times == 1 ? gamma : repeated(ctx, gamma, times);
        const OnnxValue shift = times == 1 ? beta : repeated(ctx, beta, times);
        if (scale && shift) {
            const OnnxValue y =
                ctx.emit("GroupNormalization", {x, scale, shift}, {{"num_groups", groups}, {"epsilon", how.epsilon}});
            ctx.onnx.refineElement(y, ctx.element(x)); // the schema has no shape inference
            ctx.onnx.refine(y, ctx.shape(x));
            return {.y = y};
        }
    }
    const Precision precision(ctx, x);
    const OnnxValue wide = precision.widen(x);
    const OnnxValue scale = precision.widen(gamma);
    const OnnxValue shift = precision.widen(beta);
    const OnnxValue shape = emit::shapeVector(ctx, x);
    const OnnxValue grouped = emit::reshape(ctx, wide, Ints{0, groups, -1});
    OnnxValues outputs;
    if (how.wantsMoments || ctx.element(wide) == ElementType::Float64) {
        const Moments moments = momentsOf(ctx, grouped, {2}, how.epsilon);
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
        outputs = {ctx.emit("InstanceNormalization", {grouped, one, zero}, {{"epsilon", how.epsilon}})};
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
    outputs.resize(3);
    return {outputs[0], outputs[1], outputs[2]};
}

OnnxValue l2Norm(const NodeContext& ctx, OnnxValue given, const Ints& axes, double eps)
{
    const Precision precision(ctx, given);
    const OnnxValue x = precision.widen(given);
    const OnnxValue sum = emit::reduce(ctx, "ReduceSumSquare", x, axes, true);
    const OnnxValue norm = ctx.emit("Sqrt", {ctx.emit("Add", {sum, emit::scalarLike(ctx, sum, eps)})});
    return precision.restore(ctx.emit("Div", {x, norm}));
}

OnnxValue localResponseNorm(const NodeContext& ctx, OnnxValue x, const LocalResponse& how)
{
    // ONNX Runtime rejects an LRN with other numbers.
    const bool isSupported = how.alpha > 0 && how.beta > 0 && std::isfinite(how.alpha) && std::isfinite(how.beta);
    if (ctx.element(x) != ElementType::Float64 && isSupported) {
        return ctx.emit("LRN", {x}, {{"size", how.size}, {"alpha", how.alpha}, {"beta", how.beta}, {"bias", how.bias}});
    }
    const OnnxValue sum = neighbourSum(ctx, ctx.emit("Mul", {x, x}), how.size);
    const OnnxValue spread =
        ctx.emit("Mul", {sum, emit::scalarLike(ctx, x, how.alpha / static_cast<double>(how.size))});
    const OnnxValue base = ctx.emit("Add", {spread, emit::scalarLike(ctx, x, how.bias)});
    return ctx.emit("Div", {x, ctx.emit("Pow", {base, emit::scalarLike(ctx, x, how.beta)})});
}

} // namespace crosswalk::forms
