#include "core/convert/forms/control/loops.h"

#include "core/convert/emit.h"

namespace crosswalk::forms {
namespace {

OnnxValue bodyInput(const NodeContext& ctx, OnnxValue like, std::optional<std::int64_t> elementOf)
{
    TensorType type = ctx.onnx.type(like);
    type.shape = ctx.shape(like);
    if (elementOf) {
        type.shape->eraseAt(*elementOf);
    }
    return ctx.onnx.bodyInput(type);
}

OnnxValues stateInputs(const NodeContext& ctx, const OnnxValues& states)
{
    OnnxValues inputs;
    for (const OnnxValue state : states) {
        inputs.push_back(bodyInput(ctx, state, std::nullopt));
    }
    return inputs;
}

} // namespace

OnnxValues loop(const NodeContext& ctx, OnnxValue turns, const OnnxValues& states,
                const std::function<OnnxValues(OnnxValue turn, const OnnxValues& states)>& step)
{
    ctx.onnx.beginBody();
    const OnnxValue turn = ctx.onnx.bodyInput({ElementType::Int64, Shape{}});
    const OnnxValue goOn = ctx.onnx.bodyInput({ElementType::Bool, Shape{}});
    OnnxValues results = step(turn, stateInputs(ctx, states));
    results.insert(results.begin(), goOn);
    const OnnxBody body = ctx.onnx.endBody(results);
    OnnxValues inputs{turns, OnnxValue{}};
    inputs.insert(inputs.end(), states.begin(), states.end());
    OnnxValues last = ctx.onnx.add("Loop", inputs, {{"body", body}}, states.size());
    for (std::size_t i = 0; i < last.size(); ++i) { // Loop's inference lets a state change its shape
        ctx.onnx.refine(last[i], ctx.shape(states[i]));
    }
    return last;
}

Scanned scan(const NodeContext& ctx, const OnnxValues& states, const OnnxValues& inputs,
             const std::function<ScanStep(const OnnxValues& states, const OnnxValues& elements)>& step)
{
    return scanAlong(ctx, {}, states, inputs, step);
}

Scanned scanAlong(const NodeContext& ctx, const ScanAxis& along, const OnnxValues& states, const OnnxValues& inputs,
                  const std::function<ScanStep(const OnnxValues& states, const OnnxValues& elements)>& step)
{
    ctx.onnx.beginBody();
    const OnnxValues carried = stateInputs(ctx, states);
    OnnxValues elements;
    Ints axes;
    for (const OnnxValue input : inputs) {
        axes.push_back(ctx.rank(input) == 1 ? 0 : along.axis);
        elements.push_back(bodyInput(ctx, input, axes.back()));
    }
    const ScanStep made = step(carried, elements);
    OnnxValues results = made.states;
    results.insert(results.end(), made.stacked.begin(), made.stacked.end());
    const OnnxBody body = ctx.onnx.endBody(results);
    OnnxValues all = states;
    all.insert(all.end(), inputs.begin(), inputs.end());
    OnnxAttributes attributes{{"body", body}, {"num_scan_inputs", static_cast<std::int64_t>(inputs.size())}};
    if (along.axis != 0) {
        attributes.emplace_back("scan_input_axes", axes);
        attributes.emplace_back("scan_output_axes", Ints(made.stacked.size(), along.axis));
    }
    if (along.isReverse) {
        attributes.emplace_back("scan_input_directions", Ints(inputs.size(), 1));
        attributes.emplace_back("scan_output_directions", Ints(made.stacked.size(), 1));
    }
    const OnnxValues outputs = ctx.onnx.add("Scan", all, attributes, results.size());
    const auto border = outputs.iteratorAt(states.size());
    return {{outputs.begin(), border}, {border, outputs.end()}};
}

OnnxValue stepShape(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    OnnxValues dims;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (i != axis) {
            dims.push_back(emit::dimVector(ctx, x, i));
        }
    }
    return dims.empty() ? ctx.onnx.ints({}) : emit::concat(ctx, dims, 0);
}

OnnxValues forEach(const NodeContext& ctx, const OnnxValues& inputs,
                   const std::function<OnnxValues(const OnnxValues& elements)>& step)
{
    return scan(ctx, {}, inputs,
                [&](const OnnxValues&, const OnnxValues& elements) {
                    return ScanStep{{}, step(elements)};
                })
        .stacked;
}

} // namespace crosswalk::forms
