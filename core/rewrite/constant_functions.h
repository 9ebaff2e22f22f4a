#pragma once

#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <optional>
#include <span>

namespace crosswalk {

/// The output of a node with stored operands that computes a function of numbers, compares or selects them, or
/// multiplies matrices. Floating-point results are rounded from double precision, so that they can differ from the
/// node's own by rounding errors. Nothing for other nodes, for large results and where a NaN takes part.
std::optional<Tensor> constantFunction(const ::onnx::NodeProto& node, std::span<const Tensor* const> inputs);

} // namespace crosswalk
