// RNN: lstm, gru, rnn_tanh, rnn_relu.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/recurrent/initial_state.h"
#include "core/formats/mxnet/ops/recurrent/packed_parameters.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValue lengthsOf(const NodeContext& ctx, const RecurrentSettings& settings, OnnxValue data)
{
    if (!settings.hasLengths) {
        return {};
    }
    const OnnxValue lengths = ctx.input(settings.isLstm() ? 4 : 3);
    ctx.onnx.refine(lengths, {ctx.shape(data)[1]});
    return emit::cast(ctx, lengths, ElementType::Int32);
}

OnnxValues recurrent(NodeContext& ctx)
{
    const auto settings = RecurrentSettings::of(ctx);
    OnnxValue data = ctx.input(0);
    const std::int64_t features = recurrentFeatures(ctx, settings, data, ctx.input(1));
    const ElementType type = ctx.element(data);
    if (!isFloating(type)) {
        ctx.invalid("RNN computes in floating point, its data is " + std::string(elementTypeName(type)));
    }
    forms::RecurrentLayer layer = settings.layer();
    layer.h = InitialState(ctx, settings, 2, settings.outputSize(), data).ofLayer(0);
    const forms::RecurrentForm form = forms::chooseRecurrentForm(ctx, layer, data);
    data = emit::cast(ctx, data, forms::recurrentType(form, type));
    const PackedParameters parameters(ctx, settings, emit::cast(ctx, ctx.input(1), ctx.element(data)), features);
    const InitialState initialH(ctx, settings, 2, settings.outputSize(), data);
    const auto initialC = settings.isLstm()
                              ? std::optional<InitialState>(std::in_place, ctx, settings, 3, settings.hidden, data)
                              : std::nullopt;
    layer.lengths = lengthsOf(ctx, settings, data);
    std::vector<forms::RecurrentLayer> layers;
    for (std::int64_t i = 0; i < settings.layers; ++i) {
        layer.cells.clear();
        for (std::int64_t direction = 0; direction < settings.directions; ++direction) {
            layer.cells.push_back(parameters.cell(i, direction));
        }
        layer.h = initialH.ofLayer(i);
        layer.c = initialC ? initialC->ofLayer(i) : forms::StackedState{};
        layer.weightPrefix = settings.layers == 1 ? "" : fmt::format("{}/l{}_", ctx.name(), i);
        layers.push_back(layer);
    }
    OnnxValue y;
    OnnxValues h;
    OnnxValues c;
    for (const forms::RecurrentOutputs& made : forms::emitRecurrentLayers(ctx, layers, data, form)) {
        y = made.y;
        h.push_back(made.h);
        c.push_back(made.c);
    }
    OnnxValues outputs{y, emit::concat(ctx, h, 0)};
    if (settings.isLstm()) {
        outputs.push_back(emit::concat(ctx, c, 0));
    }
    for (OnnxValue& output : outputs) {
        output = emit::cast(ctx, output, type);
    }
    return outputs;
}

constexpr OpRow rows[] = {
    {"RNN", recurrent, "LSTM, GRU or RNN, a layer each; Scan", Support::ExactWithStrategy,
     "a Scan of the step where the cell state is clipped or h is projected, and for float64"},
};

} // namespace

std::span<const OpRow> recurrentOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
