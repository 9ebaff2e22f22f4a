#pragma once

#include "core/convert/emit.h"

#include <cstdint>

namespace crosswalk::pytorch {

/// Refuses more parts than a node of ONNX should have results.
void limitParts(const NodeContext& ctx, std::int64_t count);
/// The parts of an axis (not negative) that end at indices, each an int64 vector of one element.
OnnxValues partsUntil(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const OnnxValues& ends);
/// The slices along an axis (not negative) of fixed size, without that axis.
OnnxValues slicesAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
/// The elements of a vector of integers, each an int64 vector of one element.
OnnxValues elementVectors(const NodeContext& ctx, OnnxValue vector);

} // namespace crosswalk::pytorch
