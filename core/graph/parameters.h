#pragma once

#include "core/graph/graph.h"
#include "crosswalk/reports.h"

namespace crosswalk {

/// The content of a weight: of a stored value, or of a value with the role Parameter that a node holds (a variable).
/// Null for any other value.
const Tensor* parameterOf(const Graph& graph, ValueId id);

/// Counts the weights of a graph, without those in bodies of its nodes:
///
/// - stored values that no node makes (initializers, arrays of a weights file), whatever their type is;
/// - values with the role Parameter that a node makes. Where constants and variables are nodes, the reader gives this
///   role to those that are weights.
ParameterCount countParameters(const Graph& graph);
/// The same of the values that `needed` marks.
ParameterCount countParameters(const Graph& graph, const std::vector<bool>& needed);

} // namespace crosswalk
