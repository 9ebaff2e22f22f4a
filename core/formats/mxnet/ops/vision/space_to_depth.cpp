// depth_to_space, space_to_depth, im2col and col2im.

#include "core/convert/forms/vision/space_to_depth.h"
#include "core/base/saturating_product.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/nn/window_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

std::int64_t blockSize(const NodeContext& ctx)
{
    const std::int64_t block = Attributes(ctx).integer("block_size");
    if (block < 1 || block > 4096) {
        ctx.invalid(fmt::format("block_size = {} is out of range", block), "block_size");
    }
    if (ctx.rank(ctx.input(0)) != 4) {
        ctx.invalid(fmt::format("{} requires images: data of 4 dimensions", ctx.node.op));
    }
    return block;
}

void expectDivides(const NodeContext& ctx, std::int64_t axis, std::int64_t divisor)
{
    const Dim& dim = ctx.shape(ctx.input(0))[static_cast<std::size_t>(axis)];
    if (dim.isFixed() && (dim.size == 0 || dim.size % divisor != 0)) {
        ctx.invalid(fmt::format("dimension {} of the data, {}, is not divisible by {}", axis, dim.size, divisor),
                    "block_size");
    }
}

OnnxValues depthToSpace(NodeContext& ctx)
{
    const std::int64_t block = blockSize(ctx);
    expectDivides(ctx, 1, block * block);
    return {forms::depthToSpace(ctx, ctx.input(0), block)};
}

OnnxValues spaceToDepth(NodeContext& ctx)
{
    const std::int64_t block = blockSize(ctx);
    expectDivides(ctx, 2, block);
    expectDivides(ctx, 3, block);
    return {forms::spaceToDepth(ctx, ctx.input(0), block)};
}

OnnxValues imagesToColumns(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != window.rank() + 2) {
        ctx.invalid(
            fmt::format("the kernel has {} dimensions, but the data has {}", window.rank(), toString(ctx.shape(x))),
            "kernel");
    }
    return {imageToColumns(ctx, x, window, window.pad)};
}

OnnxValues columnsToImages(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    const Ints size = attributes.ints("output_size");
    const OnnxValue x = ctx.input(0);
    if (size.size() != window.rank() || ctx.rank(x) != 3) {
        ctx.invalid("col2im requires columns (N, C * kernel size, positions) and an output_size of the kernel's rank",
                    "output_size");
    }
    const std::int64_t places = saturatingProduct(window.kernel);
    const std::int64_t depth = ctx.fixedDim(x, 1);
    if (places < 1 || depth % places != 0) {
        ctx.invalid(fmt::format("{} rows are not a multiple of the kernel size {}", depth, places), "kernel");
    }
    for (std::size_t i = 0; i < window.rank(); ++i) {
        if (size[i] + 2 * window.pad[i] < window.reach(i)) {
            ctx.invalid(fmt::format("the kernel is larger than output_size = {} with padding", size[i]), "kernel");
        }
    }
    return {columnsToImage(ctx, x, window, window.pad, size)};
}

} // namespace

std::span<const OpRow> spaceToDepthOps()
{
    static constexpr OpRow rows[] = {
        {"col2im", columnsToImages, "ConvTranspose"},
        {"depth_to_space", depthToSpace, "DepthToSpace"},
        {"im2col", imagesToColumns, "Pad, Slice, Concat"},
        {"space_to_depth", spaceToDepth, "SpaceToDepth"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
