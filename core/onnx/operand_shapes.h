#pragma once

#include "core/graph/tensor_type.h"
#include "core/onnx/proto.h"

#include <functional>
#include <optional>
#include <string>

namespace crosswalk {

/// The shape of a value, whose dimensions may be open; nothing if it is unknown.
using ShapeOf = std::function<std::optional<Shape>(const std::string& value)>;

struct ShapeMismatch {
    std::string value;  ///< whose shape does not match the other ones
    std::string reason; ///< "the bias has 3 instead of 4"
};

/// The first mismatch between the shapes of a node's operands that no runtime accepts although onnx's inference does:
/// inference does not count the elements of a Reshape or compare the channels of a Conv with its kernel. Open
/// dimensions match any size. Nodes of other domains match: gaps and custom operators may have the names of operators
/// of ONNX.
std::optional<ShapeMismatch> findShapeMismatch(const ::onnx::NodeProto& node, const ShapeOf& shapeOf);

} // namespace crosswalk
