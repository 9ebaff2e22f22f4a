#include "core/convert/forms/vision/space_to_depth.h"

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/convert/forms/tensor/sizes.h"

#include <cassert>

namespace crosswalk::forms {
namespace {

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

} // namespace

OnnxValue depthToSpace(const NodeContext& ctx, OnnxValue x, std::int64_t block)
{
    if (hasKernel(ctx.element(x))) {
        return ctx.emit("DepthToSpace", {x}, {{"blocksize", block}, {"mode", "DCR"}});
    }
    const OnnxValue batch = emit::dimVector(ctx, x, 0);
    const OnnxValue depth = sizes::over(ctx, emit::dimVector(ctx, x, 1), block * block);
    const OnnxValue height = emit::dimVector(ctx, x, 2);
    const OnnxValue width = emit::dimVector(ctx, x, 3);
    const OnnxValue side = ctx.onnx.ints({block});
    const OnnxValue split = inDims(ctx, x, {batch, side, side, depth, height, width});
    const OnnxValue moved = emit::transpose(ctx, split, {0, 3, 4, 1, 5, 2});
    return inDims(ctx, moved, {batch, depth, sizes::times(ctx, height, block), sizes::times(ctx, width, block)});
}

OnnxValue spaceToDepth(const NodeContext& ctx, OnnxValue x, std::int64_t block)
{
    if (hasKernel(ctx.element(x))) {
        return ctx.emit("SpaceToDepth", {x}, {{"blocksize", block}});
    }
    const OnnxValue batch = emit::dimVector(ctx, x, 0);
    const OnnxValue depth = emit::dimVector(ctx, x, 1);
    const OnnxValue height = sizes::over(ctx, emit::dimVector(ctx, x, 2), block);
    const OnnxValue width = sizes::over(ctx, emit::dimVector(ctx, x, 3), block);
    const OnnxValue side = ctx.onnx.ints({block});
    const OnnxValue split = inDims(ctx, x, {batch, depth, height, side, width, side});
    const OnnxValue moved = emit::transpose(ctx, split, {0, 3, 5, 1, 2, 4});
    return inDims(ctx, moved, {batch, sizes::times(ctx, depth, block * block), height, width});
}

OnnxValue imageToColumns(const NodeContext& ctx, OnnxValue x, const Window& window, const Ints& pad)
{
    OnnxValues columns;
    for (const OnnxValue place : windowSlices(ctx, padSpatial(ctx, x, pad, pad, 0), window)) {
        columns.push_back(emit::reshape(ctx, place, Ints{0, 0, 1, -1}));
    }
    const auto count = static_cast<std::int64_t>(columns.size());
    const OnnxValue stacked = emit::concat(ctx, columns, 2); // (N, C, places, positions)
    const OnnxValue depth = sizes::times(ctx, emit::dimVector(ctx, x, 1), count);
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, x, 0), depth, ctx.onnx.ints({-1})}, 0);
    const OnnxValue y = emit::reshape(ctx, stacked, dims);
    ctx.onnx.refine(y, {ctx.shape(x)[0], sizes::asDim(ctx, depth), ctx.shape(stacked)[3]});
    return y;
}

OnnxValue columnsToImage(const NodeContext& ctx, OnnxValue x, const Window& window, const Ints& pad, const Ints& size)
{
    const std::int64_t places = saturatingProduct(window.kernel);
    assert(places > 0);
    const std::int64_t depth = ctx.fixedDim(x, 1);
    Ints grid{0, 0};
    TransposedEnds ends;
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const std::int64_t room = size[i] + 2 * pad[i] - window.reach(i);
        grid.push_back(room / window.stride[i] + 1);
        ends.begin.push_back(pad[i]);
        ends.end.push_back(pad[i] - room % window.stride[i]);
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
    return precision.restore(
        transposedConvolution(ctx, columns, ctx.onnx.constant(kernel), {}, window, channels, ends));
}

} // namespace crosswalk::forms
