#include "core/convert/forms/control/carried_loop.h"

namespace crosswalk::forms {
namespace {

/// Widens the type of a state to the result of a step; returns whether it did.
bool widen(TensorType& type, const std::optional<Shape>& next)
{
    if (!type.shape || !next || type.shape->size() != next->size()) {
        const bool isChanged = type.shape.has_value();
        type.shape.reset();
        return isChanged;
    }
    bool isChanged = false;
    for (std::size_t d = 0; d < next->size(); ++d) {
        Dim& dim = (*type.shape)[d];
        if (!dim.isUnknown() && dim != (*next)[d]) {
            dim = Dim();
            isChanged = true;
        }
    }
    return isChanged;
}

} // namespace

OnnxValues carriedLoop(const NodeContext& ctx, OnnxValue turns, OnnxValue begins, const OnnxValues& initial,
                       const std::function<CarriedStep(OnnxValue iteration, const OnnxValues& states)>& step)
{
    std::vector<TensorType> types;
    for (const OnnxValue value : initial) {
        types.push_back(ctx.onnx.type(value));
    }
    constexpr int enough = 4; // a widened state can widen another
    OnnxBody body;
    std::size_t outputs = 0;
    for (int attempt = 0; body == nullptr; ++attempt) {
        const std::size_t problems = ctx.problemCount();
        const std::size_t depth = ctx.onnx.bodyDepth();
        ctx.onnx.beginBody();
        const OnnxValue iteration = ctx.onnx.bodyInput({ElementType::Int64, Shape{}});
        const OnnxValue goesOn = ctx.onnx.bodyInput({ElementType::Bool, Shape{}});
        OnnxValues states;
        for (const TensorType& type : types) {
            states.push_back(ctx.onnx.bodyInput(type));
        }
        const CarriedStep made = step(iteration, states);
        bool isSettled = true;
        for (std::size_t i = 0; i < made.states.size(); ++i) {
            isSettled = !widen(types[i], ctx.onnx.shape(made.states[i])) && isSettled;
        }
        if (!isSettled && attempt < enough) {
            ctx.onnx.dropBodies(depth);
            ctx.forgetProblems(problems);
            continue;
        }
        OnnxValues results{made.condition ? made.condition : goesOn};
        results.insert(results.end(), made.states.begin(), made.states.end());
        results.insert(results.end(), made.stacked.begin(), made.stacked.end());
        outputs = results.size() - 1;
        body = ctx.onnx.endBody(results);
    }
    if (outputs == 0) {
        return {};
    }
    OnnxValues inputs{turns, begins ? begins : ctx.onnx.scalar(ElementType::Bool, 1)};
    inputs.insert(inputs.end(), initial.begin(), initial.end());
    OnnxValues last = ctx.onnx.add("Loop", inputs, {{"body", body}}, outputs);
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].shape) {
            ctx.onnx.refine(last[i], *types[i].shape);
        }
    }
    return last;
}

} // namespace crosswalk::forms
