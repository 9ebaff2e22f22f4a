#pragma once

#include "core/onnx/proto.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk {

/// Dimensions of a value; nothing where one of them is not known.
using DimsOf = std::function<std::optional<std::vector<std::int64_t>>(const std::string& value)>;

/// The value of a node that a runtime refuses at these sizes, where onnx's own inference lets it pass: it does not
/// count the elements of a Reshape, nor look at the bias of a Gemm. Nothing where all fit, or it cannot be told.
std::optional<std::string> findShapeMismatch(const ::onnx::NodeProto& node, const DimsOf& dims);

} // namespace crosswalk
