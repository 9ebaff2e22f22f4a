#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace crosswalk::tensorflow {

/// A while loop of TensorFlow 1: the nodes between the Enter nodes of one frame name and its Exit nodes.
struct Frame {
    static constexpr std::uint32_t none = 0xffffffff;

    std::string name;
    std::uint32_t parent = none; ///< frame of the enclosing loop
    /// A loop variable: Merge(Enter, NextIteration), read by a Switch on the loop's condition.
    struct Variable {
        NodeId merge;
        NodeId enter;
        NodeId next;
    };
    std::vector<Variable> variables = {};
    NodeId condition = {}; ///< LoopCond
};

/// The loops and branches of a graph.
struct ControlFlow {
    /// The side of a Switch on which a value is computed. `predicate`: the condition, without Identity nodes.
    struct Branch {
        ValueId predicate;
        std::uint32_t side = 0; ///< the Switch's output: 1 (true) or 0, or that of a _SwitchN
        bool isIndex = false;   ///< of a _SwitchN: the predicate is the number of the output
        friend auto operator<=>(const Branch&, const Branch&) = default; // NOLINT(modernize-use-nullptr)
    };
    using Context = std::vector<Branch>; ///< sorted

    std::vector<Frame> frames;
    std::vector<std::uint32_t> frameOf; ///< by node; of an Enter, Exit and NextIteration the loop that they belong to
    std::vector<std::uint32_t> variableOf; ///< by node: of a Merge, Switch and NextIteration the loop variable's index
    std::vector<Context> branches;         ///< by value
    std::vector<Context> contextOf;        ///< by node: the branches in which it runs

    /// Whether a frame is `outer` or inside it.
    bool isInside(std::uint32_t frame, std::uint32_t outer) const;
    /// The frame that an output of a node belongs to: of an Exit the frame that encloses the loop.
    std::uint32_t frameOfOutputs(const Graph& graph, NodeId node) const;
};

/// Throws ModelError "damaged", with the node, for a loop or a branch that TensorFlow does not write.
ControlFlow controlFlowOf(const Graph& graph);

/// By node: whether `node` depends on it in the same iteration of the loops around it, by value or by order, or is it.
std::vector<bool> neededInIteration(const Graph& graph, NodeId node);

} // namespace crosswalk::tensorflow
