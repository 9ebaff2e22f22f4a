// Ragged tensors: one tensor contains the rows of a level one after the other, and row splits contain where each
// starts.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

OnnxValue one(const NodeContext& ctx)
{
    return ctx.onnx.scalar(ElementType::Int64, 1);
}

/// The largest of int64 numbers, or 0: a vector of one element.
OnnxValue largestOf(const NodeContext& ctx, OnnxValue numbers)
{
    return emit::reduce(ctx, "ReduceMax", emit::concat(ctx, {numbers, ctx.onnx.ints({0})}, 0), {0}, true);
}

OnnxValue sumOf(const NodeContext& ctx, OnnxValue numbers)
{
    return emit::reduce(ctx, "ReduceSum", numbers, {0}, true);
}

OnnxValue cumulated(const NodeContext& ctx, OnnxValue numbers)
{
    return ctx.emit("CumSum", {numbers, ctx.onnx.scalar(ElementType::Int64, 0)});
}

/// The row lengths with these splits.
OnnxValue lengthsOf(const NodeContext& ctx, OnnxValue splits)
{
    return ctx.emit("Sub", {emit::slice(ctx, splits, Ints{1}, Ints{emit::farEnd}, Ints{0}),
                            emit::slice(ctx, splits, Ints{0}, Ints{-1}, Ints{0})});
}

OnnxValue splitsOf(const NodeContext& ctx, OnnxValue lengths)
{
    return emit::concat(ctx, {ctx.onnx.ints({0}), cumulated(ctx, lengths)}, 0);
}

/// The row of each item, and its position in the row: int64 vectors.
struct Items {
    OnnxValue row;
    OnnxValue position;
};

/// The items of rows of so many items. Every row that is not empty starts at another item, so that counting the starts
/// up to an item gives the number of its row among them.
Items itemsOf(const NodeContext& ctx, OnnxValue lengths)
{
    const OnnxValue hasItems = arithmetic::greater(ctx, lengths, ctx.onnx.scalar(ElementType::Int64, 0));
    const OnnxValue sums = cumulated(ctx, lengths);
    const OnnxValue starts = ctx.emit("Sub", {sums, lengths});
    const auto ofRowsWithItems = [&](OnnxValue x) { return ctx.emit("Compress", {x, hasItems}, {{"axis", 0}}); };
    const OnnxValue used = ofRowsWithItems(starts);
    const OnnxValue total = sumOf(ctx, lengths);
    const OnnxValue zeros = filledTo(ctx, ElementType::Int64, 0, total);
    const OnnxValue ones = filledTo(ctx, ElementType::Int64, 1, emit::shapeVector(ctx, used));
    const OnnxValue marks = ctx.emit("ScatterElements", {zeros, used, ones}, {{"axis", 0}});
    const OnnxValue number = ctx.emit("Sub", {cumulated(ctx, marks), one(ctx)});
    const OnnxValue places = countTo(ctx, total);
    const OnnxValue rows = countTo(ctx, emit::shapeVector(ctx, lengths));
    return {emit::gather(ctx, ofRowsWithItems(rows), number, 0),
            ctx.emit("Sub", {places, emit::gather(ctx, used, number, 0)})};
}

/// The items whose rows ascend: an item starts a row if it is not in the row of the one before.
Items itemsInRows(const NodeContext& ctx, OnnxValue row)
{
    const OnnxValue before =
        emit::concat(ctx, {ctx.onnx.ints({-1}), emit::slice(ctx, row, Ints{0}, Ints{-1}, Ints{0})}, 0);
    // Without items the concatenation has one too many.
    const OnnxValue kept =
        emit::slice(ctx, before, ctx.onnx.ints({0}), emit::shapeVector(ctx, row), ctx.onnx.ints({0}));
    const OnnxValue isStart = ctx.emit("Not", {ctx.emit("Equal", {row, kept})});
    const OnnxValue places = countTo(ctx, emit::shapeVector(ctx, row));
    const OnnxValue starts = ctx.emit("Compress", {places, isStart}, {{"axis", 0}});
    const OnnxValue number = ctx.emit("Sub", {cumulated(ctx, emit::cast(ctx, isStart, ElementType::Int64)), one(ctx)});
    return {row, ctx.emit("Sub", {places, emit::gather(ctx, starts, number, 0)})};
}

/// The shape of x behind its first axis, an int64 vector.
OnnxValue innerShape(const NodeContext& ctx, OnnxValue x)
{
    return emit::slice(ctx, emit::shapeVector(ctx, x), Ints{1}, Ints{emit::farEnd}, Ints{0});
}

/// The levels of a ragged tensor from the outermost one: the items of each are the rows of the next.
struct Levels {
    OnnxValue rows; ///< of the outermost level, an int64 vector of one element
    std::vector<Items> levels;
};

/// The operand's own numbers, read from a list of partitions.
Levels partitionsOf(const NodeContext& ctx, std::size_t first)
{
    const auto* texts = std::get_if<std::vector<std::string>>(ctx.node.attribute("row_partition_types"));
    if (texts == nullptr || texts->empty() || texts->size() + first != ctx.inputCount()) {
        ctx.invalid("row_partition_types does not name each partition", "row_partition_types");
    }
    Levels all;
    for (std::size_t i = 0; i < texts->size(); ++i) {
        const std::string& type = (*texts)[i];
        const OnnxValue given = asInt64(ctx, ctx.input(first + i));
        if (i == 0 && type == "FIRST_DIM_SIZE") {
            all.rows = intVector(ctx, given);
        } else if (type == "ROW_SPLITS") {
            const OnnxValue lengths = lengthsOf(ctx, given);
            if (!all.rows) {
                all.rows = emit::shapeVector(ctx, lengths);
            }
            all.levels.push_back(itemsOf(ctx, lengths));
        } else if (type == "VALUE_ROWIDS" && all.rows) {
            all.levels.push_back(itemsInRows(ctx, given));
        } else {
            ctx.invalid(fmt::format("partition {} of type {}", i, type), "row_partition_types");
        }
    }
    return all;
}

/// The size of an axis: the one in the operand `shape`, or what the rows require where that is -1. An unknown shape may
/// be a scalar -1.
OnnxValue axisSize(const NodeContext& ctx, std::size_t axis, OnnxValue needed)
{
    const OnnxValue shape = ctx.input(0);
    const auto i = static_cast<std::int64_t>(axis);
    if (ctx.rank(shape) == 0 || ctx.shape(shape).front() == Dim(0)) {
        return needed;
    }
    if (const auto known = knownInts(ctx, shape)) {
        if (axis >= known->size()) {
            ctx.invalid(fmt::format("a shape of {} dimensions", known->size()), "shape");
        }
        return (*known)[axis] >= 0 ? ctx.onnx.ints({(*known)[axis]}) : needed;
    }
    const OnnxValue given = emit::slice(ctx, asInt64(ctx, shape), Ints{i}, Ints{i + 1}, Ints{0});
    return ctx.emit("Where", {ctx.emit("Less", {given, ctx.onnx.ints({0})}), needed, given});
}

/// Pads every row with the default value to the size of its axis, or cuts it off there.
OnnxValues toTensor(NodeContext& ctx)
{
    const OnnxValue values = ctx.input(1);
    const Levels ragged = partitionsOf(ctx, 3);
    const OnnxValue missing = ctx.onnx.scalar(ElementType::Int64, -1);
    const auto placed = [&](OnnxValue isIn, OnnxValue place) { return ctx.emit("Where", {isIn, place, missing}); };
    OnnxValues sizes{axisSize(ctx, 0, ragged.rows)};
    // The place of each row among all rows of equal length, or -1 if it is cut off.
    const OnnxValue numbers = countTo(ctx, ragged.rows);
    OnnxValue places = placed(ctx.emit("Less", {numbers, sizes.front()}), numbers);
    for (const Items& items : ragged.levels) {
        const OnnxValue longest = largestOf(ctx, ctx.emit("Add", {items.position, one(ctx)}));
        const OnnxValue size = axisSize(ctx, sizes.size(), longest);
        const OnnxValue outer = emit::gather(ctx, places, items.row, 0);
        const OnnxValue isIn =
            ctx.emit("And", {ctx.emit("Less", {items.position, size}), ctx.emit("Greater", {outer, missing})});
        places = placed(isIn, ctx.emit("Add", {ctx.emit("Mul", {outer, size}), items.position}));
        sizes.push_back(size);
    }
    OnnxValue total = sizes.front();
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        total = ctx.emit("Mul", {total, sizes[i]});
    }
    const OnnxValue inner = innerShape(ctx, values);
    const OnnxValue isIn = ctx.emit("Greater", {places, missing});
    const auto kept = [&](OnnxValue x) { return ctx.emit("Compress", {x, isIn}, {{"axis", 0}}); };
    const OnnxValue start = emit::expand(ctx, ctx.input(2), emit::concat(ctx, {total, inner}, 0));
    const OnnxValue flat = ctx.emit("ScatterND", {start, emit::unsqueeze(ctx, kept(places), {1}), kept(values)});
    sizes.push_back(inner);
    const OnnxValue dims = emit::concat(ctx, sizes, 0);
    return {ctx.onnx.opset() < 14 ? emit::reshape(ctx, flat, dims)
                                  : ctx.emit("Reshape", {flat, dims}, {{"allowzero", 1}})};
}

/// Nested row splits, the outermost first.
Levels nestedSplits(const NodeContext& ctx, std::size_t count)
{
    if (count == 0 || count >= ctx.inputCount()) {
        ctx.invalid(fmt::format("{} levels of rows with {} inputs", count, ctx.inputCount()), "RAGGED_RANK");
    }
    Levels all;
    for (std::size_t i = 0; i < count; ++i) {
        const OnnxValue lengths = lengthsOf(ctx, asInt64(ctx, ctx.input(i)));
        if (i == 0) {
            all.rows = emit::shapeVector(ctx, lengths);
        }
        all.levels.push_back(itemsOf(ctx, lengths));
    }
    return all;
}

/// A row of indices for each value, and the sizes that hold all of them.
OnnxValues toSparse(NodeContext& ctx)
{
    const auto count = static_cast<std::size_t>(Settings(ctx).integer("RAGGED_RANK"));
    const Levels ragged = nestedSplits(ctx, count);
    const OnnxValue values = ctx.input(count);
    OnnxValues columns{countTo(ctx, ragged.rows)}; // the index of each row along each axis so far
    OnnxValues sizes{ragged.rows};
    for (const Items& items : ragged.levels) {
        for (OnnxValue& column : columns) {
            column = emit::gather(ctx, column, items.row, 0);
        }
        columns.push_back(items.position);
        sizes.push_back(largestOf(ctx, ctx.emit("Add", {items.position, one(ctx)})));
    }
    const auto inner = static_cast<std::int64_t>(ctx.rank(values)) - 1;
    if (inner > 0) {
        sizes.push_back(innerShape(ctx, values));
    }
    // The index columns cover the ragged axes; each inner axis of the values adds one more.
    const OnnxValue shape = emit::shapeVector(ctx, values);
    Ints behind(static_cast<std::size_t>(inner));
    std::iota(behind.begin(), behind.end(), 1);
    for (OnnxValue& column : columns) {
        column = emit::expand(ctx, emit::unsqueeze(ctx, column, behind), shape);
    }
    for (std::int64_t axis = 1; axis <= inner; ++axis) {
        Ints others;
        for (std::int64_t other = 0; other <= inner; ++other) {
            if (other != axis) {
                others.push_back(other);
            }
        }
        columns.push_back(emit::expand(ctx, emit::unsqueeze(ctx, countUp(ctx, values, axis), others), shape));
    }
    for (OnnxValue& column : columns) {
        column = emit::reshape(ctx, column, Ints{-1, 1});
    }
    return {emit::concat(ctx, columns, 1), emit::reshape(ctx, values, Ints{-1}), emit::concat(ctx, sizes, 0)};
}

/// The rows at indices, level by level. Several axes of indices are rows of equal length.
OnnxValues raggedGather(NodeContext& ctx)
{
    const Settings settings(ctx);
    const auto count = static_cast<std::size_t>(settings.integer("PARAMS_RAGGED_RANK"));
    if (count == 0 || ctx.inputCount() != count + 2) {
        ctx.invalid(fmt::format("PARAMS_RAGGED_RANK = {} with {} inputs", count, ctx.inputCount()),
                    "PARAMS_RAGGED_RANK");
    }
    const OnnxValue indices = asInt64(ctx, ctx.input(count + 1));
    const ElementType type = settings.elementType("Tsplits");
    OnnxValues outputs;
    const std::size_t rank = ctx.rank(indices);
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
        Ints outer(axis + 1);
        std::iota(outer.begin(), outer.end(), 0);
        const OnnxValue rows = emit::dimProduct(ctx, indices, outer);
        const OnnxValue numbers = countTo(ctx, ctx.emit("Add", {rows, ctx.onnx.ints({1})}));
        const OnnxValue size = emit::dimVector(ctx, indices, static_cast<std::int64_t>(axis) + 1);
        outputs.push_back(emit::cast(ctx, ctx.emit("Mul", {numbers, size}), type));
    }
    OnnxValue chosen = rank == 1 ? indices : emit::reshape(ctx, indices, Ints{-1});
    for (std::size_t i = 0; i < count; ++i) {
        const OnnxValue splits = asInt64(ctx, ctx.input(i));
        const OnnxValue starts = emit::gather(ctx, splits, chosen, 0);
        const OnnxValue ends = emit::gather(ctx, splits, ctx.emit("Add", {chosen, one(ctx)}), 0);
        const OnnxValue lengths = ctx.emit("Sub", {ends, starts});
        outputs.push_back(emit::cast(ctx, splitsOf(ctx, lengths), type));
        const Items items = itemsOf(ctx, lengths);
        chosen = ctx.emit("Add", {emit::gather(ctx, starts, items.row, 0), items.position});
    }
    outputs.push_back(emit::gather(ctx, ctx.input(count), chosen, 0));
    return outputs;
}

/// How many elements ranges of integers have: ceil(distance / step), not below 0.
OnnxValue integerCounts(const NodeContext& ctx, OnnxValue distance, OnnxValue steps)
{
    // Minus the division of the negative distance, rounded down.
    const OnnxValue negative = ctx.emit("Neg", {distance});
    const OnnxValue rest = ctx.emit("Mod", {negative, steps});
    const OnnxValue down = ctx.emit("Div", {ctx.emit("Sub", {negative, rest}), steps});
    return arithmetic::maximum(ctx, ctx.emit("Neg", {down}), ctx.onnx.ints({0}));
}

OnnxValue floatingCounts(const NodeContext& ctx, OnnxValue distance, OnnxValue steps)
{
    const OnnxValue count = ctx.emit("Ceil", {ctx.emit("Div", {distance, steps})});
    const OnnxValue zero = emit::scalarLike(ctx, count, 0);
    return asInt64(ctx, ctx.emit("Max", {count, zero}));
}

/// Concatenated ranges: their starts, and their elements.
OnnxValues raggedRange(NodeContext& ctx)
{
    const ElementType own = ctx.element(ctx.input(0));
    const ElementType type = isInteger(own) ? ElementType::Int64 : own;
    // Vectors of one length, or scalars for all ranges.
    OnnxValues all;
    for (std::size_t i = 0; i < 3; ++i) {
        all.push_back(emit::cast(ctx, ctx.input(i), type));
    }
    if (std::ranges::all_of(all, [&](OnnxValue x) { return ctx.rank(x) == 0; })) {
        all[0] = emit::unsqueeze(ctx, all[0], {0});
    }
    const OnnxValue distance = ctx.emit("Sub", {all[1], all[0]});
    OnnxValue counts = isInteger(own) ? integerCounts(ctx, distance, all[2]) : floatingCounts(ctx, distance, all[2]);
    const OnnxValue ranges = emit::shapeVector(ctx, counts);
    const Items items = itemsOf(ctx, counts);
    const auto of = [&](OnnxValue x) {
        return ctx.rank(x) == 0 ? x : emit::gather(ctx, emit::expand(ctx, x, ranges), items.row, 0);
    };
    const OnnxValue steps = ctx.emit("Mul", {emit::cast(ctx, items.position, type), of(all[2])});
    const OnnxValue values = ctx.emit("Add", {of(all[0]), steps});
    return {emit::cast(ctx, splitsOf(ctx, counts), Settings(ctx).elementType("Tsplits")), emit::cast(ctx, values, own)};
}

} // namespace

std::span<const OpRow> raggedOps()
{
    static constexpr OpRow rows[] = {
        {"RaggedGather", raggedGather, "CumSum, Gather"},
        {"RaggedRange", raggedRange, "CumSum, Gather"},
        {"RaggedTensorToSparse", toSparse, "CumSum, Gather, Concat"},
        {"RaggedTensorToTensor", toTensor, "CumSum, Compress, ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
