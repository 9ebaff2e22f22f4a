#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "crosswalk/options.h"

#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// The values that a user names as outputs, in that order and each once. A value is named by its own name, or by the
/// name of a node with one output (NodeNames); `name:0` and `name` are the same output of a node. Throws ModelError
/// "unknown-output" for a name that the graph does not have, that several values have, or that only a body has.
ValueIds findOutputs(const Graph& graph, std::span<const std::string> names);

/// The type of a value that withOutputs() adds to a node without outputs: the model runs the node for its effect on
/// variables, and returns no tensor for it.
inline constexpr const char* operationType = "operation";

/// The graph with the outputs that a user names, as findOutputs() finds them, or with a value of `operationType` for
/// each name of a node without outputs, and with the inputs that they need. Nodes and values keep their indices; those
/// that no output needs stay, and whatever lowers the graph drops them. Throws the same errors.
Graph withOutputs(const Graph& graph, std::span<const std::string> names);

/// By value: whether the outputs of the graph need it.
std::vector<bool> neededValues(const Graph& graph);

/// Options without the shapes and types of inputs, and new names of inputs and outputs, that `graph` has and `cut`, the
/// same with other outputs, does not.
ConvertOptions withoutCutPorts(ConvertOptions options, const Graph& graph, const Graph& cut);

} // namespace crosswalk
