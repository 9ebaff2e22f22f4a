// Recurrent layers of several layers and directions.

#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/pytorch/ops/packed_sequences.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <iterator>

namespace crosswalk::pytorch {
namespace {

using forms::CellKind;

struct Network {
    CellKind kind;
    std::vector<forms::RecurrentActivation> activations = {};
};

/// The weights of one layer in one direction, from the list w_ih, w_hh, [b_ih, b_hh], [w_hr].
forms::CellWeights weightsOf(const OnnxValues& parameters, std::size_t first, bool hasBias, bool hasProjection)
{
    forms::CellWeights cell;
    cell.input = {parameters[first]};
    cell.recurrent = {parameters[first + 1]};
    if (hasBias) {
        cell.bias = {parameters[first + 2]};
        cell.recurrentBias = {parameters[first + 3]};
    }
    if (hasProjection) {
        cell.projection = parameters[first + (hasBias ? 4 : 2)];
    }
    return cell;
}

OnnxValues network(NodeContext& ctx, const Network& how)
{
    const Arguments arguments(ctx);
    const OnnxValue sizes = arguments.optional("batch_sizes");
    const OnnxValue given = arguments.tensor(sizes ? "data" : "input");
    if (sizes) {
        expectReadAsPacked(ctx);
    }
    const bool isBatchMajor = arguments.truth("batch_first");
    if (arguments.truth("train") && arguments.number("dropout", 0) != 0) {
        ctx.refuse("the model was saved in training mode, in which dropout is random", "train",
                   "call model.eval() before saving");
    }
    const bool isUnbatched = !sizes && ctx.rank(given) == 2;
    const std::int64_t batchAxis = isBatchMajor ? 0 : 1;
    OnnxValue x = isUnbatched ? emit::unsqueeze(ctx, given, {batchAxis}) : given;
    const OnnxValues parameters = arguments.tensors("params");
    const bool isLstm = how.kind == CellKind::Lstm;
    OnnxValues states = isLstm ? arguments.tensors("hx") : OnnxValues{arguments.tensor("hx")};
    if (isUnbatched) {
        for (OnnxValue& state : states) {
            state = emit::unsqueeze(ctx, state, {1});
        }
    }
    const bool hasBias = arguments.truth("has_biases", true);
    const std::int64_t layers = arguments.positive("num_layers", 1);
    const std::int64_t directions = arguments.truth("bidirectional") ? 2 : 1;
    // Each layer has weights: the limit precedes the products, which can overflow.
    const auto cells = static_cast<std::size_t>(std::min(layers, std::ssize(parameters) + 1) * directions);
    const std::size_t perCell = hasBias ? 4 : 2;
    const bool hasProjection = parameters.size() == cells * (perCell + 1);
    const std::size_t stride = perCell + (hasProjection ? 1 : 0);
    if (parameters.size() != cells * stride || states.size() != (isLstm ? 2U : 1U)) {
        ctx.invalid("the number of weights does not fit the number of layers", "params");
    }
    const OnnxValue lengths = sizes ? lengthsOf(ctx, sizes, emit::dimVector(ctx, given, 1)) : OnnxValue{};
    std::vector<forms::RecurrentLayer> stack;
    for (std::int64_t i = 0; i < layers; ++i) {
        forms::RecurrentLayer layer{.kind = how.kind,
                                    .hidden = ctx.fixedDim(parameters[0], 0) / (isLstm                      ? 4
                                                                                : how.kind == CellKind::Gru ? 3
                                                                                                            : 1),
                                    .direction = directions == 2 ? forms::LayerDirection::Bidirectional
                                                                 : forms::LayerDirection::Forward,
                                    .gateOrder = isLstm                      ? "ifco"
                                                 : how.kind == CellKind::Gru ? "rzh"
                                                                             : "",
                                    .activations = how.activations,
                                    .resetAfter = how.kind == CellKind::Gru,
                                    .batchMajor = isBatchMajor};
        for (std::int64_t k = 0; k < directions; ++k) {
            layer.cells.push_back(
                weightsOf(parameters, static_cast<std::size_t>(i * directions + k) * stride, hasBias, hasProjection));
        }
        if (hasProjection) {
            layer.projection = forms::RecurrentProjection{
                .size = ctx.fixedDim(layer.cells[0].projection, 0), .clip = {}, .attribute = "params"};
        }
        layer.lengths = lengths;
        layer.h = {states[0], i * directions};
        layer.c = isLstm ? forms::StackedState{states[1], i * directions} : forms::StackedState{};
        stack.push_back(std::move(layer));
    }
    const forms::RecurrentForm form = forms::chooseRecurrentForm(ctx, stack[0], x);
    const ElementType type = ctx.element(x);
    x = emit::cast(ctx, x, forms::recurrentType(form, type));
    const auto made = forms::emitRecurrentLayers(ctx, stack, x, form);
    OnnxValue y = emit::cast(ctx, made.back().y, type);
    y = isUnbatched ? emit::squeeze(ctx, y, {batchAxis}) : y;
    const auto joined = [&](OnnxValue forms::RecurrentOutputs::*state) {
        OnnxValues parts;
        for (const auto& outputs : made) {
            parts.push_back(outputs.*state);
        }
        const OnnxValue all = emit::cast(ctx, parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, 0), type);
        return isUnbatched ? emit::squeeze(ctx, all, {1}) : all;
    };
    OnnxValues outputs{y, joined(&forms::RecurrentOutputs::h)};
    if (isLstm) {
        outputs.push_back(joined(&forms::RecurrentOutputs::c));
    }
    return outputs;
}

OnnxValues lstm(NodeContext& ctx)
{
    return network(ctx, {CellKind::Lstm});
}

OnnxValues gru(NodeContext& ctx)
{
    return network(ctx, {CellKind::Gru});
}

OnnxValues tanhNetwork(NodeContext& ctx)
{
    return network(ctx, {CellKind::Rnn, {forms::tanhActivation}});
}

OnnxValues reluNetwork(NodeContext& ctx)
{
    return network(ctx, {CellKind::Rnn, {forms::reluActivation}});
}

} // namespace

std::span<const OpRow> recurrentOps()
{
    static constexpr OpRow rows[] = {
        {"aten::lstm", lstm, "LSTM; Scan", Support::ExactWithStrategy},
        {"aten::gru", gru, "GRU"},
        {"aten::rnn_tanh", tanhNetwork, "RNN"},
        {"aten::rnn_relu", reluNetwork, "RNN"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
