#pragma once

#include "core/convert/node_context.h"

#include <cstdint>

namespace crosswalk::forms {

/// The meaning of an index out of range. ONNX counts negative ones from the back instead, and rejects the others.
enum class OutOfRange { Clip, Wrap, Raise };

/// Indices of any numeric type as int64 (or int32) within the dimension `axis` of x. Fractions are truncated.
OnnxValue indicesInto(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue indices, OutOfRange mode);

} // namespace crosswalk::forms
