#pragma once

#include "core/convert/forms/recurrent_layer.h"

#include <cstdint>

namespace crosswalk::forms {

/// Whether it is known at conversion to contain only zeros.
bool startsAtZero(const NodeContext& ctx, const StackedState& state);

// The initial h or c of a layer, in x's type; x is (time, batch, features), `width` that of the state.

/// (directions, batch, width); absent if all are zero.
OnnxValue stateOfLayer(const NodeContext& ctx, const RecurrentLayer& layer, const StackedState& state, OnnxValue x);
/// (batch, width); zeros if the state is absent.
OnnxValue stateOfCell(const NodeContext& ctx, const StackedState& state, std::int64_t direction, std::int64_t width,
                      OnnxValue x);
/// (batch, width) of zeros.
OnnxValue zeroState(const NodeContext& ctx, std::int64_t width, OnnxValue x);

} // namespace crosswalk::forms
