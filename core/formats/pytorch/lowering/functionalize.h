#pragma once

#include "core/graph/graph.h"

namespace crosswalk::pytorch {

/// Attribute of a node that was an in-place operator: the result keeps the element type of `self`.
constexpr std::string_view inPlace = "in_place";
/// Replaces in-place operators, such as aten::add_, by those that return a new tensor, and lets everything behind them
/// read that. A write to a tensor whose memory a later operator reads as another tensor, a view or the base of one, is
/// a problem of the node.
Graph functionalized(const Graph& source, std::vector<Diagnostic>& problems);

} // namespace crosswalk::pytorch
