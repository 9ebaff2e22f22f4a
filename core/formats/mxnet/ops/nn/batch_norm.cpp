// BatchNorm and its variants at inference: with the moving statistics, whatever use_global_stats is.

#include "core/convert/forms/nn/normalization.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

BatchStatistics statisticsOf(const NodeContext& ctx, const Attributes& attributes, const Dim& channels)
{
    for (std::size_t i = 1; i < 5; ++i) {
        ctx.expectWeight(i, {channels});
    }
    BatchStatistics found{ctx.input(1), ctx.input(2), ctx.input(3), ctx.input(4)};
    if (attributes.boolean("fix_gamma", true)) { // gamma is 1 then, whatever the file contains
        const OnnxValue one = ctx.onnx.scalar(ctx.element(found.mean), 1);
        const Dim& count = ctx.shape(found.mean).at(0);
        found.gamma = count.isFixed() ? ctx.onnx.constant(Tensor::filled(ctx.element(found.mean), {count.size}, 1))
                                      : emit::expand(ctx, one, emit::shapeVector(ctx, found.mean));
    }
    return found;
}

/// 1 / sqrt(variance + eps): MXNet returns this as the variance.
OnnxValue inverseDeviation(const NodeContext& ctx, OnnxValue variance, double eps)
{
    const OnnxValue sum = ctx.emit("Add", {variance, emit::scalarLike(ctx, variance, eps)});
    return ctx.emit("Reciprocal", {ctx.emit("Sqrt", {sum})});
}

OnnxValues batchNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    // Only BatchNorm itself has a configurable channel axis.
    const bool hasAxis = ctx.node.op == "BatchNorm" || ctx.node.op == "_contrib_BatchNormWithReLU";
    const std::size_t rank = ctx.rank(x);
    const std::int64_t axis = ctx.axis(hasAxis ? attributes.integer("axis", 1) : 1, rank);
    const Dim channels = ctx.shape(x)[static_cast<std::size_t>(axis)];
    const double eps = attributes.number("eps", 1e-3);
    const BatchStatistics by = statisticsOf(ctx, attributes, channels.isFixed() ? channels : Dim());
    OnnxValues outputs{forms::batchNorm(ctx, x, axis, by, eps)};
    if (ctx.node.op == "_contrib_BatchNormWithReLU") {
        outputs[0] = ctx.emit("Relu", {outputs[0]});
    }
    if (attributes.boolean("output_mean_var", false)) {
        outputs.push_back(by.mean);
        outputs.push_back(inverseDeviation(ctx, by.variance, eps));
    }
    return outputs;
}

} // namespace

std::span<const OpRow> batchNormOps()
{
    static constexpr OpRow rows[] = {
        {"BatchNorm", batchNorm, "BatchNormalization"},
        {"BatchNorm_v1", batchNorm, "BatchNormalization"},
        {"_contrib_BatchNormWithReLU", batchNorm, "BatchNormalization, Relu"},
        {"_contrib_SyncBatchNorm", batchNorm, "BatchNormalization"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
