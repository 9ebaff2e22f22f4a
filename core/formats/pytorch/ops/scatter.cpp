// Elements written to positions.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/segments.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/index_tuples.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::pytorch {
namespace {

/// The name of a reduction in ONNX's operators that scatter.
std::string reductionOf(const NodeContext& ctx, const std::string& name)
{
    static constexpr auto names = std::to_array<std::pair<std::string_view, std::string_view>>({{"add", "add"},
                                                                                                {"sum", "add"},
                                                                                                {"mean", "add"},
                                                                                                {"multiply", "mul"},
                                                                                                {"prod", "mul"},
                                                                                                {"amax", "max"},
                                                                                                {"amin", "min"}});
    const auto* found = std::ranges::find(names, name, &std::pair<std::string_view, std::string_view>::first);
    if (found == names.end()) {
        ctx.invalid("the reduction is not one of PyTorch's", "reduce");
    }
    return std::string(found->second);
}

bool canReduce(const NodeContext& ctx, std::string_view reduction)
{
    const bool isExtreme = reduction == "max" || reduction == "min";
    return ctx.onnx.opset() >= (isExtreme ? 18 : 16);
}

/// The number that a reduction starts with, in place of the elements that are written to.
double identityOf(const std::string& reduction, ElementType type)
{
    const bool isWide = type == ElementType::Int64;
    const double most = isFloating(type) ? std::numeric_limits<double>::infinity()
                        : isWide         ? 9223372036854774784.0
                                         : std::numeric_limits<std::int32_t>::max();
    return reduction == "mul" ? 1 : reduction == "max" ? -most : reduction == "min" ? most : 0;
}

/// A reduction at indices along an axis.
struct Reducing {
    std::string name;
    std::int64_t axis = 0;
    bool includesSelf = true;
};

/// The reduction of all elements with the same index, and how many there are: every place along the axis against every
/// element, for opsets at which ONNX scatters without reductions. Both have the axis last.
struct ReducedByIndex {
    OnnxValue values;
    OnnxValue counts; ///< int64
};

ReducedByIndex reducedByIndex(const NodeContext& ctx, const Reducing& how, OnnxValue x, OnnxValue index,
                              OnnxValue source)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    for (std::int64_t i = 0; i <= last; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (i != how.axis && ctx.shape(x)[at] != ctx.shape(index)[at]) {
            ctx.refuse("a reduction at indices that cover a part of the other axes requires opset 18", "index",
                       "take --opset 18 or later");
        }
    }
    const auto rows = [&](OnnxValue y) {
        return emit::unsqueeze(ctx, how.axis == last ? y : emit::swapAxes(ctx, y, how.axis, last), {last});
    };
    const OnnxValue places = emit::unsqueeze(ctx, forms::countUp(ctx, x, how.axis), {1});
    const OnnxValue isHere = ctx.emit("Equal", {rows(emit::cast(ctx, index, ElementType::Int64)), places});
    const std::string reduction = reductionOf(ctx, how.name);
    const char* op = reduction == "add"   ? "ReduceSum"
                     : reduction == "mul" ? "ReduceProd"
                     : reduction == "max" ? "ReduceMax"
                                          : "ReduceMin";
    const OnnxValue start = emit::scalarLike(ctx, source, identityOf(reduction, ctx.element(source)));
    return {emit::reduce(ctx, op, ctx.emit("Where", {isHere, rows(source), start}), {last + 1}, false),
            emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isHere, ElementType::Int64), {last + 1}, false)};
}

OnnxValue combined(const NodeContext& ctx, const std::string& reduction, OnnxValue a, OnnxValue b)
{
    return reduction == "add"   ? forms::arithmetic::add(ctx, a, b)
           : reduction == "mul" ? forms::arithmetic::multiply(ctx, a, b)
           : reduction == "max" ? forms::arithmetic::maximum(ctx, a, b)
                                : forms::arithmetic::minimum(ctx, a, b);
}

/// Means divide by how many elements there are, of integers rounded down.
OnnxValue divided(const NodeContext& ctx, OnnxValue total, OnnxValue counts)
{
    const OnnxValue count = forms::arithmetic::maximum(ctx, counts, emit::scalarLike(ctx, counts, 1));
    if (isFloating(ctx.element(total))) {
        return ctx.emit("Div", {total, count});
    }
    return ctx.emit("Div", {ctx.emit("Sub", {total, ctx.emit("Mod", {total, count})}), count});
}

/// ONNX's ScatterElements takes no 0-d tensors: they become vectors of one element.
OnnxValue asVector(const NodeContext& ctx, OnnxValue x)
{
    return ctx.rank(x) == 0 ? emit::unsqueeze(ctx, x, {0}) : x;
}

/// x with the elements of `source` at indices along an axis.
OnnxValue placedAt(const NodeContext& ctx, OnnxValue x, OnnxValue index, OnnxValue source, std::int64_t axis)
{
    const OnnxValue y =
        ctx.emit("ScatterElements", {asVector(ctx, x), asVector(ctx, index), asVector(ctx, source)}, {{"axis", axis}});
    return ctx.rank(x) == 0 ? emit::squeeze(ctx, y, {0}) : y;
}

/// Elements of x at indices reduced with those of `source`, and with x itself unless it is left out.
OnnxValue reducedAt(const NodeContext& ctx, const Reducing& how, OnnxValue given, OnnxValue index, OnnxValue source)
{
    if (ctx.rank(given) == 0) {
        return emit::squeeze(ctx, reducedAt(ctx, how, asVector(ctx, given), index, source), {0});
    }
    index = asVector(ctx, index);
    source = asVector(ctx, source);
    const std::string reduction = reductionOf(ctx, how.name);
    const ElementType own = ctx.element(given);
    // ONNX Runtime does not reduce half precision here.
    const ElementType type = own == ElementType::Float16 ? ElementType::Float32 : forms::widened(own);
    OnnxValue x = emit::cast(ctx, given, type);
    const OnnxValue values = emit::cast(ctx, source, type);
    const bool isMean = how.name == "mean";
    if (!canReduce(ctx, reduction)) {
        const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
        const ReducedByIndex found = reducedByIndex(ctx, how, x, index, values);
        const auto turned = [&](OnnxValue y) { return how.axis == last ? y : emit::swapAxes(ctx, y, how.axis, last); };
        x = turned(x);
        OnnxValue counts = found.counts;
        OnnxValue y = found.values;
        if (how.includesSelf) {
            y = combined(ctx, reduction, x, y);
            counts = ctx.emit("Add", {counts, ctx.onnx.scalar(ElementType::Int64, 1)});
        }
        y = isMean ? divided(ctx, y, emit::cast(ctx, counts, type)) : y;
        const OnnxValue isHere = ctx.emit("Greater", {found.counts, ctx.onnx.scalar(ElementType::Int64, 0)});
        return emit::cast(ctx, turned(how.includesSelf && !isMean ? y : ctx.emit("Where", {isHere, y, x})), own);
    }
    const auto filled = [&](double value, OnnxValue like) {
        return emit::expand(ctx, emit::scalarLike(ctx, x, value), emit::shapeVector(ctx, like));
    };
    if (!how.includesSelf) {
        const OnnxValue start = filled(identityOf(reduction, type), index);
        x = ctx.emit("ScatterElements", {x, index, start}, {{"axis", how.axis}});
    }
    OnnxValue y = ctx.emit("ScatterElements", {x, index, values}, {{"axis", how.axis}, {"reduction", reduction}});
    if (isMean) {
        const OnnxValue before = filled(how.includesSelf ? 1 : 0, x);
        y = divided(
            ctx, y,
            ctx.emit("ScatterElements", {before, index, filled(1, index)}, {{"axis", how.axis}, {"reduction", "add"}}));
    }
    return emit::cast(ctx, y, own);
}

OnnxValues scatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue index = arguments.tensor("index");
    OnnxValue source;
    if (arguments.has("src")) {
        source = cutTo(ctx, arguments.tensor("src"), index);
    } else {
        source = emit::expand(ctx, operand(ctx, arguments, "value", ctx.element(x)), emit::shapeVector(ctx, index));
    }
    if (arguments.has("reduce")) {
        const Reducing how{.name = arguments.text("reduce"), .axis = arguments.axis("dim", 0, ctx.rank(x))};
        return {reducedAt(ctx, how, x, index, source)};
    }
    return {placedAt(ctx, x, index, source, arguments.axis("dim", 0, ctx.rank(x)))};
}

OnnxValues scatterAdd(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue index = arguments.tensor("index");
    return {reducedAt(ctx, {.name = "sum", .axis = arguments.axis("dim", 0, ctx.rank(x))}, x, index,
                      cutTo(ctx, arguments.tensor("src"), index))};
}

/// A vector of indices along an axis, for all elements of `like`.
OnnxValue spread(const NodeContext& ctx, OnnxValue index, OnnxValue like, std::int64_t axis)
{
    index = asVector(ctx, index);
    Ints axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(like)); ++i) {
        if (i != axis) {
            axes.push_back(i);
        }
    }
    index = axes.empty() ? index : emit::unsqueeze(ctx, index, axes);
    return emit::expand(ctx, index, emit::shapeVector(ctx, like));
}

/// Rows along an axis: the index is a vector.
OnnxValues indexAdd(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    OnnxValue source = arguments.tensor("source");
    double alpha = arguments.number("alpha", 1);
    if (ctx.element(source) == ElementType::UInt8) {
        alpha -= 256 * std::floor(alpha / 256); // wraps, as products of bytes do
    }
    if (alpha != 1) {
        source = forms::arithmetic::multiply(ctx, source, emit::scalarLike(ctx, source, alpha));
    }
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    return {
        reducedAt(ctx, {.name = "sum", .axis = axis}, x, spread(ctx, arguments.tensor("index"), source, axis), source)};
}

Reducing reducingOf(const Arguments& arguments, std::size_t rank)
{
    return {.name = arguments.text("reduce"),
            .axis = arguments.axis("dim", 0, rank),
            .includesSelf = arguments.truth("include_self", true)};
}

OnnxValues indexReduce(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue source = arguments.tensor("source");
    const Reducing how = reducingOf(arguments, ctx.rank(x));
    return {reducedAt(ctx, how, x, spread(ctx, arguments.tensor("index"), source, how.axis), source)};
}

OnnxValues scatterReduce(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue index = arguments.tensor("index");
    const OnnxValue x = arguments.tensor("self");
    return {reducedAt(ctx, reducingOf(arguments, ctx.rank(x)), x, index, cutTo(ctx, arguments.tensor("src"), index))};
}

OnnxValues indexCopy(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue source = arguments.tensor("source");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    return {placedAt(ctx, x, spread(ctx, arguments.tensor("index"), source, axis), source, axis)};
}

/// One value at indices along an axis.
OnnxValues indexFill(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue own = arguments.tensor("self");
    const OnnxValue x = asVector(ctx, own);
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const OnnxValue given = arguments.tensor("index");
    const OnnxValue index = emit::cast(ctx, emit::reshape(ctx, given, Ints{-1}), ElementType::Int64);
    OnnxValues dims;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        dims.push_back(i == axis ? emit::dimVector(ctx, index, 0) : emit::dimVector(ctx, x, i));
    }
    const OnnxValue source =
        emit::expand(ctx, operand(ctx, arguments, "value", ctx.element(x)), emit::concat(ctx, dims, 0));
    const OnnxValue y = ctx.emit("ScatterElements", {x, spread(ctx, index, source, axis), source}, {{"axis", axis}});
    return {ctx.rank(own) == 0 ? emit::squeeze(ctx, y, {0}) : y};
}

/// A mask alone and values that are the same for every element it selects: no positions are needed.
OnnxValue maskedValues(const NodeContext& ctx, OnnxValue x, OnnxValue mask, OnnxValue values)
{
    const auto behind = static_cast<std::int64_t>(ctx.rank(x) - ctx.rank(mask));
    if (static_cast<std::int64_t>(ctx.rank(values)) > behind + 1 ||
        (static_cast<std::int64_t>(ctx.rank(values)) == behind + 1 && ctx.shape(values)[0] != Dim(1))) {
        return {};
    }
    Ints axes;
    for (std::int64_t i = 0; i < behind; ++i) {
        axes.push_back(static_cast<std::int64_t>(ctx.rank(mask)) + i);
    }
    const OnnxValue condition = emit::cast(ctx, mask, ElementType::Bool);
    const OnnxValue wide = axes.empty() ? condition : emit::unsqueeze(ctx, condition, axes);
    const bool isVector = static_cast<std::int64_t>(ctx.rank(values)) == behind + 1;
    return forms::choose(ctx, wide, isVector ? emit::squeeze(ctx, values, {0}) : values, x);
}

/// The sums at places of the first axes, which are numbered through.
OnnxValue addedAt(const NodeContext& ctx, OnnxValue x, OnnxValue places, OnnxValue values, std::size_t axes)
{
    OnnxValue numbers = ctx.onnx.scalar(ElementType::Int64, 0);
    Ints first;
    for (std::size_t i = 0; i < axes; ++i) {
        const auto axis = static_cast<std::int64_t>(i);
        const OnnxValue size = emit::dimVector(ctx, x, axis);
        const OnnxValue place = emit::gather(ctx, places, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i)),
                                             static_cast<std::int64_t>(ctx.rank(places)) - 1);
        numbers = ctx.emit("Add", {ctx.emit("Mul", {numbers, size}), ctx.emit("Mod", {place, size})});
        first.push_back(axis);
    }
    const OnnxValue rest = emit::slice(ctx, emit::shapeVector(ctx, x), Ints{static_cast<std::int64_t>(axes)},
                                       Ints{std::numeric_limits<std::int64_t>::max()}, Ints{0});
    const OnnxValue rows = emit::reshape(ctx, values, emit::concat(ctx, {ctx.onnx.ints({-1}), rest}, 0));
    const OnnxValue sums = forms::segmentSum(
        ctx,
        {.rows = rows, .numbers = emit::reshape(ctx, numbers, Ints{-1}), .count = emit::dimProduct(ctx, x, first)});
    return forms::arithmetic::add(ctx, x, emit::reshape(ctx, sums, emit::shapeVector(ctx, x)));
}

OnnxValues indexPut(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const OnnxValues given = arguments.tensors("indices");
    OnnxValue values = emit::cast(ctx, arguments.tensor("values"), ctx.element(x));
    const bool accumulates = arguments.truth("accumulate");
    if (given.size() == 1 && given[0] && isMask(ctx, given[0]) && !accumulates) {
        if (const OnnxValue y = maskedValues(ctx, x, given[0], values)) {
            return {y};
        }
    }
    const IndexedAxes indexed = indexedAxes(ctx, x, given);
    if (indexed.axes.empty()) {
        return {accumulates ? forms::arithmetic::add(ctx, x, values)
                            : emit::expand(ctx, values, emit::shapeVector(ctx, x))};
    }
    const bool isFirst = std::is_sorted(indexed.order.begin(), indexed.order.end());
    const IndexTuples tuples = indexTuples(ctx, indexed.indices);
    // The values are broadcast to what the indices select.
    OnnxValue sizes = tuples.shape;
    for (std::size_t i = indexed.axes.size(); i < indexed.order.size(); ++i) {
        sizes = emit::concat(ctx, {sizes, emit::dimVector(ctx, x, indexed.order[i])}, 0);
    }
    const Ints result = indexed.resultOrder(tuples.rank);
    if (std::is_sorted(result.begin(), result.end())) {
        values = emit::expand(ctx, values, sizes);
    } else {
        Ints back(result.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            back[static_cast<std::size_t>(result[i])] = static_cast<std::int64_t>(i);
        }
        values = emit::expand(ctx, values, emit::gather(ctx, sizes, ctx.onnx.ints(result), 0));
        values = emit::transpose(ctx, values, back);
    }
    x = isFirst ? x : emit::transpose(ctx, x, indexed.order);
    // ONNX Runtime does not reduce half precision here.
    const ElementType own = ctx.element(x);
    const ElementType wide = own == ElementType::Float16 ? ElementType::Float32 : own;
    const auto added = [&](OnnxValue into) {
        return ctx.emit("ScatterND", {into, tuples.places, emit::cast(ctx, values, wide)}, {{"reduction", "add"}});
    };
    const OnnxValue y = !accumulates            ? ctx.emit("ScatterND", {x, tuples.places, values})
                        : canReduce(ctx, "add") ? forms::computedAs(ctx, wide, x, added)
                                                : addedAt(ctx, x, tuples.places, values, indexed.axes.size());
    if (isFirst) {
        return {y};
    }
    Ints back(indexed.order.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        back[static_cast<std::size_t>(indexed.order[i])] = static_cast<std::int64_t>(i);
    }
    return {emit::transpose(ctx, y, back)};
}

/// The elements that a mask selects, replaced by those of `source` in their order.
OnnxValues maskedScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("mask");
    OnnxValue x = arguments.tensor("self");
    x = ctx.shape(x) == ctx.shape(given) ? x : emit::expand(ctx, x, emit::shapeVector(ctx, given));
    const OnnxValue mask = emit::expand(ctx, given, emit::shapeVector(ctx, x));
    const OnnxValue flat = emit::reshape(ctx, mask, Ints{-1});
    const OnnxValue counts =
        ctx.emit("CumSum", {emit::cast(ctx, flat, ElementType::Int64), ctx.onnx.scalar(ElementType::Int64, 0)});
    // The number of elements selected before: the place in the source; of others any place.
    const OnnxValue zero = ctx.onnx.ints({0});
    const OnnxValue places = ctx.emit("Where", {flat, ctx.emit("Sub", {counts, ctx.onnx.ints({1})}), zero});
    const OnnxValue source = emit::gather(ctx, emit::reshape(ctx, arguments.tensor("source"), Ints{-1}), places, 0);
    const OnnxValue y = forms::choose(ctx, flat, source, emit::reshape(ctx, x, Ints{-1}));
    return {emit::reshape(ctx, y, emit::shapeVector(ctx, x))};
}

/// Places in the flat tensor.
OnnxValues put(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    OnnxValue index = emit::reshape(ctx, arguments.tensor("index"), Ints{-1});
    const OnnxValue source = emit::reshape(ctx, arguments.tensor("source"), Ints{-1});
    const OnnxValue flat = emit::reshape(ctx, x, Ints{-1});
    if (arguments.truth("accumulate") && !canReduce(ctx, "add")) { // negative ones count from the end
        index = ctx.emit("Mod", {index, emit::dimVector(ctx, flat, 0)});
    }
    const OnnxValue y = arguments.truth("accumulate")
                            ? reducedAt(ctx, {.name = "sum"}, flat, index, source)
                            : ctx.emit("ScatterElements", {flat, index, source}, {{"axis", 0}});
    return {emit::reshape(ctx, y, emit::shapeVector(ctx, x))};
}

/// x with the part [start, end) of an axis replaced.
OnnxValue withPart(const NodeContext& ctx, OnnxValue x, OnnxValue part, std::int64_t axis, std::int64_t start,
                   std::int64_t end)
{
    OnnxValues parts;
    if (start > 0) {
        parts.push_back(emit::slice(ctx, x, Ints{0}, Ints{start}, Ints{axis}));
    }
    parts.push_back(part);
    if (end < ctx.fixedDim(x, axis)) {
        parts.push_back(emit::slice(ctx, x, Ints{end}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{axis}));
    }
    return parts.size() == 1 ? part : emit::concat(ctx, parts, axis);
}

/// The same with bounds that only a run determines, int64 scalars within the axis; the part has every `step`-th
/// element. Each element is taken from the part, or from x behind it.
OnnxValue withOpenPart(const NodeContext& ctx, OnnxValue x, OnnxValue part, std::int64_t axis, OnnxValue start,
                       OnnxValue end, std::int64_t step)
{
    const auto number = [&](std::int64_t value) { return ctx.onnx.constant(Tensor::ints(Ints{value}).reshaped({})); };
    const auto sizeOf = [&](OnnxValue tensor) {
        return emit::reshape(ctx, emit::dimVector(ctx, tensor, axis), ctx.onnx.ints({}));
    };
    const OnnxValue places = ctx.emit("Range", {number(0), sizeOf(x), number(1)});
    const OnnxValue distances = ctx.emit("Sub", {places, start});
    OnnxValue isReplaced =
        ctx.emit("And", {ctx.emit("Not", {ctx.emit("Less", {places, start})}), ctx.emit("Less", {places, end})});
    OnnxValue index = distances;
    if (step > 1) {
        isReplaced =
            ctx.emit("And", {isReplaced, ctx.emit("Equal", {ctx.emit("Mod", {distances, number(step)}), number(0)})});
        index = ctx.emit("Div", {distances, number(step)});
    }
    const OnnxValue from = ctx.emit("Where", {isReplaced, index, ctx.emit("Add", {places, sizeOf(part)})});
    return emit::gather(ctx, emit::concat(ctx, {part, x}, axis), from, axis);
}

/// An index of an axis that may count from the end, as an int64 scalar.
OnnxValue fromStart(const NodeContext& ctx, OnnxValue index, OnnxValue size)
{
    const OnnxValue zero = ctx.onnx.constant(Tensor::ints(Ints{0}).reshaped({}));
    return ctx.emit("Where", {ctx.emit("Less", {index, zero}), ctx.emit("Add", {index, size}), index});
}

OnnxValues sliceScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const std::int64_t step = arguments.positive("step", 1);
    const OnnxValue source = emit::cast(ctx, arguments.tensor("src"), ctx.element(x));
    const Dim length = ctx.shape(x)[static_cast<std::size_t>(axis)];
    const auto isKnown = [&](std::string_view name) { return arguments.isStored(name) || !arguments.has(name); };
    if (!length.isFixed() || !isKnown("start") || !isKnown("end")) {
        const OnnxValue size = emit::reshape(ctx, emit::dimVector(ctx, x, axis), ctx.onnx.ints({}));
        const auto within = [&](std::string_view name, std::int64_t fallback) {
            const OnnxValue index = fromStart(ctx, arguments.scalar(name, fallback), size);
            const OnnxValue zero = ctx.onnx.constant(Tensor::ints(Ints{0}).reshaped({}));
            return forms::sizes::smaller(ctx, forms::sizes::larger(ctx, index, zero), size);
        };
        return {withOpenPart(ctx, x, source, axis, within("start", 0),
                             within("end", std::numeric_limits<std::int64_t>::max()), step)};
    }
    const std::int64_t size = length.size;
    const auto within = [&](std::int64_t index) {
        return std::clamp<std::int64_t>(index < 0 ? index + size : index, 0, size);
    };
    const std::int64_t start = within(arguments.integer("start", 0));
    const std::int64_t end = std::max(start, within(arguments.integer("end", size)));
    if (step == 1) {
        return {withPart(ctx, x, source, axis, start, end)};
    }
    Ints places;
    for (std::int64_t i = start; i < end; i += step) {
        places.push_back(i);
    }
    return {
        ctx.emit("ScatterElements", {x, spread(ctx, ctx.onnx.ints(places), source, axis), source}, {{"axis", axis}})};
}

OnnxValues selectScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const OnnxValue source = emit::unsqueeze(ctx, emit::cast(ctx, arguments.tensor("src"), ctx.element(x)), {axis});
    const Dim length = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!length.isFixed() || !arguments.isStored("index")) {
        const OnnxValue size = emit::reshape(ctx, emit::dimVector(ctx, x, axis), ctx.onnx.ints({}));
        const OnnxValue start = fromStart(ctx, arguments.scalar("index", 0), size);
        const OnnxValue end = ctx.emit("Add", {start, ctx.onnx.constant(Tensor::ints(Ints{1}).reshaped({}))});
        return {withOpenPart(ctx, x, source, axis, start, end, 1)};
    }
    const std::int64_t index = ctx.axis(arguments.integer("index", 0), static_cast<std::size_t>(length.size), "index");
    return {withPart(ctx, x, source, axis, index, index + 1)};
}

/// A diagonal of two axes replaced; the source has it on its last axis.
OnnxValues diagonalScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::size_t rank = ctx.rank(x);
    const std::int64_t first = arguments.axis("dim1", 0, rank);
    const std::int64_t second = arguments.axis("dim2", 1, rank);
    const forms::Diagonal diagonal =
        forms::diagonalOf(ctx.fixedDim(x, first), ctx.fixedDim(x, second), arguments.integer("offset", 0));
    Ints order{first, second};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
        if (i != first && i != second) {
            order.push_back(i);
        }
    }
    Ints back(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    Ints places;
    for (std::int64_t i = 0; i < diagonal.length; ++i) {
        places.push_back(diagonal.row + i);
        places.push_back(diagonal.column + i);
    }
    OnnxValue source = emit::cast(ctx, arguments.tensor("src"), ctx.element(x));
    Ints lastFirst{static_cast<std::int64_t>(rank) - 2};
    for (std::int64_t i = 0; i + 2 < static_cast<std::int64_t>(rank); ++i) {
        lastFirst.push_back(i);
    }
    source = rank == 2 ? source : emit::transpose(ctx, source, lastFirst);
    const bool isFirst = std::is_sorted(order.begin(), order.end());
    const OnnxValue indices = ctx.onnx.constant(Tensor::ints(places).reshaped({diagonal.length, 2}));
    const OnnxValue y = ctx.emit("ScatterND", {isFirst ? x : emit::transpose(ctx, x, order), indices, source});
    return {isFirst ? y : emit::transpose(ctx, y, back)};
}

/// One value on the main diagonal; of a matrix with more rows than columns also further down, if `wrap` says so.
OnnxValues fillDiagonal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t rows = ctx.fixedDim(x, 0);
    const std::int64_t columns = ctx.fixedDim(x, 1);
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    Ints places;
    std::int64_t count = 0;
    const bool wraps = arguments.truth("wrap") && rank == 2;
    for (std::int64_t i = 0; i < rows; ++i) {
        const std::int64_t column = wraps ? i % (columns + 1) : i;
        if (column < columns) {
            places.push_back(i);
            places.insert(places.end(), static_cast<std::size_t>(rank - 1), column);
            ++count;
        }
    }
    const OnnxValue values =
        emit::expand(ctx, operand(ctx, arguments, "fill_value", ctx.element(x)), ctx.onnx.ints({count}));
    const OnnxValue indices = ctx.onnx.constant(Tensor::ints(places).reshaped({count, rank}));
    return {ctx.emit("ScatterND", {x, indices, values})};
}

OnnxValues take(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::gather(ctx, emit::reshape(ctx, arguments.tensor("self"), Ints{-1}), arguments.tensor("index"), 0)};
}

} // namespace

std::span<const OpRow> scatterOps()
{
    static constexpr OpRow rows[] = {
        {"aten::scatter", scatter, "ScatterElements"},
        {"aten::scatter_add", scatterAdd, "ScatterElements"},
        {"aten::index_add", indexAdd, "ScatterElements"},
        {"aten::index_put", indexPut, "ScatterND"},
        {"aten::slice_scatter", sliceScatter, "Slice, Concat, Gather"},
        {"aten::select_scatter", selectScatter, "Slice, Concat, Gather"},
        {"aten::_unsafe_index_put", indexPut, "ScatterND"},
        {"aten::scatter_reduce", scatterReduce, "ScatterElements"},
        {"aten::index_reduce", indexReduce, "ScatterElements"},
        {"aten::index_copy", indexCopy, "ScatterElements"},
        {"aten::index_fill", indexFill, "ScatterElements"},
        {"aten::masked_scatter", maskedScatter, "CumSum, Gather, Where"},
        {"aten::put", put, "ScatterElements"},
        {"aten::diagonal_scatter", diagonalScatter, "ScatterND"},
        {"aten::fill_diagonal", fillDiagonal, "ScatterND"},
        {"aten::take", take, "Reshape, Gather"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
