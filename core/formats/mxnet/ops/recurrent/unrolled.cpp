// A layer with its step written out for each time.

#include "core/convert/emit.h"
#include "core/formats/mxnet/ops/recurrent/step.h"

namespace crosswalk::mxnet {
namespace {

OnnxValue atTime(const NodeContext& ctx, OnnxValue sequence, std::int64_t t)
{
    if (ctx.onnx.content(sequence) == nullptr && ctx.fixedDim(sequence, 0) == 1) {
        return emit::squeeze(ctx, sequence, {0});
    }
    return emit::gather(ctx, sequence, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(t)), 0);
}

} // namespace

RecurrentLayer unrolledLayer(RecurrentNode& node, std::int64_t layer, OnnxValue x)
{
    const NodeContext& ctx = node.ctx;
    const RecurrentSettings& settings = node.settings;
    const std::int64_t length = ctx.fixedDim(x, 0);
    const OnnxValue mask = lengthMask(node, x);
    OnnxValues sequences;
    OnnxValues h;
    OnnxValues c;
    for (std::int64_t direction = 0; direction < settings.directions; ++direction) {
        const CellStep cell = CellStep::of(node, layer, direction, x);
        CellStep::State state{node.h.ofCell(layer, direction), node.c ? node.c->ofCell(layer, direction) : OnnxValue{}};
        OnnxValues outputs(static_cast<std::size_t>(length));
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t t = direction == 0 ? i : length - 1 - i;
            const OnnxValue input = atTime(ctx, cell.preactivation, t);
            OnnxValue& output = outputs[static_cast<std::size_t>(t)];
            if (mask) {
                const OnnxValue within = atTime(ctx, mask, t);
                state = cell.advance(input, state, within);
                output = ctx.emit("Where", {within, state.h, emit::scalarLike(ctx, state.h, 0)});
            } else {
                state = cell.advance(input, state);
                output = state.h;
            }
        }
        // Rows of all steps one under the other are the (time, batch, width) already.
        const OnnxValue rows = emit::concat(ctx, outputs, 0);
        sequences.push_back(emit::reshape(ctx, rows, Ints{length, -1, settings.outputSize()}));
        ctx.onnx.refine(sequences.back(), {Dim(length), ctx.shape(x)[1], Dim(settings.outputSize())});
        h.push_back(emit::unsqueeze(ctx, state.h, {0}));
        if (state.c) {
            c.push_back(emit::unsqueeze(ctx, state.c, {0}));
        }
    }
    return {emit::concat(ctx, sequences, 2), emit::concat(ctx, h, 0),
            c.empty() ? OnnxValue{} : emit::concat(ctx, c, 0)};
}

} // namespace crosswalk::mxnet
