// A layer with its step written out for each time.

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_forms.h"
#include "core/convert/forms/recurrent_states.h"
#include "core/convert/forms/recurrent_step.h"

namespace crosswalk::forms {
namespace {

OnnxValue atTime(const NodeContext& ctx, OnnxValue sequence, std::int64_t t)
{
    if (ctx.onnx.content(sequence) == nullptr && ctx.fixedDim(sequence, 0) == 1) {
        return emit::squeeze(ctx, sequence, {0});
    }
    return emit::gather(ctx, sequence, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(t)), 0);
}

/// Rows of all steps, (batch, width) each, as (time, batch, width).
OnnxValue sequenceOf(const NodeContext& ctx, const OnnxValues& steps, std::int64_t width, OnnxValue x)
{
    const auto length = static_cast<std::int64_t>(steps.size());
    const OnnxValue rows = emit::concat(ctx, steps, 0);
    const OnnxValue sequence = emit::reshape(ctx, rows, Ints{length, -1, width});
    ctx.onnx.refine(sequence, {Dim(length), ctx.shape(x)[1], Dim(width)});
    return sequence;
}

} // namespace

RecurrentOutputs unrolledLayer(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const std::int64_t length = ctx.fixedDim(x, 0);
    const OnnxValue mask = layer.mask;
    const bool isLstm = layer.kind == CellKind::Lstm;
    OnnxValues sequences;
    OnnxValues cellSequences;
    OnnxValues h;
    OnnxValues c;
    for (std::int64_t direction = 0; direction < layer.directions(); ++direction) {
        const bool isReverse = direction == 1 || layer.direction == LayerDirection::Reverse;
        const RecurrentStep cell(ctx, layer, static_cast<std::size_t>(direction), x);
        RecurrentStep::State state{stateOfCell(ctx, layer.h, direction, layer.outputSize(), x),
                                   isLstm ? stateOfCell(ctx, layer.c, direction, layer.hidden, x) : OnnxValue{}};
        OnnxValue last = tracksLastOutput(ctx, layer) ? zeroState(ctx, layer.outputSize(), x) : OnnxValue{};
        OnnxValues outputs(static_cast<std::size_t>(length));
        OnnxValues cells(static_cast<std::size_t>(length));
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t t = isReverse ? length - 1 - i : i;
            const OnnxValue input = atTime(ctx, cell.preactivation(), t);
            const OnnxValue within = mask ? atTime(ctx, mask, t) : OnnxValue{};
            state = cell.advance(input, state, within);
            OnnxValue& output = outputs[static_cast<std::size_t>(t)];
            output = state.h;
            if (last) {
                last = ctx.emit("Where", {within, state.h, last});
                output = last;
            } else if (within && layer.pastEnd == PastEnd::Zero) {
                output = ctx.emit("Where", {within, state.h, emit::scalarLike(ctx, state.h, 0)});
            }
            cells[static_cast<std::size_t>(t)] = state.c;
        }
        sequences.push_back(sequenceOf(ctx, outputs, layer.outputSize(), x));
        if (layer.needsCells) {
            cellSequences.push_back(sequenceOf(ctx, cells, layer.hidden, x));
        }
        h.push_back(emit::unsqueeze(ctx, state.h, {0}));
        if (isLstm) {
            c.push_back(emit::unsqueeze(ctx, state.c, {0}));
        }
    }
    return {.y = emit::concat(ctx, sequences, 2),
            .h = emit::concat(ctx, h, 0),
            .c = c.empty() ? OnnxValue{} : emit::concat(ctx, c, 0),
            .cells = cellSequences.empty() ? OnnxValue{} : emit::concat(ctx, cellSequences, 2)};
}

} // namespace crosswalk::forms
