#pragma once

#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace crosswalk::pytorch {

/// Gives inputs whose shape neither the file nor the user states the number of dimensions that their operators need:
/// TorchScript does not store it. Operators that accept a sample without a batch axis are taken to have one. An input
/// that no such operator reads keeps an unknown shape.
void inferInputRanks(const Graph& graph, std::map<std::string, TensorType, std::less<>>& inputs);

/// Whether the first result of an operator has the rank of its argument "self" or "input".
bool keepsRank(std::string_view op);
/// Whether its result has the greatest rank of its tensors.
bool broadcastsRanks(std::string_view op);

/// Whether it reduces all axes, or those that its argument "dim" names.
bool reducesAxes(std::string_view op);
/// The argument that lists a number for each axis of its result; empty if it has none.
std::string_view sizesArgument(std::string_view op);

/// Whether the ranks that operators need do not contradict each other and the known shapes.
bool ranksAgree(const Graph& graph);

} // namespace crosswalk::pytorch
