// Sparse tensors, which are a row of indices for each value.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

/// Indices of fewer dimensions are one number for each value.
OnnxValues sparseToDense(NodeContext& ctx)
{
    OnnxValue indices = asInt64(ctx, ctx.input(0));
    OnnxValue values = ctx.input(2);
    const OnnxValue filler = ctx.input(3);
    if (ctx.rank(indices) < 2) {
        indices = emit::reshape(ctx, indices, Ints{-1, 1});
    }
    const OnnxValue dims = intVector(ctx, ctx.input(1));
    if (ctx.rank(values) == 0) {
        values = emit::expand(ctx, values, emit::dimVector(ctx, indices, 0));
    }
    return {ctx.emit("ScatterND", {emit::expand(ctx, filler, dims), indices, values})};
}

/// How many elements one step along each axis passes, as a column: the product of the sizes behind it.
OnnxValue strides(const NodeContext& ctx, OnnxValue dims)
{
    // A row for each axis: the sizes behind it as they are, the others as 1.
    const OnnxValue places = countTo(ctx, emit::shapeVector(ctx, dims));
    const OnnxValue isBehind = ctx.emit("Less", {emit::unsqueeze(ctx, places, {1}), emit::unsqueeze(ctx, places, {0})});
    const OnnxValue factors = ctx.emit("Where", {isBehind, dims, ctx.onnx.scalar(ElementType::Int64, 1)});
    return emit::reduce(ctx, "ReduceProd", factors, {1}, true);
}

/// Indices in another shape; one size of -1 takes what is left.
OnnxValues sparseReshape(NodeContext& ctx)
{
    const OnnxValue indices = asInt64(ctx, ctx.input(0));
    const OnnxValue from = intVector(ctx, ctx.input(1));
    const OnnxValue wanted = intVector(ctx, ctx.input(2));
    const OnnxValue total = emit::reduce(ctx, "ReduceProd", from, {0}, true);
    const OnnxValue product = emit::reduce(ctx, "ReduceProd", wanted, {0}, true); // minus what is known
    const OnnxValue open = ctx.onnx.ints({-1});
    const OnnxValue rest = ctx.emit("Div", {total, ctx.emit("Neg", {product})});
    const OnnxValue dims = ctx.emit("Where", {ctx.emit("Equal", {wanted, open}), rest, wanted});
    const OnnxValue flat = ctx.emit("MatMul", {indices, strides(ctx, from)});
    const OnnxValue steps = emit::squeeze(ctx, strides(ctx, dims), {1});
    const OnnxValue places = ctx.emit("Mod", {ctx.emit("Div", {flat, steps}), dims});
    return {places, dims};
}

/// A row without values gets one, of index 0 and a value that is given. Also, whether each row was empty, and where
/// the values went.
OnnxValues fillEmptyRows(NodeContext& ctx)
{
    const OnnxValue indices = ctx.input(0);
    const OnnxValue values = ctx.input(1);
    const OnnxValue size = emit::slice(ctx, ctx.input(2), Ints{0}, Ints{1}, Ints{0});
    const OnnxValue row = emit::gather(ctx, indices, ctx.onnx.scalar(ElementType::Int64, 0), 1);
    const OnnxValue numbers = countTo(ctx, size);
    const OnnxValue isHere = ctx.emit("Equal", {emit::unsqueeze(ctx, numbers, {1}), row}); // (rows, values)
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isHere, ElementType::Int64), {1}, false);
    const OnnxValue isEmpty = ctx.emit("Equal", {count, ctx.onnx.scalar(ElementType::Int64, 0)});
    // The rows that are empty, with index 0 on the other axes, behind the values: then all by their row.
    const OnnxValue missing = ctx.emit("Compress", {numbers, isEmpty}, {{"axis", 0}});
    const OnnxValue column = emit::unsqueeze(ctx, missing, {1});
    const OnnxValue columns = ctx.emit("Sub", {emit::dimVector(ctx, indices, 1), ctx.onnx.ints({1})});
    const OnnxValue pads = emit::concat(ctx, {ctx.onnx.ints({0, 0, 0}), columns}, 0);
    const OnnxValue added = ctx.emit("Pad", {column, pads, ctx.onnx.scalar(ElementType::Int64, 0)});
    const OnnxValue all = emit::concat(ctx, {indices, added}, 0);
    const OnnxValue fillers = emit::expand(ctx, ctx.input(3), emit::shapeVector(ctx, missing));
    const OnnxValue allValues = emit::concat(ctx, {values, fillers}, 0);
    const OnnxValue rows = emit::concat(ctx, {row, missing}, 0);
    // TopK keeps equal ones as they are: from the smallest row on.
    const OnnxValues order =
        ctx.onnx.add("TopK", {rows, emit::shapeVector(ctx, rows)}, {{"axis", 0}, {"largest", 0}, {"sorted", 1}}, 2);
    const OnnxValue places = countTo(ctx, emit::shapeVector(ctx, rows));
    const OnnxValue where = ctx.emit("ScatterElements", {places, order[1], places}, {{"axis", 0}});
    const OnnxValue reverse =
        emit::slice(ctx, where, ctx.onnx.ints({0}), emit::shapeVector(ctx, values), ctx.onnx.ints({0}));
    return {emit::gather(ctx, all, order[1], 0), emit::gather(ctx, allValues, order[1], 0), isEmpty, reverse};
}

} // namespace

std::span<const OpRow> sparseOps()
{
    static constexpr OpRow rows[] = {
        {"SparseFillEmptyRows", fillEmptyRows, "TopK, Gather"},
        {"SparseReshape", sparseReshape, "Div, Mod"},
        {"SparseToDense", sparseToDense, "Expand, ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
