#pragma once

#include "core/graph/graph.h"

namespace crosswalk::pytorch {

/// Whether a graph, or a body in it, leaves out a branch of the program that has no form in ONNX. A
/// prim::RaiseException with the attribute "is_unsupported", which has no results, stands for such a branch.
bool hasUnsupportedBranch(const Graph& graph);
/// The same of the bodies of a node of a graph.
bool hasUnsupportedBranch(const Graph& graph, const Node& node);

} // namespace crosswalk::pytorch
