// Tensors that are created.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

OnnxValue filled(const NodeContext& ctx, OnnxValue value, OnnxValue sizes)
{
    return emit::expand(ctx, value, sizes);
}

template <int value>
OnnxValues filledWith(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {
        filled(ctx, ctx.onnx.scalar(arguments.type("dtype", ElementType::Float32), value), arguments.vector("size"))};
}

template <int value>
OnnxValues constantLike(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue like = arguments.tensor("self");
    const OnnxValue sizes = arguments.has("size") ? arguments.vector("size") : emit::shapeVector(ctx, like);
    return {filled(ctx, ctx.onnx.scalar(arguments.type("dtype", ctx.element(like)), value), sizes)};
}

OnnxValues full(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = arguments.type("dtype", numberType(ctx, arguments, "fill_value"));
    return {filled(ctx, operand(ctx, arguments, "fill_value", type), arguments.vector("size"))};
}

OnnxValues fullLike(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue like = arguments.tensor("self");
    const OnnxValue value = operand(ctx, arguments, "fill_value", arguments.type("dtype", ctx.element(like)));
    return {filled(ctx, value, arguments.has("size") ? arguments.vector("size") : emit::shapeVector(ctx, like))};
}

OnnxValues fill(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {filled(ctx, operand(ctx, arguments, "value", ctx.element(x)), emit::shapeVector(ctx, x))};
}

/// The elements of another tensor, in the shape and type of this one.
OnnxValues copy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue source = emit::cast(ctx, arguments.tensor("src"), ctx.element(x));
    return {emit::expand(ctx, source, emit::shapeVector(ctx, x))};
}

OnnxValues scalarTensor(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {operand(ctx, arguments, "s", arguments.type("dtype", numberType(ctx, arguments, "s")))};
}

/// A number of a range in the type that holds it: integers are cut off behind the point.
double inType(ElementType type, double number)
{
    return isFloating(type) ? number : std::trunc(number);
}

/// An argument that is a number, as a scalar of float64.
OnnxValue wideNumber(const NodeContext& ctx, const Arguments& arguments, std::string_view name, double fallback)
{
    if (!arguments.has(name)) {
        return ctx.onnx.scalar(ElementType::Float64, fallback);
    }
    return asScalar(ctx, operand(ctx, arguments, name, ElementType::Float64));
}

/// start + i step for each i below (end - start) / step. That number is computed from the numbers as they are given,
/// elements of integers from whole ones.
OnnxValue computedRange(const NodeContext& ctx, const Arguments& arguments, ElementType type)
{
    const OnnxValue start = wideNumber(ctx, arguments, "start", 0);
    const OnnxValue step = wideNumber(ctx, arguments, "step", 1);
    const OnnxValue length = ctx.emit("Sub", {wideNumber(ctx, arguments, "end", 0), start});
    const OnnxValue count = emit::cast(ctx, ctx.emit("Ceil", {ctx.emit("Div", {length, step})}), ElementType::Int64);
    const OnnxValue places = forms::countTo(ctx, emit::unsqueeze(ctx, count, {0}));
    const ElementType wide = isFloating(type) ? ElementType::Float64 : ElementType::Int64;
    const auto inWide = [&](OnnxValue x) { return emit::cast(ctx, x, wide); };
    const OnnxValue steps = ctx.emit("Mul", {inWide(places), inWide(step)});
    return emit::cast(ctx, ctx.emit("Add", {inWide(start), steps}), type);
}

OnnxValues arange(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const auto isAny = [&](auto holds) { return holds("start") || holds("end") || holds("step"); };
    const bool isFloat = isAny(
        [&](std::string_view name) { return arguments.has(name) && isFloating(numberType(ctx, arguments, name)); });
    const ElementType type = arguments.type("dtype", isFloat ? ElementType::Float32 : ElementType::Int64);
    if (!isFloat) {
        const OnnxValue range =
            ctx.emit("Range", {arguments.scalar("start", 0), arguments.scalar("end", 0), arguments.scalar("step", 1)});
        return {emit::cast(ctx, range, type)};
    }
    if (isAny([&](std::string_view name) { return arguments.has(name) && !arguments.isStored(name); })) {
        return {computedRange(ctx, arguments, type)};
    }
    const double start = arguments.number("start", 0);
    const double step = arguments.number("step", 1);
    const double length = std::ceil((arguments.number("end", 0) - start) / step);
    if (!(length >= 0 && length <= static_cast<double>(forms::elementLimit))) {
        ctx.invalid("a range has no or too many elements", "end");
    }
    const auto count = static_cast<std::int64_t>(length);
    return {forms::computedConstant(ctx, type, {count},
                                    [first = inType(type, start), step = inType(type, step)](std::uint64_t i) {
                                        return first + static_cast<double>(i) * step;
                                    })};
}

/// Numbers in equal steps between ends that the model computes, or a base to their power. Integers are cut off behind
/// the point.
OnnxValue computedSteps(const NodeContext& ctx, const Arguments& arguments, std::int64_t steps, bool isPower)
{
    const ElementType type = arguments.type("dtype", ElementType::Float32);
    const ElementType wide =
        type == ElementType::Float32 || type == ElementType::Float16 ? ElementType::Float32 : ElementType::Float64;
    const auto endOf = [&](std::string_view name) {
        // The type of the result holds the ends; the exponent of a single power keeps its own.
        const OnnxValue end = operand(ctx, arguments, name, isPower && steps == 1 ? wide : type);
        return emit::cast(ctx, asScalar(ctx, end), wide);
    };
    const OnnxValue start = endOf("start");
    const OnnxValue end = endOf("end");
    const auto number = [&](double value) { return ctx.onnx.scalar(wide, value); };
    const OnnxValue step = ctx.emit(
        "Div", {ctx.emit("Sub", {end, start}), number(static_cast<double>(std::max<std::int64_t>(steps - 1, 1)))});
    const OnnxValue places = emit::cast(ctx, forms::countTo(ctx, steps), wide);
    const OnnxValue back = ctx.emit("Sub", {number(static_cast<double>(steps - 1)), places});
    const OnnxValue fromStart = ctx.emit("Add", {start, ctx.emit("Mul", {step, places})});
    const OnnxValue fromEnd = ctx.emit("Sub", {end, ctx.emit("Mul", {step, back})});
    const OnnxValue isNear = ctx.emit("Less", {places, number(static_cast<double>(steps == 1 ? 1 : steps / 2))});
    const OnnxValue numbers = ctx.emit("Where", {isNear, fromStart, fromEnd});
    return emit::cast(ctx, isPower ? ctx.emit("Pow", {number(arguments.number("base", 10)), numbers}) : numbers, type);
}

/// Numbers from start to end in equal steps, each from the nearer end; or a base to their power.
template <bool isPower>
OnnxValues equalSteps(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const std::int64_t steps = arguments.integer("steps", 100);
    if (steps < 0 || steps > forms::elementLimit) {
        ctx.invalid("the number of steps is negative or too large", "steps");
    }
    if (!arguments.isStored("start") || !arguments.isStored("end")) {
        return {computedSteps(ctx, arguments, steps, isPower)};
    }
    const ElementType type = arguments.type("dtype", ElementType::Float32);
    const auto endOf = [&](std::string_view name) {
        const double end = arguments.number(name, 0);
        return isPower && steps == 1 ? end : inType(type, end);
    };
    const double start = endOf("start");
    const double end = endOf("end");
    const double base = isPower ? arguments.number("base", 10) : 0;
    const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
    return {forms::computedConstant(ctx, type, {steps}, [start, end, step, steps, base](std::uint64_t index) {
        const auto i = static_cast<std::int64_t>(index);
        const double number = i < steps / 2 || steps == 1 ? start + step * static_cast<double>(i)
                                                          : end - step * static_cast<double>(steps - 1 - i);
        return isPower ? std::pow(base, number) : number;
    })};
}

enum class WindowKind { Hann, Hamming, Blackman, Bartlett };

/// A window of a spectrum; a periodic one is the first part of a symmetric one with one element more.
template <WindowKind kind>
OnnxValues window(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const std::int64_t length = arguments.integer("window_length", 0);
    if (length < 0 || length > forms::elementLimit) {
        ctx.invalid("the length is negative or too large", "window_length");
    }
    const auto last = static_cast<double>(arguments.truth("periodic", true) ? length : length - 1);
    const double alpha = kind == WindowKind::Hamming ? arguments.number("alpha", 0.54) : 0.5;
    const double beta = kind == WindowKind::Hamming ? arguments.number("beta", 0.46) : 0.5;
    return {forms::computedConstant(ctx, arguments.type("dtype", ElementType::Float32), {length},
                                    [last, length, alpha, beta](std::uint64_t i) {
                                        if (length == 1) {
                                            return 1.0;
                                        }
                                        const double place = static_cast<double>(i) / last;
                                        const double angle = 2 * std::numbers::pi * place;
                                        switch (kind) {
                                        case WindowKind::Blackman:
                                            return 0.42 - 0.5 * std::cos(angle) + 0.08 * std::cos(2 * angle);
                                        case WindowKind::Bartlett:
                                            return 1 - std::abs(2 * place - 1);
                                        default:
                                            return alpha - beta * std::cos(angle);
                                        }
                                    })};
}

OnnxValues eye(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const std::int64_t rows = arguments.integer("n", 0);
    const std::int64_t columns = arguments.integer("m", rows);
    if (rows < 0 || columns < 0 || (columns > 0 && rows > forms::elementLimit / columns)) {
        ctx.invalid("the matrix has too many elements", "n");
    }
    const ElementType type = arguments.type("dtype", ElementType::Float32);
    const bool lacksKernel = forms::isNarrowInteger(type) || type == ElementType::UInt32;
    const ElementType computed = lacksKernel ? ElementType::Int64 : type;
    const OnnxValue like = forms::filled(ctx, computed, {rows, columns}, 0);
    return {emit::cast(ctx, ctx.emit("EyeLike", {like}), type)};
}

OnnxValues meshgrid(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues vectors = arguments.tensors("tensors");
    if (vectors.empty()) {
        ctx.invalid("needs at least one tensor", "tensors");
    }
    const bool isXy = arguments.text("indexing", "ij") == "xy" && vectors.size() > 1;
    OnnxValues dims;
    for (const OnnxValue vector : vectors) {
        dims.push_back(ctx.rank(vector) == 0 ? ctx.onnx.ints({1}) : emit::dimVector(ctx, vector, 0));
    }
    if (isXy) {
        std::swap(dims[0], dims[1]);
    }
    const OnnxValue shape = dims.size() == 1 ? dims[0] : emit::concat(ctx, dims, 0);
    OnnxValues grids;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        Ints view(vectors.size(), 1);
        view[isXy && i < 2 ? 1 - i : i] = -1;
        grids.push_back(emit::expand(ctx, emit::reshape(ctx, vectors[i], view), shape));
    }
    return grids;
}

} // namespace

std::span<const OpRow> creationOps()
{
    static constexpr OpRow rows[] = {
        {"aten::zeros", filledWith<0>, "Expand"},
        {"aten::ones", filledWith<1>, "Expand"},
        {"aten::zeros_like", constantLike<0>, "Expand"},
        {"aten::ones_like", constantLike<1>, "Expand"},
        {"aten::new_zeros", constantLike<0>, "Expand"},
        {"aten::new_ones", constantLike<1>, "Expand"},
        {"aten::full", full, "Expand"},
        {"aten::full_like", fullLike, "Expand"},
        {"aten::new_full", fullLike, "Expand"},
        {"aten::fill", fill, "Expand"},
        {"aten::copy", copy, "Expand"},
        {"aten::zero", constantLike<0>, "Expand"},
        {"aten::scalar_tensor", scalarTensor, ""},
        {"aten::arange", arange, "Range"},
        {"aten::linspace", equalSteps<false>, ""},
        {"aten::logspace", equalSteps<true>, ""},
        {"aten::hann_window", window<WindowKind::Hann>, ""},
        {"aten::hamming_window", window<WindowKind::Hamming>, ""},
        {"aten::blackman_window", window<WindowKind::Blackman>, ""},
        {"aten::bartlett_window", window<WindowKind::Bartlett>, ""},
        {"aten::empty", filledWith<0>, "Expand", Support::Exact, "elements that the model does not write are 0"},
        {"aten::empty_strided", filledWith<0>, "Expand", Support::Exact,
         "elements that the model does not write are 0"},
        {"aten::empty_permuted", filledWith<0>, "Expand", Support::Exact,
         "elements that the model does not write are 0"},
        {"aten::empty_like", constantLike<0>, "Expand", Support::Exact, "elements that the model does not write are 0"},
        {"aten::new_empty", constantLike<0>, "Expand", Support::Exact, "elements that the model does not write are 0"},
        {"aten::new_empty_strided", constantLike<0>, "Expand", Support::Exact,
         "elements that the model does not write are 0"},
        {"aten::eye", eye, "EyeLike"},
        {"aten::meshgrid", meshgrid, "Reshape, Expand"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
