// Counting.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

/// What is counted: numbers from 0 to size - 1; larger ones are ignored.
struct Counting {
    OnnxValue numbers; ///< int64, (n) or (rows, n)
    OnnxValue size;    ///< an int64 vector of one element
    OnnxValue weights; ///< of each number, in its shape; without elements all are 1
    bool isBinary = false;
};

/// The count of each number in each row, or the sum of its weights, or whether it occurs.
OnnxValue counted(const NodeContext& ctx, const Counting& given)
{
    if (ctx.onnx.opset() < 16 && !given.isBinary) {
        ctx.refuse("ScatterND supports addition from opset 16", {}, "take --opset 16");
    }
    const ElementType type = ctx.element(given.weights);
    const bool hasRows = ctx.rank(given.numbers) == 2;
    // A further place takes the larger numbers.
    const OnnxValue isIn = ctx.emit("Less", {given.numbers, given.size});
    OnnxValue places = emit::unsqueeze(ctx, ctx.emit("Where", {isIn, given.numbers, given.size}), {hasRows ? 2 : 1});
    OnnxValue dims = ctx.emit("Add", {given.size, ctx.onnx.ints({1})});
    if (hasRows) {
        const OnnxValue rows = emit::unsqueeze(ctx, countUp(ctx, given.numbers, 0), {1, 2});
        places = emit::concat(ctx, {emit::expand(ctx, rows, emit::shapeVector(ctx, places)), places}, 2);
        dims = emit::concat(ctx, {emit::dimVector(ctx, given.numbers, 0), dims}, 0);
    }
    const Shape& weights = ctx.shape(given.weights);
    const bool hasWeights = weights.size() == ctx.rank(given.numbers) && weights.front() != Dim(0) && !given.isBinary;
    const OnnxValue updates =
        hasWeights ? given.weights : filledTo(ctx, type, 1, emit::shapeVector(ctx, given.numbers));
    OnnxAttributes attributes;
    if (!given.isBinary) {
        attributes.emplace_back("reduction", "add");
    }
    const OnnxValue all = ctx.emit("ScatterND", {filledTo(ctx, type, 0, dims), places, updates}, attributes);
    return emit::slice(ctx, all, ctx.onnx.ints({0}), given.size, ctx.onnx.ints({hasRows ? 1 : 0}));
}

OnnxValues denseBincount(NodeContext& ctx)
{
    return {counted(ctx, {.numbers = asInt64(ctx, ctx.input(0)),
                          .size = intVector(ctx, ctx.input(1)),
                          .weights = ctx.input(2),
                          .isBinary = Settings(ctx).boolean("binary_output")})};
}

OnnxValues bincount(NodeContext& ctx)
{
    return {counted(ctx, {.numbers = asInt64(ctx, emit::reshape(ctx, ctx.input(0), Ints{-1})),
                          .size = intVector(ctx, ctx.input(1)),
                          .weights = emit::reshape(ctx, ctx.input(2), Ints{-1})})};
}

/// How many elements are in each of equally wide ranges between two values. The first and the last one also count what
/// lies beyond.
OnnxValues histogram(NodeContext& ctx)
{
    const OnnxValue x = emit::reshape(ctx, ctx.input(0), Ints{-1});
    const OnnxValue range = ctx.input(1);
    const auto end = [&](std::int64_t i) { return emit::slice(ctx, range, Ints{i}, Ints{i + 1}, Ints{0}); };
    const auto wide = [&](OnnxValue value) { return emit::cast(ctx, value, ElementType::Float64); };
    const OnnxValue size = intVector(ctx, ctx.input(2));
    const OnnxValue low = wide(end(0));
    const OnnxValue step = ctx.emit("Div", {ctx.emit("Sub", {wide(end(1)), low}), wide(size)});
    const OnnxValue beyond = ctx.emit("Sub", {ctx.emit("Max", {wide(x), low}), low});
    const OnnxValue last = wide(ctx.emit("Sub", {size, ctx.onnx.ints({1})}));
    const OnnxValue place = ctx.emit("Min", {ctx.emit("Div", {beyond, step}), last});
    const ElementType type = Settings(ctx).elementType("dtype");
    const OnnxValue one = ctx.onnx.constant(Tensor::filled(type, {0}, 1));
    return {counted(ctx, {.numbers = asInt64(ctx, place), .size = size, .weights = one})};
}

} // namespace

std::span<const OpRow> countingOps()
{
    static constexpr OpRow rows[] = {
        {"Bincount", bincount, "ScatterND"},
        {"DenseBincount", denseBincount, "ScatterND"},
        {"HistogramFixedWidth", histogram, "Div, Min, ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
