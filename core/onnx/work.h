#pragma once

#include "core/graph/graph.h"
#include "crosswalk/reports.h"

#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// The work of an ONNX model's graph with inferred shapes. A Scan counts its body once per step, a Loop only if its
/// trip count is stored in the model, an If its more expensive branch. `types`: of the graph's values, by index, where
/// those of stored values are not read; empty: as the graph has them.
Work workOf(const Graph& onnx, std::span<const TensorType> types = {});

/// The same of each node of the graph: its `unknownNodes` count the node or, if it has bodies, their nodes.
std::vector<Work> worksByNode(const Graph& onnx);

/// The sizes that were counted as 1, for messages: "N = 1", and how many more there are. Shape inference makes up names
/// for unknown sizes, which say nothing: these are only counted.
std::vector<std::string> sizesAsOne(const Work& work);

/// "4.12 G multiply-adds at N = 1", "at least 12 M multiply-adds, 3 nodes not counted", "unknown".
std::string toString(const Work& work);

} // namespace crosswalk
