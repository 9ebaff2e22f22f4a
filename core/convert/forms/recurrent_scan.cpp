// A layer as one Scan over time, both directions in its body.

#include "core/convert/emit.h"
#include "core/convert/forms/recurrent_forms.h"
#include "core/convert/forms/recurrent_states.h"
#include "core/convert/forms/recurrent_step.h"

namespace crosswalk::forms {
namespace {

/// The state that the Scan carries from step to step for one direction.
struct Carried {
    OnnxValue h;
    OnnxValue c;    ///< lstm
    OnnxValue last; ///< the output before, where that is not h

    /// The present members, in order.
    OnnxValues values() const
    {
        OnnxValues all;
        for (const OnnxValue each : {h, c, last}) {
            if (each) {
                all.push_back(each);
            }
        }
        return all;
    }
};

OnnxValue bodyInputLike(const NodeContext& ctx, OnnxValue value)
{
    return value ? ctx.onnx.bodyInput(ctx.onnx.type(value)) : value;
}

/// One step of a scanned value.
OnnxValue slotOf(const NodeContext& ctx, OnnxValue scanned)
{
    Shape dims = ctx.shape(scanned);
    if (dims.size() != 3) {
        ctx.invalid("its weights make a step's input of shape " + toString(dims) + " instead of three dimensions");
    }
    dims.erase(dims.begin());
    return ctx.onnx.bodyInput({ctx.element(scanned), std::move(dims)});
}

OnnxValue stackedDirections(const NodeContext& ctx, const OnnxValues& states)
{
    OnnxValues rows;
    for (const OnnxValue state : states) {
        rows.push_back(emit::unsqueeze(ctx, state, {0}));
    }
    return emit::concat(ctx, rows, 0);
}

/// A step of one direction in the body.
struct StepResult {
    Carried after;
    OnnxValue output;
};

StepResult stepInBody(const NodeContext& ctx, const RecurrentLayer& layer, const RecurrentStep& cell, OnnxValue input,
                      const Carried& before, OnnxValue within)
{
    const RecurrentStep::State state = cell.advance(input, {before.h, before.c}, within);
    StepResult result{{state.h, state.c, {}}, state.h};
    if (before.last) {
        result.after.last = ctx.emit("Where", {within, state.h, before.last});
        result.output = result.after.last;
    } else if (within && layer.pastEnd == PastEnd::Zero) { // while the state is held
        result.output = ctx.emit("Where", {within, state.h, emit::scalarLike(ctx, state.h, 0)});
    }
    return result;
}

} // namespace

RecurrentOutputs scanLayer(const NodeContext& ctx, const RecurrentLayer& layer, OnnxValue x)
{
    const auto directions = static_cast<std::size_t>(layer.directions());
    const bool isLstm = layer.kind == CellKind::Lstm;
    const OnnxValue mask = layer.mask;
    std::vector<RecurrentStep> cells;
    std::vector<Carried> initial;
    OnnxValues states;
    OnnxValues scanned;
    Ints scanDirections;
    Ints outputDirections;
    for (std::size_t i = 0; i < directions; ++i) {
        const auto row = static_cast<std::int64_t>(i);
        cells.emplace_back(ctx, layer, i, x);
        const OnnxValue h = stateOfCell(ctx, layer.h, row, layer.outputSize(), x);
        const OnnxValue c = isLstm ? stateOfCell(ctx, layer.c, row, layer.hidden, x) : OnnxValue{};
        initial.push_back({h, c, tracksLastOutput(ctx, layer) ? zeroState(ctx, layer.outputSize(), x) : OnnxValue{}});
        const OnnxValues carried = initial.back().values();
        states.insert(states.end(), carried.begin(), carried.end());
        const bool isReverse = i == 1 || layer.direction == LayerDirection::Reverse;
        outputDirections.push_back(isReverse ? 1 : 0);
        scanned.push_back(cells.back().preactivation());
        if (mask) {
            scanned.push_back(mask);
        }
        scanDirections.resize(scanned.size(), isReverse ? 1 : 0);
    }

    ctx.onnx.beginBody();
    std::vector<Carried> before;
    for (const Carried& each : initial) {
        Carried& inBody = before.emplace_back();
        inBody.h = bodyInputLike(ctx, each.h);
        inBody.c = bodyInputLike(ctx, each.c);
        inBody.last = bodyInputLike(ctx, each.last);
    }
    OnnxValues slots;
    for (const OnnxValue each : scanned) {
        slots.push_back(slotOf(ctx, each));
    }
    OnnxValues results;
    OnnxValues outputs;
    OnnxValues cellOutputs;
    for (std::size_t i = 0; i < directions; ++i) {
        const OnnxValue input = slots[mask ? 2 * i : i];
        const OnnxValue within = mask ? slots[2 * i + 1] : OnnxValue{};
        const StepResult step = stepInBody(ctx, layer, cells[i], input, before[i], within);
        const OnnxValues carried = step.after.values();
        results.insert(results.end(), carried.begin(), carried.end());
        outputs.push_back(step.output);
        if (layer.needsCells) {
            cellOutputs.push_back(step.after.c);
        }
    }
    outputs.insert(outputs.end(), cellOutputs.begin(), cellOutputs.end());
    results.insert(results.end(), outputs.begin(), outputs.end());
    const OnnxBody body = ctx.onnx.endBody(results);

    OnnxValues inputs = states;
    inputs.insert(inputs.end(), scanned.begin(), scanned.end());
    OnnxAttributes attributes{{"body", body}, {"num_scan_inputs", static_cast<std::int64_t>(scanned.size())}};
    if (layer.direction != LayerDirection::Forward) {
        if (layer.needsCells) {
            outputDirections.insert(outputDirections.end(), outputDirections.begin(), outputDirections.end());
        }
        attributes.emplace_back("scan_input_directions", scanDirections);
        attributes.emplace_back("scan_output_directions", outputDirections);
    }
    const OnnxValues made = ctx.onnx.add("Scan", inputs, attributes, results.size());

    OnnxValues h;
    OnnxValues c;
    auto next = made.begin();
    for (const Carried& each : initial) {
        h.push_back(*next);
        if (isLstm) {
            c.push_back(next[1]);
        }
        next += static_cast<std::ptrdiff_t>(each.values().size());
    }
    RecurrentOutputs result;
    const auto sequences = static_cast<std::ptrdiff_t>(directions);
    result.y = emit::concat(ctx, OnnxValues(next, next + sequences), 2);
    result.h = stackedDirections(ctx, h);
    result.c = isLstm ? stackedDirections(ctx, c) : OnnxValue{};
    result.cells = layer.needsCells ? emit::concat(ctx, OnnxValues(next + sequences, made.end()), 2) : OnnxValue{};
    return result;
}

} // namespace crosswalk::forms
