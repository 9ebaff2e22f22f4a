#include "core/convert/forms/control/loop_state.h"

#include "core/convert/emit.h"

#include <fmt/format.h>

namespace crosswalk::forms {

OnnxBody LoopState::settle(const std::function<Step(const OnnxValues& initial)>& step)
{
    constexpr int enough = 4; // a widened state can widen another
    for (int attempt = 0;; ++attempt) {
        const std::size_t problems = m_ctx.problemCount();
        const std::size_t depth = m_ctx.onnx.bodyDepth();
        m_ctx.onnx.beginBody();
        const Step made = step(m_initial);
        bool settled = true;
        std::vector<Shape> shapes;
        for (const OnnxValue next : made.next) {
            shapes.push_back(m_ctx.shape(next));
        }
        if (attempt < enough) {
            OnnxValues outputs;
            if (made.condition) {
                outputs.push_back(made.condition);
            }
            outputs.insert(outputs.end(), made.next.begin(), made.next.end());
            outputs.insert(outputs.end(), made.stacked.begin(), made.stacked.end());
            OnnxBody body = m_ctx.onnx.endBody(outputs);
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                settled = !widen(i, shapes[i]) && settled;
            }
            if (settled) {
                return body;
            }
            m_ctx.forgetProblems(problems);
            continue;
        }
        m_ctx.onnx.dropBodies(depth);
        m_ctx.refuse("the shape of a state changes in each step, which ONNX's loops do not support");
    }
}

/// Expands a state if the step returns a larger one; returns whether it did.
bool LoopState::widen(std::size_t state, const Shape& wanted)
{
    OnnxValue& initial = m_initial[state];
    const Shape given = m_ctx.shape(initial);
    bool grows = false;
    bool fits = given.size() == wanted.size();
    for (std::size_t i = 0; i < given.size() && fits; ++i) {
        grows = grows || (given[i].size == 1 && wanted[i] != given[i]);
        fits = given[i].size == 1 || !given[i].isFixed() || !wanted[i].isFixed() || given[i] == wanted[i];
    }
    if (!fits) {
        m_ctx.invalid(fmt::format("state {} has shape {} before a step and {} after it", state, toString(given),
                                  toString(wanted)));
    }
    if (!grows) {
        return false;
    }
    OnnxValues dims;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const bool grown = given[i].size == 1 && wanted[i] != given[i];
        dims.push_back(grown ? dimension(wanted[i]) : emit::dimVector(m_ctx, initial, static_cast<std::int64_t>(i)));
    }
    Shape shape = given;
    for (std::size_t i = 0; i < given.size(); ++i) {
        shape[i] = given[i].size == 1 ? wanted[i] : given[i];
    }
    initial = emit::expand(m_ctx, initial, emit::concat(m_ctx, dims, 0));
    m_ctx.onnx.refine(initial, shape);
    return true;
}

/// A size known only by its symbol is read from an input of the node with this dimension.
OnnxValue LoopState::dimension(const Dim& wanted) const
{
    if (wanted.isFixed()) {
        return m_ctx.onnx.ints({wanted.size});
    }
    for (const OnnxValue input : m_ctx.inputs()) {
        const auto& shape = m_ctx.onnx.shape(input);
        for (std::size_t axis = 0; shape && axis < shape->size(); ++axis) {
            if (!wanted.isUnknown() && (*shape)[axis] == wanted) {
                return emit::dimVector(m_ctx, input, static_cast<std::int64_t>(axis));
            }
        }
    }
    m_ctx.refuse("the batch of a begin state does not follow from the inputs of the loop", {},
                 "fix the shapes of the inputs with --shape");
}

} // namespace crosswalk::forms
