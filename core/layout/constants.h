#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace crosswalk {

/// The content of a value that is stored in the file or made by a constant node; null for any other.
const Tensor* constantTensor(const Graph& graph, ValueId value);
/// The same of a variable too, whose content the file has as well.
const Tensor* storedTensor(const Graph& graph, ValueId value);

/// What of a graph is drawn as lines of its consumers.
struct Constants {
    std::vector<bool> values; ///< by value: stored tensors, constants, and what is computed of them alone
    std::vector<bool> nodes;  ///< by node: those that make nothing else
};

/// Stored tensors and constants that only nodes read, and the nodes between them and the first node that reads what
/// the model is given as well: reshaped and joined weights. What is an output of the model stays, as does what
/// leads to one without any other input: a graph of constants alone is drawn.
Constants findConstants(const Graph& graph, const Consumers& consumers);

/// The stored values that a folded one is computed of, in the order in which they are read, each once; itself where it
/// is stored.
std::vector<ValueId> storedBehind(const Graph& graph, const Constants& constants, ValueId value);

/// By value: whether it is stored (variables included), or computed of stored ones alone, be it drawn or folded.
std::vector<bool> storedAlone(const Graph& graph);

/// The stored values that a value is computed of, as above; nothing where anything else goes into it, or so much that
/// nobody reads it.
std::vector<ValueId> storedBehind(const Graph& graph, const std::vector<bool>& isStoredAlone, ValueId value);

} // namespace crosswalk
