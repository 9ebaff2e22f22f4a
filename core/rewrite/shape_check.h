#pragma once

#include "core/graph/tensor_type.h"
#include "core/onnx/proto.h"

#include <functional>
#include <optional>
#include <string>

namespace crosswalk {

/// Dimensions of a value; nothing if any of them is unknown.
using DimsOf = std::function<std::optional<Ints>(const std::string& value)>;

/// The value of a node whose shape a runtime rejects although onnx's inference accepts it: inference does not count the
/// elements of a Reshape or check the bias of a Gemm. Returns nothing if all shapes match, or if they are unknown.
std::optional<std::string> findShapeMismatch(const ::onnx::NodeProto& node, const DimsOf& dims);

} // namespace crosswalk
