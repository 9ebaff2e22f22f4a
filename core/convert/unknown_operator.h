#pragma once

#include "core/graph/graph.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a user can do about a node whose operator is not converted.
namespace crosswalk {

struct Framework;

/// The operator of a node as ConvertOptions::customOperators names it: for `Custom`, its op_type.
const std::string& operatorType(const Node& node);

/// The operators of a framework that are converted and have a name similar to `op`, most similar first: few, or none.
std::vector<std::string> similarOperators(const Framework& framework, std::string_view op);

/// The outputs of the model that remains without some nodes and everything that depends on them: the outputs that do
/// not depend on them, then what the nodes read and the model computes. Empty if nothing remains.
std::vector<ValueId> outputsWithout(const Graph& graph, std::span<const NodeId> nodes);

} // namespace crosswalk
