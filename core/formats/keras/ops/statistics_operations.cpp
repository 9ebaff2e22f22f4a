// Statistics of Keras 3: medians and quantiles, reductions that leave out NaN, norms, running products, differences.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/running_sum.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/accumulation.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::keras {
namespace {

struct ReducedAxes {
    OnnxValue x;
    Ints axes; ///< not negative
    bool keepDims;
};

ReducedAxes reducedAxesOf(const Layer& layer, OnnxValue x, Arguments::Names axis = {"axis", "1"})
{
    return {x, axesOrAll(layer, x, axis), Arguments(layer).boolean({"keepdims"}, false)};
}

OnnxValues nonzeroCount(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, operand(layer));
    const OnnxValue truth = emit::cast(ctx, emit::cast(ctx, reduced.x, ElementType::Bool), ElementType::Int32);
    return {reducedAlong(ctx, "ReduceSum", truth, reduced.axes, reduced.keepDims)};
}

OnnxValues peakToPeak(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, operand(layer));
    const auto extreme = [&](const char* op) {
        return reducedAlong(ctx, op, reduced.x, reduced.axes, reduced.keepDims);
    };
    return {arithmetic::subtract(ctx, extreme("ReduceMax"), extreme("ReduceMin"))};
}

/// With weights for one axis, or for every element.
OnnxValues weightedAverage(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = floatingOperand(layer);
    const ReducedAxes reduced = reducedAxesOf(layer, x, {"axis"});
    if (!arguments.has({"weights", "1"})) {
        return {reducedAlong(ctx, "ReduceMean", x, reduced.axes, false)};
    }
    const OnnxValues both = inCommonType(layer, {x, arguments.tensor({"weights", "1"})});
    x = both[0];
    OnnxValue weights = both[1];
    if (ctx.rank(weights) == 1 && ctx.rank(x) > 1) {
        if (reduced.axes.size() != 1) {
            ctx.invalid("weights of one axis for several", "weights");
        }
        Ints dims(ctx.rank(x), 1);
        dims[static_cast<std::size_t>(reduced.axes.front())] = -1;
        weights = emit::reshape(ctx, weights, dims);
    }
    const OnnxValue sum = reducedAlong(ctx, "ReduceSum", ctx.emit("Mul", {x, weights}), reduced.axes, false);
    const OnnxValue whole = emit::expand(ctx, weights, emit::shapeVector(ctx, x));
    return {ctx.emit("Div", {sum, reducedAlong(ctx, "ReduceSum", whole, reduced.axes, false)})};
}

/// The axes that are reduced as one, the last: (others..., elements).
OnnxValue joinedLast(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    Ints order;
    ShapeTerms terms;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (std::ranges::find(axes, i) == axes.end()) {
            order.push_back(i);
            terms.push_back(termOf(ctx, x, {i}));
        }
    }
    Ints sorted = axes;
    std::ranges::sort(sorted);
    order.insert(order.end(), sorted.begin(), sorted.end());
    terms.push_back(termOf(ctx, x, sorted));
    return reshapeTo(ctx, std::ranges::is_sorted(order) ? x : emit::transpose(ctx, x, order), terms);
}

/// The result of a reduction of the last axis with axes of size 1 in place of the reduced ones.
OnnxValue withAxes(const NodeContext& ctx, OnnxValue y, const ReducedAxes& reduced, std::int64_t before = 0)
{
    if (!reduced.keepDims) {
        return y;
    }
    Ints axes = reduced.axes;
    std::ranges::sort(axes);
    for (std::int64_t& axis : axes) {
        axis += before;
    }
    return emit::unsqueeze(ctx, y, axes);
}

OnnxValue ascending(const NodeContext& ctx, OnnxValue x)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    return ctx.onnx.add("TopK", {x, emit::dimVector(ctx, x, last)}, {{"axis", last}, {"largest", 0}, {"sorted", 1}},
                        2)[0];
}

/// NaN where any element along the last axis is NaN, whose order TopK leaves open.
OnnxValue withNan(const NodeContext& ctx, OnnxValue y, OnnxValue x)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const OnnxValue isNan = emit::cast(ctx, ctx.emit("IsNaN", {x}), ElementType::Float32);
    const OnnxValue hasNan = emit::cast(ctx, emit::reduce(ctx, "ReduceMax", isNan, {last}, false), ElementType::Bool);
    return ctx.emit("Where", {hasNan, emit::scalarLike(ctx, y, std::numeric_limits<double>::quiet_NaN()), y});
}

/// The quantile q of the last axis, which has `count` (a scalar) elements, between two of them.
OnnxValue quantileOf(const Layer& layer, OnnxValue sorted, OnnxValue count, double q, const std::string& method)
{
    const NodeContext& ctx = layer.ctx;
    const auto last = static_cast<std::int64_t>(ctx.rank(sorted)) - 1;
    const OnnxValue places =
        ctx.emit("Sub", {emit::cast(ctx, count, ElementType::Float64), ctx.onnx.scalar(ElementType::Float64, 1)});
    const OnnxValue place = ctx.emit("Mul", {places, ctx.onnx.scalar(ElementType::Float64, q)});
    const OnnxValue below = ctx.emit("Floor", {place});
    const OnnxValue above = ctx.emit("Ceil", {place});
    const auto at = [&](OnnxValue index) {
        return emit::gather(ctx, sorted, emit::cast(ctx, index, ElementType::Int64), last);
    };
    if (method == "lower" || method == "higher") {
        return at(method == "lower" ? below : above);
    }
    if (method == "nearest") { // of two the even one
        return at(ctx.emit("Round", {place}));
    }
    if (method == "midpoint") {
        return ctx.emit("Mul", {ctx.emit("Add", {at(below), at(above)}), emit::scalarLike(ctx, sorted, 0.5)});
    }
    if (method != "linear") {
        ctx.invalid(fmt::format("method {} is not one of Keras", method), "method");
    }
    const OnnxValue share = emit::cast(ctx, ctx.emit("Sub", {place, below}), ctx.element(sorted));
    const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, sorted, 1), share});
    return ctx.emit("Add", {ctx.emit("Mul", {at(below), rest}), ctx.emit("Mul", {at(above), share})});
}

OnnxValues quantiles(const Layer& layer, const std::vector<double>& of, bool isList, const std::string& method)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, floatingOperand(layer), {"axis"});
    const OnnxValue joined = joinedLast(ctx, reduced.x, reduced.axes);
    const OnnxValue sorted = ascending(ctx, joined);
    const auto last = static_cast<std::int64_t>(ctx.rank(joined)) - 1;
    const OnnxValue count = scalarOf(ctx, emit::dimVector(ctx, joined, last));
    OnnxValues found;
    for (const double q : of) {
        if (!(q >= 0 && q <= 1)) {
            ctx.invalid(fmt::format("a quantile of {}", q), "q");
        }
        const OnnxValue y = withNan(ctx, quantileOf(layer, sorted, count, q, method), joined);
        found.push_back(withAxes(ctx, y, reduced));
    }
    if (!isList) {
        return found;
    }
    for (OnnxValue& y : found) {
        y = emit::unsqueeze(ctx, y, {0});
    }
    return {found.size() == 1 ? found.front() : emit::concat(ctx, found, 0)};
}

OnnxValues median(const Layer& layer)
{
    return quantiles(layer, {0.5}, false, "linear");
}

OnnxValues quantile(const Layer& layer)
{
    const Arguments arguments(layer);
    const std::string key = arguments.key({"1", "q"});
    std::vector<double> of = layer.settings.numbers(key);
    if (layer.op().ends_with("ercentile")) {
        std::ranges::for_each(of, [](double& q) { q /= 100; });
    }
    // A model computes ops.quantile without its method.
    const std::string method = layer.op() == "ops.Quantile" ? "linear" : arguments.text({"method"}, "linear");
    return quantiles(layer, of, !layer.settings.extents(key).empty(), method);
}

// Without NaN.

OnnxValue isPresent(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Not", {ctx.emit("IsNaN", {x})});
}

/// x with a value in place of NaN; integers have none.
OnnxValue replaced(const NodeContext& ctx, OnnxValue x, double value)
{
    return isFloating(ctx.element(x)) ? ctx.emit("Where", {ctx.emit("IsNaN", {x}), emit::scalarLike(ctx, x, value), x})
                                      : x;
}

OnnxValues nanSum(const Layer& layer)
{
    const ReducedAxes reduced = reducedAxesOf(layer, operand(layer));
    const OnnxValue x = inSumType(layer, replaced(layer.ctx, reduced.x, 0));
    return {reducedAlong(layer.ctx, "ReduceSum", x, reduced.axes, reduced.keepDims)};
}

OnnxValues nanProduct(const Layer& layer)
{
    const ReducedAxes reduced = reducedAxesOf(layer, operand(layer));
    const OnnxValue x = inSumType(layer, replaced(layer.ctx, reduced.x, 1));
    return {reducedAlong(layer.ctx, "ReduceProd", x, reduced.axes, reduced.keepDims)};
}

/// NaN where all are NaN.
OnnxValues nanExtreme(const Layer& layer, const char* op, double beyond)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, operand(layer));
    const OnnxValue x = replaced(ctx, reduced.x, beyond);
    const OnnxValue y = reducedAlong(ctx, op, x, reduced.axes, reduced.keepDims);
    if (!isFloating(ctx.element(x))) {
        return {y};
    }
    const OnnxValue present = emit::cast(ctx, isPresent(ctx, reduced.x), ElementType::Float32);
    const OnnxValue hasAny =
        emit::cast(ctx, reducedAlong(ctx, "ReduceMax", present, reduced.axes, reduced.keepDims), ElementType::Bool);
    return {ctx.emit("Where", {hasAny, y, emit::scalarLike(ctx, y, std::numeric_limits<double>::quiet_NaN())})};
}

OnnxValues nanMaximum(const Layer& layer)
{
    return nanExtreme(layer, "ReduceMax", -std::numeric_limits<double>::infinity());
}

OnnxValues nanMinimum(const Layer& layer)
{
    return nanExtreme(layer, "ReduceMin", std::numeric_limits<double>::infinity());
}

OnnxValue nanMeanOf(const NodeContext& ctx, OnnxValue x, OnnxValue present, const Ints& axes, bool keepDims)
{
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    const OnnxValue sum = reducedAlong(ctx, "ReduceSum", ctx.emit("Where", {present, x, zero}), axes, keepDims);
    const OnnxValue count = reducedAlong(ctx, "ReduceSum", emit::cast(ctx, present, ctx.element(x)), axes, keepDims);
    return ctx.emit("Div", {sum, count});
}

OnnxValues nanMean(const Layer& layer)
{
    const ReducedAxes reduced = reducedAxesOf(layer, floatingOperand(layer));
    return {nanMeanOf(layer.ctx, reduced.x, isPresent(layer.ctx, reduced.x), reduced.axes, reduced.keepDims)};
}

OnnxValue nanVarianceOf(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, floatingOperand(layer));
    const OnnxValue present = isPresent(ctx, reduced.x);
    const OnnxValue centered = ctx.emit("Sub", {reduced.x, nanMeanOf(ctx, reduced.x, present, reduced.axes, true)});
    return nanMeanOf(ctx, ctx.emit("Mul", {centered, centered}), present, reduced.axes, reduced.keepDims);
}

OnnxValues nanVariance(const Layer& layer)
{
    return {nanVarianceOf(layer)};
}

OnnxValues nanDeviation(const Layer& layer)
{
    return {elementary::sqrt(layer.ctx, nanVarianceOf(layer))};
}

/// The place of the first extreme that is no NaN; -1 where all are NaN.
OnnxValues nanPlace(const Layer& layer, const char* op, const char* reduction, double beyond)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = operand(layer);
    const auto [x, axis] = alongAxis(layer, given, {"axis", "1"});
    const bool keepDims = Arguments(layer).boolean({"keepdims"}, false);
    OnnxValue place = ctx.emit(op, {replaced(ctx, x, beyond)}, {{"axis", axis}, {"keepdims", 1}});
    if (isFloating(ctx.element(x))) {
        const OnnxValue present = emit::cast(ctx, isPresent(ctx, x), ElementType::Float32);
        const OnnxValue hasAny =
            emit::cast(ctx, emit::reduce(ctx, reduction, present, {axis}, true), ElementType::Bool);
        place = ctx.emit("Where", {hasAny, place, ctx.onnx.scalar(ElementType::Int64, -1)});
    }
    place = emit::cast(ctx, place, ElementType::Int32);
    if (keepDims) {
        return {ctx.rank(x) == ctx.rank(given) ? place : emit::reshape(ctx, place, Ints(ctx.rank(given), 1))};
    }
    return {emit::squeeze(ctx, place, {axis})};
}

OnnxValues nanArgMax(const Layer& layer)
{
    return nanPlace(layer, "ArgMax", "ReduceMax", -std::numeric_limits<double>::infinity());
}

OnnxValues nanArgMin(const Layer& layer)
{
    return nanPlace(layer, "ArgMin", "ReduceMax", std::numeric_limits<double>::infinity());
}

/// The quantile of the present elements of the last axis, whose number differs from row to row.
OnnxValues nanQuantiles(const Layer& layer, const std::vector<double>& of, bool isList)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, floatingOperand(layer), {"axis"});
    const OnnxValue joined = joinedLast(ctx, reduced.x, reduced.axes);
    const auto last = static_cast<std::int64_t>(ctx.rank(joined)) - 1;
    const OnnxValue sorted = ascending(ctx, replaced(ctx, joined, std::numeric_limits<double>::infinity()));
    const OnnxValue present = emit::cast(ctx, isPresent(ctx, joined), ElementType::Float64);
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", present, {last}, true);
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Float64, 0);
    OnnxValues found;
    for (const double q : of) {
        const OnnxValue places = ctx.emit("Sub", {count, ctx.onnx.scalar(ElementType::Float64, 1)});
        const OnnxValue place =
            ctx.emit("Max", {ctx.emit("Mul", {places, ctx.onnx.scalar(ElementType::Float64, q)}), zero});
        const OnnxValue below = ctx.emit("Floor", {place});
        const OnnxValue share = emit::cast(ctx, ctx.emit("Sub", {place, below}), ctx.element(sorted));
        const auto at = [&](OnnxValue index) {
            return ctx.emit("GatherElements", {sorted, emit::cast(ctx, index, ElementType::Int64)}, {{"axis", last}});
        };
        const OnnxValue low = at(below);
        const OnnxValue isWhole = ctx.emit("Equal", {share, emit::scalarLike(ctx, share, 0)});
        const OnnxValue high = ctx.emit("Where", {isWhole, low, at(ctx.emit("Ceil", {place}))});
        const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, share, 1), share});
        OnnxValue y = ctx.emit("Add", {ctx.emit("Mul", {low, rest}), ctx.emit("Mul", {high, share})});
        y = ctx.emit("Where", {ctx.emit("Equal", {count, zero}),
                               emit::scalarLike(ctx, y, std::numeric_limits<double>::quiet_NaN()), y});
        y = withAxes(ctx, emit::squeeze(ctx, y, {last}), reduced);
        found.push_back(isList ? emit::unsqueeze(ctx, y, {0}) : y);
    }
    return {found.size() == 1 ? found.front() : emit::concat(ctx, found, 0)};
}

OnnxValues nanMedian(const Layer& layer)
{
    return nanQuantiles(layer, {0.5}, false);
}

OnnxValues nanQuantile(const Layer& layer)
{
    const Arguments arguments(layer);
    if (arguments.text({"method"}, "linear") != "linear") {
        layer.refuse("a quantile without NaN by a method other than linear", "method");
    }
    const std::string key = arguments.key({"1", "q"});
    std::vector<double> of = layer.settings.numbers(key);
    if (layer.op().ends_with("ercentile")) {
        std::ranges::for_each(of, [](double& q) { q /= 100; });
    }
    return nanQuantiles(layer, of, !layer.settings.extents(key).empty());
}

// Norms.

/// The norm of vectors: (sum |x|^p)^(1/p), the number of elements that are not 0, or an extreme.
OnnxValue vectorNorm(const NodeContext& ctx, OnnxValue x, double order, const Ints& axes, bool keepDims)
{
    const OnnxValue size = ctx.emit("Abs", {x});
    const auto reduced = [&](const char* op, OnnxValue value) { return reducedAlong(ctx, op, value, axes, keepDims); };
    if (std::isinf(order)) {
        return reduced(order > 0 ? "ReduceMax" : "ReduceMin", size);
    }
    if (order == 0) {
        return reduced("ReduceSum",
                       emit::cast(ctx, arithmetic::notEqual(ctx, x, emit::scalarLike(ctx, x, 0)), ctx.element(x)));
    }
    if (order == 1) {
        return reduced("ReduceSum", size);
    }
    if (order == 2) {
        return elementary::sqrt(ctx, reduced("ReduceSum", ctx.emit("Mul", {x, x})));
    }
    const OnnxValue sum = reduced("ReduceSum", ctx.emit("Pow", {size, emit::scalarLike(ctx, x, order)}));
    return ctx.emit("Pow", {sum, emit::scalarLike(ctx, x, 1 / order)});
}

/// The largest (or with a negative order the smallest) sum of magnitudes of a column (1) or of a row (infinity).
OnnxValue matrixNorm(const Layer& layer, OnnxValue x, double order, const Ints& axes, bool keepDims)
{
    const NodeContext& ctx = layer.ctx;
    if (std::abs(order) != 1 && !std::isinf(order)) {
        layer.refuse(fmt::format("the norm {} of matrices, which needs singular values", order), "ord");
    }
    const bool isOfColumns = std::abs(order) == 1;
    const std::int64_t summed = axes[isOfColumns ? 0 : 1];
    const std::int64_t compared = axes[isOfColumns ? 1 : 0];
    const OnnxValue sums = emit::reduce(ctx, "ReduceSum", ctx.emit("Abs", {x}), {summed}, true);
    const OnnxValue y = emit::reduce(ctx, order > 0 ? "ReduceMax" : "ReduceMin", sums, {compared}, true);
    return keepDims ? y : emit::squeeze(ctx, y, axes);
}

/// Of vectors along one axis, of matrices along two.
OnnxValue normOver(const Layer& layer, OnnxValue x, double order, const Ints& axes, bool keepDims)
{
    return axes.size() == 2 ? matrixNorm(layer, x, order, axes, keepDims)
                            : vectorNorm(layer.ctx, x, order, axes, keepDims);
}

OnnxValues normOperation(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const ReducedAxes reduced = reducedAxesOf(layer, floatingOperand(layer), {"axis"});
    const std::string key = arguments.key({"ord", "1"});
    if (key.empty()) {
        return {vectorNorm(ctx, reduced.x, 2, reduced.axes, reduced.keepDims)};
    }
    double order = 2;
    if (layer.settings.isText(key)) {
        const std::string name = layer.settings.text(key);
        if (name == "fro") {
            return {vectorNorm(ctx, reduced.x, 2, reduced.axes, reduced.keepDims)};
        }
        if (name != "inf" && name != "-inf" && name != "Infinity" && name != "-Infinity") {
            layer.refuse(fmt::format("the norm {}", name), "ord");
        }
        order =
            name.front() == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else {
        order = layer.settings.number(key, 2);
    }
    return {normOver(layer, reduced.x, order, reduced.axes, reduced.keepDims)};
}

/// x by its norm along an axis, which is at least the root of epsilon.
OnnxValues normalize(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = floatingOperand(layer);
    const bool isGiven = arguments.has({"axis", "1"}) || layer.settings.isNull("axis");
    const Ints axes = isGiven ? axesOrAll(layer, x, {"axis", "1"}) : Ints{static_cast<std::int64_t>(ctx.rank(x)) - 1};
    const double order = arguments.number({"order", "2"}, 2);
    const double epsilon = arguments.number({"epsilon", "3"}, 1e-7);
    if (order == 2) { // Keras bounds the sum of squares
        const OnnxValue sum = reducedAlong(ctx, "ReduceSum", ctx.emit("Mul", {x, x}), axes, true);
        const OnnxValue least = emit::scalarLike(ctx, x, epsilon * epsilon);
        return {ctx.emit("Mul", {x, elementary::reciprocalSqrt(ctx, arithmetic::maximum(ctx, sum, least))})};
    }
    const OnnxValue size = normOver(layer, x, order, axes, true);
    return {ctx.emit("Div", {x, arithmetic::maximum(ctx, size, emit::scalarLike(ctx, x, epsilon))})};
}

/// Mean and variance over axes. Those of half precision are computed in single, and Keras limits them to what float16
/// represents.
OnnxValues moments(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const ReducedAxes reduced = reducedAxesOf(layer, floatingOperand(layer), {"axes", "1"});
    const Precision precision(ctx, reduced.x);
    const OnnxValue x = precision.widen(reduced.x);
    const OnnxValue mean = reducedAlong(ctx, "ReduceMean", x, reduced.axes, true);
    const OnnxValue centered = ctx.emit("Sub", {x, mean});
    const OnnxValue variance =
        reducedAlong(ctx, "ReduceMean", ctx.emit("Mul", {centered, centered}), reduced.axes, reduced.keepDims);
    const bool isLimited = precision.wide() != precision.type() && layer.op().starts_with("ops.");
    const auto made = [&](OnnxValue y) {
        constexpr double mostHalf = 65504;
        return precision.restore(isLimited ? emit::clip(ctx, y, -mostHalf, mostHalf) : y);
    };
    return {made(reduced.keepDims ? mean : emit::squeeze(ctx, mean, reduced.axes)), made(variance)};
}

// Along an axis.

/// The product of an element and all before it, as a product of shifted copies whose distance doubles.
OnnxValue runningProduct(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const std::int64_t size = ctx.fixedDim(x, axis);
    const auto rank = ctx.rank(x);
    for (std::int64_t distance = 1; distance < size; distance *= 2) {
        Ints pads(2 * rank, 0);
        pads[static_cast<std::size_t>(axis)] = distance;
        const OnnxValue front = emit::slice(ctx, x, Ints{0}, Ints{size - distance}, Ints{axis});
        const OnnxValue moved = ctx.emit("Pad", {front, ctx.onnx.ints(pads), emit::scalarLike(ctx, x, 1)});
        x = ctx.emit("Mul", {x, moved});
    }
    return x;
}

OnnxValues cumulativeProduct(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue given = operand(layer);
    if (layer.op() == "ops.Nancumprod") {
        given = replaced(ctx, given, 1);
    }
    given = inRunningSumType(layer, given);
    const auto productAlong = [&](OnnxValue x, std::int64_t axis) {
        return computedAs(ctx, widened(ctx.element(x)), x,
                          [&](OnnxValue wide) { return runningProduct(ctx, wide, axis); });
    };
    if (layer.op().starts_with("tf.")) {
        if (Arguments(layer).boolean({"exclusive"}, false) || Arguments(layer).boolean({"reverse"}, false)) {
            layer.refuse("a running product that is exclusive or reversed", "exclusive");
        }
        const std::int64_t axis = ctx.axis(Arguments(layer).integer({"axis", "1"}, 0), ctx.rank(given));
        return {productAlong(given, axis)};
    }
    const auto [x, axis] = alongAxis(layer, given, {"axis", "1"});
    return {productAlong(x, axis)};
}

OnnxValues nanCumulativeSum(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = inRunningSumType(layer, replaced(ctx, operand(layer), 0));
    const auto [x, axis] = alongAxis(layer, given, {"axis", "1"});
    return {computedAs(ctx, widened(ctx.element(x)), x,
                       [&, along = axis](OnnxValue wide) { return runningSum(ctx, wide, along); })};
}

/// All elements along an axis but the last one, or but the first one.
OnnxValue allBut(const NodeContext& ctx, OnnxValue x, std::int64_t axis, bool isLast)
{
    return isLast ? emit::slice(ctx, x, Ints{0}, Ints{-1}, Ints{axis})
                  : emit::slice(ctx, x, Ints{1}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{axis});
}

OnnxValues differences(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = operand(layer);
    const std::int64_t axis = ctx.axis(arguments.integer({"axis"}, -1), ctx.rank(x));
    const std::int64_t count = arguments.integer({"n", "1"}, 1);
    if (count < 0 || count > 64) {
        ctx.invalid(fmt::format("{} differences", count), "n");
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const OnnxValue later = allBut(ctx, x, axis, false);
        const OnnxValue earlier = allBut(ctx, x, axis, true);
        x = ctx.element(x) == ElementType::Bool ? arithmetic::logicalXor(ctx, later, earlier)
                                                : arithmetic::subtract(ctx, later, earlier);
    }
    return {x};
}

OnnxValues trapezoid(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    if (arguments.has({"x", "1"})) {
        layer.refuse("an integral over given places", "x");
    }
    OnnxValue y = arguments.tensor({"0", "y"});
    y = isFloating(ctx.element(y)) ? y : emit::cast(ctx, y, ElementType::Float32);
    const std::int64_t axis = ctx.axis(arguments.integer({"axis"}, -1), ctx.rank(y));
    const OnnxValue pairs = ctx.emit("Add", {allBut(ctx, y, axis, false), allBut(ctx, y, axis, true)});
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", pairs, {axis}, false);
    return {ctx.emit("Mul", {sum, emit::scalarLike(ctx, y, arguments.number({"dx"}, 1) / 2)})};
}
} // namespace

std::span<const OpRow> statisticsOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.Average", weightedAverage, "ReduceMean; Mul, ReduceSum, Div"},
        {"ops.CountNonzero", nonzeroCount, "ReduceSum"},
        {"ops.Cumprod", cumulativeProduct, "Pad, Mul"},
        {"ops.Diff", differences, "Slice, Sub"},
        {"ops.Median", median, "TopK, Gather"},
        {"ops.Moments", moments, "ReduceMean"},
        {"ops.Nanargmax", nanArgMax, "ArgMax, Where"},
        {"ops.Nanargmin", nanArgMin, "ArgMin, Where"},
        {"ops.Nancumprod", cumulativeProduct, "Pad, Mul"},
        {"ops.Nancumsum", nanCumulativeSum, "CumSum"},
        {"ops.Nanmax", nanMaximum, "ReduceMax, Where"},
        {"ops.Nanmean", nanMean, "ReduceSum, Div"},
        {"ops.Nanmedian", nanMedian, "TopK, GatherElements"},
        {"ops.Nanmin", nanMinimum, "ReduceMin, Where"},
        {"ops.Nanpercentile", nanQuantile, "TopK, GatherElements"},
        {"ops.Nanprod", nanProduct, "ReduceProd"},
        {"ops.Nanquantile", nanQuantile, "TopK, GatherElements"},
        {"ops.Nanstd", nanDeviation, "ReduceSum, Sqrt"},
        {"ops.Nansum", nanSum, "ReduceSum"},
        {"ops.Nanvar", nanVariance, "ReduceSum, Div"},
        {"ops.Norm", normOperation, "ReduceSum, Sqrt"},
        {"ops.Normalize", normalize, "ReduceSum, Sqrt, Div"},
        {"ops.Percentile", quantile, "TopK, Gather"},
        {"ops.Ptp", peakToPeak, "ReduceMax, ReduceMin, Sub"},
        {"ops.Quantile", quantile, "TopK, Gather"},
        {"ops.Trapezoid", trapezoid, "Slice, ReduceSum"},
        {"tf.math.cumprod", cumulativeProduct, "Pad, Mul"},
        {"tf.nn.moments", moments, "ReduceMean"},
    };
    return rows;
}

} // namespace crosswalk::keras
