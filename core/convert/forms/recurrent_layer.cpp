#include "core/convert/forms/recurrent_layer.h"

#include "core/base/readable.h"
#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_forms.h"
#include "core/convert/forms/recurrent_states.h"
#include "core/convert/forms/recurrent_step.h"
#include "core/convert/forms/recurrent_weights.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/graph/shape_fit.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

OnnxValue timeBatchSwapped(const NodeContext& ctx, OnnxValue x)
{
    return x ? emit::swapAxes(ctx, x, 0, 1) : x;
}

/// The number of true elements along the time axis of a mask, int32 (batch).
OnnxValue stepsIn(const NodeContext& ctx, OnnxValue mask, std::int64_t time)
{
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, mask, ElementType::Int32), {time}, false);
}

/// Whether every sample has a step and the mask leaves out only last steps, which ONNX's operators can skip.
OnnxValue isOfLengths(const NodeContext& ctx, OnnxValue mask, OnnxValue lengths, std::int64_t time)
{
    const OnnxValue places =
        emit::unsqueeze(ctx, emit::cast(ctx, countUp(ctx, mask, time), ElementType::Int32), {1 - time});
    const OnnxValue within = ctx.emit("Less", {places, emit::unsqueeze(ctx, lengths, {time})});
    const OnnxValue differs = emit::cast(ctx, ctx.emit("Xor", {within, mask}), ElementType::Int32);
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int32, 0);
    const OnnxValue isSame = ctx.emit("Equal", {emit::reduce(ctx, "ReduceMax", differs, {}, false), zero});
    const OnnxValue hasSteps = ctx.emit("Greater", {emit::reduce(ctx, "ReduceMin", lengths, {}, false), zero});
    return ctx.emit("And", {isSame, hasSteps});
}

/// `data` is (time, batch, features).
void expectState(const NodeContext& ctx, const RecurrentLayer& layer, const StackedState& state, std::int64_t width,
                 const Shape& data)
{
    if (startsAtZero(ctx, state)) {
        return; // such a state is not in the export
    }
    const Shape& given = ctx.shape(state.value);
    Shape required{data[1], Dim(width)};
    if (given.size() != required.size()) {
        const std::int64_t rows = ctx.fixedDim(state.value, 0);
        required.insert(required.begin(), Dim(std::max(rows, state.first + layer.directions())));
    }
    if (!fitsShape(given, required)) {
        ctx.invalid(fmt::format("its initial state has shape {}, but its data and weights require {}", toString(given),
                                toString(required)));
    }
}

/// ONNX's inference does not compare these sizes, and neither do all frameworks.
void expectSizes(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const Shape& data = ctx.shape(x);
    const RecurrentWeights weights(ctx, layer, ctx.element(x));
    for (std::size_t i = 0; i < layer.cells.size(); ++i) {
        if (!layer.cells[i].input.empty() && !fitsDim(data[2], Dim(weights.inputSize(i)))) {
            ctx.wrongWeight(fmt::format("its input weights are for {}, but its data has {}",
                                        counted(static_cast<std::uint64_t>(weights.inputSize(i)), "feature"),
                                        data[2].size));
        }
    }
    expectState(ctx, layer, layer.h, layer.outputSize(), data);
    expectState(ctx, layer, layer.c, layer.hidden, data);
}

/// A layer with a mask: ONNX's own operator for batches whose mask it can express, a Scan for others.
RecurrentOutputs fusedWherePossible(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const std::int64_t time = layer.batchMajor ? 1 : 0;
    const OnnxValue lengths = stepsIn(ctx, layer.mask, time);
    const OnnxValue condition = isOfLengths(ctx, layer.mask, lengths, time);
    const bool isLstm = layer.kind == CellKind::Lstm;
    std::vector<Shape> shapes;
    const auto branch = [&](const RecurrentLayer& each, RecurrentForm form) {
        ctx.onnx.beginBody();
        const RecurrentOutputs made = emitRecurrentLayers(ctx, {&each, 1}, x, form).front();
        OnnxValues results{made.y, made.h};
        if (isLstm) {
            results.push_back(made.c);
        }
        shapes.clear();
        for (const OnnxValue result : results) {
            shapes.push_back(ctx.shape(result));
        }
        return ctx.onnx.endBody(results);
    };
    RecurrentLayer ofLengths = layer;
    ofLengths.mask = {};
    ofLengths.lengths = lengths;
    const OnnxBody fused = branch(ofLengths, RecurrentForm::Fused);
    const OnnxBody scan = branch(layer, RecurrentForm::Scan);
    const OnnxValues made =
        ctx.onnx.add("If", {condition}, {{"then_branch", fused}, {"else_branch", scan}}, isLstm ? 3 : 2);
    for (std::size_t i = 0; i < made.size(); ++i) {
        ctx.onnx.refine(made[i], shapes[i]);
    }
    return {.y = made[0], .h = made[1], .c = isLstm ? made[2] : OnnxValue{}};
}

} // namespace

RecurrentActivation RecurrentLayer::activation(std::size_t i) const
{
    if (i < activations.size()) {
        return activations[i];
    }
    return i == 0 && kind != CellKind::Rnn ? sigmoidActivation : tanhActivation;
}

bool fusesAtRunTime(const RecurrentLayer& layer, ElementType type)
{
    const bool hasActivations =
        std::ranges::all_of(layer.activations, [](const RecurrentActivation& each) { return each.isOnnx(); });
    return layer.fusesMasksOfLengths && layer.mask && hasActivations && !layer.cellClip && !layer.projection &&
           !layer.needsCells && !layer.lengths && type != ElementType::Float64;
}

ElementType recurrentType(RecurrentForm form, ElementType type)
{
    return form == RecurrentForm::Fused && type == ElementType::Float64 ? ElementType::Float32 : type;
}

std::vector<RecurrentOutputs> emitRecurrentLayers(const NodeContext& ctx, std::span<const RecurrentLayer> layers,
                                                  OnnxValue x, RecurrentForm form)
{
    const bool batchMajor = layers.front().batchMajor;
    x = batchMajor ? timeBatchSwapped(ctx, x) : x;
    OnnxValue lengths = layers.front().lengths;
    lengths = lengths ? emit::cast(ctx, lengths, ElementType::Int32) : lengths;
    OnnxValue mask;
    std::vector<RecurrentOutputs> all;
    for (const RecurrentLayer& each : layers) {
        RecurrentLayer layer = each;
        layer.batchMajor = false;
        layer.lengths = lengths;
        expectSizes(ctx, layer, x);
        layer.mask = batchMajor ? timeBatchSwapped(ctx, each.mask) : each.mask;
        if (form != RecurrentForm::Fused) {
            mask = mask ? mask : stepMask(ctx, layer, x);
            layer.mask = mask;
        }
        const RecurrentOutputs outputs = form == RecurrentForm::Fused  ? fusedLayer(ctx, layer, x)
                                         : form == RecurrentForm::Scan ? scanLayer(ctx, layer, x)
                                                                       : unrolledLayer(ctx, layer, x);
        x = outputs.y;
        all.push_back(outputs);
    }
    if (batchMajor) {
        for (RecurrentOutputs& outputs : all) {
            outputs.y = timeBatchSwapped(ctx, outputs.y);
            outputs.cells = timeBatchSwapped(ctx, outputs.cells);
        }
    }
    return all;
}

RecurrentOutputs recurrentLayer(NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        ctx.invalid(std::string("a recurrent layer requires floating-point data, but its data is ")
                        .append(elementTypeName(type)));
    }
    if (ctx.rank(x) != 3) {
        ctx.invalid("a recurrent layer requires three dimensions, but its data has shape " + toString(ctx.shape(x)));
    }
    const RecurrentForm form = chooseRecurrentForm(ctx, layer, x);
    x = emit::cast(ctx, x, recurrentType(form, type));
    RecurrentOutputs outputs = form == RecurrentForm::Scan && fusesAtRunTime(layer, type)
                                   ? fusedWherePossible(ctx, layer, x)
                                   : emitRecurrentLayers(ctx, {&layer, 1}, x, form).front();
    for (OnnxValue* output : {&outputs.y, &outputs.h, &outputs.c, &outputs.cells}) {
        *output = *output ? emit::cast(ctx, *output, type) : *output;
    }
    return outputs;
}

} // namespace crosswalk::forms
