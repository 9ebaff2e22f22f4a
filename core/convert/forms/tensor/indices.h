#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::forms {

/// What an index out of range stands for. ONNX counts negative ones from the back instead, and refuses the others.
enum class OutOfRange { Clip, Wrap, Raise };

/// Indices of any numeric type as int64 (or int32) within the dimension `axis` of x. Fractions are cut off.
OnnxValue indicesInto(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue indices, OutOfRange mode);

} // namespace crosswalk::forms
