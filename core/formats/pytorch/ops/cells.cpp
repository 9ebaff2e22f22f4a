// One step of a recurrent cell.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
namespace elementary = forms::elementary;

/// x W^T + b
OnnxValue affine(const NodeContext& ctx, const Arguments& arguments, OnnxValue x, std::string_view weight,
                 std::string_view bias)
{
    const OnnxValue product = ctx.emit("MatMul", {x, emit::transpose(ctx, arguments.tensor(weight), {1, 0})});
    return arguments.has(bias) ? arithmetic::add(ctx, product, arguments.tensor(bias)) : product;
}

OnnxValues splitGates(const NodeContext& ctx, OnnxValue gates, std::int64_t count)
{
    const std::int64_t size = ctx.fixedDim(gates, -1) / count;
    return emit::split(ctx, gates, static_cast<std::int64_t>(ctx.rank(gates)) - 1,
                       Ints(static_cast<std::size_t>(count), size));
}

/// The cell as a layer of one step, which is one operator of ONNX; nothing where the weights are computed, or for
/// numbers that ONNX Runtime's operators do not support. Returns the states.
OnnxValues asLayer(NodeContext& ctx, const Arguments& arguments, forms::RecurrentLayer layer, const OnnxValues& states)
{
    const OnnxValue x = arguments.tensor("input");
    forms::CellWeights cell;
    bool isPlain = ctx.rank(x) == 2;
    for (const auto& [name, list] : {std::pair("w_ih", &cell.input), std::pair("w_hh", &cell.recurrent),
                                     std::pair("b_ih", &cell.bias), std::pair("b_hh", &cell.recurrentBias)}) {
        if (const OnnxValue weight = arguments.optional(name)) {
            isPlain = isPlain && ctx.onnx.content(weight) != nullptr;
            list->push_back(weight);
        }
    }
    for (const OnnxValue value : {x, states[0], states.back()}) {
        isPlain = isPlain && ctx.element(value) == ElementType::Float32 && ctx.rank(value) == 2;
    }
    if (!isPlain || cell.input.empty() || cell.recurrent.empty()) {
        return {};
    }
    layer.hidden = ctx.fixedDim(cell.recurrent[0], 1);
    layer.h = {states[0], 0};
    layer.c = layer.kind == forms::CellKind::Lstm ? forms::StackedState{states[1], 0} : forms::StackedState{};
    layer.cells.push_back(std::move(cell));
    const auto made = forms::recurrentLayer(ctx, layer, emit::unsqueeze(ctx, x, {0}));
    OnnxValues next{emit::squeeze(ctx, made.h, {0})};
    if (layer.kind == forms::CellKind::Lstm) {
        next.push_back(emit::squeeze(ctx, made.c, {0}));
    }
    return next;
}

/// Gates i, f, g, o.
OnnxValues lstmCell(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues states = arguments.tensors("hx");
    if (states.size() != 2) {
        ctx.invalid("needs two states", "hx");
    }
    if (auto next = asLayer(ctx, arguments, {.kind = forms::CellKind::Lstm, .gateOrder = "ifco"}, states);
        !next.empty()) {
        return next;
    }
    const OnnxValue sum = arithmetic::add(ctx, affine(ctx, arguments, arguments.tensor("input"), "w_ih", "b_ih"),
                                          affine(ctx, arguments, states[0], "w_hh", "b_hh"));
    const OnnxValues gates = splitGates(ctx, sum, 4);
    const OnnxValue kept = arithmetic::multiply(ctx, elementary::sigmoid(ctx, gates[1]), states[1]);
    const OnnxValue added =
        arithmetic::multiply(ctx, elementary::sigmoid(ctx, gates[0]), elementary::tanh(ctx, gates[2]));
    const OnnxValue cell = arithmetic::add(ctx, kept, added);
    return {arithmetic::multiply(ctx, elementary::sigmoid(ctx, gates[3]), elementary::tanh(ctx, cell)), cell};
}

/// Gates r, z, n: n = tanh(W x + b + r (R h + b)), h' = n + z (h - n)
OnnxValues gruCell(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue h = arguments.tensor("hx");
    if (auto next =
            asLayer(ctx, arguments, {.kind = forms::CellKind::Gru, .gateOrder = "rzh", .resetAfter = true}, {h});
        !next.empty()) {
        return next;
    }
    const OnnxValues input = splitGates(ctx, affine(ctx, arguments, arguments.tensor("input"), "w_ih", "b_ih"), 3);
    const OnnxValues hidden = splitGates(ctx, affine(ctx, arguments, h, "w_hh", "b_hh"), 3);
    const OnnxValue reset = elementary::sigmoid(ctx, arithmetic::add(ctx, input[0], hidden[0]));
    const OnnxValue update = elementary::sigmoid(ctx, arithmetic::add(ctx, input[1], hidden[1]));
    const OnnxValue candidate =
        elementary::tanh(ctx, arithmetic::add(ctx, input[2], arithmetic::multiply(ctx, reset, hidden[2])));
    const OnnxValue difference = arithmetic::subtract(ctx, h, candidate);
    return {arithmetic::add(ctx, candidate, arithmetic::multiply(ctx, update, difference))};
}

template <bool isRelu>
OnnxValues plainCell(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue h = arguments.tensor("hx");
    if (auto next = asLayer(
            ctx, arguments,
            {.kind = forms::CellKind::Rnn, .activations = {isRelu ? forms::reluActivation : forms::tanhActivation}},
            {h});
        !next.empty()) {
        return next;
    }
    const OnnxValue sum = arithmetic::add(ctx, affine(ctx, arguments, arguments.tensor("input"), "w_ih", "b_ih"),
                                          affine(ctx, arguments, h, "w_hh", "b_hh"));
    return {isRelu ? emit::clip(ctx, sum, 0.0, std::nullopt) : elementary::tanh(ctx, sum)};
}

} // namespace

std::span<const OpRow> cellOps()
{
    static constexpr OpRow rows[] = {
        {"aten::lstm_cell", lstmCell, "LSTM"},
        {"aten::gru_cell", gruCell, "GRU"},
        {"aten::rnn_tanh_cell", plainCell<false>, "RNN"},
        {"aten::rnn_relu_cell", plainCell<true>, "RNN"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
