#pragma once

#include "core/formats/keras/weight_files.h"
#include "core/graph/graph.h"

#include <stop_token>
#include <string_view>

namespace crosswalk::keras {

/// The attribute of a node that names its inputs, one name each: the path of an argument ("0", "0.1", "mask"), or of a
/// weight with a colon before it (":kernel", ":cell/bias").
inline constexpr std::string_view operandsAttribute = "operands";
/// The beginning of the names of attributes that are arguments of the call: "call.axis".
inline constexpr std::string_view callPrefix = "call.";
/// The attribute of a node that is true where a layer is called with training=True, itself or in a model that is.
inline constexpr std::string_view trainingAttribute = "call.training";
/// The end of the name of an attribute that has the type of an argument that is an array: "call.1.dtype".
inline constexpr std::string_view arrayTypeSuffix = ".dtype";
/// The attribute of a node that says why a weight of it cannot be read.
inline constexpr std::string_view unreadableAttribute = "unreadable";
/// The operators that take steps of a sequence as samples of their own, for a wrapped model, and back.
inline constexpr std::string_view stepsAsSamples = "TimeDistributed.begin";
inline constexpr std::string_view samplesAsSteps = "TimeDistributed.end";
/// The operator that gives a tensor the mask which a nested model is called with.
inline constexpr std::string_view attachMask = "mask.attach";

/// The calls of a model's layers as nodes, in an order in which they can run; those of nested models have the model's
/// name before theirs ("encoder/dense"). A layer's weights are inputs of its nodes, behind the arguments.
/// Throws ModelError "damaged" for calls of layers that do not exist or that depend on each other.
Graph buildGraph(const ModelConfig& model, const Dialect& dialect, const WeightsByLayer& weights,
                 const std::stop_token& stop);

} // namespace crosswalk::keras
