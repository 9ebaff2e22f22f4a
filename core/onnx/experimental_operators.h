#pragma once

#include <string>
#include <string_view>

namespace onnx {
class ModelProto;
class NodeProto;
} // namespace onnx

namespace crosswalk {

/// Whether an operator was experimental in ONNX's first releases and was removed. onnx's checker accepts it at every
/// opset, with any operands and attributes.
bool isExperimental(const std::string& op, const std::string& domain);

/// Whether ONNX Runtime 1.31 runs a model of this opset with such an operator: some it kept, for models before
/// opset 10.
bool runsExperimental(std::string_view op, int opset);

/// A node with such an operator, at any depth; null if there is none.
const ::onnx::NodeProto* findExperimental(const ::onnx::ModelProto& model);
/// Moves all of them from ONNX's domain to a custom one. The checker would print a warning about them to the standard
/// output.
void renameExperimental(::onnx::ModelProto& model);

} // namespace crosswalk
