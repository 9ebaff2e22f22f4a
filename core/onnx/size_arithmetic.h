#pragma once

#include "core/graph/tensor_type.h"
#include "core/onnx/proto.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace crosswalk {

/// The elements of the result of an operator that computes with sizes, where ONNX's own data propagation stops: Div,
/// Mod, Min, Max, Neg, Identity and Reshape of int64 scalars and vectors, and before opset 14 also Add, Sub and Mul.
/// `inputs`: the elements of each input, nothing if they are unknown. `count`: the number of elements of the result.
/// Returns nothing for other operators, for dynamic dimensions and for what runtimes define differently, such as a
/// quotient of negative numbers.
std::optional<Ints> computedSizes(const ::onnx::NodeProto& node,
                                  std::span<const std::optional<std::vector<Dim>>> inputs, std::size_t count);

} // namespace crosswalk
