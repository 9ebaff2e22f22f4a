#pragma once

#include "core/convert/node_context.h"

#include <functional>

namespace crosswalk::forms {

struct CarriedStep {
    OnnxValue condition = {}; ///< whether to go on; absent: as long as there are turns
    OnnxValues states;
    OnnxValues stacked; ///< collected over all steps, along axis 0
};

/// ONNX's Loop whose states may change their shapes from step to step: a dimension that changes is unknown inside the
/// loop. `turns` (int64, rank 0) or `begins` (bool, rank 0), the condition before the first step, may be absent. `step`
/// receives the iteration and the states; it may be called several times. Returns the last states, then the stacked
/// values.
OnnxValues carriedLoop(const NodeContext& ctx, OnnxValue turns, OnnxValue begins, const OnnxValues& initial,
                       const std::function<CarriedStep(OnnxValue iteration, const OnnxValues& states)>& step);

} // namespace crosswalk::forms
