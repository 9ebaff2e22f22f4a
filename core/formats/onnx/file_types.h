#pragma once

#include "core/graph/graph.h"
#include "core/graph/tensor_type.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace crosswalk {

/// The types of the values of a graph that was read from a file, as convertOnnx() infers them if no option changes the
/// model, except those of stored values, which the graph has. Only one node is in memory at a time. Nothing if that is
/// not enough (a model with bodies, functions, sparse weights or unsorted nodes, or of an IR version before 4), or if
/// the model has an error, which the conversion reports. Throws ModelError "cancelled".
std::optional<std::vector<TensorType>> typesOfFile(const Graph& graph, const std::stop_token& stop);

/// Sets the types of stored values.
void addStoredTypes(const Graph& graph, std::vector<TensorType>& types);

} // namespace crosswalk
