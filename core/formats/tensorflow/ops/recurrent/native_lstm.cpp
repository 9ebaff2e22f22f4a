// RETURNN's native LSTM operators: NativeLstm2, LstmGenericBase, LstmLowMem. The gates are in the order candidate,
// input, forget, output. A step that the mask excludes holds the state and returns zeros.

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_layer.h"
#include "core/formats/tensorflow/lowering/sequence_masks.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/recurrent/final_state.h"
#include "core/formats/tensorflow/ops/recurrent/joined_weights.h"
#include "core/formats/tensorflow/ops/recurrent/read_outputs.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

forms::LayerDirection directionOf(const NodeContext& ctx, std::size_t start, std::size_t step)
{
    const std::int64_t first = constantInt(ctx, start, "start");
    const std::int64_t by = constantInt(ctx, step, "step");
    if (first != 0 || (by != 1 && by != -1)) {
        ctx.refuse(fmt::format(
            "it starts at step {} and advances by {}: only start 0 and steps of 1 and -1 are supported", first, by));
    }
    return by == 1 ? forms::LayerDirection::Forward : forms::LayerDirection::Reverse;
}

/// A layer whose cell state starts at input `cell`, with the mask (time, batch) of 0 and 1 at input `mask`.
forms::RecurrentLayer layerOf(const NodeContext& ctx, std::size_t cell, std::size_t mask)
{
    forms::RecurrentLayer layer{.kind = forms::CellKind::Lstm,
                                .hidden = ctx.fixedDim(ctx.input(cell), 1),
                                .gateOrder = "cifo",
                                .weightLayout = forms::WeightLayout::GateColumns,
                                .c = {.value = ctx.input(cell)}};
    if (ctx.node.attribute(maskIsLengths) != nullptr) {
        layer.lengths = ctx.input(mask);
    } else {
        layer.mask = emit::cast(ctx, ctx.input(mask), ElementType::Bool);
    }
    return layer;
}

/// The gates of every step, which some operators return for training.
void refuseGates(const NodeContext& ctx, const std::bitset<8>& isRead, std::size_t output)
{
    if (isRead[output]) {
        ctx.refuse(fmt::format("output {}, the gates of every step, is used, but ONNX cannot compute it", output));
    }
}

/// X W_re y0 c0 mask start step -> Y C H d, with X = x W + b.
OnnxValues nativeLstm2(NodeContext& ctx)
{
    const auto isRead = readOutputs(ctx);
    refuseGates(ctx, isRead, 2);
    forms::RecurrentLayer layer = layerOf(ctx, 3, 4);
    layer.direction = directionOf(ctx, 5, 6);
    layer.h = {.value = ctx.input(2)};
    layer.cells = {{.recurrent = {ctx.input(1)}}};
    layer.needsCells = isRead[1];
    const forms::RecurrentOutputs made = forms::recurrentLayer(ctx, layer, ctx.input(0));
    return {made.y, made.cells, {}, finalState(ctx, layer, made.c, layer.c.value)};
}

/// Z W_re c0 mask -> Y H d, with Z = x W + b. The output starts at zero.
OnnxValues lstmGenericBase(NodeContext& ctx)
{
    refuseGates(ctx, readOutputs(ctx), 1);
    forms::RecurrentLayer layer = layerOf(ctx, 2, 3);
    layer.cells = {{.recurrent = {ctx.input(1)}}};
    if (ctx.node.attribute(runsInReverse) != nullptr) {
        layer.direction = forms::LayerDirection::Reverse;
    }
    const forms::RecurrentOutputs made = forms::recurrentLayer(ctx, layer, ctx.input(0));
    return {made.y, {}, finalState(ctx, layer, made.c, layer.c.value)};
}

/// X W b y0 c0 mask start step -> Y C d, with one weight matrix for the input and the state.
OnnxValues lstmLowMem(NodeContext& ctx)
{
    forms::RecurrentLayer layer = layerOf(ctx, 4, 5);
    layer.direction = directionOf(ctx, 6, 7);
    layer.h = {.value = ctx.input(3)};
    layer.cells = {joinedWeights(ctx, ctx.input(1), layer.hidden, ctx.input(2))};
    layer.needsCells = readOutputs(ctx)[1];
    const forms::RecurrentOutputs made = forms::recurrentLayer(ctx, layer, ctx.input(0));
    return {made.y, made.cells, finalState(ctx, layer, made.c, layer.c.value)};
}

} // namespace

std::span<const OpRow> nativeLstmOps()
{
    static constexpr OpRow rows[] = {
        {"LstmGenericBase", lstmGenericBase, "LSTM; Scan",
         "a Scan of the step if the mask is not one of sequence lengths", Support::ExactWithStrategy},
        {"LstmLowMem", lstmLowMem, "LSTM; Scan", "a Scan of the step if the mask is not one of sequence lengths",
         Support::ExactWithStrategy},
        {"NativeLstm2", nativeLstm2, "LSTM; Scan", "a Scan of the step if the mask is not one of sequence lengths",
         Support::ExactWithStrategy},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
