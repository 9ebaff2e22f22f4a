#pragma once

#include "core/convert/node_context.h"

#include <cstddef>
#include <functional>
#include <utility>

namespace crosswalk::forms {

/// The values that a loop carries from step to step. An initial state may have a size of one where the step returns
/// another size; ONNX requires the returned shape from the first step on.
class LoopState {
public:
    struct Step {
        OnnxValues next;          ///< the states after the step
        OnnxValues stacked;       ///< the outputs collected over all steps
        OnnxValue condition = {}; ///< of a Loop: whether to go on; its first result
    };

    LoopState(const NodeContext& ctx, OnnxValues initial)
        : m_ctx(ctx)
        , m_initial(std::move(initial))
    {
    }

    /// Builds the body by `step`, which declares the body's inputs itself, and widens the initial states until the step
    /// preserves their shapes.
    OnnxBody settle(const std::function<Step(const OnnxValues& initial)>& step);
    const OnnxValues& initial() const { return m_initial; }

private:
    bool widen(std::size_t state, const Shape& wanted);
    OnnxValue dimension(const Dim& wanted) const;

    const NodeContext& m_ctx;
    OnnxValues m_initial;
};

} // namespace crosswalk::forms
