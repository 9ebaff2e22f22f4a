#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace crosswalk::forms {

struct CarriedStep {
    OnnxValue condition = {}; ///< whether to go on; absent: as long as there are turns
    OnnxValues states;
    OnnxValues stacked; ///< collected over all steps, along axis 0
};

/// By stacked value: the axis along which everything concatenates it, so that its size along this axis may differ from
/// step to step; nothing if the stacked values are read otherwise, or the list ends before.
using JoinAxes = std::vector<std::optional<std::int64_t>>;

/// ONNX's Loop whose states may change their shapes from step to step: a dimension that changes is unknown inside the
/// loop. `turns` (int64, rank 0) or `begins` (bool, rank 0), the condition before the first step, may be absent. `step`
/// receives the iteration and the states; it may be called several times. Returns the last states, then the stacked
/// values. Of values that may differ in size and that everything concatenates, a single one is returned, [1, ...]: all
/// concatenated.
OnnxValues carriedLoop(const NodeContext& ctx, OnnxValue turns, OnnxValue begins, const OnnxValues& initial,
                       const std::function<CarriedStep(OnnxValue iteration, const OnnxValues& states)>& step,
                       const JoinAxes& joinAxes = {});

} // namespace crosswalk::forms
