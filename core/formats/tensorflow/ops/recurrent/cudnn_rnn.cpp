// CudnnRNN, CudnnRNNV2, CudnnRNNV3: stacked layers with cuDNN's packed parameters.

#include "core/convert/emit.h"
#include "core/convert/forms/packed_weights.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The attributes of a node; throws for unsupported values.
struct CudnnSettings {
    std::string mode; ///< "lstm", "gru", "rnn_tanh", "rnn_relu"
    bool isBidirectional = false;
    bool isTimeMajor = true; ///< else all tensors have the batch first, the states too
    bool hasLengths = false;

    explicit CudnnSettings(const NodeContext& ctx)
    {
        const Settings settings(ctx);
        mode = settings.text("rnn_mode");
        if (mode != "lstm" && mode != "gru" && mode != "rnn_tanh" && mode != "rnn_relu") {
            ctx.invalid(fmt::format("rnn_mode = {} is not a mode of {}", mode, ctx.node.op), "rnn_mode");
        }
        isBidirectional = settings.text("direction") == "bidirectional";
        if (settings.text("input_mode") == "skip_input") {
            ctx.refuse("input_mode = skip_input: the first layer has no input weights", "input_mode");
        }
        if (ctx.node.op == "CudnnRNNV3") {
            isTimeMajor = settings.boolean("time_major");
            hasLengths = true;
            if (settings.integer("num_proj") != 0) {
                ctx.refuse("num_proj: the layout of the projection's packed weights is not documented", "num_proj");
            }
        }
        if (settings.boolean("is_training") && settings.number("dropout") > 0) {
            ctx.note("training-mode", "the node is in training mode; the export has no dropout", "dropout");
        }
    }

    std::int64_t directions() const { return isBidirectional ? 2 : 1; }
    bool isLstm() const { return mode == "lstm"; }
};

/// With time or layers first. Its own inverse.
OnnxValue swapped(const NodeContext& ctx, const CudnnSettings& settings, OnnxValue value)
{
    return settings.isTimeMajor ? value : emit::transpose(ctx, value, {1, 0, 2});
}

forms::RecurrentLayer cudnnLayer(const CudnnSettings& settings, std::int64_t hidden)
{
    forms::RecurrentLayer layer{.hidden = hidden};
    layer.kind = settings.isLstm()        ? forms::CellKind::Lstm
                 : settings.mode == "gru" ? forms::CellKind::Gru
                                          : forms::CellKind::Rnn;
    layer.direction = settings.isBidirectional ? forms::LayerDirection::Bidirectional : forms::LayerDirection::Forward;
    layer.gateOrder = settings.isLstm() ? "ifco" : settings.mode == "gru" ? "rzh" : "";
    if (settings.mode == "rnn_relu") {
        layer.activations = {forms::reluActivation};
    }
    layer.resetAfter = true;
    return layer;
}

OnnxValues cudnnRnn(NodeContext& ctx)
{
    const CudnnSettings settings(ctx);
    OnnxValue x = swapped(ctx, settings, ctx.input(0));
    const OnnxValue initialH = swapped(ctx, settings, ctx.input(1));
    const ElementType type = ctx.element(x);
    const std::int64_t rows = ctx.fixedDim(initialH, 0);
    forms::PackedLayers sizes{.hidden = ctx.fixedDim(initialH, -1), .directions = settings.directions()};
    if (ctx.rank(initialH) != 3 || sizes.hidden < 1 || rows < 1 || rows % sizes.directions != 0) {
        ctx.invalid(fmt::format("input_h has shape {}: not (layers * directions, batch, units)",
                                toString(ctx.shape(initialH))));
    }
    sizes.layers = rows / sizes.directions;
    if (sizes.layers > forms::PackedLayers::mostLayers || sizes.hidden > forms::PackedLayers::mostUnits) {
        ctx.refuse(fmt::format("input_h has shape {}: more than {} layers or {} units", toString(ctx.shape(initialH)),
                               forms::PackedLayers::mostLayers, forms::PackedLayers::mostUnits));
    }
    forms::RecurrentLayer layer = cudnnLayer(settings, sizes.hidden);
    sizes.gates = layer.gates();
    layer.h.value = initialH;
    const std::int64_t features = forms::packedFeatures(ctx, sizes, x, ctx.input(3));
    const forms::RecurrentForm form = forms::chooseRecurrentForm(ctx, layer, x);
    x = emit::cast(ctx, x, forms::recurrentType(form, type));
    layer.h.value = emit::cast(ctx, initialH, ctx.element(x));
    if (settings.isLstm()) {
        layer.c.value = emit::cast(ctx, swapped(ctx, settings, ctx.input(2)), ctx.element(x));
    }
    if (settings.hasLengths) {
        layer.lengths = ctx.input(4);
    }
    const forms::RecurrentOutputs made = forms::emitPackedLayers(ctx, sizes, layer, x, ctx.input(3), features, form);
    OnnxValues outputs{made.y, made.h};
    if (settings.isLstm()) { // else output_c is an empty tensor that nothing reads
        outputs.push_back(made.c);
    }
    for (OnnxValue& output : outputs) {
        output = emit::cast(ctx, swapped(ctx, settings, output), type);
    }
    return outputs;
}

} // namespace

std::span<const OpRow> cudnnRnnOps()
{
    static constexpr OpRow rows[] = {
        {"CudnnRNN", cudnnRnn, "LSTM, GRU or RNN, a layer each; Scan", "", Support::ExactWithStrategy},
        {"CudnnRNNV2", cudnnRnn, "LSTM, GRU or RNN, a layer each; Scan", "", Support::ExactWithStrategy},
        {"CudnnRNNV3", cudnnRnn, "LSTM, GRU or RNN, a layer each; Scan", "", Support::ExactWithStrategy},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
