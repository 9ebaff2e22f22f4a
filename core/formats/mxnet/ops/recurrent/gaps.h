#pragma once

#include "core/formats/mxnet/ops/recurrent/settings.h"

namespace crosswalk::mxnet {

/// How the layers of a node are expressed.
enum class RecurrentForm : std::uint8_t { Fused, Scan, Unrolled };

/// The form that the user's strategy comes to: where ONNX's own operator is the same function it is always taken. Says
/// at the node what ONNX cannot say, what was taken instead and what else there is to choose.
RecurrentForm chooseForm(NodeContext& ctx, const RecurrentSettings& settings, ElementType type, OnnxValue data,
                         bool startsAtZero);

} // namespace crosswalk::mxnet
