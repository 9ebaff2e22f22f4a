// Layers that join several tensors.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::keras {
namespace {

/// The inputs with axes of 1 behind the batch axis where they have fewer than others.
OnnxValues aligned(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValues values = layer.inputs();
    if (values.empty()) {
        ctx.invalid("it has no inputs");
    }
    std::size_t rank = 0;
    for (const OnnxValue value : values) {
        rank = std::max(rank, ctx.rank(value));
    }
    for (OnnxValue& value : values) {
        const std::size_t own = ctx.rank(value);
        if (own < rank && own > 0) {
            Ints axes(rank - own);
            std::iota(axes.begin(), axes.end(), 1);
            value = emit::unsqueeze(ctx, value, axes);
        }
    }
    return values;
}

OnnxValue merged(const Layer& layer, arithmetic::Binary operation)
{
    const OnnxValues values = aligned(layer);
    return std::accumulate(values.iteratorAt(1), values.end(), values.front(),
                           [&](OnnxValue a, OnnxValue b) { return operation(layer.ctx, a, b); });
}

OnnxValues addLayer(const Layer& layer)
{
    return {merged(layer, arithmetic::add)};
}

/// The mask of an input in the dimensions of its tensor; absent if it has none.
OnnxValue wideMask(const Layer& layer, std::size_t i, OnnxValue x)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue mask = layer.mask(i);
    if (!mask) {
        return {};
    }
    if (ctx.rank(mask) + 1 != ctx.rank(x)) {
        layer.refuse(fmt::format("a mask of {} dimensions for data of {}", ctx.rank(mask), ctx.rank(x)));
    }
    return emit::unsqueeze(ctx, emit::cast(ctx, mask, ElementType::Bool), {static_cast<std::int64_t>(ctx.rank(mask))});
}

bool hasMasks(const Layer& layer)
{
    for (std::size_t i = 0; i < layer.inputCount(); ++i) {
        if (layer.mask(i)) {
            return true;
        }
    }
    return false;
}

/// Keras 3: masked elements are 1, and the product of elements that are all masked is 0.
OnnxValue maskedProduct(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValues values = aligned(layer);
    OnnxValue product;
    OnnxValue anyMask;
    bool hasAll = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        OnnxValue x = values[i];
        if (const OnnxValue mask = wideMask(layer, i, x)) {
            x = choose(ctx, mask, x, emit::scalarLike(ctx, x, 1));
            anyMask = anyMask ? ctx.emit("Or", {anyMask, mask}) : mask;
        } else {
            hasAll = false;
        }
        product = product ? arithmetic::multiply(ctx, product, x) : x;
    }
    return hasAll && anyMask ? choose(ctx, anyMask, product, emit::scalarLike(ctx, product, 0)) : product;
}

/// Keras 3: one tensor after the other; where only one of two is masked, the other one counts.
OnnxValue maskedExtreme(const Layer& layer, arithmetic::Binary operation)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValues values = aligned(layer);
    OnnxValue y = values.front();
    OnnxValue maskOfY = wideMask(layer, 0, y);
    for (std::size_t i = 1; i < values.size(); ++i) {
        OnnxValue x = values[i];
        const OnnxValue mask = wideMask(layer, i, x);
        x = mask ? choose(ctx, mask, x, y) : x;
        y = maskOfY ? choose(ctx, maskOfY, y, x) : y;
        maskOfY = mask && maskOfY ? ctx.emit("Or", {maskOfY, mask}) : OnnxValue{};
        y = operation(ctx, y, x);
    }
    return y;
}

OnnxValues multiplyLayer(const Layer& layer)
{
    return {hasMasks(layer) ? maskedProduct(layer) : merged(layer, arithmetic::multiply)};
}

OnnxValues maximumLayer(const Layer& layer)
{
    return {hasMasks(layer) ? maskedExtreme(layer, arithmetic::maximum) : merged(layer, arithmetic::maximum)};
}

OnnxValues minimumLayer(const Layer& layer)
{
    return {hasMasks(layer) ? maskedExtreme(layer, arithmetic::minimum) : merged(layer, arithmetic::minimum)};
}

OnnxValues subtractLayer(const Layer& layer)
{
    if (layer.inputCount() != 2) {
        layer.ctx.invalid(fmt::format("Subtract of {} tensors", layer.inputCount()));
    }
    return {merged(layer, arithmetic::subtract)};
}

OnnxValues average(const Layer& layer)
{
    OnnxValue sum = merged(layer, arithmetic::add);
    const auto count = static_cast<double>(layer.inputCount());
    if (!isFloating(layer.ctx.element(sum))) {
        if (layer.major() < 3) {
            layer.refuse("an average of integers", {}, "cast the tensors to float32");
        }
        sum = emit::cast(layer.ctx, sum, ElementType::Float32);
    }
    return {layer.ctx.emit("Div", {sum, emit::scalarLike(layer.ctx, sum, count)})};
}

OnnxValue concatenated(const Layer& layer, std::int64_t axis)
{
    const OnnxValue first = layer.input(0);
    return layer.inputCount() == 1
               ? first
               : emit::concat(layer.ctx, layer.inputs(), layer.ctx.axis(axis, layer.ctx.rank(first)));
}

OnnxValues concatenateLayer(const Layer& layer)
{
    return {concatenated(layer, layer.settings.integer("axis", -1))};
}

/// The sum over an axis of a and one of b, for each sample: (batch, other axes of a, other axes of b).
OnnxValue batchDot(const NodeContext& ctx, OnnxValue a, OnnxValue b, std::int64_t axisOfA, std::int64_t axisOfB)
{
    if (axisOfA == 0 || axisOfB == 0) {
        ctx.refuse("a product over the batch axis", "axes");
    }
    const ElementType type = ctx.element(a);
    if (!isFloating(type) && type != ElementType::Int32 && type != ElementType::Int64) {
        ctx.refuse(fmt::format("a product of {}", elementTypeName(type)), "axes"); // ONNX Runtime's Einsum lacks them
    }
    const Dim& sizeOfA = ctx.shape(a)[static_cast<std::size_t>(axisOfA)];
    const Dim& sizeOfB = ctx.shape(b)[static_cast<std::size_t>(axisOfB)];
    if (sizeOfA.isFixed() && sizeOfB.isFixed() && sizeOfA.size != sizeOfB.size) {
        ctx.invalid(fmt::format("a product over axes of {} and {} elements", sizeOfA.size, sizeOfB.size), "axes");
    }
    std::string letters[2];
    char next = 'c';
    const std::int64_t axes[2] = {axisOfA, axisOfB};
    const OnnxValue operands[2] = {a, b};
    std::string result = "a";
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(ctx.rank(operands[i])); ++axis) {
            const char letter = axis == 0 ? 'a' : axis == axes[i] ? 'b' : next++;
            letters[i] += letter;
            if (axis != 0 && axis != axes[i]) {
                result += letter;
            }
        }
    }
    const std::string equation = fmt::format("{},{}->{}", letters[0], letters[1], result);
    const OnnxValue y = ctx.emit("Einsum", {a, b}, {{"equation", equation}});
    return result.size() == 1 ? emit::unsqueeze(ctx, y, {1}) : y;
}

/// The axes of both operands that a setting names, by one number or two.
std::pair<std::int64_t, std::int64_t> dotAxes(const Layer& layer, const std::string& setting)
{
    const Ints given = layer.settings.ints(setting);
    if (layer.inputCount() != 2 || given.empty() || given.size() > 2) {
        layer.ctx.invalid(fmt::format("a product of {} tensors over {} axes", layer.inputCount(), given.size()),
                          setting);
    }
    return {layer.ctx.axis(given.front(), layer.ctx.rank(layer.input(0))),
            layer.ctx.axis(given.back(), layer.ctx.rank(layer.input(1)))};
}

OnnxValue normalized(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {x, x}), {axis}, true);
    const OnnxValue atLeast = arithmetic::maximum(ctx, sum, emit::scalarLike(ctx, x, 1e-12));
    return ctx.emit("Div", {x, elementary::sqrt(ctx, atLeast)});
}

OnnxValues dotLayer(const Layer& layer)
{
    const auto [first, second] = dotAxes(layer, "axes");
    OnnxValue a = layer.input(0);
    OnnxValue b = layer.input(1);
    if (layer.settings.boolean("normalize", false)) {
        a = normalized(layer.ctx, a, first);
        b = normalized(layer.ctx, b, second);
    }
    return {batchDot(layer.ctx, a, b, first, second)};
}

/// Keras 1: the product divided by the root of the products of each operand with itself.
OnnxValue cosine(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const auto [first, second] = dotAxes(layer, "dot_axes");
    const OnnxValue a = layer.input(0);
    const OnnxValue b = layer.input(1);
    const OnnxValue square = ctx.emit("Mul", {batchDot(ctx, a, a, first, second), batchDot(ctx, b, b, first, second)});
    const OnnxValue norm = elementary::sqrt(ctx, square);
    const OnnxValue divisor = arithmetic::maximum(ctx, norm, emit::scalarLike(ctx, norm, 1e-7));
    return emit::unsqueeze(ctx, ctx.emit("Div", {batchDot(ctx, a, b, first, second), divisor}), {1});
}

/// Keras 1: the layer for all ways of joining.
OnnxValues merge(const Layer& layer)
{
    const std::string mode = layer.settings.text("mode");
    if (layer.settings.text("mode_type", "raw") != "raw") {
        layer.refuse("its mode is a Python function, which is not in the file", "mode", "use one of the named modes");
    }
    if (mode == "sum") {
        return addLayer(layer);
    }
    if (mode == "mul") {
        return multiplyLayer(layer);
    }
    if (mode == "ave") {
        return average(layer);
    }
    if (mode == "max") {
        return maximumLayer(layer);
    }
    if (mode == "concat") {
        return {concatenated(layer, layer.settings.integer("concat_axis", -1))};
    }
    if (mode == "dot") {
        const auto [first, second] = dotAxes(layer, "dot_axes");
        return {batchDot(layer.ctx, layer.input(0), layer.input(1), first, second)};
    }
    if (mode == "cos") {
        return {cosine(layer)};
    }
    layer.refuse(fmt::format("mode {} is not one of Keras 1", mode), "mode");
}
} // namespace

std::span<const OpRow> mergeLayers()
{
    static constexpr OpRow rows[] = {
        {"Add", addLayer, "Add"},
        {"Average", average, "Add, Div"},
        {"Concatenate", concatenateLayer, "Concat"},
        {"Dot", dotLayer, "Einsum"},
        {"Maximum", maximumLayer, "Max"},
        {"Merge", merge, "Add, Mul, Max, Concat, Einsum"},
        {"Minimum", minimumLayer, "Min"},
        {"Multiply", multiplyLayer, "Mul"},
        {"Subtract", subtractLayer, "Sub"},
    };
    return rows;
}

} // namespace crosswalk::keras
