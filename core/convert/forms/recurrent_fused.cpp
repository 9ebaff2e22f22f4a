// A layer as one LSTM, GRU or RNN of ONNX.

#include "core/base/saturating_product.h"
#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_forms.h"
#include "core/convert/forms/recurrent_states.h"
#include "core/convert/forms/recurrent_step.h"

#include <cassert>

namespace crosswalk::forms {
namespace {

/// How many activations an operator has for a direction.
std::size_t activationCount(CellKind kind)
{
    return kind == CellKind::Lstm ? 3 : kind == CellKind::Gru ? 2 : 1;
}

void addActivations(const RecurrentLayer& layer, OnnxAttributes& attributes)
{
    std::vector<std::string> names;
    Floats alphas; // a value for each function that has the parameter, in order
    Floats betas;
    bool isDefault = true;
    const RecurrentLayer byDefault{.kind = layer.kind};
    for (std::int64_t direction = 0; direction < layer.directions(); ++direction) {
        for (std::size_t i = 0; i < activationCount(layer.kind); ++i) {
            const RecurrentActivation each = layer.activation(i);
            isDefault = isDefault && each == byDefault.activation(i);
            names.emplace_back(each.name);
            if (each.alpha) {
                alphas.push_back(*each.alpha);
            }
            if (each.beta) {
                betas.push_back(*each.beta);
            }
        }
    }
    if (isDefault) {
        return;
    }
    attributes.emplace_back("activations", names);
    if (!alphas.empty()) {
        attributes.emplace_back("activation_alpha", alphas);
    }
    if (!betas.empty()) {
        attributes.emplace_back("activation_beta", betas);
    }
}

OnnxAttributes attributesOf(const RecurrentLayer& layer)
{
    OnnxAttributes attributes{{"hidden_size", layer.hidden}};
    if (layer.direction != LayerDirection::Forward) {
        attributes.emplace_back("direction", layer.direction == LayerDirection::Reverse ? "reverse" : "bidirectional");
    }
    if (layer.kind == CellKind::Gru && layer.resetAfter) {
        attributes.emplace_back("linear_before_reset", 1);
    }
    addActivations(layer, attributes);
    if (layer.gateClip) {
        attributes.emplace_back("clip", *layer.gateClip);
    }
    return attributes;
}

/// (time, directions, batch, width) to (time, batch, directions * width).
OnnxValue sideBySide(const NodeContext& ctx, OnnxValue y, std::int64_t directions)
{
    if (directions == 1) {
        return emit::squeeze(ctx, y, {1});
    }
    const std::int64_t width = ctx.fixedDim(y, 3);
    return emit::reshape(ctx, emit::transpose(ctx, y, {0, 2, 1, 3}), Ints{0, 0, directions * width});
}

/// The input weights of a layer whose data holds W x already: each gate reads its part of x.
Tensor selection(const RecurrentLayer& layer, std::string_view order, ElementType type)
{
    const std::int64_t n = layer.hidden;
    const std::int64_t rows = layer.gates() * n;
    BoundsChecked<float> values(static_cast<std::size_t>(saturatingProduct(rows, rows)), 0.0F);
    std::int64_t row = 0;
    for (const char letter : RecurrentWeights::onnxOrder(layer.kind)) {
        const auto source = static_cast<std::int64_t>(order.find(letter));
        for (std::int64_t i = 0; i < n; ++i, ++row) {
            values[static_cast<std::size_t>(row * rows + source * n + i)] = 1.0F;
        }
    }
    return Tensor::of<float>(ElementType::Float32, {1, rows, rows}, values).converted(type);
}

OnnxValue peepholesOf(const NodeContext& ctx, const RecurrentLayer& layer, ElementType type)
{
    OnnxValues parts;
    for (const CellWeights& cell : layer.cells) {
        for (const OnnxValue each : {cell.peepholeInput, cell.peepholeOutput, cell.peepholeForget}) {
            if (each) {
                parts.push_back(emit::cast(ctx, each, type));
            }
        }
    }
    if (parts.empty()) {
        return {};
    }
    assert(static_cast<std::int64_t>(parts.size()) == 3 * layer.directions());
    return emit::reshape(ctx, emit::concat(ctx, parts, 0), Ints{layer.directions(), 3 * layer.hidden});
}

/// ONNX leaves zeros past the end. Forward, the last output before is the final h; in reverse those steps come first.
OnnxValue lastRepeated(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue y, OnnxValue h, OnnxValue x)
{
    if (layer.pastEnd == PastEnd::Zero || !layer.lengths || layer.direction == LayerDirection::Reverse) {
        return y;
    }
    const OnnxValue within = stepMask(ctx, layer, x);
    if (layer.direction == LayerDirection::Forward) {
        return ctx.emit("Where", {within, y, h});
    }
    const std::int64_t width = layer.outputSize();
    const OnnxValues halves = emit::split(ctx, y, 2, {width, width});
    const OnnxValue last = emit::slice(ctx, h, Ints{0}, Ints{1}, Ints{0});
    return emit::concat(ctx, {ctx.emit("Where", {within, halves[0], last}), halves[1]}, 2);
}

} // namespace

RecurrentOutputs fusedLayer(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    const RecurrentWeights weights(ctx, layer, type);
    const std::int64_t directions = layer.directions();
    const std::int64_t rows = layer.gates() * layer.hidden;
    const auto take = [&](std::initializer_list<WeightPart> parts, const Ints& dims) {
        return weights.take(0, layer.cells.size(), std::vector<WeightPart>(parts),
                            RecurrentWeights::onnxOrder(layer.kind), dims);
    };
    const bool hasInput = weights.has(WeightPart::Input);
    assert(hasInput || directions == 1);
    const OnnxValue w = hasInput ? take({WeightPart::Input}, {directions, rows, weights.inputSize()})
                                 : ctx.onnx.constant(selection(layer, weights.order(), type));
    OnnxValue r = take({WeightPart::Recurrent}, {directions, rows, layer.outputSize()});
    OnnxValue b;
    if (weights.has(WeightPart::Bias) || weights.has(WeightPart::RecurrentBias)) {
        b = take({WeightPart::Bias, WeightPart::RecurrentBias}, {directions, 2 * rows});
    }
    const std::string prefix = layer.weightPrefix.empty() ? ctx.name() + "/" : layer.weightPrefix;
    ctx.onnx.setName(w, prefix + "W");
    ctx.onnx.setName(r, prefix + "R");
    if (b) {
        ctx.onnx.setName(b, prefix + "B");
    }
    OnnxValue projection;
    if (layer.projection) {
        // Wh (Wr h) = (Wh Wr) h: an LSTM of the full width whose outputs are projected afterwards.
        projection = take({WeightPart::Projection}, {directions, layer.outputSize(), layer.hidden});
        r = ctx.emit("MatMul", {r, projection});
    }

    OnnxValues inputs{x, w, r, b, layer.lengths, stateOfLayer(ctx, layer, layer.h, x)};
    if (layer.kind == CellKind::Lstm) {
        inputs.push_back(stateOfLayer(ctx, layer, layer.c, x));
        inputs.push_back(peepholesOf(ctx, layer, type));
    }
    const std::string_view op = layer.kind == CellKind::Lstm ? "LSTM" : layer.kind == CellKind::Gru ? "GRU" : "RNN";
    OnnxValues results = ctx.onnx.add(op, inputs, attributesOf(layer), layer.kind == CellKind::Lstm ? 3 : 2);
    if (projection) {
        const OnnxValue across = emit::transpose(ctx, projection, {0, 2, 1});
        results[0] = ctx.emit("MatMul", {results[0], across});
        results[1] = ctx.emit("MatMul", {results[1], across});
    }
    const OnnxValue y = lastRepeated(ctx, layer, sideBySide(ctx, results[0], directions), results[1], x);
    return {.y = y, .h = results[1], .c = layer.kind == CellKind::Lstm ? results[2] : OnnxValue{}};
}

} // namespace crosswalk::forms
