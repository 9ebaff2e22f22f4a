// Arithmetic of sparse tensors: rows of indices, a value for each, and the sizes of the axes.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/segments.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

/// Operands first, first + 1 and first + 2.
struct SparseTensor {
    OnnxValue indices; ///< (values, axes), int64
    OnnxValue values;
    OnnxValue dims; ///< int64 vector
};

SparseTensor sparseTensor(const NodeContext& ctx, std::size_t first)
{
    return {asInt64(ctx, ctx.input(first)), ctx.input(first + 1), intVector(ctx, ctx.input(first + 2))};
}

std::int64_t axisCount(const NodeContext& ctx, const SparseTensor& tensor)
{
    const auto& indices = ctx.onnx.shape(tensor.indices);
    const bool isKnown = indices && indices->size() == 2 && (*indices)[1].isFixed();
    return isKnown ? (*indices)[1].size : ctx.fixedDim(tensor.dims, 0);
}

/// The number of elements that one step along each axis passes, as a column.
OnnxValue columnStrides(const NodeContext& ctx, OnnxValue dims)
{
    const OnnxValue places = countTo(ctx, emit::shapeVector(ctx, dims));
    const OnnxValue isBehind = ctx.emit("Less", {emit::unsqueeze(ctx, places, {1}), emit::unsqueeze(ctx, places, {0})});
    const OnnxValue factors = ctx.emit("Where", {isBehind, dims, ctx.onnx.scalar(ElementType::Int64, 1)});
    return emit::reduce(ctx, "ReduceProd", factors, {1}, true);
}

/// The place of each value in a dense tensor of the given dimensions, in C order.
OnnxValue densePlaces(const NodeContext& ctx, OnnxValue indices, OnnxValue dims)
{
    return emit::squeeze(ctx, ctx.emit("MatMul", {indices, columnStrides(ctx, dims)}), {1});
}

/// Rows of indices for places in a dense tensor.
OnnxValue indicesAt(const NodeContext& ctx, OnnxValue places, OnnxValue dims)
{
    const OnnxValue steps = emit::squeeze(ctx, columnStrides(ctx, dims), {1});
    return ctx.emit("Mod", {ctx.emit("Div", {emit::unsqueeze(ctx, places, {1}), steps}), dims});
}

/// Values that ONNX Runtime adds up.
OnnxValue addable(const NodeContext& ctx, OnnxValue values)
{
    const ElementType type = ctx.element(values);
    return emit::cast(ctx, values, type == ElementType::Float16 ? ElementType::Float32 : widened(type));
}

/// A dense tensor of the given dimensions, with the sum of values of equal indices.
OnnxValue denseOf(const NodeContext& ctx, const SparseTensor& tensor, OnnxValue dims)
{
    const ElementType type = ctx.element(tensor.values);
    const OnnxValue count = emit::reduce(ctx, "ReduceProd", dims, {0}, true);
    const OnnxValue flat =
        segmentSum(ctx, {addable(ctx, tensor.values), densePlaces(ctx, tensor.indices, dims), count});
    return emit::reshape(ctx, emit::cast(ctx, flat, type), dims);
}

/// A sparse matrix by a dense one: the rows that the columns of the matrix pick, by value, added up by row.
OnnxValues sparseProduct(NodeContext& ctx)
{
    const Settings settings(ctx);
    const SparseTensor a = sparseTensor(ctx, 0);
    const ElementType type = ctx.element(a.values);
    const std::int64_t own = settings.boolean("adjoint_a") ? 1 : 0;
    const auto column = [&](std::int64_t axis) {
        return emit::gather(ctx, a.indices, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(axis)), 1);
    };
    OnnxValue b = addable(ctx, ctx.input(3));
    b = settings.boolean("adjoint_b") ? emit::transpose(ctx, b, {1, 0}) : b;
    const OnnxValue picked = emit::gather(ctx, b, column(1 - own), 0);
    const OnnxValue rows = ctx.emit("Mul", {picked, emit::unsqueeze(ctx, addable(ctx, a.values), {1})});
    const OnnxValue count = emit::gather(ctx, a.dims, ctx.onnx.ints({own}), 0);
    return {emit::cast(ctx, segmentSum(ctx, {rows, column(own), count}), type)};
}

/// Both have the same dimensions.
OnnxValues sparsePlusDense(NodeContext& ctx)
{
    const OnnxValue dense = ctx.input(3);
    const OnnxValue sparse = denseOf(ctx, sparseTensor(ctx, 0), emit::shapeVector(ctx, dense));
    return {arithmetic::add(ctx, sparse, dense)};
}

/// The elements of a dense tensor, broadcast to the sparse one, at the indices of it.
OnnxValue besideSparse(const NodeContext& ctx, const SparseTensor& sparse)
{
    const OnnxValue beside = ctx.emit("GatherND", {emit::expand(ctx, ctx.input(3), sparse.dims), sparse.indices});
    return ctx.onnx.shape(beside) ? beside : emit::reshape(ctx, beside, Ints{-1});
}

OnnxValues addedToSparse(NodeContext& ctx)
{
    const SparseTensor sparse = sparseTensor(ctx, 0);
    return {arithmetic::add(ctx, sparse.values, besideSparse(ctx, sparse))};
}

OnnxValues multipliedToSparse(NodeContext& ctx)
{
    const SparseTensor sparse = sparseTensor(ctx, 0);
    return {arithmetic::multiply(ctx, sparse.values, besideSparse(ctx, sparse))};
}

OnnxValues dividedFromSparse(NodeContext& ctx)
{
    const SparseTensor sparse = sparseTensor(ctx, 0);
    if (!isFloating(ctx.element(sparse.values))) {
        ctx.refuse("division of sparse integers", "T");
    }
    return {arithmetic::divide(ctx, sparse.values, besideSparse(ctx, sparse))};
}

/// The sum or the largest value over axes, as a dense tensor. Elements without values are 0.
OnnxValues reducedSparse(NodeContext& ctx, bool isSum)
{
    const SparseTensor sparse = sparseTensor(ctx, 0);
    const std::int64_t rank = axisCount(ctx, sparse);
    std::vector<bool> isReduced(static_cast<std::size_t>(rank), false);
    for (const std::int64_t axis : constantInts(ctx, 3, "the axes")) {
        isReduced[static_cast<std::size_t>(ctx.axis(axis, static_cast<std::size_t>(rank)))] = true;
    }
    Ints kept;
    OnnxValues result;
    const bool keepsDims = Settings(ctx).boolean("keep_dims");
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        if (!isReduced[static_cast<std::size_t>(axis)]) {
            kept.push_back(axis);
            result.push_back(emit::slice(ctx, sparse.dims, Ints{axis}, Ints{axis + 1}, Ints{0}));
        } else if (keepsDims) {
            result.push_back(ctx.onnx.ints({1}));
        }
    }
    const OnnxValue axes = ctx.onnx.ints(kept);
    const OnnxValue dims = kept.empty() ? ctx.onnx.ints({1}) : emit::gather(ctx, sparse.dims, axes, 0);
    const OnnxValue places =
        kept.empty() ? ctx.emit("Mul", {emit::gather(ctx, sparse.indices, ctx.onnx.scalar(ElementType::Int64, 0), 1),
                                        ctx.onnx.scalar(ElementType::Int64, 0)})
                     : densePlaces(ctx, emit::gather(ctx, sparse.indices, axes, 1), dims);
    const ElementType type = ctx.element(sparse.values);
    Segments segments{addable(ctx, sparse.values), places, emit::reduce(ctx, "ReduceProd", dims, {0}, true)};
    segments.own = type;
    const OnnxValue flat = isSum ? segmentSum(ctx, segments) : segmentMaximum(ctx, segments, true);
    const OnnxValue target = result.empty() ? ctx.onnx.ints(Ints{}) : emit::concat(ctx, result, 0);
    return {emit::reshape(ctx, emit::cast(ctx, flat, type), target)};
}

OnnxValues sumOfSparse(NodeContext& ctx)
{
    return reducedSparse(ctx, true);
}

OnnxValues maximumOfSparse(NodeContext& ctx)
{
    return reducedSparse(ctx, false);
}

/// Indices in C order, and their values.
OnnxValues inOrder(const NodeContext& ctx, const SparseTensor& sparse)
{
    const OnnxValue places = densePlaces(ctx, sparse.indices, sparse.dims);
    // TopK keeps equal ones as they are.
    const OnnxValues order =
        ctx.onnx.add("TopK", {places, emit::shapeVector(ctx, places)}, {{"axis", 0}, {"largest", 0}, {"sorted", 1}}, 2);
    return {emit::gather(ctx, sparse.indices, order[1], 0), emit::gather(ctx, sparse.values, order[1], 0)};
}

OnnxValues reordered(NodeContext& ctx)
{
    return inOrder(ctx, sparseTensor(ctx, 0));
}

/// Sparse tensors one behind the other along an axis, in C order.
OnnxValues joinedSparse(NodeContext& ctx)
{
    const std::size_t count = ctx.inputCount() / 3;
    const auto part = [&](std::size_t i) {
        return SparseTensor{asInt64(ctx, ctx.input(i)), ctx.input(count + i), intVector(ctx, ctx.input(2 * count + i))};
    };
    const std::int64_t rank = axisCount(ctx, part(0));
    const std::int64_t axis =
        ctx.axis(Settings(ctx).integer("concat_dim"), static_cast<std::size_t>(rank), "concat_dim");
    Ints isAxis(static_cast<std::size_t>(rank), 0);
    isAxis[static_cast<std::size_t>(axis)] = 1;
    const OnnxValue marks = ctx.onnx.ints(isAxis);
    OnnxValues indices;
    OnnxValues values;
    OnnxValue length = ctx.onnx.ints({0});
    for (std::size_t i = 0; i < count; ++i) {
        const SparseTensor tensor = part(i);
        indices.push_back(ctx.emit("Add", {tensor.indices, ctx.emit("Mul", {marks, length})}));
        values.push_back(tensor.values);
        length = ctx.emit("Add", {length, emit::slice(ctx, tensor.dims, Ints{axis}, Ints{axis + 1}, Ints{0})});
    }
    const OnnxValue others = ctx.emit("Mul", {part(0).dims, ctx.emit("Sub", {ctx.onnx.ints({1}), marks})});
    const SparseTensor joined{emit::concat(ctx, indices, 0), emit::concat(ctx, values, 0),
                              ctx.emit("Add", {others, ctx.emit("Mul", {marks, length})})};
    OnnxValues result = inOrder(ctx, joined);
    result.push_back(joined.dims);
    return result;
}

/// The values from `start` on, up to `size` along each axis.
OnnxValues slicedSparse(NodeContext& ctx)
{
    const SparseTensor sparse = sparseTensor(ctx, 0);
    const OnnxValue start = intVector(ctx, ctx.input(3));
    const OnnxValue size = intVector(ctx, ctx.input(4));
    const OnnxValue moved = ctx.emit("Sub", {sparse.indices, start});
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue isInside =
        ctx.emit("And", {arithmetic::greaterOrEqual(ctx, moved, zero), ctx.emit("Less", {moved, size})});
    const OnnxValue count = emit::reduce(ctx, "ReduceMin", emit::cast(ctx, isInside, ElementType::Int32), {1}, false);
    const OnnxValue isKept = emit::cast(ctx, count, ElementType::Bool);
    const OnnxValue left = arithmetic::maximum(ctx, ctx.emit("Sub", {sparse.dims, start}), zero);
    return {ctx.emit("Compress", {moved, isKept}, {{"axis", 0}}),
            ctx.emit("Compress", {sparse.values, isKept}, {{"axis", 0}}), arithmetic::minimum(ctx, left, size)};
}

/// The sum of two sparse tensors in C order. Where both have a value, a sum that is closer to 0 than input 6, or NaN,
/// is left out.
OnnxValues sparseSum(NodeContext& ctx)
{
    const SparseTensor a = sparseTensor(ctx, 0);
    const SparseTensor b = sparseTensor(ctx, 3);
    const ElementType type = ctx.element(a.values);
    const OnnxValue places =
        emit::concat(ctx, {densePlaces(ctx, a.indices, a.dims), densePlaces(ctx, b.indices, a.dims)}, 0);
    const OnnxValues unique = ctx.onnx.add("Unique", {places}, {{"sorted", 1}}, 4);
    const OnnxValue both = addable(ctx, emit::concat(ctx, {a.values, b.values}, 0));
    const OnnxValue sums = segmentSum(ctx, {both, unique[2], emit::shapeVector(ctx, unique[0])});
    const OnnxValue threshold = emit::cast(ctx, ctx.input(6), ctx.element(sums));
    const OnnxValue isSingle = ctx.emit("Equal", {unique[3], ctx.onnx.scalar(ElementType::Int64, 1)});
    const OnnxValue isFar = arithmetic::greaterOrEqual(ctx, ctx.emit("Abs", {sums}), threshold);
    const OnnxValue isKept = ctx.emit("Or", {isSingle, isFar});
    const OnnxValue kept = ctx.emit("Compress", {unique[0], isKept}, {{"axis", 0}});
    const OnnxValue values = emit::cast(ctx, ctx.emit("Compress", {sums, isKept}, {{"axis", 0}}), type);
    return {indicesAt(ctx, kept, a.dims), values, a.dims};
}

} // namespace

std::span<const OpRow> sparseArithmeticOps()
{
    static constexpr OpRow rows[] = {
        {"SparseAdd", sparseSum, "Unique, ScatterND, Compress"},
        {"SparseConcat", joinedSparse, "Concat, TopK, Gather"},
        {"SparseDenseCwiseAdd", addedToSparse, "GatherND, Add"},
        {"SparseDenseCwiseDiv", dividedFromSparse, "GatherND, Div"},
        {"SparseDenseCwiseMul", multipliedToSparse, "GatherND, Mul"},
        {"SparseReduceMax", maximumOfSparse, "Equal, Where, ReduceMax"},
        {"SparseReduceSum", sumOfSparse, "ScatterND"},
        {"SparseReorder", reordered, "TopK, Gather"},
        {"SparseSlice", slicedSparse, "Compress"},
        {"SparseTensorDenseAdd", sparsePlusDense, "ScatterND, Add"},
        {"SparseTensorDenseMatMul", sparseProduct, "Gather, Mul, ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
