// Nodes that reassemble the steps of a sequence, which are redundant if the sequence is one value.

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/attribute_parser.h"
#include "core/formats/mxnet/reroll/sequences.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

Values inputsOf(const GraphRewriter& graph, const Node& node)
{
    Values inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        inputs.push_back(graph.input(node, i));
    }
    return inputs;
}

} // namespace

/// stack, or Concat of steps with an inserted axis.
std::optional<ValueId> Sequences::stackAlong(const Node& node)
{
    Values steps = inputsOf(m_graph, node);
    auto axis = integer(node.attributes, "axis", 0);
    if (node.op == "Concat") {
        axis = integer(node.attributes, "dim", 1);
        for (ValueId& step : steps) {
            const Node* widened = m_graph.from("expand_dims", step);
            if (widened == nullptr || integer(widened->attributes, "axis") != axis) {
                return std::nullopt;
            }
            step = m_graph.input(*widened, 0);
        }
    }
    if (!axis || (*axis != 0 && *axis != 1) || steps.size() < 2) {
        return std::nullopt;
    }
    const auto sequence = of(steps);
    if (!sequence) {
        return std::nullopt;
    }
    return *axis == 0 ? *sequence : swapped(*sequence);
}

/// Concat of matrices along the rows: their sequence with time and batch merged.
std::optional<ValueId> Sequences::rows(const Node& node)
{
    const Values steps = inputsOf(m_graph, node);
    if (integer(node.attributes, "dim", 1) != 0 || steps.size() < 2) {
        return std::nullopt;
    }
    const auto sequence = of(steps);
    if (!sequence || !m_matrices.contains(m_graph.current(*sequence))) {
        return std::nullopt;
    }
    return m_graph.add("Reshape", {*sequence}, {parsedAttribute("shape", "(-3,0)")}).front();
}

/// Concat of sequences along the features, each possibly with the batch first.
std::optional<ValueId> Sequences::joined(const Node& node)
{
    constexpr std::int64_t features = 2;
    Values parts = inputsOf(m_graph, node);
    if (integer(node.attributes, "dim", 1) != features || parts.empty()) {
        return std::nullopt;
    }
    const bool batchFirst = std::all_of(parts.begin(), parts.end(), [&](ValueId part) {
        return m_graph.from("SwapAxis", part) != nullptr && m_graph.producer(part).index >= m_graph.sourceNodes();
    });
    if (batchFirst) {
        std::transform(parts.begin(), parts.end(), parts.begin(), [&](ValueId part) { return swapped(part); });
    }
    const ValueId whole = concat(parts, features);
    const Node* made = m_graph.producerNode(whole);
    if (made != nullptr && made->op == "Concat") { // nothing gained
        return std::nullopt;
    }
    return batchFirst ? swapped(whole) : whole;
}

void Sequences::replaceStacks()
{
    for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
        const Node node = m_graph.graph().node(NodeId{i});
        std::optional<ValueId> sequence;
        if (node.op == "stack") {
            sequence = stackAlong(node);
        } else if (node.op == "Concat") {
            sequence = joined(node);
            sequence = sequence ? sequence : stackAlong(node);
            sequence = sequence ? sequence : rows(node);
        } else if (node.op == "reverse" && m_graph.from("SwapAxis", m_graph.input(node, 0)) != nullptr &&
                   integer(node.attributes, "axis") == 1) {
            // (batch, time, ...) reversed in time
            const ValueId inTime = swapped(m_graph.input(node, 0));
            sequence =
                m_graph.from("reverse", inTime) != nullptr ? std::optional(swapped(reversed(inTime))) : std::nullopt;
        } else if (node.op == "reverse" && integer(node.attributes, "axis") == 0 &&
                   m_graph.from("reverse", m_graph.input(node, 0)) != nullptr) {
            sequence = reversed(m_graph.input(node, 0));
        }
        if (sequence && m_graph.current(*sequence) != m_graph.current(node.outputs[0])) {
            m_graph.addOrigins(*sequence, std::vector{NodeId{i}});
            m_graph.replace(node.outputs[0], *sequence);
        }
    }
}

void Sequences::replaceSteps()
{
    for (const auto& [step, value] : m_alone) {
        m_graph.replace(step, value);
    }
}

} // namespace crosswalk::mxnet
