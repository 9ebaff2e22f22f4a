#pragma once

#include "core/base/budget.h"
#include "core/base/source_file.h"
#include "core/formats/tensorflow/graph_def.h"
#include "core/graph/graph.h"

#include <functional>
#include <memory>

namespace crosswalk::tensorflow {

/// The neutral graph of a GraphDef as stored:
///
/// - A node for each NodeDef with all of its attributes, in topological order (loops of TensorFlow 1 set hasCycles:
/// edges out
///   of NextIteration lead back). Node::controlInputs are its control edges.
/// - Values are named `node:k`. Their types come from the operator's definition, their shapes from `_output_shapes`,
/// and of
///   Const, Placeholder and variables from the node itself. Resources and variants are opaque.
/// - Const keeps its node; the attribute `value` is a TensorId. A variable has such an attribute where a checkpoint has
///   its value (attachVariables).
/// - Each function is a subgraph listed in Graph::functions, with a FunctionInfo; its inputs are the arguments.
///
/// The reader adds inputs, outputs and the SourceInfo. A model's input is the output of a Placeholder, which stays a
/// node.
///
/// Throws ModelError "damaged" with the node or the function, "large-file", and "unsupported-type" (a tensor of a type
/// below 8 bits).
Graph buildGraph(
    const std::shared_ptr<const SourceFile>& file, const GraphDef& def, Budget budget,
    const std::function<void()>& checkStop = [] {});

} // namespace crosswalk::tensorflow
