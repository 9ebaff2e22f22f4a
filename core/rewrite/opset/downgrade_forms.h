#pragma once

#include "core/rewrite/opset/version_converter.h"

#include <cstddef>
#include <string_view>

namespace crosswalk {

/// Throws ModelError "opset-change" at the node.
[[noreturn]] void refuseDowngrade(const ::onnx::Node& node, int opset, std::string_view why);

/// Throws ModelError "opset-change" if the node's operator at this opset does not accept its types: each must be listed
/// in the schema, and operands with the same type parameter must have equal types. The error is reported at `reported`:
/// the node itself, or the node that it replaces.
void expectTypes(const ::onnx::Node& node, int opset, const ::onnx::Node& reported);

bool hasInput(const ::onnx::Node& node, std::size_t input);

// Equivalent forms for lower opsets. Each function returns the node that replaces `node`.

/// Softmax, LogSoftmax and Hardmax at opset 12. Below opset 13 they flatten all axes from `axis` on.
::onnx::Node* softmaxOnLastAxis(::onnx::Graph& graph, ::onnx::Node& node);
/// GreaterOrEqual and LessOrEqual at opset 11.
::onnx::Node* greaterOrLessOrEqual(::onnx::Graph& graph, ::onnx::Node& node);
/// HardSwish at opset 13.
::onnx::Node* hardSwish(::onnx::Graph& graph, ::onnx::Node& node);
/// Shape at opset 14, which has no start and end.
::onnx::Node* slicedShape(::onnx::Graph& graph, ::onnx::Node& node);
/// Resize at opset 12.
void addOptionalInputs(::onnx::Graph& graph, ::onnx::Node& node);
/// Constant at opset 11.
void constantAsTensor(::onnx::Node& node);

} // namespace crosswalk
