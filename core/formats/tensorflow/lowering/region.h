#pragma once

#include "core/formats/tensorflow/lowering/frames.h"
#include "core/formats/tensorflow/lowering/target_scope.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crosswalk::tensorflow {

/// A node that reads or writes a variable.
struct Access {
    NodeId node;
    bool isWrite = false;
    friend bool operator==(const Access&, const Access&) = default;
};

/// A graph of the source during lowering: the model's, or a function's body at one call.
struct SourceScope {
    const Graph& graph;
    GraphPath path;     ///< from the model's graph
    std::string prefix; ///< of the names of what it becomes: the calls around it, "call/"
    ControlFlow flow;
    std::vector<Lowered> arguments = {};                  ///< of a function, in the order of Graph::inputs
    std::map<NodeRef, std::vector<Access>> accesses = {}; ///< by variable, in the order in which they were lowered
    std::set<NodeId> lowered = {};                        ///< nodes lowered so far, of a model that writes variables
    std::vector<NodeId> writers = {};                     ///< nodes to run that write variables, in the graph's order
    std::map<ValueId, NodeId> references = {}; ///< values in the memory of a variable that a writer writes in place
    std::vector<NodeId> joins = {};           ///< if there are any: the ends of branches and loops (Merge, Exit) to run
    std::set<ValueId> ignoredPredicates = {}; ///< of branches that are computed whether or not they run
    std::optional<std::set<ValueId>> readValues = {}; ///< values that nodes or the graph's outputs read
};

/// A part of a source scope that is lowered into one target: the whole scope, the condition or the body of a loop, one
/// side of a branch.
struct Region {
    SourceScope& source;
    TargetScope& target;
    Region* parent = nullptr;                        ///< of the same source scope; null for the whole scope
    std::uint32_t frame = Frame::none;               ///< of a loop's condition and body
    const std::vector<Lowered>* variables = nullptr; ///< of a loop: the values of its variables at the start of a step
    ControlFlow::Branch branch = {};                 ///< of a branch's side
    bool isBranch = false;
    std::map<ValueId, Lowered> values = {};                   ///< the values lowered so far
    std::map<std::uint32_t, std::vector<Lowered>> loops = {}; ///< results of loops, by frame and variable
    std::set<ValueId> open = {}; ///< being lowered: demanding one of them again means a cycle
    std::set<NodeId> ran = {};   ///< of a whole scope or a step of a loop: nodes that wrote variables in it

    /// The whole scope or the step of a loop that the region is a part of.
    Region& whole() { return parent == nullptr || frame != Frame::none ? *this : parent->whole(); }
};

} // namespace crosswalk::tensorflow
