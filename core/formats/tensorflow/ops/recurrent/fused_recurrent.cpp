// RecurrentLayer, which lowering creates from loops.

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/graph/attributes.h"

namespace crosswalk::tensorflow {
namespace {

forms::CellKind kindOf(const std::string& name)
{
    return name == "lstm" ? forms::CellKind::Lstm : name == "gru" ? forms::CellKind::Gru : forms::CellKind::Rnn;
}

/// A state without the directions axis.
OnnxValue onlyRow(const NodeContext& ctx, OnnxValue state)
{
    return state ? emit::squeeze(ctx, state, {0}) : OnnxValue{};
}

OnnxValues recurrent(NodeContext& ctx)
{
    const auto weights = static_cast<std::size_t>(intOf(ctx.node, "weights", 1));
    std::size_t next = 1;
    const auto take = [&](std::size_t count) {
        OnnxValues taken;
        for (std::size_t i = 0; i < count; ++i) {
            taken.push_back(ctx.input(next++));
        }
        return taken;
    };
    const auto takeOptional = [&] { return ctx.hasInput(next) ? ctx.input(next++) : (++next, OnnxValue{}); };
    forms::RecurrentLayer layer{.kind = kindOf(*attributeOf<std::string>(ctx.node, "kind")),
                                .hidden = intOf(ctx.node, "hidden", 0),
                                .gateOrder = *attributeOf<std::string>(ctx.node, "gate_order"),
                                .weightLayout = forms::WeightLayout::GateColumns,
                                .forgetBias = *attributeOf<double>(ctx.node, "forget_bias")};
    forms::CellWeights cell;
    cell.input = take(weights);
    cell.recurrent = take(weights);
    cell.bias = take(weights);
    layer.h.value = takeOptional();
    if (layer.kind == forms::CellKind::Lstm) {
        layer.c.value = takeOptional();
        if (next < ctx.inputCount()) {
            cell.peepholeInput = ctx.input(next++);
            cell.peepholeOutput = ctx.input(next++);
            cell.peepholeForget = ctx.input(next++);
        }
    } else if (const auto& activation = *attributeOf<std::string>(ctx.node, "activation"); !activation.empty()) {
        layer.activations = {{.name = activation}};
    }
    layer.cells = {cell};
    const OnnxValue x = ctx.input(0);
    const forms::RecurrentOutputs made = forms::recurrentLayer(ctx, layer, x);
    OnnxValues outputs;
    for (const std::string& result : *attributeOf<std::vector<std::string>>(ctx.node, "results")) {
        if (result == "steps") {
            const OnnxValue steps = emit::squeeze(ctx, emit::dimVector(ctx, x, 0), {0});
            outputs.push_back(emit::cast(ctx, steps, ElementType::Int32));
        } else {
            outputs.push_back(result == "sequence" ? made.y : onlyRow(ctx, result == "h" ? made.h : made.c));
        }
    }
    return outputs;
}

constexpr OpRow rows[] = {
    {"RecurrentLayer", recurrent, "LSTM, GRU or RNN; Scan", Support::ExactWithStrategy},
};

} // namespace

std::span<const OpRow> recurrentLayerOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
