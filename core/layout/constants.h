#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace crosswalk {

/// The content of a value that is stored in the file or produced by a constant node; null for any other.
const Tensor* constantTensor(const Graph& graph, ValueId value);
/// Like constantTensor, but also returns the stored content of a variable.
const Tensor* storedTensor(const Graph& graph, ValueId value);

/// The parts of a graph that are drawn as rows of their consumers.
struct Constants {
    std::vector<bool> values; ///< by value: stored tensors, constants, and values computed only from these
    std::vector<bool> nodes;  ///< by node: nodes that produce nothing else
};

/// Folds stored tensors and constants that only nodes read, and the nodes between them and the first node that also
/// depends on model inputs, such as reshaped and concatenated weights. Model outputs are not folded, nor are their
/// producers if they depend on no input: a graph of constants is drawn.
Constants findConstants(const Graph& graph, const Consumers& consumers);

/// The stored values from which a folded value is computed, in reading order without duplicates; the value itself if it
/// is stored.
ValueIds storedBehind(const Graph& graph, const Constants& constants, ValueId value);

/// By value: whether it is stored (including variables) or computed only from stored values, whether drawn or folded.
std::vector<bool> storedAlone(const Graph& graph);

/// The stored values from which a value is computed, as above; empty if it depends on other values, or if the list
/// would be too long to read.
ValueIds storedBehind(const Graph& graph, const std::vector<bool>& isStoredAlone, ValueId value);

} // namespace crosswalk
