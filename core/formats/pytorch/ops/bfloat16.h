#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::pytorch {

/// Whether a node reads a tensor of bfloat16 with which it computes. Operators that only move elements do not.
bool computesInBfloat16(const NodeContext& ctx);

/// Translates a node that computes in bfloat16, for which ONNX Runtime has no kernels on CPUs. PyTorch's kernels
/// compute in float32 there and round the results, and so does the export: the operands are cast to float32, and
/// floating results to bfloat16 if that is their type in PyTorch.
OnnxValues translateInFloat32(NodeContext& ctx, OnnxValues (*translate)(NodeContext&));

} // namespace crosswalk::pytorch
