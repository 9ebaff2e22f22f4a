// Tensors arranged in rows, diagonals, products of sets, and windows as columns.

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/nn/window.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// x with at least so many axes: of three, a vector is on the second one and a matrix on the first two.
OnnxValue withAxes(const NodeContext& ctx, OnnxValue x, std::size_t rank)
{
    const std::size_t own = ctx.rank(x);
    if (own >= rank) {
        return x;
    }
    if (rank == 3 && own > 0) {
        return emit::unsqueeze(ctx, x, own == 1 ? Ints{0, 2} : Ints{2});
    }
    Ints axes(rank - own);
    std::iota(axes.begin(), axes.end(), 0);
    return emit::unsqueeze(ctx, x, axes);
}

OnnxValue concatenated(const NodeContext& ctx, OnnxValues parts, std::int64_t axis)
{
    if (parts.empty()) {
        ctx.invalid("needs at least one tensor", "tensors");
    }
    ElementType type = ctx.element(parts[0]);
    for (const OnnxValue part : parts) {
        type = promoted(type, ctx.element(part));
    }
    for (OnnxValue& part : parts) {
        part = emit::cast(ctx, part, type);
    }
    return parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, axis);
}

/// Tensors of at least so many axes joined along one of them.
template <std::size_t rank, std::int64_t axis>
OnnxValues stackAlong(NodeContext& ctx)
{
    OnnxValues parts = Arguments(ctx).tensors("tensors");
    for (OnnxValue& part : parts) {
        part = withAxes(ctx, part, rank);
    }
    const bool areVectors = rank == 1 && !parts.empty() && ctx.rank(parts[0]) == 1;
    return {concatenated(ctx, parts, areVectors ? 0 : axis)};
}

/// Vectors become columns.
OnnxValues stackColumns(NodeContext& ctx)
{
    OnnxValues parts = Arguments(ctx).tensors("tensors");
    for (OnnxValue& part : parts) {
        part = ctx.rank(part) == 0   ? emit::unsqueeze(ctx, part, {0, 1})
               : ctx.rank(part) == 1 ? emit::unsqueeze(ctx, part, {1})
                                     : part;
    }
    return {concatenated(ctx, parts, 1)};
}

template <std::size_t rank>
OnnxValues atLeast(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (!arguments.isStored("tensors")) {
        return {withAxes(ctx, arguments.tensor("self"), rank)};
    }
    OnnxValues parts = arguments.tensors("tensors");
    for (OnnxValue& part : parts) {
        part = withAxes(ctx, part, rank);
    }
    return parts;
}

/// Matrices with the last axis on a diagonal; the axes of the matrices are at two places.
OnnxValues embedDiagonal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::size_t rank = ctx.rank(x) + 1;
    const std::int64_t first = arguments.axis("dim1", -2, rank);
    const std::int64_t second = arguments.axis("dim2", -1, rank);
    const OnnxValue matrices = forms::matrixOfVector(ctx, x, arguments.integer("offset", 0));
    Ints order(rank, -1);
    order[static_cast<std::size_t>(first)] = static_cast<std::int64_t>(rank) - 2;
    order[static_cast<std::size_t>(second)] = static_cast<std::int64_t>(rank) - 1;
    std::int64_t next = 0;
    for (std::int64_t& axis : order) {
        axis = axis < 0 ? next++ : axis;
    }
    return {std::is_sorted(order.begin(), order.end()) ? matrices : emit::transpose(ctx, matrices, order)};
}

/// The diagonal of a matrix, or the matrix of a vector.
OnnxValues diagonalOrMatrix(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t offset = arguments.integer("diagonal", 0);
    return {ctx.rank(x) == 1 ? forms::matrixOfVector(ctx, x, offset) : forms::diagonalAlong(ctx, x, 0, 1, offset)};
}

OnnxValues matrixOfAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue flat = emit::reshape(ctx, arguments.tensor("self"), Ints{-1});
    return {forms::matrixOfVector(ctx, flat, arguments.integer("offset", 0))};
}

OnnxValues trace(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    const OnnxValue diagonal = forms::diagonalAlong(ctx, x, 0, 1, 0);
    const ElementType type = isFloating(ctx.element(x)) ? ctx.element(x) : ElementType::Int64;
    return {emit::reduce(ctx, "ReduceSum", emit::cast(ctx, diagonal, type), {0}, false)};
}

/// The rows and columns of the elements of a triangle.
template <bool isUpper>
OnnxValues triangleIndices(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const std::int64_t rows = arguments.integer("row", 0);
    const std::int64_t columns = arguments.integer("col", 0);
    const std::int64_t offset = arguments.integer("offset", 0);
    if (rows < 0 || columns < 0 || (columns > 0 && rows > forms::elementLimit / 64 / columns)) {
        ctx.invalid("the matrix has too many elements", "row");
    }
    Ints first;
    Ints second;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t k = 0; k < columns; ++k) {
            if (isUpper ? k - i >= offset : k - i <= offset) {
                first.push_back(i);
                second.push_back(k);
            }
        }
    }
    const auto count = static_cast<std::int64_t>(first.size());
    first.insert(first.end(), second.begin(), second.end());
    const Tensor places = Tensor::ints(first).reshaped({2, count});
    return {emit::cast(ctx, ctx.onnx.constant(places), arguments.type("dtype", ElementType::Int64))};
}

/// All choices of r elements of a vector, in its order.
OnnxValues combinations(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t size = ctx.fixedDim(x, 0);
    const std::int64_t r = arguments.integer("r", 2);
    const bool repeats = arguments.truth("with_replacement");
    Ints places;
    Ints choice;
    const auto extend = [&](const auto& self, std::int64_t first) -> void {
        if (static_cast<std::int64_t>(choice.size()) == r) {
            places.insert(places.end(), choice.begin(), choice.end());
            if (static_cast<std::int64_t>(places.size()) > forms::elementLimit / 256) {
                ctx.refuse("so many combinations are not supported", "r");
            }
            return;
        }
        for (std::int64_t i = first; i < size; ++i) {
            choice.push_back(i);
            self(self, repeats ? i : i + 1);
            choice.pop_back();
        }
    };
    if (r < 1 || r > mostParts) {
        ctx.refuse("combinations of no elements are not supported", "r");
    }
    extend(extend, 0);
    const auto count = static_cast<std::int64_t>(places.size()) / r;
    return {emit::gather(ctx, x, ctx.onnx.constant(Tensor::ints(places).reshaped({count, r})), 0)};
}

/// All tuples of an element of each vector, as rows.
OnnxValues cartesianProduct(NodeContext& ctx)
{
    OnnxValues vectors = Arguments(ctx).tensors("tensors");
    if (vectors.size() < 2) {
        return vectors;
    }
    const std::size_t count = vectors.size();
    OnnxValues dims;
    for (const OnnxValue vector : vectors) {
        dims.push_back(ctx.rank(vector) == 0 ? ctx.onnx.ints({1}) : emit::dimVector(ctx, vector, 0));
    }
    const OnnxValue shape = emit::concat(ctx, dims, 0);
    OnnxValues columns;
    for (std::size_t i = 0; i < count; ++i) {
        Ints view(count, 1);
        view[i] = -1;
        const OnnxValue grid = emit::expand(ctx, emit::reshape(ctx, vectors[i], view), shape);
        columns.push_back(emit::reshape(ctx, grid, Ints{-1, 1}));
    }
    return {emit::concat(ctx, columns, 1)};
}

OnnxValues blockDiagonal(NodeContext& ctx)
{
    OnnxValues blocks = Arguments(ctx).tensors("tensors");
    std::int64_t columns = 0;
    for (OnnxValue& block : blocks) {
        block = withAxes(ctx, block, 2);
        columns += ctx.fixedDim(block, 1);
    }
    std::int64_t first = 0;
    for (OnnxValue& block : blocks) {
        const std::int64_t width = ctx.fixedDim(block, 1);
        const std::int64_t rows = ctx.fixedDim(block, 0);
        const ElementType type = ctx.element(block);
        block = concatenated(ctx,
                             {forms::filled(ctx, type, {rows, first}, 0), block,
                              forms::filled(ctx, type, {rows, columns - first - width}, 0)},
                             1);
        first += width;
    }
    return {concatenated(ctx, blocks, 0)};
}

/// The channels of groups one after the other.
OnnxValues shuffleChannels(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t groups = arguments.positive("groups", 1);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    const OnnxValue parts = emit::reshape(ctx, x, Ints{0, groups, channels / groups, -1});
    const OnnxValue moved = emit::transpose(ctx, parts, {0, 2, 1, 3});
    return {emit::reshape(ctx, moved, emit::shapeVector(ctx, x))};
}

forms::Window foldWindow(const NodeContext& ctx, const Arguments& arguments)
{
    return {.kernel = positivePerDimension(ctx, arguments, "kernel_size", 2, 1),
            .stride = positivePerDimension(ctx, arguments, "stride", 2, 1),
            .dilate = positivePerDimension(ctx, arguments, "dilation", 2, 1)};
}

/// The elements of each window as a column: (N, C kh kw, windows).
OnnxValues imagesToColumns(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = batched(ctx, given, 4);
    const forms::Window window = foldWindow(ctx, arguments);
    const Ints pads = perDimension(ctx, arguments, "padding", 2, 0);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    OnnxValues slices = forms::windowSlices(ctx, forms::padSpatial(ctx, x, pads, pads, 0), window);
    for (OnnxValue& slice : slices) {
        slice = emit::unsqueeze(ctx, slice, {2});
    }
    const auto positions = static_cast<std::int64_t>(slices.size());
    const OnnxValue all = slices.size() == 1 ? slices[0] : emit::concat(ctx, slices, 2);
    if (ctx.shape(x)[0] == Dim(0)) {
        const Ints dims{0, channels * positions, ctx.fixedDim(all, 3) * ctx.fixedDim(all, 4)};
        return {forms::filled(ctx, ctx.element(x), dims, 0)};
    }
    return {unbatched(ctx, emit::reshape(ctx, all, Ints{0, channels * positions, -1}), given, 4)};
}

/// Columns added to the windows that they come from: a transposed convolution, in which each position of the kernel is
/// a channel.
OnnxValues columnsToImages(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = batched(ctx, given, 3);
    const forms::Window window = foldWindow(ctx, arguments);
    const Ints pads = perDimension(ctx, arguments, "padding", 2, 0);
    const Ints size = perDimension(ctx, arguments, "output_size", 2, 1);
    const std::int64_t positions = window.kernel[0] * window.kernel[1];
    const std::int64_t channels = ctx.fixedDim(x, 1) / positions;
    if (positions > forms::elementLimit / positions) {
        ctx.refuse("the kernel is too large", "kernel_size");
    }
    Ints windows;
    Ints missing;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t room = size[i] + 2 * pads[i] - window.reach(i);
        windows.push_back(room / window.stride[i] + 1);
        missing.push_back(room % window.stride[i]);
    }
    BoundsChecked<float> identity(static_cast<std::size_t>(saturatingProduct(positions, positions)), 0);
    for (std::int64_t i = 0; i < positions; ++i) {
        identity[static_cast<std::size_t>(i * positions + i)] = 1;
    }
    const Ints dims{positions, 1, window.kernel[0], window.kernel[1]};
    const ElementType own = ctx.element(given);
    const OnnxValue y = forms::computedAs(ctx, ElementType::Float32, x, [&](OnnxValue columns) {
        const OnnxValue weight = ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, dims, identity));
        const OnnxValue planes = emit::reshape(ctx, columns, Ints{-1, positions, windows[0], windows[1]});
        return ctx.emit("ConvTranspose", {planes, weight},
                        {{"kernel_shape", window.kernel}, {"strides", window.stride}, {"dilations", window.dilate}});
    });
    if (own == ElementType::Float64) {
        ctx.refuse("columns in double precision are not supported", "self", "convert the model to float32");
    }
    const OnnxValue whole =
        forms::padSpatial(ctx, y, {-pads[0], -pads[1]}, {missing[0] - pads[0], missing[1] - pads[1]}, 0);
    return {unbatched(ctx, emit::reshape(ctx, whole, Ints{-1, channels, size[0], size[1]}), given, 3)};
}

} // namespace

std::span<const OpRow> arrangementOps()
{
    static constexpr OpRow rows[] = {
        {"aten::vstack", stackAlong<2, 0>, "Concat"},
        {"aten::row_stack", stackAlong<2, 0>, "Concat"},
        {"aten::hstack", stackAlong<1, 1>, "Concat"},
        {"aten::dstack", stackAlong<3, 2>, "Concat"},
        {"aten::column_stack", stackColumns, "Concat"},
        {"aten::atleast_1d", atLeast<1>, "Unsqueeze"},
        {"aten::atleast_2d", atLeast<2>, "Unsqueeze"},
        {"aten::atleast_3d", atLeast<3>, "Unsqueeze"},
        {"aten::diag_embed", embedDiagonal, "Gather"},
        {"aten::diag", diagonalOrMatrix, "Gather"},
        {"aten::diagflat", matrixOfAll, "Gather"},
        {"aten::trace", trace, "Gather, ReduceSum"},
        {"aten::tril_indices", triangleIndices<false>, ""},
        {"aten::triu_indices", triangleIndices<true>, ""},
        {"aten::combinations", combinations, "Gather"},
        {"aten::cartesian_prod", cartesianProduct, "Expand, Concat"},
        {"aten::block_diag", blockDiagonal, "Concat"},
        {"aten::channel_shuffle", shuffleChannels, "Reshape, Transpose"},
        {"aten::native_channel_shuffle", shuffleChannels, "Reshape, Transpose"},
        {"aten::im2col", imagesToColumns, "Pad, Slice, Concat"},
        {"aten::col2im", columnsToImages, "ConvTranspose"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
