#pragma once

namespace crosswalk {

class Graph;
struct Conversion;
struct OnnxModel;

/// The graph of a converted model. Values have the types that the conversion computed, even where the model does not
/// store them.
Graph graphOf(const Conversion& conversion);
/// The graph of a conversion that keeps its source's graph, without the metadata that it added: a copy of the source
/// with the inferred types.
Graph typedSource(const Graph& source, const Conversion& conversion);
/// The model of a graph that was read from an ONNX file. Its nodes are in the graph's order. Reads the file again:
/// throws ModelError "unreadable" if it has changed since.
OnnxModel modelOf(const Graph& graph);

} // namespace crosswalk
