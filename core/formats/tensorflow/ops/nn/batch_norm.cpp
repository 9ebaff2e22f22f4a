// FusedBatchNorm, its versions and BatchNormWithGlobalNormalization; LRN.

#include "core/convert/forms/nn/normalization.h"
#include "core/formats/tensorflow/ops/nn/padding_attributes.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <limits>

namespace crosswalk::tensorflow {
namespace {

/// Mean and variance of the batch: a model saved with is_training normalises by them.
OnnxValues byBatch(const NodeContext& ctx, const Settings& settings, OnnxValue x, ElementType own)
{
    ctx.note("training-mode",
             "the node normalises by the statistics of the batch, because it was saved with is_training",
             "is_training");
    Ints axes{0};
    Ints behind;
    for (std::int64_t i = 2; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        axes.push_back(i);
        behind.push_back(i - 1);
    }
    const auto perChannel = [&](OnnxValue vector) { return emit::unsqueeze(ctx, vector, behind); };
    const Moments moments = momentsOf(ctx, x, axes, settings.number("epsilon"));
    const OnnxValue normal = ctx.emit("Div", {moments.centered, moments.deviation});
    const OnnxValue scaled = ctx.emit("Mul", {normal, perChannel(ctx.input(1))});
    const OnnxValue y = emit::cast(ctx, ctx.emit("Add", {scaled, perChannel(ctx.input(2))}), own);
    // The moving variance uses the sample variance: over n - 1.
    const OnnxValue count = emit::cast(ctx, emit::dimProduct(ctx, x, axes), ElementType::Float32);
    const OnnxValue one = ctx.onnx.scalar(ElementType::Float32, 1);
    const OnnxValue lessOne = ctx.emit("Max", {ctx.emit("Sub", {count, one}), one});
    const OnnxValue flatMean = emit::squeeze(ctx, moments.mean, axes);
    const OnnxValue flatVariance = emit::squeeze(ctx, moments.variance, axes);
    const OnnxValue ofSample = ctx.emit("Mul", {flatVariance, ctx.emit("Div", {count, lessOne})});
    const double part = settings.number("exponential_avg_factor");
    const auto moving = [&](OnnxValue ofBatch, OnnxValue before) {
        if (part == 1) {
            return ofBatch;
        }
        return ctx.emit("Add", {ctx.emit("Mul", {ofBatch, emit::scalarLike(ctx, ofBatch, part)}),
                                ctx.emit("Mul", {before, emit::scalarLike(ctx, before, 1 - part)})});
    };
    return {y, moving(flatMean, ctx.input(3)), moving(ofSample, ctx.input(4)), flatMean, flatVariance};
}

OnnxValues fusedBatchNorm(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue given = ctx.input(0);
    const bool channelsLast = hasChannelsLast(ctx, settings, ctx.rank(given));
    const ElementType own = ctx.element(given);
    const ElementType wide = ctx.element(ctx.input(1)); // float32, even for half-precision data
    const OnnxValue x = emit::cast(ctx, channelsLast ? toChannelsFirst(ctx, given) : given, wide);
    OnnxValues outputs;
    if (settings.boolean("is_training")) {
        outputs = byBatch(ctx, settings, x, own);
    } else {
        const BatchStatistics by{ctx.input(1), ctx.input(2), ctx.input(3), ctx.input(4)};
        const OnnxValue y = batchNorm(ctx, x, 1, by, settings.number("epsilon"));
        outputs = {emit::cast(ctx, y, own), ctx.input(3), ctx.input(4), ctx.input(3), ctx.input(4)};
    }
    if (channelsLast) {
        outputs[0] = toChannelsLast(ctx, outputs[0]);
    }
    return outputs;
}

/// (t - m) / sqrt(v + epsilon) gamma + beta, with t, m, v, beta, gamma and gamma only on demand.
OnnxValues globalNormalization(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue variance = ctx.input(2);
    const OnnxValue padded =
        ctx.emit("Add", {variance, emit::scalarLike(ctx, variance, settings.number("variance_epsilon"))});
    OnnxValue factor = ctx.emit("Reciprocal", {ctx.emit("Sqrt", {padded})});
    if (settings.boolean("scale_after_normalization")) {
        factor = ctx.emit("Mul", {factor, ctx.input(4)});
    }
    const OnnxValue scaled = ctx.emit("Mul", {ctx.emit("Sub", {ctx.input(0), ctx.input(1)}), factor});
    return {ctx.emit("Add", {scaled, ctx.input(3)})};
}

/// TensorFlow's alpha multiplies the sum over the neighbours, ONNX's their mean.
OnnxValues localResponse(NodeContext& ctx)
{
    const Settings settings(ctx);
    const std::int64_t radius = settings.integer("depth_radius");
    if (radius < 0 || radius > std::numeric_limits<std::int32_t>::max()) {
        ctx.invalid("depth_radius is negative or does not fit in 32 bits", "depth_radius");
    }
    const std::int64_t size = 2 * radius + 1;
    const OnnxValue x = ctx.input(0);
    return {computedAs(ctx, ElementType::Float32, x, [&](OnnxValue value) {
        const OnnxValue y = localResponseNorm(ctx, toChannelsFirst(ctx, value),
                                              {.size = size,
                                               .alpha = settings.number("alpha") * static_cast<double>(size),
                                               .beta = settings.number("beta"),
                                               .bias = settings.number("bias")});
        return toChannelsLast(ctx, y);
    })};
}

} // namespace

std::span<const OpRow> batchNormOps()
{
    static constexpr OpRow rows[] = {
        {"BatchNormWithGlobalNormalization", globalNormalization, "Sub, Mul, Add"},
        {"FusedBatchNorm", fusedBatchNorm, "Transpose, BatchNormalization"},
        {"FusedBatchNormV2", fusedBatchNorm, "Transpose, BatchNormalization"},
        {"FusedBatchNormV3", fusedBatchNorm, "Transpose, BatchNormalization"},
        {"LRN", localResponse, "Transpose, LRN"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
