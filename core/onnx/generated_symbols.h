#pragma once

#include "core/graph/tensor_type.h"

#include <set>
#include <string>

namespace onnx {
class GraphProto;
class TypeProto;
} // namespace onnx

namespace crosswalk {

/// The symbols in the declared types of a graph's inputs, outputs and values.
std::set<std::string> statedSymbols(const ::onnx::GraphProto& graph);

/// onnx's inference invents symbols for unknown dimensions ("unk__0"). Removes them from the types of a graph's inputs,
/// outputs and values, unless they already occur in `original`, the graph before inference.
void removeGeneratedSymbols(::onnx::GraphProto& inferred, const ::onnx::GraphProto& original);

/// The type of a tensor as onnx infers it, without the symbols that inference invented: those that are not in `stated`.
TensorType inferredType(const ::onnx::TypeProto& type, const std::set<std::string>& stated);

} // namespace crosswalk
