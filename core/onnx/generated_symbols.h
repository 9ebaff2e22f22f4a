#pragma once

namespace onnx {
class GraphProto;
}

namespace crosswalk {

/// onnx's inference invents symbols for unknown dimensions ("unk__0"). Removes them from the types of a graph's inputs,
/// outputs and values, unless they already occur in `original`, the graph before inference.
void removeGeneratedSymbols(::onnx::GraphProto& inferred, const ::onnx::GraphProto& original);

} // namespace crosswalk
