// One step of a recurrent cell.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
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

/// Gates i, f, g, o.
OnnxValues lstmCell(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues states = arguments.tensors("hx");
    if (states.size() != 2) {
        ctx.invalid("needs two states", "hx");
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
    const OnnxValue sum = arithmetic::add(ctx, affine(ctx, arguments, arguments.tensor("input"), "w_ih", "b_ih"),
                                          affine(ctx, arguments, arguments.tensor("hx"), "w_hh", "b_hh"));
    return {isRelu ? emit::clip(ctx, sum, 0.0, std::nullopt) : elementary::tanh(ctx, sum)};
}

} // namespace

std::span<const OpRow> cellOps()
{
    static constexpr OpRow rows[] = {
        {"aten::lstm_cell", lstmCell, "MatMul, Sigmoid, Tanh"},
        {"aten::gru_cell", gruCell, "MatMul, Sigmoid, Tanh"},
        {"aten::rnn_tanh_cell", plainCell<false>, "MatMul, Tanh"},
        {"aten::rnn_relu_cell", plainCell<true>, "MatMul, Clip"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
