// InstanceNorm, LayerNorm, GroupNorm, L2Normalization and LRN.

#include "core/convert/forms/nn/normalization.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

void expectVectors(const NodeContext& ctx, const Dim& size)
{
    ctx.expectWeight(1, {size.isFixed() ? size : Dim()});
    ctx.expectWeight(2, {size.isFixed() ? size : Dim()});
}

OnnxValues instanceNorm(NodeContext& ctx)
{
    const double eps = Attributes(ctx).number("eps", 1e-3);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    if (rank < 3) {
        ctx.invalid("InstanceNorm requires data of at least 3 dimensions");
    }
    expectVectors(ctx, ctx.shape(x)[1]);
    return {forms::instanceNorm(ctx, x, ctx.input(1), ctx.input(2), eps)};
}

OnnxValues layerNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double eps = attributes.number("eps", 1e-5);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const std::int64_t axis = ctx.axis(attributes.integer("axis", -1), rank);
    expectVectors(ctx, ctx.shape(x)[static_cast<std::size_t>(axis)]);
    const Normalized found =
        forms::layerNorm(ctx, x, ctx.input(1), ctx.input(2), axis,
                         {.epsilon = eps, .wantsMoments = attributes.boolean("output_mean_var", false)});
    return found.mean ? OnnxValues{found.y, found.mean, found.deviation} : OnnxValues{found.y};
}

OnnxValues groupNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t groups = attributes.integer("num_groups", 1);
    const double eps = attributes.number("eps", 1e-5);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    if (rank < 3 || groups < 1 || channels % groups != 0) {
        ctx.invalid(fmt::format("num_groups = {} does not divide {} channels", groups, channels), "num_groups");
    }
    // MXNet 1.x has one gamma per group, 2.0 one per channel.
    const OnnxValue gamma = ctx.input(1);
    const Dim count = ctx.shape(gamma).size() == 1 ? ctx.shape(gamma)[0] : Dim();
    const bool perChannel = groups != channels && count.isFixed() && count.size == channels;
    expectVectors(ctx, Dim(perChannel ? channels : groups));
    const Normalized found =
        forms::groupNorm(ctx, x, gamma, ctx.input(2), groups,
                         {.epsilon = eps, .wantsMoments = attributes.boolean("output_mean_var", false)});
    return found.mean ? OnnxValues{found.y, found.mean, found.deviation} : OnnxValues{found.y};
}

OnnxValues l2Normalization(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double eps = attributes.number("eps", 1e-10);
    const std::string mode = attributes.choice("mode", {"instance", "spatial", "channel"}, "instance");
    const std::size_t rank = ctx.rank(ctx.input(0));
    if (rank < 2 || (rank < 3 && mode != "instance")) {
        ctx.invalid(fmt::format("mode = {} requires more dimensions than {}", mode, rank), "mode");
    }
    Ints axes{1};
    if (mode != "channel") {
        const std::int64_t first = mode == "instance" ? 1 : 2;
        axes.resize(rank - static_cast<std::size_t>(first));
        std::iota(axes.begin(), axes.end(), first);
    }
    return {l2Norm(ctx, ctx.input(0), axes, eps)};
}

OnnxValues lrn(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t size = attributes.integer("nsize");
    const double alpha = attributes.number("alpha", 1e-4);
    const double beta = attributes.number("beta", 0.75);
    const double bias = attributes.number("knorm", 2);
    const OnnxValue x = ctx.input(0);
    if (size < 1 || size % 2 == 0 || size > 4096) {
        ctx.invalid(fmt::format("nsize = {} is not odd", size), "nsize");
    }
    if (ctx.rank(x) != 4) {
        ctx.invalid("LRN requires images: data of 4 dimensions");
    }
    return {localResponseNorm(ctx, x, {.size = size, .alpha = alpha, .beta = beta, .bias = bias})};
}

} // namespace

std::span<const OpRow> normalizationOps()
{
    static constexpr OpRow rows[] = {
        {"GroupNorm", groupNorm, "GroupNormalization, or Reshape and InstanceNormalization"},
        {"InstanceNorm", instanceNorm, "InstanceNormalization"},
        {"L2Normalization", l2Normalization, "ReduceSumSquare, Sqrt, Div"},
        {"LRN", lrn, "LRN"},
        {"LayerNorm", layerNorm, "LayerNormalization, or ReduceMean, Sub, Sqrt and Div"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
