#pragma once

#include "core/graph/graph.h"
#include "core/onnx/proto.h"

#include <vector>

namespace crosswalk {

/// Records this program and the format of the source. Returns whether the nodes still lack their sources: a file that
/// was converted before keeps the metadata of its first source.
bool addProvenance(::onnx::ModelProto& model, const Graph& source);

/// Copies the metadata_props of nodes to the nodes that a rewrite created from them. Merges the source lists of several
/// nodes.
void carryMetadata(const ::onnx::GraphProto& before, const std::vector<std::vector<NodeId>>& sources,
                   ::onnx::GraphProto& after);

/// Removes the source metadata of the nodes of a graph, except those of bodies.
void forgetSources(::onnx::GraphProto& graph);

} // namespace crosswalk
