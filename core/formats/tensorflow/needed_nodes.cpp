#include "core/formats/tensorflow/needed_nodes.h"

namespace crosswalk::tensorflow {

std::vector<bool> neededNodes(const Graph& graph, std::span<const NodeId> starts)
{
    std::vector<bool> isNeeded(graph.nodeCount());
    std::vector<NodeId> open;
    const auto add = [&](NodeId id) {
        if (id && !isNeeded[id.index]) {
            isNeeded[id.index] = true;
            open.push_back(id);
        }
    };
    for (const NodeId start : starts) {
        add(start);
    }
    while (!open.empty()) {
        const Node& node = graph.node(open.back());
        open.pop_back();
        for (const ValueId input : node.inputs) {
            add(graph.value(input).producer);
        }
        for (const NodeId before : node.controlInputs) {
            add(before);
        }
    }
    return isNeeded;
}

std::vector<bool> neededNodes(const Graph& graph)
{
    std::vector<NodeId> producers;
    for (const ValueId output : graph.outputs) {
        producers.push_back(graph.value(output).producer);
    }
    return neededNodes(graph, producers);
}

} // namespace crosswalk::tensorflow
