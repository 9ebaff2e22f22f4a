#pragma once

#include "core/convert/node_context.h"

#include <functional>

namespace crosswalk::forms {

/// The values that a loop hands from step to step. An initial state may have a size of one where
/// the step gives back another size; ONNX wants the shape that the step gives back from the first step on.
class LoopState {
public:
    struct Step {
        OnnxValues next;          ///< the states after the step
        OnnxValues stacked;       ///< what is collected over all steps
        OnnxValue condition = {}; ///< of a Loop: whether to go on; its first result
    };

    LoopState(const NodeContext& ctx, OnnxValues initial)
        : m_ctx(ctx)
        , m_initial(std::move(initial))
    {
    }

    /// Makes the body by `step`, which declares the body's inputs itself, and widens the initial states until the step
    /// gives them back in the shape in which it takes them.
    OnnxBody settle(const std::function<Step(const OnnxValues& initial)>& step);
    const OnnxValues& initial() const { return m_initial; }

private:
    bool widen(std::size_t state, const Shape& wanted);
    OnnxValue dimension(const Dim& wanted) const;

    const NodeContext& m_ctx;
    OnnxValues m_initial;
};

} // namespace crosswalk::forms
