#include "core/formats/tensorflow/lowering/joined_lists.h"

#include "core/formats/tensorflow/lowering/lower.h"
#include "core/graph/attributes.h"

#include <cstdint>
#include <utility>

namespace crosswalk::tensorflow {
namespace {

/// The values that something reads otherwise than to join the elements of a list.
ValueSet valuesReadOtherwise(const GraphRewriter& graph, const std::vector<bool>& needed)
{
    ValueSet read;
    for (const ValueId output : graph.graph().outputs) {
        read.insert(graph.current(output));
    }
    for (std::uint32_t i = 0; i < graph.graph().nodeCount(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (!needed[i] || node.attribute(joinsElements) != nullptr) {
            continue;
        }
        for (const ValueId input : node.inputs) {
            if (input) {
                read.insert(graph.current(input));
            }
        }
    }
    return read;
}

/// The list variables of loops whose elements something joins, as outputs of the loops.
ValueSet joinedVariables(const GraphRewriter& graph)
{
    ValueSet joined;
    for (std::uint32_t i = 0; i < graph.graph().nodeCount(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (node.attribute(joinsElements) == nullptr) {
            continue;
        }
        ValueId rows = graph.current(node.inputs[0]);
        const NodeId producer = graph.graph().value(rows).producer;
        if (producer && graph.graph().node(producer).op == "ExtendRows") {
            rows = graph.current(graph.graph().node(producer).inputs[0]);
        }
        joined.insert(rows);
    }
    return joined;
}

/// The variables of a loop that are lists and joined after it.
Ints joinedVariablesOf(const GraphRewriter& graph, const Node& loop, const ValueSet& joined)
{
    Ints variables;
    const auto* lists = attributeOf<Ints>(loop, "list_variables");
    for (const std::int64_t k : lists != nullptr ? *lists : Ints()) {
        if (joined.contains(graph.current(loop.outputs[static_cast<std::size_t>(k)]))) {
            variables.push_back(k);
        }
    }
    return variables;
}

} // namespace

void markJoinedLists(GraphRewriter& graph)
{
    std::vector<bool> needed;
    ValueSet readOtherwise;
    const ValueSet joinedByAny = joinedVariables(graph);
    for (std::uint32_t i = 0; i < graph.graph().nodeCount() && !joinedByAny.empty(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (node.op != "While") {
            continue;
        }
        if (Ints variables = joinedVariablesOf(graph, node, joinedByAny); !variables.empty()) {
            graph.addAttribute(NodeId{i}, {"joined_variables", std::move(variables)});
        }
        const auto rows = static_cast<std::size_t>(intOf(node, "stacked_outputs", 0));
        if (rows == 0) {
            continue;
        }
        if (needed.empty()) {
            needed = graph.neededNodes();
            readOtherwise = valuesReadOtherwise(graph, needed);
        }
        const std::size_t first = node.outputs.size() - rows;
        Ints joined;
        for (std::size_t k = 0; k < rows; ++k) {
            if (needed[i] && !readOtherwise.contains(graph.current(node.outputs[first + k]))) {
                joined.push_back(static_cast<std::int64_t>(k));
            }
        }
        if (!joined.empty()) {
            graph.addAttribute(NodeId{i}, {"joined_outputs", std::move(joined)});
        }
    }
}

} // namespace crosswalk::tensorflow
