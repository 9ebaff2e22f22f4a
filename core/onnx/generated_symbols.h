#pragma once

namespace onnx {
class GraphProto;
}

namespace crosswalk {

/// onnx's inference names sizes that it does not know ("unk__0"). Opens those in the types of a graph's inputs, outputs
/// and values that `own`, the graph as it was before, does not have itself.
void openGeneratedSymbols(::onnx::GraphProto& inferred, const ::onnx::GraphProto& own);

} // namespace crosswalk
