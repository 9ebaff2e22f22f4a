// The equations of the cells (recurrent_layer.h), for the forms that write them out.

#include "core/convert/forms/recurrent_step.h"

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_states.h"
#include "core/convert/forms/tensor/computed_constant.h"

namespace crosswalk::forms {
namespace {

/// Gates of one activation side by side.
std::string_view stepOrder(CellKind kind)
{
    return kind == CellKind::Lstm ? "ifoc" : kind == CellKind::Gru ? "rzh" : "i";
}

} // namespace

RecurrentStep::RecurrentStep(const NodeContext& ctx, const RecurrentLayer& layer, std::size_t direction, OnnxValue x)
    : m_ctx(ctx)
    , m_layer(layer)
{
    const RecurrentWeights weights(ctx, layer, ctx.element(x));
    const CellWeights& cell = layer.cells[direction];
    const std::int64_t n = layer.hidden;
    const std::int64_t rows = layer.gates() * n;
    const std::string_view order = stepOrder(layer.kind);
    const auto take = [&](WeightPart part, std::string_view gates, const Ints& dims) {
        return weights.take(direction, direction + 1, {&part, 1}, gates, dims);
    };
    if (layer.kind == CellKind::Gru && !layer.resetAfter) {
        m_recurrent = take(WeightPart::Recurrent, "rz", {2 * n, n});
        m_candidate = take(WeightPart::Recurrent, "h", {n, n});
    } else {
        m_recurrent = take(WeightPart::Recurrent, order, {rows, layer.outputSize()});
    }
    OnnxValue bias = weights.has(WeightPart::Bias) ? take(WeightPart::Bias, order, {rows}) : OnnxValue{};
    if (!cell.recurrentBias.empty()) {
        const OnnxValue recurrentBias = take(WeightPart::RecurrentBias, order, {rows});
        if (layer.kind == CellKind::Gru && layer.resetAfter) {
            m_recurrentBias = recurrentBias; // the reset gate multiplies it
        } else {
            bias = bias ? storedSum(ctx, bias, recurrentBias) : recurrentBias;
        }
    }
    if (layer.projection) {
        m_projection = take(WeightPart::Projection, {}, {layer.outputSize(), n});
    }
    readPeepholes(cell, ctx.element(x));
    m_preactivation = inputPart(weights, direction, x, order);
    if (bias) {
        m_preactivation = ctx.emit("Add", {m_preactivation, bias});
    }
}

OnnxValue RecurrentStep::inputPart(const RecurrentWeights& weights, std::size_t direction, OnnxValue x,
                                   std::string_view order) const
{
    const std::int64_t rows = m_layer.gates() * m_layer.hidden;
    if (!m_layer.cells[direction].input.empty()) {
        const WeightPart part = WeightPart::Input;
        const OnnxValue matrix = weights.take(direction, direction + 1, {&part, 1}, order, {rows, weights.inputSize()});
        const OnnxValue turned = emit::transpose(m_ctx, matrix, {1, 0});
        return m_ctx.emit("MatMul", {x, turned});
    }
    if (weights.order() == order) {
        return x;
    }
    const OnnxValues gates = emit::split(m_ctx, x, 2, Ints(static_cast<std::size_t>(m_layer.gates()), m_layer.hidden));
    OnnxValues arranged;
    for (const char letter : order) {
        arranged.push_back(gates.at(weights.order().find(letter)));
    }
    return emit::concat(m_ctx, arranged, 2);
}

void RecurrentStep::readPeepholes(const CellWeights& cell, ElementType type)
{
    if (cell.peepholeInput) {
        for (const OnnxValue each : {cell.peepholeInput, cell.peepholeForget, cell.peepholeOutput}) {
            m_peepholes.push_back(emit::cast(m_ctx, each, type));
        }
    }
}

OnnxValue RecurrentStep::product(OnnxValue h, OnnxValue weights, OnnxValue added) const
{
    return m_ctx.emit("Gemm", {h, weights, added}, {{"transB", 1}});
}

OnnxValue RecurrentStep::activated(std::size_t activation, OnnxValue x) const
{
    return m_layer.activation(activation).apply(m_ctx, x);
}

OnnxValue RecurrentStep::clippedGates(OnnxValue x) const
{
    return m_layer.gateClip ? emit::clip(m_ctx, x, -*m_layer.gateClip, *m_layer.gateClip) : x;
}

OnnxValue RecurrentStep::clippedState(OnnxValue x, const std::optional<StateClip>& clip) const
{
    if (!clip) {
        return x;
    }
    const OnnxValue bounded = emit::clip(m_ctx, x, clip->low, clip->high);
    if (!clip->replacesNan) {
        return bounded;
    }
    return m_ctx.emit("Where", {m_ctx.emit("IsNaN", {x}), emit::scalarLike(m_ctx, x, clip->low), bounded});
}

RecurrentStep::State RecurrentStep::advance(OnnxValue input, const State& before, OnnxValue within) const
{
    State after = taken(input, before);
    if (within) {
        after.h = m_ctx.emit("Where", {within, after.h, before.h});
        after.c = after.c ? m_ctx.emit("Where", {within, after.c, before.c}) : OnnxValue{};
    }
    return after;
}

RecurrentStep::State RecurrentStep::taken(OnnxValue input, const State& before) const
{
    switch (m_layer.kind) {
    case CellKind::Lstm:
        return lstm(input, before);
    case CellKind::Gru:
        return gru(input, before);
    case CellKind::Rnn:
        break;
    }
    return {activated(0, clippedGates(product(before.h, m_recurrent, input))), {}};
}

RecurrentStep::State RecurrentStep::lstm(OnnxValue input, const State& before) const
{
    const std::int64_t n = m_layer.hidden;
    const OnnxValue sums = product(before.h, m_recurrent, input);
    // i and f see the cell state before the step, o the one after it.
    const auto sees = [&](OnnxValue gate, std::size_t peephole, OnnxValue c) {
        return m_ctx.emit("Add", {gate, m_ctx.emit("Mul", {m_peepholes[peephole], c})});
    };
    OnnxValues gates; // i, f, o, c~; o without its activation where it sees the cell state
    if (m_peepholes.empty()) {
        const OnnxValues parts = emit::split(m_ctx, clippedGates(sums), 1, {3 * n, n});
        gates = emit::split(m_ctx, activated(0, parts[0]), 1, {n, n, n});
        gates.push_back(activated(1, parts[1]));
    } else {
        gates = emit::split(m_ctx, sums, 1, {n, n, n, n});
        gates[0] = activated(0, clippedGates(sees(gates[0], 0, before.c)));
        gates[1] = activated(0, clippedGates(sees(gates[1], 1, before.c)));
        gates[3] = activated(1, clippedGates(gates[3]));
    }
    const OnnxValue added = m_ctx.emit("Mul", {gates[0], gates[3]});
    const OnnxValue c =
        clippedState(m_ctx.emit("Add", {m_ctx.emit("Mul", {gates[1], before.c}), added}), m_layer.cellClip);
    if (!m_peepholes.empty()) {
        gates[2] = activated(0, clippedGates(sees(gates[2], 2, c)));
    }
    OnnxValue h = m_ctx.emit("Mul", {gates[2], activated(2, c)});
    if (m_projection) {
        h = clippedState(product(h, m_projection, {}), m_layer.projection->clip);
    }
    return {h, c};
}

RecurrentStep::State RecurrentStep::gru(OnnxValue input, const State& before) const
{
    const std::int64_t n = m_layer.hidden;
    const OnnxValues fromInput = emit::split(m_ctx, input, 1, {2 * n, n});
    OnnxValue sums;      // of r and z
    OnnxValue fromState; // of h~, with resetAfter
    if (m_layer.resetAfter) {
        const OnnxValue recalled = product(before.h, m_recurrent, m_recurrentBias);
        const OnnxValues parts = emit::split(m_ctx, recalled, 1, {2 * n, n});
        sums = m_ctx.emit("Add", {fromInput[0], parts[0]});
        fromState = parts[1];
    } else {
        sums = product(before.h, m_recurrent, fromInput[0]);
    }
    const OnnxValues gates = emit::split(m_ctx, activated(0, clippedGates(sums)), 1, {n, n}); // r, z
    const OnnxValue fresh = candidateOfGru(fromInput[1], fromState, gates[0], before.h);
    // (1 - z) h~ + z h
    const OnnxValue kept = m_ctx.emit("Mul", {gates[1], m_ctx.emit("Sub", {before.h, fresh})});
    return {m_ctx.emit("Add", {fresh, kept}), {}};
}

OnnxValue RecurrentStep::candidateOfGru(OnnxValue input, OnnxValue fromState, OnnxValue reset, OnnxValue h) const
{
    const OnnxValue sum = fromState ? m_ctx.emit("Add", {input, m_ctx.emit("Mul", {reset, fromState})})
                                    : product(m_ctx.emit("Mul", {reset, h}), m_candidate, input);
    return activated(1, clippedGates(sum));
}

namespace {

OnnxValue lengthMask(const NodeContext& ctx, OnnxValue lengths, OnnxValue x)
{
    const Dim time = ctx.shape(x)[0];
    OnnxValue steps;
    if (time.isFixed()) {
        steps = computedConstant(ctx, ElementType::Int32, {time.size, 1, 1},
                                 [](std::uint64_t t) { return static_cast<double>(t); });
    } else {
        const OnnxValue end = emit::cast(ctx, emit::squeeze(ctx, emit::dimVector(ctx, x, 0), {0}), ElementType::Int32);
        const OnnxValue range =
            ctx.emit("Range", {ctx.onnx.scalar(ElementType::Int32, 0), end, ctx.onnx.scalar(ElementType::Int32, 1)});
        ctx.onnx.refine(range, {time});
        steps = emit::unsqueeze(ctx, range, {1, 2});
    }
    return ctx.emit("Less", {steps, emit::unsqueeze(ctx, lengths, {1})});
}

} // namespace

OnnxValue stepMask(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const OnnxValue byLength = layer.lengths ? lengthMask(ctx, layer.lengths, x) : OnnxValue{};
    if (!layer.mask) {
        return byLength;
    }
    const OnnxValue mask = emit::unsqueeze(ctx, layer.mask, {2});
    return byLength ? ctx.emit("And", {byLength, mask}) : mask;
}

bool tracksLastOutput(const NodeContext& ctx, const RecurrentLayer& layer)
{
    return layer.pastEnd == PastEnd::RepeatLast && (layer.lengths || layer.mask) && !startsAtZero(ctx, layer.h);
}

} // namespace crosswalk::forms
