#pragma once

#include "core/graph/graph.h"
#include "crosswalk/reports.h"

#include <functional>
#include <string>
#include <vector>

namespace crosswalk {

/// The content of a weight: of a stored value, or of a value with the role Parameter that a node holds (a variable).
/// Null for any other value.
const Tensor* parameterOf(const Graph& graph, ValueId id);

/// Whether a tensor that a constant node holds is a weight: floating-point, or 8-bit as in a quantized model, with a
/// dimension. Shapes, axes and paddings are other integers, rates and epsilons are scalars.
bool isWeight(const Tensor& constant);

/// Counts the weights of a graph and of the bodies of its nodes, each body once:
///
/// - stored values that no node makes (initializers, arrays of a weights file), whatever their type is;
/// - values with the role Parameter that a node makes. Where constants and variables are nodes, the reader gives this
///   role to those that are weights;
/// - outputs of constant nodes (OperatorInfo::constantAttribute) that are weights.
ParameterCount countParameters(const Graph& graph);
/// The same count of the values that `needed` marks.
ParameterCount countParameters(const Graph& graph, const std::vector<bool>& needed);
/// Calls `visit` with each weight that countParameters() counts, and with the name of its value.
void visitParameters(const Graph& graph, const std::vector<bool>& needed,
                     const std::function<void(const std::string&, const Tensor&)>& visit);

/// Whether the file has weights but no program: no node computes anything. A node stands for a module, and its inputs
/// are the weights of the module.
bool isWeightsOnly(const Graph& graph);

/// The names of the files that contain the bytes of a tensor, each once, relative to the model: several for a weight
/// that is saved in parts. Empty for content that is in memory or generated.
std::vector<std::string> filesOf(const Tensor& tensor);

} // namespace crosswalk
