// GridGenerator, BilinearSampler and SpatialTransformer.

#include "core/convert/forms/vision/grid_sampling.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {
namespace {

GridSize targetOf(const NodeContext& ctx, const Attributes& attributes)
{
    const Ints target = attributes.ints("target_shape", {0, 0});
    if (target.size() != 2 || target[0] < 1 || target[1] < 1 || target[0] > elementLimit / target[1]) {
        ctx.invalid("target_shape must be a positive height and a positive width", "target_shape");
    }
    if (target[0] == 1 || target[1] == 1) {
        ctx.refuse("MXNet divides by target_shape - 1, which is 0: all positions are NaN", "target_shape");
    }
    return {target[0], target[1]};
}

OnnxValues gridGenerator(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Precision precision(ctx, ctx.input(0));
    const OnnxValue x = precision.widen(ctx.input(0));
    if (attributes.choice("transform_type", {"affine", "warp"}, "") == "affine") {
        if (ctx.rank(x) != 2) {
            ctx.invalid("an affine grid requires matrices of six numbers, (N, 6)");
        }
        return {precision.restore(affineGrid(ctx, x, targetOf(ctx, attributes)))};
    }
    if (ctx.rank(x) != 4) {
        ctx.invalid("a warped grid requires a flow (N, 2, H, W)");
    }
    return {precision.restore(warpedGrid(ctx, x))};
}

OnnxValues bilinearSampler(NodeContext& ctx)
{
    return {sampledAlong(ctx, ctx.input(0), ctx.input(1))};
}

OnnxValues spatialTransformer(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    attributes.choice("transform_type", {"affine"}, "");
    attributes.choice("sampler_type", {"bilinear"}, "");
    const Precision precision(ctx, ctx.input(0));
    return {sampledAlong(ctx, ctx.input(0), affineGrid(ctx, precision.widen(ctx.input(1)), targetOf(ctx, attributes)))};
}

constexpr std::string_view sampledForm = "GridSample, or Gather and arithmetic";

} // namespace

std::span<const OpRow> gridSamplingOps()
{
    static constexpr OpRow rows[] = {
        {"BilinearSampler", bilinearSampler, sampledForm},
        {"GridGenerator", gridGenerator, "MatMul, or Add and Div for a flow"},
        {"SpatialTransformer", spatialTransformer, sampledForm},
    };
    return rows;
}

} // namespace crosswalk::mxnet
