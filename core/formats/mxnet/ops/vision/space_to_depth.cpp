// Pixels that become channels and back: depth_to_space, space_to_depth, im2col, col2im.

#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/nn/window_attributes.h"
#include "core/formats/mxnet/ops/tensor/precision.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

std::int64_t blockSize(const NodeContext& ctx)
{
    const std::int64_t block = Attributes(ctx).integer("block_size");
    if (block < 1 || block > 4096) {
        ctx.invalid(fmt::format("block_size = {} is out of range", block), "block_size");
    }
    if (ctx.rank(ctx.input(0)) != 4) {
        ctx.invalid(fmt::format("{} takes images: data of 4 dimensions", ctx.node.op));
    }
    return block;
}

void expectDivides(const NodeContext& ctx, std::int64_t axis, std::int64_t divisor)
{
    const Dim& dim = ctx.shape(ctx.input(0))[static_cast<std::size_t>(axis)];
    if (dim.isFixed() && (dim.size == 0 || dim.size % divisor != 0)) {
        ctx.invalid(fmt::format("dimension {} of the data, {}, does not divide by {}", axis, dim.size, divisor),
                    "block_size");
    }
}

/// The types that ONNX Runtime moves blocks of itself.
bool hasKernel(ElementType type)
{
    return type == ElementType::Float32 || type == ElementType::Float64;
}

/// x in the dimensions `dims`, vectors of one element; those that are computed stay open.
OnnxValue inDims(const NodeContext& ctx, OnnxValue x, const OnnxValues& dims)
{
    const OnnxValue y = emit::reshape(ctx, x, emit::concat(ctx, dims, 0));
    Shape shape;
    for (const OnnxValue dim : dims) {
        const auto known = ctx.onnx.integers(dim);
        shape.push_back(known ? known->front() : Dim());
    }
    ctx.onnx.refine(y, shape);
    return y;
}

OnnxValues depthToSpace(NodeContext& ctx)
{
    const std::int64_t block = blockSize(ctx);
    const OnnxValue x = ctx.input(0);
    expectDivides(ctx, 1, block * block);
    if (hasKernel(ctx.element(x))) {
        return {ctx.emit("DepthToSpace", {x}, {{"blocksize", block}, {"mode", "DCR"}})};
    }
    const OnnxValue batch = emit::dimVector(ctx, x, 0);
    const OnnxValue depth = sizes::over(ctx, emit::dimVector(ctx, x, 1), block * block);
    const OnnxValue height = emit::dimVector(ctx, x, 2);
    const OnnxValue width = emit::dimVector(ctx, x, 3);
    const OnnxValue side = ctx.onnx.ints({block});
    const OnnxValue split = inDims(ctx, x, {batch, side, side, depth, height, width});
    const OnnxValue moved = emit::transpose(ctx, split, {0, 3, 4, 1, 5, 2});
    return {inDims(ctx, moved, {batch, depth, sizes::times(ctx, height, block), sizes::times(ctx, width, block)})};
}

OnnxValues spaceToDepth(NodeContext& ctx)
{
    const std::int64_t block = blockSize(ctx);
    const OnnxValue x = ctx.input(0);
    expectDivides(ctx, 2, block);
    expectDivides(ctx, 3, block);
    if (hasKernel(ctx.element(x))) {
        return {ctx.emit("SpaceToDepth", {x}, {{"blocksize", block}})};
    }
    const OnnxValue batch = emit::dimVector(ctx, x, 0);
    const OnnxValue depth = emit::dimVector(ctx, x, 1);
    const OnnxValue height = sizes::over(ctx, emit::dimVector(ctx, x, 2), block);
    const OnnxValue width = sizes::over(ctx, emit::dimVector(ctx, x, 3), block);
    const OnnxValue side = ctx.onnx.ints({block});
    const OnnxValue split = inDims(ctx, x, {batch, depth, height, side, width, side});
    const OnnxValue moved = emit::transpose(ctx, split, {0, 3, 5, 1, 2, 4});
    return {inDims(ctx, moved, {batch, sizes::times(ctx, depth, block * block), height, width})};
}

/// What each place of the window meets, as a column a position: (N, C * places, positions).
OnnxValues imagesToColumns(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != window.rank() + 2) {
        ctx.invalid(fmt::format("the kernel has {} dimensions, the data {}", window.rank(), toString(ctx.shape(x))),
                    "kernel");
    }
    OnnxValues columns;
    for (const OnnxValue place : windowSlices(ctx, padSpatial(ctx, x, window.pad, window.pad, 0), window)) {
        columns.push_back(emit::reshape(ctx, place, Ints{0, 0, 1, -1}));
    }
    const auto count = static_cast<std::int64_t>(columns.size());
    const OnnxValue stacked = emit::concat(ctx, columns, 2); // (N, C, places, positions)
    const OnnxValue depth = sizes::times(ctx, emit::dimVector(ctx, x, 1), count);
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, x, 0), depth, ctx.onnx.ints({-1})}, 0);
    const OnnxValue y = emit::reshape(ctx, stacked, dims);
    ctx.onnx.refine(y, {ctx.shape(x)[0], sizes::asDim(ctx, depth), ctx.shape(stacked)[3]});
    return {y};
}

/// The sum of what the columns put on each pixel: a transposed convolution whose kernel is a one at each place.
OnnxValues columnsToImages(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const Ints size = attributes.ints("output_size");
    const OnnxValue x = ctx.input(0);
    if (size.size() != window.rank() || ctx.rank(x) != 3) {
        ctx.invalid("col2im takes columns (N, C * places, positions) and an output_size as long as the kernel",
                    "output_size");
    }
    const std::int64_t places =
        std::accumulate(window.kernel.begin(), window.kernel.end(), std::int64_t{1}, std::multiplies<>());
    const std::int64_t depth = ctx.fixedDim(x, 1);
    if (depth % places != 0) {
        ctx.invalid(fmt::format("{} rows are no multiple of the {} places of the kernel", depth, places), "kernel");
    }
    Ints grid{0, 0};
    TransposedEnds ends;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const std::int64_t room = size[i] + 2 * window.pad[i] - window.reach(i);
        if (room < 0) {
            ctx.invalid(fmt::format("the kernel is larger than output_size = {} and its padding", size[i]), "kernel");
        }
        grid.push_back(room / window.stride[i] + 1);
        ends.begin.push_back(window.pad[i]);
        ends.end.push_back(window.pad[i] - room % window.stride[i]);
    }
    const std::int64_t channels = depth / places;
    Ints kernelDims{channels, places, 1};
    std::vector<double> ones;
    for (std::int64_t i = 0; i < channels * places * places; ++i) {
        ones.push_back(i / places % places == i % places ? 1 : 0);
    }
    kernelDims = {depth, 1};
    kernelDims.insert(kernelDims.end(), window.kernel.begin(), window.kernel.end());
    const Precision precision(ctx, x);
    const Tensor kernel = Tensor::of<double>(ElementType::Float64, kernelDims, ones).converted(precision.wide());
    const OnnxValue columns = emit::reshape(ctx, precision.widen(x), grid);
    return {
        precision.restore(transposedConvolution(ctx, columns, ctx.onnx.constant(kernel), {}, window, channels, ends))};
}

constexpr OpRow rows[] = {
    {"col2im", columnsToImages, "ConvTranspose"},
    {"depth_to_space", depthToSpace, "DepthToSpace"},
    {"im2col", imagesToColumns, "Pad, Slice, Concat"},
    {"space_to_depth", spaceToDepth, "SpaceToDepth"},
};

} // namespace

std::span<const OpRow> spaceToDepthOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
