// Recurrent layers of several layers and directions.

#include "core/convert/forms/recurrent_layer.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <array>

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

// Packed sequences. The packed data stays padded here, (time, batch, features), and only operators that know it may
// read it; the number of samples at each time is as PyTorch has it. Samples are in the order of their lengths, the
// longest first.

bool readsPacked(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu", "aten::_pad_packed_sequence", "aten::dropout"});
    return std::ranges::find(names, op) != names.end();
}

/// Refuses the node if something else reads its first output.
void expectReadAsPacked(const NodeContext& ctx)
{
    const auto refuse = [&] {
        ctx.refuse("the data of a packed sequence is read by other operators than recurrent layers", {},
                   "pad it first, with pad_packed_sequence");
    };
    std::vector<ValueId> packed{ctx.node.outputs.at(0)};
    for (std::uint32_t i = ctx.id.index + 1; i < ctx.graph.nodeCount(); ++i) {
        const Node& node = ctx.graph.node(NodeId{i});
        const auto reads = [&](ValueId input) { return std::ranges::find(packed, input) != packed.end(); };
        if (!std::ranges::any_of(node.inputs, reads)) {
            continue;
        }
        if (!readsPacked(node.op)) {
            refuse();
        }
        if (node.op == "aten::dropout") {
            packed.push_back(node.outputs.at(0));
        }
    }
    for (const ValueId output : ctx.graph.outputs) {
        if (std::ranges::find(packed, output) != packed.end()) {
            refuse();
        }
    }
}

/// A bool matrix (a, b): whether each number of a vector is above each place of 0, 1, ... `count`.
OnnxValue abovePlaces(const NodeContext& ctx, OnnxValue numbers, OnnxValue count)
{
    const OnnxValue places = emit::unsqueeze(ctx, forms::countTo(ctx, count), {0});
    return ctx.emit("Greater", {emit::unsqueeze(ctx, emit::cast(ctx, numbers, ElementType::Int64), {1}), places});
}

OnnxValue countOf(const NodeContext& ctx, OnnxValue marks)
{
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, marks, ElementType::Int64), {0}, false);
}

/// The lengths of so many samples from the number of samples at each time, and the other way around.
OnnxValue lengthsOf(const NodeContext& ctx, OnnxValue sizes, OnnxValue samples)
{
    return countOf(ctx, abovePlaces(ctx, sizes, samples));
}

OnnxValues packSequence(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    expectReadAsPacked(ctx);
    const OnnxValue given = arguments.tensor("input");
    const OnnxValue lengths = emit::cast(ctx, arguments.tensor("lengths"), ElementType::Int64);
    const OnnxValue x = arguments.truth("batch_first") ? emit::swapAxes(ctx, given, 0, 1) : given;
    const OnnxValue longest = emit::reduce(ctx, "ReduceMax", lengths, {0}, true);
    const OnnxValue cut = emit::slice(ctx, x, ctx.onnx.ints({0}), longest, ctx.onnx.ints({0}));
    return {cut, countOf(ctx, abovePlaces(ctx, lengths, longest))};
}

/// The data with a value behind the end of each sample, and the lengths.
OnnxValues padSequence(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("data");
    const OnnxValue sizes = emit::cast(ctx, arguments.tensor("batch_sizes"), ElementType::Int64);
    const OnnxValue lengths = lengthsOf(ctx, sizes, emit::dimVector(ctx, x, 1));
    const OnnxValue value = operand(ctx, arguments, "padding_value", ctx.element(x));
    const OnnxValue times = emit::unsqueeze(ctx, forms::countTo(ctx, emit::dimVector(ctx, x, 0)), {1});
    const OnnxValue isIn = emit::unsqueeze(ctx, ctx.emit("Less", {times, emit::unsqueeze(ctx, lengths, {0})}), {2});
    x = ctx.emit("Where", {isIn, x, value});
    // A total length beyond the longest sample; a number that is not positive is none.
    const OnnxValue total = arguments.scalar("total_length", 0);
    const OnnxValue room = ctx.emit("Sub", {forms::intVector(ctx, total), emit::dimVector(ctx, x, 0)});
    const OnnxValue more = ctx.emit("Max", {room, ctx.onnx.ints({0})});
    const OnnxValue pads = emit::concat(ctx, {ctx.onnx.ints({0, 0, 0}), more, ctx.onnx.ints({0, 0})}, 0);
    x = ctx.emit("Pad", {x, pads, value});
    return {arguments.truth("batch_first") ? emit::swapAxes(ctx, x, 0, 1) : x, lengths};
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
    const std::int64_t layers = arguments.integer("num_layers", 1);
    const std::int64_t directions = arguments.truth("bidirectional") ? 2 : 1;
    const auto cells = static_cast<std::size_t>(layers * directions);
    const std::size_t perCell = hasBias ? 4 : 2;
    const bool hasProjection = parameters.size() == cells * (perCell + 1);
    const std::size_t stride = perCell + (hasProjection ? 1 : 0);
    if (cells == 0 || parameters.size() != cells * stride || states.size() != (isLstm ? 2U : 1U)) {
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
        {"aten::_pack_padded_sequence", packSequence, "ReduceMax, Slice"},
        {"aten::_pad_packed_sequence", padSequence, "Where, Pad"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
