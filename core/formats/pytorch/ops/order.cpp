// What depends on the order of elements: medians, quantiles, places in sorted data, different elements, counts.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/half_steps.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/attributes.h"

#include <cmath>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

OnnxValue scalar(const NodeContext& ctx, std::int64_t value)
{
    return ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&value, 1)));
}

/// A type that ONNX Runtime sorts and compares.
ElementType sortableType(ElementType type)
{
    return type == ElementType::Float16 ? ElementType::Float32 : forms::widened(type);
}

/// The elements along an axis, of which there is at least one dimension, from the smallest; missing numbers last.
struct Sorted {
    OnnxValue x;              ///< unsorted, in a type that ONNX Runtime sorts
    OnnxValue keys;           ///< sorted, infinite where a number is missing
    OnnxValue places;         ///< of the keys in x
    OnnxValue isMissing = {}; ///< of floating types
    std::int64_t axis = 0;
    ElementType own = ElementType::Undefined;
};

Sorted sortedAlong(const NodeContext& ctx, OnnxValue given, std::int64_t axis)
{
    Sorted sorted{.x = emit::cast(ctx, given, sortableType(ctx.element(given))),
                  .keys = {},
                  .places = {},
                  .axis = axis,
                  .own = ctx.element(given)};
    OnnxValue keys = sorted.x;
    if (isFloating(ctx.element(keys))) {
        sorted.isMissing = ctx.emit("IsNaN", {keys});
        const OnnxValue last = emit::scalarLike(ctx, keys, std::numeric_limits<double>::infinity());
        keys = ctx.emit("Where", {sorted.isMissing, last, keys});
    }
    const OnnxValues found = ctx.onnx.add("TopK", {keys, emit::dimVector(ctx, keys, axis)},
                                          {{"axis", axis}, {"largest", 0}, {"sorted", 1}}, 2);
    sorted.keys = found[0];
    sorted.places = found[1];
    return sorted;
}

/// How many elements of each slice are there, int64 with the axis kept.
OnnxValue presentCount(const NodeContext& ctx, const Sorted& sorted)
{
    const OnnxValue isThere = emit::cast(ctx, ctx.emit("Not", {sorted.isMissing}), ElementType::Int64);
    return emit::reduce(ctx, "ReduceSum", isThere, {sorted.axis}, true);
}

/// The element at a place of each sorted slice, and where it is in x; `place` is an int64 scalar or has the slices'
/// dimensions with one element along the axis. Behind the elements that are there it is the first one missing.
OnnxValues elementAt(const NodeContext& ctx, const Sorted& sorted, OnnxValue place, bool keepDims)
{
    const auto taken = [&](OnnxValue from) {
        return ctx.rank(place) == 0 ? emit::unsqueeze(ctx, emit::gather(ctx, from, place, sorted.axis), {sorted.axis})
                                    : ctx.emit("GatherElements", {from, place}, {{"axis", sorted.axis}});
    };
    OnnxValue value = taken(sorted.keys);
    OnnxValue at = taken(sorted.places);
    if (sorted.isMissing) {
        const OnnxValue isThere = ctx.emit("Less", {place, presentCount(ctx, sorted)});
        const OnnxValue none = emit::scalarLike(ctx, value, std::numeric_limits<double>::quiet_NaN());
        const OnnxValue first = ctx.emit("ArgMax", {emit::cast(ctx, sorted.isMissing, ElementType::Int32)},
                                         {{"axis", sorted.axis}, {"keepdims", 1}});
        value = ctx.emit("Where", {isThere, value, none});
        at = ctx.emit("Where", {isThere, at, first});
    }
    const auto made = [&](OnnxValue y) { return keepDims ? y : emit::squeeze(ctx, y, {sorted.axis}); };
    return {emit::cast(ctx, made(value), sorted.own), made(at)};
}

/// The lower of two in the middle. A missing number is the median of its slice, unless those are ignored.
template <bool ignoresMissing>
OnnxValues median(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const bool isWhole = !arguments.has("dim");
    if (ctx.rank(x) == 0) {
        return isWhole ? OnnxValues{x} : OnnxValues{x, scalar(ctx, 0)};
    }
    const bool keepDims = !isWhole && arguments.truth("keepdim");
    const std::int64_t axis = isWhole ? 0 : arguments.axis("dim", 0, ctx.rank(x));
    x = isWhole ? emit::reshape(ctx, x, Ints{-1}) : x;
    const Sorted sorted = sortedAlong(ctx, x, axis);
    const auto middleOf = [&](OnnxValue count) {
        return ctx.emit("Div", {ctx.emit("Sub", {count, scalar(ctx, 1)}), scalar(ctx, 2)});
    };
    OnnxValue place;
    if (!sorted.isMissing) {
        place = forms::scalarOf(ctx, middleOf(emit::dimVector(ctx, x, axis)));
    } else {
        const OnnxValue all = emit::dimVector(ctx, x, axis);
        const OnnxValue count = presentCount(ctx, sorted);
        place = middleOf(count);
        if (!ignoresMissing) { // the first missing one, if any
            place = ctx.emit("Where", {ctx.emit("Less", {count, all}), count, place});
        }
        place = ignoresMissing ? arithmetic::maximum(ctx, place, scalar(ctx, 0)) : place;
    }
    const OnnxValues found = elementAt(ctx, sorted, place, keepDims);
    return isWhole ? OnnxValues{found[0]} : found;
}

/// The k-th smallest.
OnnxValues kthValue(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (ctx.rank(x) == 0) {
        return {x, scalar(ctx, 0)};
    }
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x));
    const OnnxValue place = ctx.emit("Sub", {arguments.scalar("k", 1), scalar(ctx, 1)});
    return elementAt(ctx, sortedAlong(ctx, x, axis), place, arguments.truth("keepdim"));
}

/// The smallest of the most frequent elements, and the last place of it.
OnnxValues mode(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    if (ctx.rank(given) == 0) {
        return {given, scalar(ctx, 0)};
    }
    const auto last = static_cast<std::int64_t>(ctx.rank(given)) - 1;
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(given));
    OnnxValue x = emit::cast(ctx, given, sortableType(ctx.element(given)));
    x = axis == last ? x : emit::swapAxes(ctx, x, axis, last);
    const OnnxValue isSame =
        arithmetic::equal(ctx, emit::unsqueeze(ctx, x, {last + 1}), emit::unsqueeze(ctx, x, {last}));
    const OnnxValue counts =
        emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isSame, ElementType::Int32), {last + 1}, false);
    const OnnxValue isMost = ctx.emit("Equal", {counts, emit::reduce(ctx, "ReduceMax", counts, {last}, true)});
    const OnnxValue largest = emit::reduce(ctx, "ReduceMax", x, {last}, true);
    const OnnxValue value = emit::reduce(ctx, "ReduceMin", ctx.emit("Where", {isMost, x, largest}), {last}, true);
    const OnnxValue places = forms::countUp(ctx, x, last);
    const OnnxValue at = emit::reduce(
        ctx, "ReduceMax", ctx.emit("Where", {arithmetic::equal(ctx, x, value), places, scalar(ctx, -1)}), {last}, true);
    const auto made = [&](OnnxValue y) {
        y = axis == last ? y : emit::swapAxes(ctx, y, axis, last);
        return arguments.truth("keepdim") ? y : emit::squeeze(ctx, y, {axis});
    };
    return {emit::cast(ctx, made(value), ctx.element(given)), made(at)};
}

/// Quantiles of slices by their place q (n - 1) in the order, between two elements by `interpolation`. Several q are on
/// a new first axis.
template <bool ignoresMissing>
OnnxValues quantile(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const ElementType type = ctx.element(x);
    const std::size_t rank = ctx.rank(x);
    const bool isWhole = !arguments.has("dim");
    const bool keepDims = arguments.truth("keepdim");
    const std::int64_t axis = isWhole ? 0 : arguments.axis("dim", 0, rank);
    // The slices on the last axis.
    x = isWhole || rank == 0 ? emit::reshape(ctx, x, Ints{-1}) : x;
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    Ints toLast;
    for (std::int64_t i = 0; i <= last; ++i) {
        if (i != axis) {
            toLast.push_back(i);
        }
    }
    toLast.push_back(axis);
    x = axis == last ? x : emit::transpose(ctx, x, toLast);
    const Sorted sorted = sortedAlong(ctx, x, last);
    const OnnxValue q = operand(ctx, arguments, "q", type);
    const bool isSeveral = ctx.rank(q) == 1;
    const OnnxValue present = presentCount(ctx, sorted); // (..., 1)
    const OnnxValue all = emit::dimVector(ctx, x, last);
    const OnnxValue isPartial = ctx.emit("Less", {present, all});
    const OnnxValue count = ignoresMissing ? arithmetic::maximum(ctx, present, scalar(ctx, 1)) : all;
    const OnnxValue end = emit::cast(ctx, ctx.emit("Sub", {count, scalar(ctx, 1)}), type);
    const OnnxValue rank1 = isSeveral ? q : emit::reshape(ctx, q, Ints{1});
    const OnnxValue rest = emit::slice(ctx, emit::shapeVector(ctx, x), Ints{0}, Ints{last}, Ints{0});
    const OnnxValue dims = emit::concat(ctx, {rest, emit::dimVector(ctx, rank1, 0)}, 0);
    const OnnxValue ranks = emit::expand(ctx, arithmetic::multiply(ctx, rank1, end), dims); // (..., Q)
    const std::string interpolation = arguments.text("interpolation", "linear");
    const auto at = [&](OnnxValue place) {
        return ctx.emit("GatherElements", {sorted.keys, emit::cast(ctx, place, ElementType::Int64)}, {{"axis", last}});
    };
    OnnxValue y;
    if (interpolation == "nearest") {
        y = at(ctx.emit("Round", {ranks}));
    } else if (interpolation == "lower") {
        y = at(ctx.emit("Floor", {ranks}));
    } else if (interpolation == "higher") {
        y = at(ctx.emit("Ceil", {ranks}));
    } else {
        const OnnxValue floor = ctx.emit("Floor", {ranks});
        const OnnxValue low = at(floor);
        const OnnxValue high = at(ctx.emit("Ceil", {ranks}));
        const OnnxValue weight =
            interpolation == "midpoint" ? emit::scalarLike(ctx, ranks, 0.5) : ctx.emit("Sub", {ranks, floor});
        y = ctx.emit("Add", {low, ctx.emit("Mul", {weight, ctx.emit("Sub", {high, low})})});
    }
    const OnnxValue missing = emit::scalarLike(ctx, y, std::numeric_limits<double>::quiet_NaN());
    const OnnxValue isNone = ignoresMissing ? ctx.emit("Equal", {present, scalar(ctx, 0)}) : isPartial;
    y = ctx.emit("Where", {isNone, missing, y});
    // The quantiles to the front, and the axis back.
    OnnxValue made = last == 0 ? y : [&] {
        Ints order{last};
        for (std::int64_t i = 0; i < last; ++i) {
            order.push_back(i);
        }
        return emit::transpose(ctx, y, order);
    }();
    if (keepDims && isWhole) {
        Ints ones(rank);
        for (std::size_t i = 0; i < rank; ++i) {
            ones[i] = static_cast<std::int64_t>(i) + 1;
        }
        made = ones.empty() ? made : emit::unsqueeze(ctx, made, ones);
    } else if (keepDims) {
        made = emit::unsqueeze(ctx, made, {axis + 1});
    }
    return {isSeveral ? made : emit::squeeze(ctx, made, {0})};
}

/// How many boundaries are in front of each value: those below it, or with `right` those not above it.
OnnxValue boundariesBefore(const NodeContext& ctx, const Arguments& arguments, OnnxValue boundaries, OnnxValue values)
{
    const ElementType type = promoted(ctx.element(boundaries), ctx.element(values));
    const auto rank = static_cast<std::int64_t>(ctx.rank(values));
    const OnnxValue x = emit::unsqueeze(ctx, emit::cast(ctx, values, type), {rank});
    OnnxValue rows = emit::cast(ctx, boundaries, type);
    if (ctx.rank(rows) > 1) { // a row for each row of the values
        rows = emit::unsqueeze(ctx, rows, {static_cast<std::int64_t>(ctx.rank(rows)) - 1});
    }
    const bool isRight = arguments.truth("right") || arguments.text("side") == "right";
    const OnnxValue isBehind = isRight ? arithmetic::greater(ctx, rows, x) : arithmetic::greaterOrEqual(ctx, rows, x);
    const ElementType result = arguments.truth("out_int32") ? ElementType::Int32 : ElementType::Int64;
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, ctx.emit("Not", {isBehind}), result), {rank}, false);
}

OnnxValue tensorOrNumber(const NodeContext& ctx, const Arguments& arguments, std::string_view name, OnnxValue like)
{
    return arguments.isNumber(name)
               ? operand(ctx, arguments, name, promoted(ctx.element(like), numberType(ctx, arguments, name)))
               : arguments.tensor(name);
}

OnnxValues searchSorted(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue rows = arguments.tensor("sorted_sequence");
    if (const OnnxValue sorter = arguments.optional("sorter")) {
        rows = ctx.emit("GatherElements", {rows, sorter}, {{"axis", static_cast<std::int64_t>(ctx.rank(rows)) - 1}});
    }
    return {boundariesBefore(ctx, arguments, rows, tensorOrNumber(ctx, arguments, "self", rows))};
}

OnnxValues bucketize(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue boundaries = arguments.tensor("boundaries");
    return {boundariesBefore(ctx, arguments, boundaries, tensorOrNumber(ctx, arguments, "self", boundaries))};
}

/// A type that ONNX Runtime's Unique takes.
ElementType uniqueType(ElementType type)
{
    switch (type) {
    case ElementType::Float32:
    case ElementType::Float64:
    case ElementType::Int64:
    case ElementType::Int8:
        return type;
    case ElementType::Float16:
        return ElementType::Float32;
    default:
        return ElementType::Int64;
    }
}

/// The different elements in ascending order, the place of each element among them, and how often each occurs.
/// A result that is empty unless the argument is true.
OnnxValue ifRequested(const NodeContext& ctx, const Arguments& arguments, const char* argument, OnnxValue result)
{
    return arguments.truth(argument) ? result : ctx.onnx.ints({});
}

OnnxValues unique(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue wide = emit::cast(ctx, x, uniqueType(ctx.element(x)));
    const OnnxValues found = ctx.onnx.add("Unique", {wide}, {{"sorted", 1}}, 4);
    return {emit::cast(ctx, found[0], ctx.element(x)),
            ifRequested(ctx, arguments, "return_inverse", emit::reshape(ctx, found[2], emit::shapeVector(ctx, x))),
            ifRequested(ctx, arguments, "return_counts", found[3])};
}

OnnxValues uniqueAlongAxis(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue wide = emit::cast(ctx, x, uniqueType(ctx.element(x)));
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const OnnxValues found = ctx.onnx.add("Unique", {wide}, {{"sorted", 1}, {"axis", axis}}, 4);
    return {emit::cast(ctx, found[0], ctx.element(x)), found[2], found[3]};
}

/// Of equal neighbours the first, along an axis or of all elements.
OnnxValues uniqueNeighbours(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const bool isFlat = !arguments.has("dim");
    const OnnxValue x = isFlat ? emit::reshape(ctx, given, Ints{-1}) : given;
    const std::int64_t axis = isFlat ? 0 : arguments.axis("dim", 0, ctx.rank(x));
    OnnxValue differs = arithmetic::notEqual(ctx, emit::slice(ctx, x, Ints{1}, Ints{emit::farEnd}, Ints{axis}),
                                             emit::slice(ctx, x, Ints{0}, Ints{-1}, Ints{axis}));
    Ints others;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (i != axis) {
            others.push_back(i);
        }
    }
    OnnxValue changes = emit::cast(ctx, differs, ElementType::Int64);
    changes = others.empty() ? changes : emit::reduce(ctx, "ReduceMax", changes, others, false);
    OnnxValue starts = emit::concat(ctx, {ctx.onnx.ints({1}), changes}, 0);
    const Dim& length = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!length.isFixed() || length.size == 0) { // without elements nothing starts
        starts = emit::slice(ctx, starts, ctx.onnx.ints({0}), emit::dimVector(ctx, x, axis), ctx.onnx.ints({0}));
    }
    const OnnxValue isStart = emit::cast(ctx, starts, ElementType::Bool);
    const OnnxValue numbers = ctx.emit("Sub", {ctx.emit("CumSum", {starts, scalar(ctx, 0)}), ctx.onnx.ints({1})});
    const OnnxValue places = emit::reshape(ctx, ctx.emit("NonZero", {isStart}), Ints{-1});
    const OnnxValue ends = emit::concat(
        ctx, {emit::slice(ctx, places, Ints{1}, Ints{emit::farEnd}, Ints{0}), emit::dimVector(ctx, x, axis)}, 0);
    const OnnxValue kept = ctx.emit("Compress", {x, isStart}, {{"axis", axis}});
    const OnnxValue counts = ctx.emit("Sub", {ends, places});
    if (!isFlat) { // has all results, requested or not
        return {kept, numbers, counts};
    }
    const OnnxValue inverse = emit::reshape(ctx, numbers, emit::shapeVector(ctx, given));
    return {kept, ifRequested(ctx, arguments, "return_inverse", inverse),
            ifRequested(ctx, arguments, "return_counts", counts)};
}

/// How often each number occurs, or the sum of the weights of those.
OnnxValues binCount(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = emit::cast(ctx, arguments.tensor("self"), ElementType::Int64);
    const OnnxValue least = ctx.onnx.ints({arguments.integer("minlength", 0)});
    // The largest number, or -1 where there is none.
    const OnnxValue padded = emit::concat(ctx, {x, ctx.onnx.ints({-1})}, 0);
    const OnnxValue most = emit::reduce(ctx, "ReduceMax", padded, {0}, true);
    const OnnxValue size = forms::sizes::larger(ctx, ctx.emit("Add", {most, ctx.onnx.ints({1})}), least);
    const OnnxValue numbers = emit::unsqueeze(ctx, forms::countTo(ctx, size), {1});
    const OnnxValue isThis = ctx.emit("Equal", {numbers, emit::unsqueeze(ctx, x, {0})});
    if (const OnnxValue weights = arguments.optional("weights")) {
        const ElementType type =
            ctx.element(weights) == ElementType::Float32 ? ElementType::Float32 : ElementType::Float64;
        const OnnxValue wide = emit::cast(ctx, weights, type);
        const OnnxValue own = ctx.emit("Where", {isThis, wide, emit::scalarLike(ctx, wide, 0)});
        return {emit::reduce(ctx, "ReduceSum", own, {1}, false)};
    }
    return {emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isThis, ElementType::Int64), {1}, false)};
}

/// How many elements are in each of equally wide ranges; the last one includes its end.
OnnxValues histogram(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = emit::reshape(ctx, arguments.tensor("self"), Ints{-1});
    const std::int64_t bins = arguments.positive("bins", 100);
    const double first = arguments.number("min", 0);
    const double last = arguments.number("max", 0);
    if (first >= last) {
        ctx.refuse("a histogram between the extremes of the data is not supported", "min", "give min and max");
    }
    if (bins > mostParts) {
        ctx.refuse("so many bins are not supported", "bins");
    }
    const OnnxValue low = emit::scalarLike(ctx, x, first);
    const OnnxValue high = emit::scalarLike(ctx, x, last);
    const HalfSteps step(ctx, ctx.element(x));
    const OnnxValue distance = step("Sub", {step.start(x), step.start(low)});
    const OnnxValue scaled = step(
        "Div", {step("Mul", distance, static_cast<double>(bins)), step("Sub", {step.start(high), step.start(low)})});
    const OnnxValue top = emit::scalarLike(ctx, scaled, static_cast<double>(bins - 1));
    const OnnxValue place = ctx.emit("Min", {ctx.emit("Floor", {scaled}), top});
    const OnnxValue isIn =
        ctx.emit("And", {arithmetic::greaterOrEqual(ctx, x, low), arithmetic::lessOrEqual(ctx, x, high)});
    const OnnxValue numbers = emit::unsqueeze(ctx, emit::cast(ctx, forms::countTo(ctx, bins), ctx.element(place)), {1});
    const OnnxValue isThis = ctx.emit(
        "And", {ctx.emit("Equal", {numbers, emit::unsqueeze(ctx, place, {0})}), emit::unsqueeze(ctx, isIn, {0})});
    return {emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isThis, ctx.element(x)), {1}, false)};
}

} // namespace

std::span<const OpRow> orderOps()
{
    static constexpr OpRow rows[] = {
        {"aten::median", median<false>, "TopK, GatherElements"},
        {"aten::nanmedian", median<true>, "TopK, GatherElements"},
        {"aten::kthvalue", kthValue, "TopK, GatherElements"},
        {"aten::mode", mode, "Equal, ReduceSum, Where"},
        {"aten::quantile", quantile<false>, "TopK, GatherElements, Where"},
        {"aten::nanquantile", quantile<true>, "TopK, GatherElements, Where"},
        {"aten::searchsorted", searchSorted, "GreaterOrEqual, ReduceSum"},
        {"aten::bucketize", bucketize, "GreaterOrEqual, ReduceSum"},
        {"aten::_unique", unique, "Unique"},
        {"aten::_unique2", unique, "Unique"},
        {"aten::unique_dim", uniqueAlongAxis, "Unique"},
        {"aten::unique_consecutive", uniqueNeighbours, "Compress, CumSum"},
        {"aten::unique_dim_consecutive", uniqueNeighbours, "Compress, CumSum"},
        {"aten::bincount", binCount, "Equal, ReduceSum"},
        {"aten::histc", histogram, "Equal, ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
