#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace onnx {
class NodeProto;
}

namespace crosswalk {

/// The metadata_props key under which a node records its source nodes, as a JSON array of names.
inline constexpr const char* sourceKey = "crosswalk.source";

/// Records the names of the source nodes. Replaces an existing entry.
void writeSources(::onnx::NodeProto& node, const std::vector<std::string>& sources);
void writeSources(::onnx::NodeProto& node, const std::vector<NodeId>& sources, const NodeNames& names);
/// Adds the source nodes that another node records.
void addSources(::onnx::NodeProto& node, const ::onnx::NodeProto& other);

} // namespace crosswalk
