// Operations of the sets on the last axis of dense tensors. The result is sparse: a row of indices for each value.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

/// All sets of a tensor, a row each: int64 (sets, elements).
OnnxValue rowsOf(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue wide = asInt64(ctx, x);
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    if (last == 1) {
        return wide;
    }
    Ints leading(static_cast<std::size_t>(last));
    std::iota(leading.begin(), leading.end(), 0);
    return emit::reshape(ctx, wide,
                         emit::concat(ctx, {emit::dimProduct(ctx, x, leading), emit::dimVector(ctx, x, last)}, 0));
}

/// The elements of two sets in ascending order. Equal ones follow each other, those of the first set in front.
struct Merged {
    OnnxValue values;     ///< int64 (sets, elements of both)
    OnnxValue isOfSecond; ///< bool, likewise
};

Merged merged(const NodeContext& ctx, OnnxValue first, OnnxValue second)
{
    const OnnxValue both = emit::concat(ctx, {first, second}, 1);
    const OnnxValues sorted =
        ctx.onnx.add("TopK", {both, emit::dimVector(ctx, both, 1)}, {{"axis", 1}, {"largest", 0}, {"sorted", 1}}, 2);
    return {sorted[0], arithmetic::greaterOrEqual(ctx, sorted[1], emit::dimVector(ctx, first, 1))};
}

OnnxValue allButFirst(const NodeContext& ctx, OnnxValue x)
{
    return emit::slice(ctx, x, Ints{1}, Ints{emit::farEnd}, Ints{1});
}

OnnxValue allButLast(const NodeContext& ctx, OnnxValue x)
{
    return emit::slice(ctx, x, Ints{0}, Ints{-1}, Ints{1});
}

/// Whether each element but the first equals the one before.
OnnxValue repeats(const NodeContext& ctx, const Merged& sets)
{
    return ctx.emit("Equal", {allButFirst(ctx, sets.values), allButLast(ctx, sets.values)});
}

/// Whether each element is the first of its value.
OnnxValue isFirstOfValue(const NodeContext& ctx, const Merged& sets)
{
    const OnnxValue rows = emit::concat(ctx, {emit::dimVector(ctx, sets.values, 0), ctx.onnx.ints({1})}, 0);
    const OnnxValue start = filledTo(ctx, ElementType::Bool, 1, rows);
    const OnnxValue all = emit::concat(ctx, {start, ctx.emit("Not", {repeats(ctx, sets)})}, 1);
    // An empty set has no first element: the slice keeps as many as there are values.
    return emit::slice(ctx, all, ctx.onnx.ints({0}), emit::dimVector(ctx, sets.values, 1), ctx.onnx.ints({1}));
}

/// Elements of sets, some of which are in the result, in its order.
struct Chosen {
    OnnxValue values; ///< int64 (sets, elements)
    OnnxValue isIn;   ///< bool, likewise
};

Chosen unionOf(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const Merged both = merged(ctx, a, b);
    return {both.values, isFirstOfValue(ctx, both)};
}

/// A value that is only in the minuend has no element of the subtrahend in front.
Chosen difference(const NodeContext& ctx, OnnxValue minuend, OnnxValue subtrahend)
{
    const Merged both = merged(ctx, subtrahend, minuend);
    return {both.values, ctx.emit("And", {isFirstOfValue(ctx, both), both.isOfSecond})};
}

/// Where the elements of one value pass from the first set to the second.
Chosen intersection(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const Merged both = merged(ctx, a, b);
    const OnnxValue passes =
        ctx.emit("And", {ctx.emit("Not", {allButLast(ctx, both.isOfSecond)}), allButFirst(ctx, both.isOfSecond)});
    return {allButLast(ctx, both.values), ctx.emit("And", {repeats(ctx, both), passes})};
}

Chosen chosen(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const std::string operation = Settings(ctx).text("set_operation");
    if (operation == "union") {
        return unionOf(ctx, a, b);
    }
    if (operation == "intersection") {
        return intersection(ctx, a, b);
    }
    if (operation == "a-b") {
        return difference(ctx, a, b);
    }
    if (operation == "b-a") {
        return difference(ctx, b, a);
    }
    ctx.invalid(fmt::format("set_operation {} is not a-b, b-a, intersection or union", operation), "set_operation");
}

/// The index of each set along the axes of x but the last one, from its number: (values, axes).
OnnxValue leadingIndices(const NodeContext& ctx, OnnxValue x, OnnxValue sets)
{
    OnnxValues columns;
    OnnxValue rest = sets;
    for (std::size_t axis = ctx.rank(x) - 1; axis-- > 1;) {
        const OnnxValue size = emit::dimVector(ctx, x, static_cast<std::int64_t>(axis));
        columns.insert(columns.begin(), emit::unsqueeze(ctx, ctx.emit("Mod", {rest, size}), {1}));
        rest = ctx.emit("Div", {rest, size});
    }
    columns.insert(columns.begin(), emit::unsqueeze(ctx, rest, {1}));
    return emit::concat(ctx, columns, 1);
}

OnnxValues denseSets(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const std::size_t rank = ctx.rank(a);
    if (ctx.element(a) == ElementType::String) {
        ctx.refuse("sets of strings, which ONNX cannot sort", "T");
    }
    if (rank < 2 || ctx.rank(ctx.input(1)) != rank) {
        ctx.invalid(fmt::format("sets of {} and {} dimensions", rank, ctx.rank(ctx.input(1))));
    }
    const Chosen found = chosen(ctx, rowsOf(ctx, a), rowsOf(ctx, ctx.input(1)));
    const OnnxValue places = emit::transpose(ctx, ctx.emit("NonZero", {found.isIn}), {1, 0});
    const OnnxValue ones = emit::cast(ctx, found.isIn, ElementType::Int64);
    const OnnxValue before = ctx.emit("CumSum", {ones, ctx.onnx.scalar(ElementType::Int64, 1)}, {{"exclusive", 1}});
    const OnnxValue position = emit::unsqueeze(ctx, ctx.emit("GatherND", {before, places}), {1});
    const OnnxValue sets = emit::gather(ctx, places, ctx.onnx.scalar(ElementType::Int64, 0), 1);
    const OnnxValue indices = emit::concat(ctx, {leadingIndices(ctx, a, sets), position}, 1);
    const OnnxValue values = emit::cast(ctx, ctx.emit("GatherND", {found.values, places}), ctx.element(a));
    // The largest set; there may be none.
    const OnnxValue sizes = emit::reduce(ctx, "ReduceSum", ones, {1}, false);
    const OnnxValue largest =
        emit::reduce(ctx, "ReduceMax", emit::concat(ctx, {sizes, ctx.onnx.ints({0})}, 0), {0}, true);
    const OnnxValue leading = emit::slice(ctx, emit::shapeVector(ctx, a), Ints{0}, Ints{-1}, Ints{0});
    return {indices, values, emit::concat(ctx, {leading, largest}, 0)};
}

} // namespace

std::span<const OpRow> setOps()
{
    static constexpr OpRow rows[] = {
        {"DenseToDenseSetOperation", denseSets, "TopK, NonZero, GatherND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
