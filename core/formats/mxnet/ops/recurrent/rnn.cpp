// RNN: lstm, gru, rnn_tanh, rnn_relu.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/recurrent/gaps.h"
#include "core/formats/mxnet/ops/recurrent/layer.h"

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
    const bool startsAtZero = InitialState(ctx, settings, 2, settings.outputSize(), data).isZero();
    const RecurrentForm form = chooseForm(ctx, settings, type, data, startsAtZero);
    const bool narrows = form == RecurrentForm::Fused && type == ElementType::Float64;
    if (narrows) {
        data = emit::cast(ctx, data, ElementType::Float32);
    }
    RecurrentNode node{
        .ctx = ctx,
        .settings = settings,
        .parameters = {ctx, settings, emit::cast(ctx, ctx.input(1), ctx.element(data)), features},
        .h = {ctx, settings, 2, settings.outputSize(), data},
        .c = settings.isLstm() ? std::optional<InitialState>(std::in_place, ctx, settings, 3, settings.hidden, data)
                               : std::nullopt,
        .lengths = lengthsOf(ctx, settings, data),
    };
    OnnxValue x = data;
    OnnxValues h;
    OnnxValues c;
    for (std::int64_t layer = 0; layer < settings.layers; ++layer) {
        const RecurrentLayer made = form == RecurrentForm::Fused  ? fusedLayer(node, layer, x)
                                    : form == RecurrentForm::Scan ? scanLayer(node, layer, x)
                                                                  : unrolledLayer(node, layer, x);
        x = made.output;
        h.push_back(made.h);
        c.push_back(made.c);
    }
    OnnxValues outputs{x, emit::concat(ctx, h, 0)};
    if (settings.isLstm()) {
        outputs.push_back(emit::concat(ctx, c, 0));
    }
    if (narrows) {
        for (OnnxValue& output : outputs) {
            output = emit::cast(ctx, output, type);
        }
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
