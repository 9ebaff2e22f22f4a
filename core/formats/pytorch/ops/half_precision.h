#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::pytorch {

/// Whether a node computes with tensors of half precision, and its form must not: of bfloat16, for which ONNX Runtime
/// has no kernels on CPUs, and of float16 where the form has several nodes. Operators that only move elements do not
/// compute.
bool computesInFloat32(const NodeContext& ctx);

/// Translates such a node. PyTorch's kernels compute in float32 and round the results, and so does the export: operands
/// of half precision are cast to float32, and floating results back if that is their type in PyTorch.
OnnxValues translateInFloat32(NodeContext& ctx, OnnxValues (*translate)(NodeContext&));

} // namespace crosswalk::pytorch
