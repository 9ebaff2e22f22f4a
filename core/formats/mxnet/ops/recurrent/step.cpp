// The equations of the cells (mxnet-rnn.md, section 3), for the forms that spell them out.

#include "core/formats/mxnet/ops/recurrent/step.h"

#include "core/convert/emit.h"

#include <array>
#include <cmath>

namespace crosswalk::mxnet {
namespace {

/// Gates of one activation side by side: lstm i,f,o and g; gru r,z and n.
std::span<const std::int64_t> gateOrder(const RecurrentSettings& settings)
{
    static constexpr std::array<std::int64_t, 4> lstm{0, 1, 3, 2};
    static constexpr std::array<std::int64_t, 3> inOrder{0, 1, 2};
    return settings.isLstm() ? std::span<const std::int64_t>(lstm)
                             : std::span<const std::int64_t>(inOrder).first(static_cast<std::size_t>(settings.gates));
}

OnnxValue sum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const Tensor* left = ctx.onnx.content(a);
    const Tensor* right = ctx.onnx.content(b);
    if (left == nullptr || right == nullptr) {
        return ctx.emit("Add", {a, b});
    }
    std::vector<double> values = left->toDoubles();
    const std::vector<double> others = right->toDoubles();
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += others[i];
    }
    const auto wide = Tensor::of<double>(ElementType::Float64, left->dims(), values);
    std::vector<std::byte> bytes(left->bytes());
    wide.converted(left->type()).read(0, bytes);
    return ctx.onnx.constant(Tensor::owned(left->type(), left->dims(), std::move(bytes)));
}

} // namespace

CellStep CellStep::of(RecurrentNode& node, std::int64_t layer, std::int64_t direction, OnnxValue x)
{
    const NodeContext& ctx = node.ctx;
    const RecurrentSettings& settings = node.settings;
    const std::int64_t rows = settings.gates * settings.hidden;
    const auto order = gateOrder(settings);
    const auto take = [&](CellPart part, const Ints& dims) {
        return node.parameters.take(layer, direction, direction + 1, {&part, 1}, order, dims);
    };
    CellStep step{.ctx = ctx, .settings = settings};
    step.recurrent = take(CellPart::RecurrentWeights, {rows, settings.outputSize()});
    OnnxValue bias = take(CellPart::InputBias, {rows});
    const OnnxValue recurrentBias = take(CellPart::RecurrentBias, {rows});
    if (settings.mode == CellMode::Gru) {
        step.recurrentBias = recurrentBias; // the reset gate multiplies it
    } else {
        bias = sum(ctx, bias, recurrentBias);
    }
    if (settings.projection) {
        step.projection = take(CellPart::Projection, {*settings.projection, settings.hidden});
    }
    const OnnxValue weights = take(CellPart::InputWeights, {rows, ctx.fixedDim(x, 2)});
    step.preactivation = ctx.emit("Add", {ctx.emit("MatMul", {x, emit::transpose(ctx, weights, {1, 0})}), bias});
    return step;
}

CellStep::State CellStep::advance(OnnxValue input, const State& before) const
{
    if (settings.isLstm()) {
        return lstm(input, before);
    }
    if (settings.mode == CellMode::Gru) {
        return gru(input, before);
    }
    const OnnxValue sum = ctx.emit("Gemm", {before.h, recurrent, input}, {{"transB", 1}});
    return {ctx.emit(settings.mode == CellMode::RnnRelu ? "Relu" : "Tanh", {sum}), {}};
}

CellStep::State CellStep::advance(OnnxValue input, const State& before, OnnxValue within) const
{
    State after = advance(input, before);
    after.h = ctx.emit("Where", {within, after.h, before.h});
    if (after.c) {
        after.c = ctx.emit("Where", {within, after.c, before.c});
    }
    return after;
}

CellStep::State CellStep::lstm(OnnxValue input, const State& before) const
{
    const std::int64_t n = settings.hidden;
    const OnnxValue gates = ctx.emit("Gemm", {before.h, recurrent, input}, {{"transB", 1}});
    const OnnxValues parts = emit::split(ctx, gates, 1, {3 * n, n});
    const OnnxValues open = emit::split(ctx, ctx.emit("Sigmoid", {parts[0]}), 1, {n, n, n}); // i, f, o
    const OnnxValue added = ctx.emit("Mul", {open[0], ctx.emit("Tanh", {parts[1]})});
    const OnnxValue c = clipped(ctx.emit("Add", {ctx.emit("Mul", {open[1], before.c}), added}));
    OnnxValue h = ctx.emit("Mul", {open[2], ctx.emit("Tanh", {c})});
    if (projection) {
        h = ctx.emit("Gemm", {h, projection}, {{"transB", 1}});
    }
    return {h, c};
}

CellStep::State CellStep::gru(OnnxValue input, const State& before) const
{
    const std::int64_t n = settings.hidden;
    const OnnxValue recalled = ctx.emit("Gemm", {before.h, recurrent, recurrentBias}, {{"transB", 1}});
    const OnnxValues fromInput = emit::split(ctx, input, 1, {2 * n, n});
    const OnnxValues fromState = emit::split(ctx, recalled, 1, {2 * n, n});
    const OnnxValue open = ctx.emit("Sigmoid", {ctx.emit("Add", {fromInput[0], fromState[0]})});
    const OnnxValues gates = emit::split(ctx, open, 1, {n, n}); // r, z
    const OnnxValue reset = ctx.emit("Mul", {gates[0], fromState[1]});
    const OnnxValue fresh = ctx.emit("Tanh", {ctx.emit("Add", {fromInput[1], reset})});
    // (1 - z) n + z h
    const OnnxValue kept = ctx.emit("Mul", {gates[1], ctx.emit("Sub", {before.h, fresh})});
    return {ctx.emit("Add", {fresh, kept}), {}};
}

OnnxValue CellStep::clipped(OnnxValue c) const
{
    if (!settings.clip) {
        return c;
    }
    const OnnxValue bounded = emit::clip(ctx, c, settings.clip->low, settings.clip->high);
    if (!settings.clip->takesNan) {
        return bounded;
    }
    return ctx.emit("Where", {ctx.emit("IsNaN", {c}), emit::scalarLike(ctx, c, settings.clip->low), bounded});
}

OnnxValue lengthMask(RecurrentNode& node, OnnxValue data)
{
    if (node.mask || !node.lengths) {
        return node.mask;
    }
    const NodeContext& ctx = node.ctx;
    const Dim time = ctx.shape(data)[0];
    OnnxValue steps;
    if (time.isFixed()) {
        std::vector<std::int32_t> all(static_cast<std::size_t>(time.size));
        for (std::size_t t = 0; t < all.size(); ++t) {
            all[t] = static_cast<std::int32_t>(t);
        }
        steps = ctx.onnx.constant(Tensor::of<std::int32_t>(ElementType::Int32, {time.size, 1, 1}, all));
    } else {
        const OnnxValue end =
            emit::cast(ctx, emit::squeeze(ctx, emit::dimVector(ctx, data, 0), {0}), ElementType::Int32);
        const OnnxValue range =
            ctx.emit("Range", {ctx.onnx.scalar(ElementType::Int32, 0), end, ctx.onnx.scalar(ElementType::Int32, 1)});
        ctx.onnx.refine(range, {time});
        steps = emit::unsqueeze(ctx, range, {1, 2});
    }
    node.mask = ctx.emit("Less", {steps, emit::unsqueeze(ctx, node.lengths, {1})});
    return node.mask;
}

} // namespace crosswalk::mxnet
