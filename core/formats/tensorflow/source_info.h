#pragma once

#include "core/graph/graph.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk::tensorflow {

// Information that the neutral graph cannot represent. Graph::original of a graph and of a function's body refers to
// it.

/// A signature of a MetaGraphDef: a way to call the model. Keys are the names under which TensorFlow Serving and
/// `saved_model_cli` show inputs and outputs; unordered in the file, sorted here.
struct Signature {
    std::string name;   ///< "serving_default"
    std::string method; ///< "tensorflow/serving/predict"
    std::vector<std::pair<std::string, ValueId>> inputs;
    std::vector<std::pair<std::string, ValueId>> outputs;
    std::map<ValueId, Shape> shapes; ///< that it declares for its inputs
};

/// Of the main graph.
struct SourceInfo {
    std::vector<Signature> signatures;
    /// The checkpoint key of each variable with a value.
    std::map<NodeId, std::string> variableKeys;
    /// Variables that the graph does not restore from a checkpoint although it restores others: their content comes
    /// from earlier runs.
    std::set<NodeId> unsavedVariables;
    /// The collections that list nodes or names of them (RETURNN's state variables, update operators).
    std::map<std::string, std::vector<std::string>> collections;
};

/// Of a function's body.
struct FunctionInfo {
    std::vector<Attribute> attributes;    ///< `api_implements`, `_noinline`; their tensors belong to the body
    std::vector<NodeId> controlOutputs;   ///< run whenever the function is called, although nothing reads them
    std::vector<std::string> resultNames; ///< names of the outputs in the signature, one for each of Graph::outputs
    bool isStateful = false;
};

const SourceInfo& sourceInfoOf(const Graph& main);
const FunctionInfo& functionInfoOf(const Graph& body);

} // namespace crosswalk::tensorflow
