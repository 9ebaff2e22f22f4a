// RNN: lstm, gru, rnn_tanh, rnn_relu.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/recurrent/initial_state.h"
#include "core/formats/mxnet/ops/recurrent/settings.h"
#include "core/formats/mxnet/ops/tensor/equal_shapes.h"

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
    const std::int64_t features = forms::packedFeatures(ctx, settings, data, ctx.input(1));
    const ElementType type = ctx.element(data);
    if (!isFloating(type)) {
        ctx.invalid("RNN requires floating-point data, but its data is " + std::string(elementTypeName(type)));
    }
    expectEqualTypes(ctx, 2);
    forms::RecurrentLayer layer = settings.layer();
    layer.h = InitialState(ctx, settings, 2, settings.outputSize(), data).ofLayer(0);
    const forms::RecurrentForm form = forms::chooseRecurrentForm(ctx, layer, data);
    data = emit::cast(ctx, data, forms::recurrentType(form, type));
    layer.h = InitialState(ctx, settings, 2, settings.outputSize(), data).ofLayer(0);
    if (settings.isLstm()) {
        layer.c = InitialState(ctx, settings, 3, settings.hidden, data).ofLayer(0);
    }
    layer.lengths = lengthsOf(ctx, settings, data);
    const forms::RecurrentOutputs made =
        forms::emitPackedLayers(ctx, settings, layer, data, ctx.input(1), features, form);
    OnnxValues outputs{made.y, made.h};
    if (settings.isLstm()) {
        outputs.push_back(made.c);
    }
    for (OnnxValue& output : outputs) {
        output = emit::cast(ctx, output, type);
    }
    return outputs;
}

} // namespace

std::span<const OpRow> recurrentOps()
{
    static constexpr OpRow rows[] = {
        {"RNN", recurrent, "LSTM, GRU or RNN, a layer each; Scan", Support::ExactWithStrategy,
         "a Scan of the step if the cell state is clipped or h is projected, and for float64"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
