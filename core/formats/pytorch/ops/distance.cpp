// Distances, diagonals, and pixels moved to other places.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <array>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// x.y / (max(|x|, eps) max(|y|, eps))
OnnxValues cosineSimilarity(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("x1");
    const OnnxValue b = arguments.tensor("x2");
    const OnnxValue product = arithmetic::multiply(ctx, a, b);
    const auto rank = ctx.rank(product);
    const Ints axes{arguments.axis("dim", 1, rank)};
    if (ctx.rank(a) != rank || ctx.rank(b) != rank) {
        ctx.refuse("operands of different ranks are not supported", "x2");
    }
    const auto norm = [&](OnnxValue x) {
        return emit::clip(ctx, emit::reduce(ctx, "ReduceL2", x, axes, false), arguments.number("eps", 1e-8),
                          std::nullopt);
    };
    return {arithmetic::divide(ctx, emit::reduce(ctx, "ReduceSum", product, axes, false),
                               arithmetic::multiply(ctx, norm(a), norm(b)))};
}

/// The norm of x1 - x2 + eps along the last axis.
OnnxValues pairwiseDistance(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue difference = arithmetic::subtract(ctx, arguments.tensor("x1"), arguments.tensor("x2"));
    const OnnxValue x =
        arithmetic::add(ctx, difference, emit::scalarLike(ctx, difference, arguments.number("eps", 1e-6)));
    const double p = arguments.number("p", 2);
    if (p != 1 && p != 2) {
        ctx.refuse("only the norms 1 and 2 are supported", "p");
    }
    return {emit::reduce(ctx, p == 1 ? "ReduceL1" : "ReduceL2", x, {static_cast<std::int64_t>(ctx.rank(x)) - 1},
                         arguments.truth("keepdim"))};
}

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
    {"aten::cosine_similarity", cosineSimilarity, "Mul, ReduceSum, Div"},
    {"aten::pairwise_distance", pairwiseDistance, "Sub, ReduceL2"},
    {"aten::diagonal", diagonal, "Gather"},
    {"aten::pixel_unshuffle", pixelUnshuffle, "Reshape, Transpose"},
    {"aten::grid_sampler", gridSample, "GridSample"},
};

} // namespace

std::span<const OpRow> distanceOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
