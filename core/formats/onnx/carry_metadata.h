#pragma once

#include "core/graph/graph.h"
#include "core/onnx/proto.h"

#include <string>
#include <vector>

namespace crosswalk {

/// Sets an entry of a model's metadata_props, replacing an older one.
void setModelMetadata(::onnx::ModelProto& model, const std::string& key, const std::string& value);

/// Copies the metadata_props of nodes to the nodes that a rewrite created from them. Merges the source lists of several
/// nodes.
void carryMetadata(const ::onnx::GraphProto& before, const std::vector<std::vector<NodeId>>& sources,
                   ::onnx::GraphProto& after);

/// Removes the source metadata of the nodes of a graph, except those of bodies.
void forgetSources(::onnx::GraphProto& graph);

} // namespace crosswalk
