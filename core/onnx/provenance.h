#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace onnx {
class NodeProto;
}

namespace crosswalk {

/// The key under which a node's metadata_props name the source nodes that it came from, as a JSON array.
inline constexpr const char* sourceKey = "crosswalk.source";

/// Writes the array of written names, replacing an older one.
void writeSources(::onnx::NodeProto& node, const std::vector<std::string>& sources);
void writeSources(::onnx::NodeProto& node, const std::vector<NodeId>& sources, const NodeNames& names);

} // namespace crosswalk
