#include "core/formats/tensorflow/lowering/frames.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/identities.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <unordered_map>

namespace crosswalk::tensorflow {
namespace {

bool isOperator(const Node& node, std::string_view op)
{
    return node.op == op || (node.op.starts_with("Ref") && std::string_view(node.op).substr(3) == op);
}

class Analysis {
public:
    explicit Analysis(const Graph& graph)
        : m_graph(graph)
    {
        m_flow.frameOf.assign(graph.nodeCount(), Frame::none);
        m_controlled.assign(graph.nodeCount(), Frame::none);
        m_flow.variableOf.assign(graph.nodeCount(), Frame::none);
        m_flow.branches.resize(graph.valueCount());
        m_flow.contextOf.resize(graph.nodeCount());
    }

    ControlFlow run()
    {
        // A loop's first Enter may read a constant, which belongs to no frame: its enclosing loop follows later.
        for (std::vector<std::uint32_t> before, controlled;
             before != m_flow.frameOf || controlled != m_controlled || before.empty();) {
            before = m_flow.frameOf;
            controlled = m_controlled;
            for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
                assignFrame(NodeId{i});
            }
            if (m_flow.frames.empty()) {
                break;
            }
        }
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            collectVariables(NodeId{i});
        }
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            assignVariable(NodeId{i});
        }
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            assignBranches(NodeId{i});
        }
        for (const Frame& frame : m_flow.frames) {
            if (!frame.condition && !frame.variables.empty()) {
                fail(frame.variables.front().merge, fmt::format("the loop {} has no condition", frame.name));
            }
        }
        return std::move(m_flow);
    }

private:
    [[noreturn]] void fail(NodeId node, std::string message) const
    {
        Diagnostic problem{.code = "damaged", .message = std::move(message)};
        problem.node = m_graph.node(node).name;
        problem.nodeIndex = node.index;
        problem.op = m_graph.node(node).op;
        throw ModelError(std::move(problem));
    }

    std::uint32_t depth(std::uint32_t frame) const
    {
        std::uint32_t count = 0;
        for (; frame != Frame::none; frame = m_flow.frames[frame].parent) {
            ++count;
        }
        return count;
    }

    std::uint32_t frameOfValue(ValueId value) const
    {
        const NodeId producer = m_graph.value(value).producer;
        return producer ? m_flow.frameOfOutputs(m_graph, producer) : Frame::none;
    }

    std::uint32_t deeper(std::uint32_t a, std::uint32_t b) const { return depth(b) > depth(a) ? b : a; }

    /// The frame that a node runs in, even if it reads nothing of it: TensorFlow adds control edges to constants.
    std::uint32_t controllingFrame(NodeId producer) const
    {
        return isOperator(m_graph.node(producer), "Exit") ? m_flow.frameOfOutputs(m_graph, producer)
                                                          : m_controlled[producer.index];
    }

    void assignFrame(NodeId id)
    {
        const Node& node = m_graph.node(id);
        std::uint32_t frame = Frame::none;
        std::uint32_t controlled = Frame::none;
        for (const ValueId input : node.inputs) {
            frame = deeper(frame, input ? frameOfValue(input) : Frame::none);
            const NodeId producer = input ? m_graph.value(input).producer : NodeId{};
            controlled = deeper(controlled, producer ? controllingFrame(producer) : Frame::none);
        }
        for (const NodeId control : node.controlInputs) {
            controlled = deeper(controlled, controllingFrame(control));
        }
        // A Merge selects between constants on a condition of its frame.
        frame = isOperator(node, "Merge") ? deeper(frame, controlled) : frame;
        m_controlled[id.index] = deeper(controlled, frame);
        m_flow.frameOf[id.index] = isOperator(node, "Enter") ? frameNamed(id, frame) : frame;
    }

    /// TensorFlow writes unique frame names. The enclosing loop is the deepest one that a value enters from.
    std::uint32_t frameNamed(NodeId enter, std::uint32_t parent)
    {
        const auto* name = attributeOf<std::string>(m_graph.node(enter), "frame_name");
        if (name == nullptr) {
            fail(enter, "it has no frame name");
        }
        const auto [known, isNew] = m_byName.try_emplace(*name, static_cast<std::uint32_t>(m_flow.frames.size()));
        const std::uint32_t frame = known->second;
        if (isNew) {
            m_flow.frames.push_back({.name = *name});
        }
        if (depth(parent) > depth(m_flow.frames[frame].parent)) {
            constexpr std::uint32_t deepest = 64;
            if (depth(parent) >= deepest || m_flow.isInside(parent, frame)) {
                fail(enter, m_flow.isInside(parent, frame)
                                ? "a value enters the loop from inside of it"
                                : fmt::format("loops are nested more than {} levels deep", deepest));
            }
            m_flow.frames[frame].parent = parent;
        }
        return frame;
    }

    const Node* producerOf(ValueId value, NodeId& id) const
    {
        id = value ? m_graph.value(value).producer : NodeId{};
        return id ? &m_graph.node(id) : nullptr;
    }

    void collectVariables(NodeId id)
    {
        const Node& node = m_graph.node(id);
        const std::uint32_t frame = m_flow.frameOf[id.index];
        if (isOperator(node, "LoopCond") && frame != Frame::none) {
            m_flow.frames[frame].condition = id;
        }
        if (!isOperator(node, "Merge") || node.inputs.size() != 2) {
            return;
        }
        NodeId first;
        NodeId second;
        const Node* enter = producerOf(node.inputs[0], first);
        const Node* next = producerOf(node.inputs[1], second);
        if (enter != nullptr && next != nullptr && isOperator(*next, "Enter")) {
            std::swap(enter, next);
            std::swap(first, second);
        }
        if (enter == nullptr || next == nullptr || !isOperator(*enter, "Enter") ||
            !isOperator(*next, "NextIteration")) {
            return;
        }
        const auto* isConstant = attributeOf<bool>(*enter, "is_constant");
        if (isConstant != nullptr && *isConstant) { // would replace the variable in each iteration
            fail(first, "is_constant is true, but its value is the start of a loop variable");
        }
        auto& variables = m_flow.frames[frame].variables;
        m_flow.variableOf[id.index] = static_cast<std::uint32_t>(variables.size());
        m_flow.variableOf[second.index] = m_flow.variableOf[id.index];
        variables.push_back({.merge = id, .enter = first, .next = second});
    }

    /// A Switch of a loop variable: on LoopCond, which branches never have.
    void assignVariable(NodeId id)
    {
        const Node& node = m_graph.node(id);
        NodeId merge;
        NodeId condition;
        if (!isOperator(node, "Switch") || node.inputs.size() != 2 ||
            producerOf(node.inputs[1], condition) == nullptr || !isOperator(m_graph.node(condition), "LoopCond")) {
            return;
        }
        // Another value belongs to a loop that was not finished. It matters only to what reads it.
        if (producerOf(node.inputs[0], merge) != nullptr) {
            m_flow.variableOf[id.index] = m_flow.variableOf[merge.index];
        }
    }

    void assignBranches(NodeId id)
    {
        // A loop variable runs in the branches of its initial value. The Switch on the loop's condition is not a
        // branch, and NextIteration comes later in the order.
        const Node& node = m_graph.node(id);
        const bool isVariable = m_flow.variableOf[id.index] != Frame::none;
        ControlFlow::Context context;
        const auto join = [&](const ControlFlow::Context& other) {
            ControlFlow::Context both;
            std::set_union(context.begin(), context.end(), other.begin(), other.end(), std::back_inserter(both));
            context = std::move(both);
        };
        for (const ValueId input : node.inputs) {
            if (input) {
                join(m_flow.branches[input.index]);
            }
        }
        for (const NodeId control : node.controlInputs) {
            join(m_flow.contextOf[control.index]);
        }
        if (isOperator(node, "Merge")) {
            // A value that all sides compute belongs to none.
            const ControlFlow::Context before = context;
            std::erase_if(context, [&](const ControlFlow::Branch& branch) {
                return std::ranges::any_of(before, [&](const ControlFlow::Branch& other) {
                    return other.predicate == branch.predicate && other.side != branch.side;
                });
            });
        }
        m_flow.contextOf[id.index] = context;
        for (std::size_t k = 0; k < node.outputs.size(); ++k) {
            m_flow.branches[node.outputs[k].index] = context;
            const bool isIndex = node.op == "_SwitchN";
            if (!isVariable && (isIndex || isOperator(node, "Switch")) && node.inputs.size() == 2) {
                auto& own = m_flow.branches[node.outputs[k].index];
                const ControlFlow::Branch branch{behindIdentities(m_graph, node.inputs[1]),
                                                 static_cast<std::uint32_t>(k), isIndex};
                own.insert(std::lower_bound(own.begin(), own.end(), branch), branch);
                own.erase(std::unique(own.begin(), own.end()), own.end());
            }
        }
    }

    const Graph& m_graph;
    ControlFlow m_flow;
    std::vector<std::uint32_t> m_controlled; ///< by node: the deepest frame of its inputs and control inputs
    std::unordered_map<std::string, std::uint32_t> m_byName; ///< frames
};

} // namespace

bool ControlFlow::isInside(std::uint32_t frame, std::uint32_t outer) const
{
    while (frame != Frame::none && frame != outer) {
        frame = frames[frame].parent;
    }
    return frame == outer;
}

std::uint32_t ControlFlow::frameOfOutputs(const Graph& graph, NodeId node) const
{
    const std::uint32_t frame = frameOf[node.index];
    return isOperator(graph.node(node), "Exit") && frame != Frame::none ? frames[frame].parent : frame;
}

ControlFlow controlFlowOf(const Graph& graph)
{
    return Analysis(graph).run();
}

std::vector<bool> neededInIteration(const Graph& graph, NodeId node)
{
    const auto isOfLastIteration = [&](ValueId value) {
        const NodeId producer = graph.value(value).producer;
        return producer && isOperator(graph.node(producer), "NextIteration");
    };
    return neededNodes(graph, std::span(&node, 1), Edges::All, isOfLastIteration);
}

} // namespace crosswalk::tensorflow
