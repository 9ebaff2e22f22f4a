#include "core/formats/mxnet/reroll/valid_length.h"
#include "core/formats/mxnet/attribute_lookup.h"

#include <algorithm>

namespace crosswalk::mxnet {
namespace {

class Finder {
public:
    Finder(const GraphRewriter& graph, const UnrolledRun& run)
        : m_graph(graph)
        , m_nodes(run.nodes())
        , m_needed(graph.neededNodes())
    {
        for (std::uint32_t i = 0; i < m_needed.size(); ++i) {
            if (m_needed[i]) {
                for (const ValueId input : graph.graph().node(NodeId{i}).inputs) {
                    m_readers[graph.current(input)].push_back(NodeId{i});
                }
            }
        }
        for (const ValueId output : graph.graph().outputs) {
            m_outputs.insert(graph.current(output));
        }
    }

    /// Whether the values of all steps are only stacked, and their stacks only read within the lengths.
    bool reads(const ValueIds& steps, bool maskIsFine, ValueIds& last)
    {
        NodeSet stacks;
        for (const ValueId step : steps) {
            if (m_outputs.contains(step)) {
                return false;
            }
            for (const NodeId reader : m_readers[step]) {
                if (!m_nodes.contains(reader)) {
                    stacks.insert(reader);
                }
            }
        }
        return std::all_of(stacks.begin(), stacks.end(), [&](NodeId id) {
            const Node& stack = m_graph.graph().node(id);
            const bool isWhole =
                stack.op == "stack" && std::equal(steps.begin(), steps.end(), stack.inputs.begin(), stack.inputs.end(),
                                                  [&](ValueId a, ValueId b) { return a == m_graph.current(b); });
            return isWhole && !m_outputs.contains(stack.outputs[0]) && staysWithin(stack, maskIsFine, last);
        });
    }

    ValueId lengths() const { return m_lengths; }

private:
    bool staysWithin(const Node& stack, bool maskIsFine, ValueIds& last)
    {
        for (const NodeId id : m_readers[stack.outputs[0]]) {
            const Node& reader = m_graph.graph().node(id);
            const bool isMask = maskIsFine && reader.op == "SequenceMask" && number(reader.attributes, "value", 0) == 0;
            const bool isLast = reader.op == "SequenceLast";
            const auto axis = integer(reader.attributes, "axis", 0);
            if ((!isMask && !isLast) || !flag(reader.attributes, "use_sequence_length", false) ||
                reader.inputs.size() != 2 || m_graph.input(reader, 0) != stack.outputs[0] ||
                m_graph.input(reader, 1) == stack.outputs[0] || !axis || axis != integer(stack.attributes, "axis", 0) ||
                !takeLengths(m_graph.input(reader, 1))) {
                return false;
            }
            if (isLast) {
                last.push_back(reader.outputs[0]);
            }
        }
        return true;
    }

    bool takeLengths(ValueId lengths)
    {
        m_lengths = m_lengths ? m_lengths : lengths;
        return m_lengths == lengths;
    }

    const GraphRewriter& m_graph;
    NodeSet m_nodes;
    std::vector<bool> m_needed;
    ByValue<std::vector<NodeId>> m_readers;
    ValueSet m_outputs;
    ValueId m_lengths;
};

} // namespace

std::optional<ValidLength> findValidLength(const GraphRewriter& graph, const UnrolledRun& run)
{
    Finder finder(graph, run);
    ValueIds cells;
    for (const UnrolledStep& step : run.steps) {
        cells.push_back(step.c);
    }
    ValidLength found;
    if (run.mode() != CellMode::Lstm || !finder.reads(run.outputs(), true, found.lastH) ||
        !finder.reads(cells, false, found.lastC) || !finder.lengths()) {
        return std::nullopt;
    }
    found.lengths = finder.lengths();
    return found;
}

} // namespace crosswalk::mxnet
