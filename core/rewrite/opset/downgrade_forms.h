#pragma once

#include "core/rewrite/opset/version_converter.h"

#include <string_view>

namespace crosswalk {

/// A ModelError "opset-change" at the node.
[[noreturn]] void refuseDowngrade(const ::onnx::Node& node, int opset, std::string_view why);

/// Refuses a node where its operator at this opset does not take its types: each must be among those that it lists, and
/// equal where it has one letter for both. `named` is the node that is said not to go: itself, or what it stands for.
void expectTypes(const ::onnx::Node& node, int opset, const ::onnx::Node& named);

bool isGiven(const ::onnx::Node& node, std::size_t input);

// The older forms that say the same; what stands in the node's place is given back.

/// Softmax and its like at opset 12: below 13 all axes from the one named on are taken together.
::onnx::Node* onLastAxis(::onnx::Graph& graph, ::onnx::Node& node);
/// GreaterOrEqual and LessOrEqual at opset 11.
::onnx::Node* orEqual(::onnx::Graph& graph, ::onnx::Node& node);
/// HardSwish at opset 13.
::onnx::Node* hardSwish(::onnx::Graph& graph, ::onnx::Node& node);
/// Shape at opset 14, which gives the whole of it.
::onnx::Node* partOfShape(::onnx::Graph& graph, ::onnx::Node& node);
/// Resize at opset 12.
void giveAllInputs(::onnx::Graph& graph, ::onnx::Node& node);
/// Constant at opset 11.
void constantAsTensor(::onnx::Node& node);

} // namespace crosswalk
