#pragma once

#include "core/graph/graph.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// Sets an entry of a model's metadata_props, in place of an older one.
void setModelMetadata(::onnx::ModelProto& model, const std::string& key, const std::string& value);

/// Gives nodes that a rewrite has made anew the metadata_props of the nodes that they came from. What several of those
/// say of their own sources is joined.
void carryMetadata(const ::onnx::GraphProto& before, const std::vector<std::vector<NodeId>>& sources,
                   ::onnx::GraphProto& after);

/// Drops what the nodes of a graph, those of bodies aside, say of their sources.
void forgetSources(::onnx::GraphProto& graph);

} // namespace crosswalk
