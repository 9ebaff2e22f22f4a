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

} // namespace

void markJoinedLists(GraphRewriter& graph)
{
    std::vector<bool> needed;
    ValueSet readOtherwise;
    for (std::uint32_t i = 0; i < graph.graph().nodeCount(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        const auto rows = static_cast<std::size_t>(intOf(node, "stacked_outputs", 0));
        if (node.op != "While" || rows == 0) {
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
