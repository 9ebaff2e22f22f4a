#pragma once

#include "core/rewrite/graph_edit.h"

#include <optional>
#include <vector>

namespace crosswalk {

/// Axis i of the permuted tensor is axis permutation[i] of the other.
using Permutation = Ints;

Permutation inverse(const Permutation& permutation);
/// The permutation of a Transpose; empty if it is not known.
Permutation permutationOf(const GraphEdit& edit, const ::onnx::NodeProto& transpose);

/// The operands and results of a node, by index, whose axes can be permuted together.
struct PermutedPorts {
    std::vector<int> inputs;
    std::vector<int> outputs;
};

/// The inputs and outputs that have to be permuted together so that the node, rewritten by permuteNode, computes the
/// same elements. Inputs that are stored or have one element are not among them. Nothing if the node depends on the
/// order of the axes.
std::optional<PermutedPorts> permutedPorts(const GraphEdit& edit, const ::onnx::NodeProto& node,
                                           const Permutation& permutation);

/// Rewrites attributes and stored operands of a node for which permutedPorts returned ports. The names of inputs and
/// outputs that are permuted are not changed.
void permuteNode(GraphEdit& edit, ::onnx::NodeProto& node, const Permutation& permutation);

} // namespace crosswalk
