#pragma once

#include <set>
#include <string>

namespace onnx {
class GraphProto;
}

namespace crosswalk {

/// The symbols in the declared types of a graph's inputs, outputs and values.
std::set<std::string> statedSymbols(const ::onnx::GraphProto& graph);

/// onnx's inference invents symbols for unknown dimensions ("unk__0"). Removes them from the types of a graph's inputs,
/// outputs and values, unless they already occur in `original`, the graph before inference.
void removeGeneratedSymbols(::onnx::GraphProto& inferred, const ::onnx::GraphProto& original);

} // namespace crosswalk
