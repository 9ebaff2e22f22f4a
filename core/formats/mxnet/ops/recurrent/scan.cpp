// A layer as one Scan over time, both directions in its body.

#include "core/convert/emit.h"
#include "core/formats/mxnet/ops/recurrent/step.h"

namespace crosswalk::mxnet {
namespace {

OnnxValue bodyInputLike(const NodeContext& ctx, OnnxValue value)
{
    return ctx.onnx.bodyInput(ctx.onnx.type(value));
}

/// One step of a scanned value.
OnnxValue slotOf(const NodeContext& ctx, OnnxValue scanned)
{
    TensorType type = ctx.onnx.type(scanned);
    type.shape->erase(type.shape->begin());
    return ctx.onnx.bodyInput(type);
}

OnnxValue stacked(const NodeContext& ctx, const OnnxValues& states)
{
    OnnxValues rows;
    for (const OnnxValue state : states) {
        rows.push_back(emit::unsqueeze(ctx, state, {0}));
    }
    return emit::concat(ctx, rows, 0);
}

} // namespace

RecurrentLayer scanLayer(RecurrentNode& node, std::int64_t layer, OnnxValue x)
{
    const NodeContext& ctx = node.ctx;
    const RecurrentSettings& settings = node.settings;
    const OnnxValue mask = lengthMask(node, x);
    std::vector<CellStep> cells;
    OnnxValues states;
    for (std::int64_t direction = 0; direction < settings.directions; ++direction) {
        cells.push_back(CellStep::of(node, layer, direction, x));
        states.push_back(node.h.ofCell(layer, direction));
        if (node.c) {
            states.push_back(node.c->ofCell(layer, direction));
        }
    }
    OnnxValues scanned;
    Ints scanDirections;
    for (std::int64_t direction = 0; direction < settings.directions; ++direction) {
        scanned.push_back(cells[static_cast<std::size_t>(direction)].preactivation);
        scanDirections.push_back(direction);
        if (mask) {
            scanned.push_back(mask);
            scanDirections.push_back(direction);
        }
    }

    ctx.onnx.beginBody();
    std::vector<CellStep::State> before;
    for (std::size_t i = 0; i < states.size();) {
        CellStep::State& state = before.emplace_back();
        state.h = bodyInputLike(ctx, states[i++]);
        state.c = node.c ? bodyInputLike(ctx, states[i++]) : OnnxValue{};
    }
    OnnxValues slots;
    for (const OnnxValue each : scanned) {
        slots.push_back(slotOf(ctx, each));
    }
    OnnxValues results;
    OnnxValues outputs;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const OnnxValue input = slots[mask ? 2 * i : i];
        const CellStep::State after =
            mask ? cells[i].advance(input, before[i], slots[2 * i + 1]) : cells[i].advance(input, before[i]);
        results.push_back(after.h);
        if (after.c) {
            results.push_back(after.c);
        }
        // Past the end of a sample the output is zero while the state stays.
        outputs.push_back(mask ? ctx.emit("Where", {slots[2 * i + 1], after.h, emit::scalarLike(ctx, after.h, 0)})
                               : after.h);
    }
    results.insert(results.end(), outputs.begin(), outputs.end());
    const OnnxBody body = ctx.onnx.endBody(results);

    OnnxValues inputs = states;
    inputs.insert(inputs.end(), scanned.begin(), scanned.end());
    OnnxAttributes attributes{{"body", body}, {"num_scan_inputs", static_cast<std::int64_t>(scanned.size())}};
    if (settings.directions == 2) {
        attributes.emplace_back("scan_input_directions", scanDirections);
        attributes.emplace_back("scan_output_directions", Ints{0, 1});
    }
    const OnnxValues made = ctx.onnx.add("Scan", inputs, attributes, results.size());

    RecurrentLayer result;
    OnnxValues h;
    OnnxValues c;
    for (std::size_t i = 0; i < states.size();) {
        h.push_back(made[i++]);
        if (node.c) {
            c.push_back(made[i++]);
        }
    }
    const OnnxValues sequences(made.begin() + static_cast<std::ptrdiff_t>(states.size()), made.end());
    result.output = emit::concat(ctx, sequences, 2);
    result.h = stacked(ctx, h);
    result.c = node.c ? stacked(ctx, c) : OnnxValue{};
    return result;
}

} // namespace crosswalk::mxnet
