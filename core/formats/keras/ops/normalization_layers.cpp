// Normalisations. What Keras computes in single precision in layers of half precision is computed so here.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/nn/normalization.h"
#include "core/convert/forms/nn/window.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/call_check.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/version.h"
#include "core/graph/shape_fit.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace crosswalk::keras {
namespace {

/// The axes of a setting, counted from the start, in the order of the setting.
Ints normalizedAxes(const Layer& layer, OnnxValue x, const Ints& otherwise)
{
    Ints axes = layer.settings.ints("axis", otherwise);
    for (std::int64_t& axis : axes) {
        axis = layer.ctx.axis(axis, layer.ctx.rank(x));
    }
    if (axes.empty() || std::set(axes.begin(), axes.end()).size() != axes.size()) {
        layer.ctx.invalid("axis is empty or contains an axis twice", "axis");
    }
    return axes;
}

constexpr double globalEpsilon = 1e-7; ///< keras.config.epsilon(), unless the program has set it

/// The setting `epsilon`; None stands for the global epsilon of Keras.
double epsilonOf(const Layer& layer, double otherwise)
{
    return layer.settings.number("epsilon", layer.settings.isNull("epsilon") ? globalEpsilon : otherwise);
}

Shape sizesAlong(const Shape& shape, const Ints& axes)
{
    Shape sizes;
    std::ranges::transform(axes, std::back_inserter(sizes),
                           [&](std::int64_t axis) { return shape[static_cast<std::size_t>(axis)]; });
    return sizes;
}

/// Throws "wrong-weight" unless a weight has the sizes of x along `axes`, or is stored in the shape of x, with 1 on the
/// other axes.
void requireSizes(const Layer& layer, const char* name, OnnxValue weight, OnnxValue x, const Ints& axes)
{
    const Shape& shape = layer.ctx.shape(x);
    if (layer.ctx.rank(weight) != shape.size()) {
        layer.requireShape(name, weight, sizesAlong(shape, axes));
        return;
    }
    Shape wide(shape.size(), Dim(1));
    for (const std::int64_t axis : axes) {
        wide[static_cast<std::size_t>(axis)] = shape[static_cast<std::size_t>(axis)];
    }
    layer.requireShape(name, weight, wide);
}

/// A weight over `axes` in the shape of x: 1 on the other axes. Its elements keep their order, as Keras reshapes it.
OnnxValue along(const Layer& layer, const char* name, const Precision& precision, OnnxValue x, const Ints& axes)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue weight = precision.widen(layer.storedWeight(name));
    requireSizes(layer, name, weight, x, axes);
    Ints dims(ctx.rank(x), 1);
    if (ctx.rank(weight) != axes.size()) {
        return weight; // stored in the shape of x
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        dims[static_cast<std::size_t>(axes[i])] = ctx.fixedDim(weight, static_cast<std::int64_t>(i));
    }
    dims.erase(dims.begin(), dims.iteratorAt(*std::ranges::min_element(axes))); // leading dimensions of 1 are redundant
    return emit::reshape(ctx, weight, dims);
}

OnnxValue scaledAndShifted(const Layer& layer, OnnxValue y, OnnxValue x, const Ints& axes, const Precision& precision)
{
    const NodeContext& ctx = layer.ctx;
    if (layer.hasWeight("gamma")) {
        y = ctx.emit("Mul", {y, along(layer, "gamma", precision, x, axes)});
    }
    if (layer.hasWeight("beta")) {
        y = ctx.emit("Add", {y, along(layer, "beta", precision, x, axes)});
    }
    return y;
}

/// Keras 1, mode 1: the statistics of each sample, with epsilon under the root and beside it.
OnnxValue ofEachSample(const Layer& layer, OnnxValue x, double epsilon)
{
    const NodeContext& ctx = layer.ctx;
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const Moments moments = momentsOf(ctx, x, {last}, epsilon);
    const OnnxValue divisor = ctx.emit("Add", {moments.deviation, emit::scalarLike(ctx, x, epsilon)});
    const OnnxValue y = ctx.emit("Div", {moments.centered, divisor});
    return scaledAndShifted(layer, y, x, {last}, Precision(ctx, x));
}

/// The statistics of the batch: Keras 1, mode 2, and calls with training=True.
OnnxValue ofBatch(const Layer& layer, OnnxValue given, const Ints& axes, double epsilon)
{
    const NodeContext& ctx = layer.ctx;
    const Precision precision(ctx, given);
    const OnnxValue x = precision.widen(given);
    Ints others;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (std::ranges::find(axes, i) == axes.end()) {
            others.push_back(i);
        }
    }
    const Moments moments = momentsOf(ctx, x, others, epsilon);
    const OnnxValue y = ctx.emit("Div", {moments.centered, moments.deviation});
    return precision.restore(scaledAndShifted(layer, y, x, axes, precision));
}

/// Whether it is called with training=True, as which tf.keras runs only trainable layers.
bool normalizesByBatch(const Layer& layer)
{
    const bool isFrozen = isOfTensorflowOrNewer(layer.ctx.graph) && !layer.settings.boolean("trainable", true);
    if (!isTraining(layer) || isFrozen) {
        return false;
    }
    if (layer.settings.boolean("renorm", false)) {
        layer.refuse("renorm in a call with training=True", "renorm");
    }
    if (layer.settings.has("virtual_batch_size")) {
        layer.refuse("a virtual_batch_size in a call with training=True", "virtual_batch_size");
    }
    if (layer.named("mask") || layer.mask()) {
        layer.refuse("statistics of the steps that a mask selects, in a call with training=True", "call.training");
    }
    return true;
}

/// Joint statistics of several axes.
OnnxValue overAxes(const Layer& layer, OnnxValue given, const Ints& axes, double epsilon)
{
    const NodeContext& ctx = layer.ctx;
    const Precision precision(ctx, given);
    const OnnxValue x = precision.widen(given);
    const OnnxValue mean = along(layer, "moving_mean", precision, x, axes);
    const OnnxValue variance = along(layer, "moving_variance", precision, x, axes);
    const OnnxValue deviation =
        elementary::sqrt(ctx, ctx.emit("Add", {variance, emit::scalarLike(ctx, variance, epsilon)}));
    const OnnxValue y = ctx.emit("Div", {ctx.emit("Sub", {x, mean}), deviation});
    return precision.restore(scaledAndShifted(layer, y, x, axes, precision));
}

OnnxValues batchNormalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const double epsilon = epsilonOf(layer, 1e-3);
    const Ints axes = normalizedAxes(layer, x, {-1});
    if (const auto mode = layer.major() == 1 ? layer.settings.integer("mode", 0) : 0; mode != 0) {
        return {mode == 1 ? ofEachSample(layer, x, epsilon) : ofBatch(layer, x, {axes.front()}, epsilon)};
    }
    if (normalizesByBatch(layer)) {
        return {ofBatch(layer, x, axes, epsilon)};
    }
    const auto stored = [&](const char* weight) { // no BatchNormalization computes in bfloat16
        const OnnxValue value = layer.storedWeight(weight);
        requireSizes(layer, weight, value, x, axes);
        return ctx.element(value) == ElementType::BFloat16 ? emit::cast(ctx, value, ElementType::Float32) : value;
    };
    const OnnxValue mean = stored("moving_mean");
    if (axes.size() != 1 || ctx.rank(mean) != 1 || axes.front() == 0) {
        return {overAxes(layer, x, axes, epsilon)};
    }
    const Dim channels(ctx.fixedDim(mean, 0));
    const auto given = [&](const char* weight, double otherwise) {
        return layer.hasWeight(weight)
                   ? stored(weight)
                   : ctx.onnx.constant(Tensor::filled(ctx.element(mean), {channels.size}, otherwise));
    };
    return {batchNorm(
        ctx, x, axes.front(),
        {.gamma = given("gamma", 1), .beta = given("beta", 0), .mean = mean, .variance = stored("moving_variance")},
        epsilon)};
}

OnnxValues layerNormalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Precision precision(ctx, layer.input(0));
    const OnnxValue x = precision.widen(layer.input(0));
    const Ints axes = normalizedAxes(layer, x, {-1});
    const double epsilon = epsilonOf(layer, 1e-3);
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const bool isRms = layer.settings.boolean("rms_scaling", false);
    const bool isPlain = axes.size() == 1 && axes.front() == last && !isRms && ctx.element(x) == ElementType::Float32;
    if (isPlain && ctx.shape(x)[static_cast<std::size_t>(last)].isFixed()) {
        const std::int64_t size = ctx.fixedDim(x, last);
        const auto given = [&](const char* weight, double otherwise) {
            if (!layer.hasWeight(weight)) {
                return ctx.onnx.constant(Tensor::filled(ctx.element(x), {size}, otherwise));
            }
            const OnnxValue value = precision.widen(layer.storedWeight(weight));
            layer.requireShape(weight, value, {Dim(size)});
            return value;
        };
        return {
            precision.restore(layerNorm(ctx, x, given("gamma", 1), given("beta", 0), last, {.epsilon = epsilon}).y)};
    }
    const Moments moments = momentsOf(ctx, x, axes, epsilon);
    const OnnxValue y = ctx.emit("Div", {isRms ? x : moments.centered, moments.deviation});
    return {precision.restore(scaledAndShifted(layer, y, x, axes, precision))};
}

/// The channels in groups, with statistics over a group and all other axes but the batch.
OnnxValues groupNormalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Precision precision(ctx, layer.input(0));
    const OnnxValue x = precision.widen(layer.input(0));
    const std::int64_t axis = normalizedAxes(layer, x, {-1}).front();
    const std::int64_t channels = ctx.fixedDim(x, axis);
    std::int64_t groups = layer.settings.integer("groups", 32);
    groups = groups == -1 ? channels : groups;
    if (axis == 0 || groups < 1 || channels % groups != 0) {
        ctx.invalid(fmt::format("{} groups do not divide {} channels", groups, channels), "groups");
    }
    const double epsilon = epsilonOf(layer, 1e-3);
    // (batch, groups, everything else): the moments are of the last axis.
    const OnnxValue moved = toChannelsFirst(ctx, x, axis);
    const OnnxValue grouped = emit::reshape(ctx, moved, Ints{0, groups, -1});
    const Moments moments = momentsOf(ctx, grouped, {2}, epsilon);
    const OnnxValue divided = ctx.emit("Div", {moments.centered, moments.deviation});
    const OnnxValue apart = reshapeTo(ctx, divided, termsOf(ctx, moved));
    const OnnxValue y = fromChannelsFirst(ctx, apart, axis);
    return {precision.restore(scaledAndShifted(layer, y, x, {axis}, precision))};
}

OnnxValues unitNormalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {x, x}), normalizedAxes(layer, x, {-1}), true);
    const OnnxValue atLeast = arithmetic::maximum(ctx, sum, emit::scalarLike(ctx, x, 1e-12));
    return {ctx.emit("Div", {x, elementary::sqrt(ctx, atLeast)})};
}

OnnxValues rmsNormalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Precision precision(ctx, layer.input(0));
    const OnnxValue x = precision.widen(layer.input(0));
    const Ints axes = normalizedAxes(layer, x, {-1});
    const OnnxValue mean = emit::reduce(ctx, "ReduceMean", ctx.emit("Mul", {x, x}), axes, true);
    const OnnxValue root =
        elementary::sqrt(ctx, ctx.emit("Add", {mean, emit::scalarLike(ctx, x, epsilonOf(layer, 1e-6))}));
    const OnnxValue y = ctx.emit("Div", {x, root});
    // The scale has the sizes of the axes in the setting's order, but Keras multiplies it by the last axes of x.
    const OnnxValue scale = precision.widen(layer.storedWeight("scale"));
    const Shape& shape = ctx.shape(x);
    const Shape sizes = sizesAlong(shape, axes);
    layer.requireShape("scale", scale, sizes);
    const Shape last(shape.iteratorAt(shape.size() - axes.size()), shape.end());
    if (!std::ranges::equal(sizes, last, [](const Dim& a, const Dim& b) { return a == Dim(1) || fitsDim(a, b); })) {
        ctx.invalid(fmt::format("its scale of {} cannot be broadcast to {}", toString(sizes), toString(shape)), "axis");
    }
    return {precision.restore(ctx.emit("Mul", {y, scale}))};
}

} // namespace

std::span<const OpRow> normalizationLayers()
{
    static constexpr OpRow rows[] = {
        {"BatchNormalization", batchNormalization, "BatchNormalization"},
        {"GroupNormalization", groupNormalization, "Reshape, ReduceMean, Div"},
        {"LayerNormalization", layerNormalization, "LayerNormalization"},
        {"RMSNormalization", rmsNormalization, "ReduceMean, Sqrt, Div"},
        {"SyncBatchNormalization", batchNormalization, "BatchNormalization"},
        {"UnitNormalization", unitNormalization, "ReduceSum, Sqrt, Div"},
    };
    return rows;
}

} // namespace crosswalk::keras
