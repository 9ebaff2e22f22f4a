#pragma once

#include "core/graph/graph.h"

namespace crosswalk::pytorch {

/// Whether a graph, or a body in it, leaves out a branch of the program that has no form in ONNX. Such a branch is
/// represented by a node prim::RaiseException with the attribute "is_unsupported" and without results.
bool hasUnsupportedBranch(const Graph& graph);
/// The same of the bodies of a node of a graph.
bool hasUnsupportedBranch(const Graph& graph, const Node& node);

} // namespace crosswalk::pytorch
