#include "core/graph/needed_nodes.h"

#include "core/graph/reads.h"

#include <algorithm>

namespace crosswalk {

std::vector<bool> neededNodes(const Graph& graph, std::span<const NodeId> ends, Edges edges,
                              const std::function<bool(ValueId)>& isGiven)
{
    std::vector<bool> isNeeded(graph.nodeCount());
    std::vector<NodeId> open;
    const auto add = [&](NodeId id) {
        if (id && !isNeeded[id.index]) {
            isNeeded[id.index] = true;
            open.push_back(id);
        }
    };
    std::for_each(ends.begin(), ends.end(), add);
    while (!open.empty()) {
        const Node& node = graph.node(open.back());
        open.pop_back();
        forEachRead(graph, node, [&](ValueId value) {
            if (!isGiven || !isGiven(value)) {
                add(graph.value(value).producer);
            }
        });
        if (edges == Edges::All) {
            std::for_each(node.controlInputs.begin(), node.controlInputs.end(), add);
        }
    }
    return isNeeded;
}

std::vector<bool> neededNodes(const Graph& graph)
{
    std::vector<NodeId> producers;
    for (const ValueId output : graph.outputs) {
        producers.push_back(output ? graph.value(output).producer : NodeId{});
    }
    return neededNodes(graph, producers);
}

std::map<std::string, std::vector<NodeId>> unneededScopes(const Graph& graph)
{
    std::map<std::string, std::vector<NodeId>> scopes;
    if (graph.outputs.empty()) {
        return scopes;
    }
    const std::vector<bool> needed = neededNodes(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        if (!needed[i]) {
            const std::string& name = graph.node(NodeId{i}).name;
            scopes[name.substr(0, name.find('/'))].push_back(NodeId{i});
        }
    }
    return scopes;
}

} // namespace crosswalk
