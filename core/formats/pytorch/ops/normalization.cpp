// Normalisations.

#include "core/convert/forms/nn/normalization.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/shape_fit.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

OnnxValue scaledAndShifted(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias)
{
    x = weight ? arithmetic::multiply(ctx, x, weight) : x;
    return bias ? arithmetic::add(ctx, x, bias) : x;
}

/// A vector of a channel's numbers in the shape (C, 1, ...) that broadcasts to x of a rank.
OnnxValue perChannel(const NodeContext& ctx, OnnxValue vector, std::size_t rank)
{
    Ints axes;
    for (std::size_t i = 1; i + 1 < rank; ++i) {
        axes.push_back(static_cast<std::int64_t>(i));
    }
    return vector && !axes.empty() ? emit::unsqueeze(ctx, vector, axes) : vector;
}

OnnxValue normalized(const NodeContext& ctx, OnnxValue x, const Ints& axes, double eps)
{
    const forms::Moments moments = forms::momentsOf(ctx, x, axes, eps);
    return arithmetic::divide(ctx, moments.centered, moments.deviation);
}

OnnxValues batchNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const double eps = arguments.number("eps", 1e-5);
    const OnnxValue mean = arguments.optional("running_mean");
    const bool isTraining = arguments.truth("training") || arguments.truth("use_input_stats");
    if (isTraining || !mean) {
        if (mean && arguments.truth("training")) {
            ctx.note("training-mode",
                     "the program normalizes by the statistics of the batch, as in training; call eval() before the "
                     "export to use the stored ones",
                     "training");
        }
        Ints axes{0};
        for (std::size_t i = 2; i < ctx.rank(x); ++i) {
            axes.push_back(static_cast<std::int64_t>(i));
        }
        const forms::Precision precision(ctx, x);
        const auto shaped = [&](std::string_view name) {
            const OnnxValue given = arguments.optional(name);
            return perChannel(ctx, given ? precision.widen(given) : given, ctx.rank(x));
        };
        const forms::Moments moments = forms::momentsOf(ctx, precision.widen(x), axes, eps);
        const OnnxValue y = precision.restore(scaledAndShifted(
            ctx, arithmetic::divide(ctx, moments.centered, moments.deviation), shaped("weight"), shaped("bias")));
        if (ctx.node.outputs.size() < 2) {
            return {y};
        }
        const OnnxValue inverse = forms::elementary::reciprocal(ctx, moments.deviation);
        return {y, precision.restore(emit::squeeze(ctx, moments.mean, axes)),
                precision.restore(emit::squeeze(ctx, inverse, axes))};
    }
    const OnnxValue variance = arguments.tensor("running_var");
    const auto orFilled = [&](std::string_view name, double value) {
        const OnnxValue given = arguments.optional(name);
        return given ? given : forms::filledLike(ctx, mean, ctx.element(mean), value);
    };
    const OnnxValue y = forms::batchNorm(
        ctx, x, 1, {.gamma = orFilled("weight", 1), .beta = orFilled("bias", 0), .mean = mean, .variance = variance},
        eps);
    // The statistics of the batch are not computed.
    const OnnxValue none = forms::filled(ctx, ctx.element(x), {0}, 0);
    return ctx.node.outputs.size() < 2 ? OnnxValues{y} : OnnxValues{y, none, none};
}

OnnxValues instanceNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (!arguments.truth("use_input_stats", true)) {
        return batchNorm(ctx);
    }
    const OnnxValue x = arguments.tensor("input");
    Ints axes(ctx.rank(x) - 2);
    std::iota(axes.begin(), axes.end(), 2);
    const auto shaped = [&](std::string_view name) { return perChannel(ctx, arguments.optional(name), ctx.rank(x)); };
    return {scaledAndShifted(ctx, normalized(ctx, x, axes, arguments.number("eps", 1e-5)), shaped("weight"),
                             shaped("bias"))};
}

/// Throws unless a weight or bias has the sizes of the normalized axes, the last ones of x.
void requireSizes(const NodeContext& ctx, OnnxValue x, std::size_t count, std::string_view name, const Shape& given)
{
    const Shape& shape = ctx.shape(x);
    const Shape expected(shape.iteratorAt(shape.size() - count), shape.end());
    if (!fitsShape(given, expected)) {
        ctx.invalid(fmt::format("{} is {}, but must be {}", name, toString(given), toString(expected)),
                    std::string(name));
    }
}

/// The axes of a normalized shape, whose sizes may be computed.
Ints normalizedAxes(const NodeContext& ctx, const Arguments& arguments, OnnxValue x)
{
    constexpr std::string_view name = "normalized_shape";
    const std::size_t count = arguments.isStored(name)
                                  ? arguments.shape(name).size()
                                  : static_cast<std::size_t>(ctx.fixedDim(arguments.vector(name), 0));
    if (count < 1 || count > ctx.rank(x)) {
        ctx.invalid(fmt::format("has {} dimensions, but the input has {}", count, ctx.rank(x)), std::string(name));
    }
    if (arguments.isStored(name)) {
        requireSizes(ctx, x, count, name, arguments.shape(name));
    }
    for (const std::string_view weight : {"weight", "bias"}) {
        if (const OnnxValue value = arguments.optional(weight)) {
            requireSizes(ctx, x, count, weight, ctx.shape(value));
        }
    }
    Ints axes(count);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(ctx.rank(x) - count));
    return axes;
}

/// What is normalized, and of operators with three results the means and the reciprocals of the deviations.
OnnxValues withStatistics(const NodeContext& ctx, OnnxValue y, OnnxValue mean, OnnxValue deviation)
{
    return ctx.node.outputs.size() < 2 ? OnnxValues{y}
                                       : OnnxValues{y, mean, forms::elementary::reciprocal(ctx, deviation)};
}

OnnxValue oneNodeOf(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias, const Ints& axes, double eps)
{
    OnnxValues inputs{x, weight};
    if (bias) {
        inputs.push_back(bias);
    }
    return ctx.emit("LayerNormalization", inputs,
                    {{"axis", -static_cast<std::int64_t>(axes.size())}, {"epsilon", eps}});
}

OnnxValues layerNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const Ints axes = normalizedAxes(ctx, arguments, x);
    const double eps = arguments.number("eps", 1e-5);
    const OnnxValue weight = arguments.optional("weight");
    const OnnxValue bias = arguments.optional("bias");
    constexpr int firstLayerNorm = 17;
    const bool isOneNode = weight && ctx.onnx.opset() >= firstLayerNorm && ctx.element(x) == ElementType::Float32;
    if (isOneNode && ctx.node.outputs.size() < 2) {
        return {oneNodeOf(ctx, x, weight, bias, axes, eps)};
    }
    const forms::Moments moments = forms::momentsOf(ctx, x, axes, eps);
    const OnnxValue y =
        isOneNode ? oneNodeOf(ctx, x, weight, bias, axes, eps)
                  : scaledAndShifted(ctx, arithmetic::divide(ctx, moments.centered, moments.deviation), weight, bias);
    return withStatistics(ctx, y, moments.mean, moments.deviation);
}

OnnxValues rmsNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const Ints axes = normalizedAxes(ctx, arguments, x);
    const double epsilon = ctx.element(x) == ElementType::Float64 ? std::numeric_limits<double>::epsilon()
                                                                  : std::numeric_limits<float>::epsilon();
    const double eps = arguments.number("eps", epsilon);
    const OnnxValue squares = emit::reduce(ctx, "ReduceMean", arithmetic::multiply(ctx, x, x), axes, true);
    const OnnxValue root = forms::elementary::sqrt(ctx, arithmetic::add(ctx, squares, emit::scalarLike(ctx, x, eps)));
    return {scaledAndShifted(ctx, arithmetic::divide(ctx, x, root), arguments.optional("weight"), {})};
}

OnnxValues groupNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const std::int64_t groups =
        arguments.has("num_groups") ? arguments.integer("num_groups", 1) : arguments.integer("group", 1);
    const Shape& shape = ctx.shape(x);
    if (ctx.node.outputs.size() < 2 && std::find(shape.begin(), shape.end(), Dim(0)) != shape.end()) {
        return {x};
    }
    const Dim& channels = shape.size() > 1 ? shape[1] : Dim(0);
    if (groups < 1 || (channels.isFixed() && channels.size % groups != 0)) {
        ctx.invalid(fmt::format("{} groups do not divide the channels of {}", groups, toString(shape)), "num_groups");
    }
    // (N, groups, elements of a group)
    const OnnxValue grouped = emit::reshape(ctx, x, Ints{0, groups, -1});
    const forms::Moments moments = forms::momentsOf(ctx, grouped, {2}, arguments.number("eps", 1e-5));
    const OnnxValue y =
        emit::reshape(ctx, arithmetic::divide(ctx, moments.centered, moments.deviation), emit::shapeVector(ctx, x));
    const auto shaped = [&](std::string_view name) { return perChannel(ctx, arguments.optional(name), ctx.rank(x)); };
    return withStatistics(ctx, scaledAndShifted(ctx, y, shaped("weight"), shaped("bias")),
                          emit::squeeze(ctx, moments.mean, {2}), emit::squeeze(ctx, moments.deviation, {2}));
}

} // namespace

std::span<const OpRow> normalizationOps()
{
    static constexpr OpRow rows[] = {
        {"aten::batch_norm", batchNorm, "BatchNormalization"},
        {"aten::_native_batch_norm_legit_no_training", batchNorm, "BatchNormalization"},
        {"aten::native_batch_norm", batchNorm, "BatchNormalization"},
        {"aten::_native_batch_norm_legit", batchNorm, "BatchNormalization; ReduceMean, Div"},
        {"aten::instance_norm", instanceNorm, "ReduceMean, Div"},
        {"aten::layer_norm", layerNorm, "LayerNormalization"},
        {"aten::native_layer_norm", layerNorm, "LayerNormalization"},
        {"aten::rms_norm", rmsNorm, "ReduceMean, Sqrt, Div"},
        {"aten::group_norm", groupNorm, "Reshape, ReduceMean, Div"},
        {"aten::native_group_norm", groupNorm, "Reshape, ReduceMean, Div"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
