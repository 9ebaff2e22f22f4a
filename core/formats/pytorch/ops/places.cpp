// Diagonals, and pixels moved to other places.

#include "core/convert/forms/tensor/diagonal.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <array>

namespace crosswalk::pytorch {
namespace {

OnnxValues diagonal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {forms::diagonalAlong(ctx, x, arguments.axis("dim1", 0, ctx.rank(x)), arguments.axis("dim2", 1, ctx.rank(x)),
                                 arguments.integer("offset", 0))};
}

/// (N, C, H r, W r) to (N, C r^2, H, W), the channels in the order C, rows, columns.
OnnxValues pixelUnshuffle(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = batched(ctx, given, 4);
    const std::int64_t r = arguments.positive("downscale_factor", 1);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    const std::int64_t height = ctx.fixedDim(x, 2) / r;
    const std::int64_t width = ctx.fixedDim(x, 3) / r;
    const OnnxValue blocks = emit::reshape(ctx, x, Ints{0, channels, height, r, width, r});
    const OnnxValue moved = emit::transpose(ctx, blocks, {0, 1, 3, 5, 2, 4});
    return {unbatched(ctx, emit::reshape(ctx, moved, Ints{0, channels * r * r, height, width}), given, 4)};
}

/// Positions from -1 to 1, x before y in the last axis of the grid.
OnnxValues gridSample(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const bool isNewer = ctx.onnx.opset() >= 20;
    if (ctx.onnx.opset() < 16 || (ctx.rank(x) > 4 && !isNewer)) {
        ctx.refuse("sampling at a grid requires opset 16, and opset 20 for volumes", {}, "take --opset 20 or later");
    }
    static constexpr std::array older{"bilinear", "nearest", "bicubic"};
    static constexpr std::array newer{"linear", "nearest", "cubic"};
    static constexpr std::array borders{"zeros", "border", "reflection"};
    const auto mode = static_cast<std::size_t>(arguments.integer("interpolation_mode", 0));
    const auto border = static_cast<std::size_t>(arguments.integer("padding_mode", 0));
    if (mode >= older.size() || border >= borders.size()) {
        ctx.invalid("the mode is not one of PyTorch's", "interpolation_mode");
    }
    return {ctx.emit("GridSample", {x, arguments.tensor("grid")},
                     {{"mode", isNewer ? newer[mode] : older[mode]},
                      {"padding_mode", borders[border]},
                      {"align_corners", arguments.truth("align_corners")}})};
}

constexpr OpRow rows[] = {
    {"aten::diagonal", diagonal, "Gather"},
    {"aten::pixel_unshuffle", pixelUnshuffle, "Reshape, Transpose"},
    {"aten::grid_sampler", gridSample, "GridSample"},
};

} // namespace

std::span<const OpRow> placeOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
