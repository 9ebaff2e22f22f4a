// BatchNorm and its relatives, at inference: with the moving statistics, whatever use_global_stats says.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Statistics {
    OnnxValue gamma;
    OnnxValue beta;
    OnnxValue mean;
    OnnxValue variance;
};

Statistics statisticsOf(const NodeContext& ctx, const Attributes& attributes, const Dim& channels)
{
    for (std::size_t i = 1; i < 5; ++i) {
        ctx.expectWeight(i, {channels});
    }
    Statistics found{ctx.input(1), ctx.input(2), ctx.input(3), ctx.input(4)};
    if (attributes.boolean("fix_gamma", true)) { // gamma is 1 then, whatever the file holds
        const OnnxValue one = ctx.onnx.scalar(ctx.element(found.mean), 1);
        const Dim& count = ctx.shape(found.mean).at(0);
        found.gamma = count.isFixed() ? ctx.onnx.constant(Tensor::filled(ctx.element(found.mean), {count.size}, 1))
                                      : emit::expand(ctx, one, emit::shapeVector(ctx, found.mean));
    }
    return found;
}

/// 1 / sqrt(variance + eps): what MXNet gives out as the variance.
OnnxValue inverseDeviation(const NodeContext& ctx, OnnxValue variance, double eps)
{
    const OnnxValue sum = ctx.emit("Add", {variance, emit::scalarLike(ctx, variance, eps)});
    return ctx.emit("Reciprocal", {ctx.emit("Sqrt", {sum})});
}

OnnxValue normalized(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Statistics& given, double eps)
{
    const ElementType type = ctx.element(x);
    Statistics by = given;
    // MXNet keeps the statistics of half precision data in single precision and computes in it.
    const ElementType wide = ctx.element(by.mean);
    OnnxValue y = emit::cast(ctx, x, wide);
    for (OnnxValue* part : {&by.gamma, &by.beta, &by.variance}) {
        *part = emit::cast(ctx, *part, wide);
    }
    const std::size_t rank = ctx.rank(x);
    if (rank == 1) {
        y = emit::unsqueeze(ctx, y, {0});
        axis = 1;
    }
    const bool moved = axis != 1;
    if (moved) {
        y = emit::swapAxes(ctx, y, 1, axis);
    }
    y = ctx.emit("BatchNormalization", {y, by.gamma, by.beta, by.mean, by.variance}, {{"epsilon", eps}});
    if (moved) {
        y = emit::swapAxes(ctx, y, 1, axis);
    }
    if (rank == 1) {
        y = emit::squeeze(ctx, y, {0});
    }
    return emit::cast(ctx, y, type);
}

OnnxValues batchNorm(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    // Only BatchNorm itself can have its channels elsewhere.
    const bool hasAxis = ctx.node.op == "BatchNorm" || ctx.node.op == "_contrib_BatchNormWithReLU";
    const std::size_t rank = ctx.rank(x);
    const std::int64_t axis = ctx.axis(hasAxis ? attributes.integer("axis", 1) : 1, rank);
    const Dim channels = ctx.shape(x)[static_cast<std::size_t>(axis)];
    const double eps = attributes.number("eps", 1e-3);
    const Statistics by = statisticsOf(ctx, attributes, channels.isFixed() ? channels : Dim());
    OnnxValues outputs{normalized(ctx, x, axis, by, eps)};
    if (ctx.node.op == "_contrib_BatchNormWithReLU") {
        outputs[0] = ctx.emit("Relu", {outputs[0]});
    }
    if (attributes.boolean("output_mean_var", false)) {
        outputs.push_back(by.mean);
        outputs.push_back(inverseDeviation(ctx, by.variance, eps));
    }
    return outputs;
}

constexpr OpRow rows[] = {
    {"BatchNorm", batchNorm, "BatchNormalization"},
    {"BatchNorm_v1", batchNorm, "BatchNormalization"},
    {"_contrib_BatchNormWithReLU", batchNorm, "BatchNormalization, Relu"},
    {"_contrib_SyncBatchNorm", batchNorm, "BatchNormalization"},
};

} // namespace

std::span<const OpRow> batchNormOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
