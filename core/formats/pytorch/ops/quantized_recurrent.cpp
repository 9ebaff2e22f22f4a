// Recurrent layers and cells with quantized weights, aten/src/ATen/native/RNN.cpp: the input of a layer is quantized by
// the range of all its steps, the state in each step by its own.

#include "core/convert/forms/control/loops.h"
#include "core/formats/pytorch/ops/dynamic_product.h"
#include "core/formats/pytorch/ops/packed_sequences.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

enum class QuantizedCell : std::uint8_t { Lstm, Gru, Tanh, Relu };

struct QuantizedCellWeights {
    QuantizedWeight input;
    QuantizedWeight state;
    bool reduceRange;
};

/// Of cell `index` of the node: operands "cell0.input.weight", "cell0.state.scale"...
QuantizedCellWeights cellWeights(const NodeContext& ctx, const Arguments& arguments, std::int64_t index)
{
    const auto weightOf = [&](std::string_view part) {
        const std::string prefix = fmt::format("cell{}.{}.", index, part);
        QuantizedWeight weight{.numbers = arguments.tensor(prefix + "weight"),
                               .bias = arguments.optional(prefix + "bias")};
        if (arguments.has(prefix + "scale")) {
            weight.scale = operand(ctx, arguments, prefix + "scale", ElementType::Float32);
            weight.zeroPoint = operand(ctx, arguments, prefix + "zero_point", ElementType::Int8);
        }
        return weight;
    };
    return {weightOf("input"), weightOf("state"), arguments.truth(fmt::format("cell{}.reduce_range", index))};
}

OnnxValue product(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("Mul", {a, b});
}

OnnxValue sum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("Add", {a, b});
}

OnnxValues gatesIn(const NodeContext& ctx, OnnxValue gates, std::int64_t count)
{
    return emit::split(ctx, gates, 1, Ints(static_cast<std::size_t>(count), ctx.fixedDim(gates, 1) / count));
}

/// The states after a step, from the products of its input and of the state h. Gates: i, f, g, o of an lstm; r, z, n of
/// a gru.
OnnxValues nextStates(const NodeContext& ctx, QuantizedCell kind, OnnxValue fromInput, OnnxValue fromState,
                      const OnnxValues& states)
{
    const auto sigmoid = [&](OnnxValue x) { return ctx.emit("Sigmoid", {x}); };
    const auto tanh = [&](OnnxValue x) { return ctx.emit("Tanh", {x}); };
    switch (kind) {
    case QuantizedCell::Lstm: {
        const OnnxValues gates = gatesIn(ctx, sum(ctx, fromState, fromInput), 4);
        const OnnxValue kept = product(ctx, sigmoid(gates[1]), states[1]);
        const OnnxValue cell = sum(ctx, kept, product(ctx, sigmoid(gates[0]), tanh(gates[2])));
        return {product(ctx, sigmoid(gates[3]), tanh(cell)), cell};
    }
    case QuantizedCell::Gru: {
        const OnnxValues input = gatesIn(ctx, fromInput, 3);
        const OnnxValues state = gatesIn(ctx, fromState, 3);
        const OnnxValue reset = sigmoid(sum(ctx, state[0], input[0]));
        const OnnxValue update = sigmoid(sum(ctx, state[1], input[1]));
        const OnnxValue candidate = tanh(sum(ctx, input[2], product(ctx, state[2], reset)));
        return {sum(ctx, product(ctx, ctx.emit("Sub", {states[0], candidate}), update), candidate)};
    }
    case QuantizedCell::Tanh:
        return {tanh(sum(ctx, fromState, fromInput))};
    case QuantizedCell::Relu:
        break;
    }
    return {ctx.emit("Relu", {sum(ctx, fromState, fromInput)})};
}

template <QuantizedCell kind>
OnnxValues quantizedCell(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues states =
        kind == QuantizedCell::Lstm ? arguments.tensors("hx") : OnnxValues{arguments.tensor("hx")};
    const OnnxValue x = arguments.tensor("input");
    if (ctx.rank(x) != 2 || states.size() != (kind == QuantizedCell::Lstm ? 2U : 1U)) {
        ctx.invalid("needs a matrix as input, and its states", "input");
    }
    const QuantizedCellWeights weights = cellWeights(ctx, arguments, 0);
    return nextStates(ctx, kind, dynamicProduct(ctx, x, weights.input, weights.reduceRange),
                      dynamicProduct(ctx, states[0], weights.state, weights.reduceRange), states);
}

/// One direction of a layer. Elements that are not taken count neither in a range nor as a step.
forms::Scanned runDirection(const NodeContext& ctx, QuantizedCell kind, const QuantizedCellWeights& weights,
                            OnnxValue x, OnnxValue taken, const OnnxValues& states, bool isReverse)
{
    const auto onlyTaken = [&](OnnxValue isTaken, OnnxValue value) {
        return isTaken ? ctx.emit("Where", {isTaken, value, ctx.onnx.scalar(ElementType::Float32, 0)}) : value;
    };
    OnnxValues elements{dynamicProduct(ctx, onlyTaken(taken, x), weights.input, weights.reduceRange)};
    if (taken) {
        elements.push_back(taken);
    }
    return forms::scanAlong(
        ctx, {.isReverse = isReverse}, states, elements, [&](const OnnxValues& before, const OnnxValues& given) {
            const OnnxValue isTaken = taken ? given[1] : OnnxValue{};
            OnnxValues after = nextStates(
                ctx, kind, given[0],
                dynamicProduct(ctx, onlyTaken(isTaken, before[0]), weights.state, weights.reduceRange), before);
            for (std::size_t i = 0; taken && i < after.size(); ++i) {
                after[i] = ctx.emit("Where", {isTaken, after[i], before[i]});
            }
            return forms::ScanStep{after, {ctx.emit("Identity", {after[0]})}};
        });
}

template <QuantizedCell kind>
OnnxValues quantizedNetwork(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue sizes = arguments.optional("batch_sizes");
    if (sizes) {
        expectReadAsPacked(ctx);
    }
    if (arguments.truth("train") && arguments.number("dropout", 0) != 0) {
        ctx.refuse("the model was saved in training mode, in which dropout is random", "train",
                   "call model.eval() before saving");
    }
    const OnnxValue given = arguments.tensor("input");
    const OnnxValues hx = kind == QuantizedCell::Lstm ? arguments.tensors("hx") : OnnxValues{arguments.tensor("hx")};
    if (ctx.rank(given) != 3 || ctx.element(given) != ElementType::Float32 ||
        hx.size() != (kind == QuantizedCell::Lstm ? 2U : 1U)) {
        ctx.invalid("needs float32 numbers of rank 3 as input, and its states", "input");
    }
    const bool isBatchMajor = arguments.truth("batch_first");
    OnnxValue x = isBatchMajor ? emit::swapAxes(ctx, given, 0, 1) : given;
    const OnnxValue taken = sizes ? takenSteps(ctx, sizes, emit::dimVector(ctx, x, 1)) : OnnxValue{};
    const std::int64_t directions = arguments.truth("bidirectional") ? 2 : 1;
    std::vector<OnnxValues> last(hx.size());
    for (std::int64_t layer = 0; layer < arguments.positive("num_layers", 1); ++layer) {
        OnnxValues parts;
        for (std::int64_t k = 0; k < directions; ++k) {
            const std::int64_t cell = layer * directions + k;
            OnnxValues states;
            for (const OnnxValue all : hx) {
                states.push_back(emit::squeeze(ctx, emit::slice(ctx, all, Ints{cell}, Ints{cell + 1}, Ints{0}), {0}));
            }
            const auto made = runDirection(ctx, kind, cellWeights(ctx, arguments, cell), x, taken, states, k == 1);
            parts.push_back(made.stacked[0]);
            for (std::size_t i = 0; i < last.size(); ++i) {
                last[i].push_back(emit::unsqueeze(ctx, made.states[i], {0}));
            }
        }
        x = parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, 2);
    }
    OnnxValues results{isBatchMajor ? emit::swapAxes(ctx, x, 0, 1) : x};
    for (const OnnxValues& states : last) {
        results.push_back(states.size() == 1 ? states[0] : emit::concat(ctx, states, 0));
    }
    return results;
}

} // namespace

std::span<const OpRow> quantizedRecurrentOps()
{
    using enum QuantizedCell;
    static constexpr OpRow rows[] = {
        {"aten::quantized_lstm", quantizedNetwork<Lstm>, "Scan, MatMulInteger"},
        {"aten::quantized_gru", quantizedNetwork<Gru>, "Scan, MatMulInteger"},
        {"quantized::quantized_lstm_cell_dynamic", quantizedCell<Lstm>, "MatMulInteger, Sigmoid, Tanh"},
        {"quantized::quantized_gru_cell_dynamic", quantizedCell<Gru>, "MatMulInteger, Sigmoid, Tanh"},
        {"quantized::quantized_rnn_tanh_cell_dynamic", quantizedCell<Tanh>, "MatMulInteger, Tanh"},
        {"quantized::quantized_rnn_relu_cell_dynamic", quantizedCell<Relu>, "MatMulInteger, Relu"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
