// TimeDistributed and SpectralNormalization.

#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/layer_graph.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/keras_op_table.h"

#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// (batch, time, ...) as (batch time, ...).
OnnxValue folded(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.rank(x) < 2) {
        ctx.invalid(fmt::format("data of {} dimensions, but it needs a time axis", ctx.rank(x)));
    }
    ShapeTerms terms{termOf(ctx, x, {0, 1})};
    for (std::size_t i = 2; i < ctx.rank(x); ++i) {
        terms.push_back(termOf(ctx, x, {static_cast<std::int64_t>(i)}));
    }
    return reshapeTo(ctx, x, terms);
}

/// The samples (batch time, ...) as steps again, of which x (batch, time, ...) has as many.
OnnxValue unfolded(const NodeContext& ctx, OnnxValue y, OnnxValue x)
{
    ShapeTerms terms{termOf(ctx, x, {0}), termOf(ctx, x, {1})};
    for (std::size_t i = 1; i < ctx.rank(y); ++i) {
        terms.push_back(termOf(ctx, y, {static_cast<std::int64_t>(i)}));
    }
    return reshapeTo(ctx, y, terms);
}

/// The layer on each step, as a sample of its own.
OnnxValues timeDistributed(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValues samples;
    for (const OnnxValue input : layer.inputs()) {
        samples.push_back(folded(ctx, input));
    }
    std::map<std::string, OnnxValue> masks; // of the elements of a step, where there is one
    const OnnxValue given = layer.named("mask");
    if (const OnnxValue mask = given ? given : layer.mask(); mask && ctx.rank(mask) > 2) {
        masks["mask"] = folded(ctx, mask);
    } else if (mask && layer.settings.text("layer.class_name") == "Softmax") {
        layer.refuse("a mask of steps for a Softmax, which needs one of the elements of a step", "mask");
    }
    // Keras 3 calls the layer without the casts and the scales that belong to it.
    const bool isBare = layer.major() >= 3;
    const Layer step =
        isBare ? layer.innerInOwnType("layer", "layer", samples, masks) : layer.inner("layer", "layer", samples, masks);
    if (isBare && step.isQuantized()) {
        layer.refuse("quantized weights, whose scale TimeDistributed leaves out", "layer.config.dtype",
                     "save the model before it is quantized");
    }
    OnnxValues outputs = translateLayer(step);
    for (OnnxValue& output : outputs) {
        output = unfolded(ctx, output, layer.input(0));
    }
    return outputs;
}

OnnxValues begin(const Layer& layer)
{
    return {folded(layer.ctx, layer.input(0))};
}

OnnxValues end(const Layer& layer)
{
    return {unfolded(layer.ctx, layer.input(0), layer.input(1))};
}

/// The stored kernel is divided by its norm already. Keras 3 casts the result to the type of the input.
OnnxValues spectralNormalization(const Layer& layer)
{
    const OnnxValue y = translateLayer(layer.inner("layer", "layer", layer.inputs())).front();
    const ElementType type = layer.ctx.element(layer.input(0));
    if (layer.major() < 3 || type == layer.ctx.element(y)) {
        return {y};
    }
    if (type != ElementType::Bool && type != ElementType::Int32 && !isFloating(type)) {
        layer.refuse(fmt::format("data of {}, to which the result is cast", elementTypeName(type)));
    }
    return {emit::cast(layer.ctx, y, type)};
}

} // namespace

std::span<const OpRow> wrapperLayers()
{
    static constexpr OpRow rows[] = {
        {"SpectralNormalization", spectralNormalization, ""},
        {"TimeDistributed", timeDistributed, "Reshape"},
        {stepsAsSamples, begin, "Reshape"},
        {samplesAsSteps, end, "Reshape"},
    };
    return rows;
}

} // namespace crosswalk::keras
