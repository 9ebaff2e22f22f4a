#include "core/convert/forms/control/loops.h"

namespace crosswalk::forms {
namespace {

OnnxValues bodyInputs(const NodeContext& ctx, const OnnxValues& like, bool elementsOfAxis0)
{
    OnnxValues inputs;
    for (const OnnxValue value : like) {
        TensorType type = ctx.onnx.type(value);
        type.shape = ctx.shape(value);
        if (elementsOfAxis0) {
            type.shape->erase(type.shape->begin());
        }
        inputs.push_back(ctx.onnx.bodyInput(type));
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
    OnnxValues results = step(turn, bodyInputs(ctx, states, false));
    results.insert(results.begin(), goOn);
    const OnnxBody body = ctx.onnx.endBody(results);
    OnnxValues inputs{turns, OnnxValue{}};
    inputs.insert(inputs.end(), states.begin(), states.end());
    const OnnxValues last = ctx.onnx.add("Loop", inputs, {{"body", body}}, states.size());
    for (std::size_t i = 0; i < last.size(); ++i) { // Loop's inference lets a state change its shape
        ctx.onnx.refine(last[i], ctx.shape(states[i]));
    }
    return last;
}

Scanned scan(const NodeContext& ctx, const OnnxValues& states, const OnnxValues& inputs,
             const std::function<ScanStep(const OnnxValues& states, const OnnxValues& elements)>& step)
{
    ctx.onnx.beginBody();
    const OnnxValues carried = bodyInputs(ctx, states, false);
    const OnnxValues elements = bodyInputs(ctx, inputs, true);
    const ScanStep made = step(carried, elements);
    OnnxValues results = made.states;
    results.insert(results.end(), made.stacked.begin(), made.stacked.end());
    const OnnxBody body = ctx.onnx.endBody(results);
    OnnxValues all = states;
    all.insert(all.end(), inputs.begin(), inputs.end());
    const OnnxValues outputs = ctx.onnx.add(
        "Scan", all, {{"body", body}, {"num_scan_inputs", static_cast<std::int64_t>(inputs.size())}}, results.size());
    const auto border = outputs.begin() + static_cast<std::ptrdiff_t>(states.size());
    return {{outputs.begin(), border}, {border, outputs.end()}};
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
