#include "core/convert/model_part.h"

#include <algorithm>
#include <set>

namespace crosswalk {
namespace {

/// Calls `use` with every value that a node reads, those that its bodies read included.
template <typename Use>
void forEachRead(const Graph& graph, const Node& node, Use&& use)
{
    for (const ValueId input : node.inputs) {
        if (input) {
            use(input);
        }
    }
    const auto ofBody = [&](SubgraphId id) {
        for (const Graph::Capture& capture : graph.subgraph(id).captures) {
            use(capture.outer);
        }
    };
    for (const Attribute& attribute : node.attributes) {
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            ofBody(*body);
        } else if (const auto* bodies = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            std::for_each(bodies->begin(), bodies->end(), ofBody);
        }
    }
}

/// By value: whether it follows from what is stored alone. The shape of a Reshape comes along with the node that reads
/// it, however it is written.
std::vector<bool> storedValues(const Graph& graph)
{
    std::vector<bool> stored(graph.valueCount());
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        stored[i] = static_cast<bool>(graph.value(ValueId{i}).tensor);
    }
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        bool readsStored = !node.op.starts_with("Random") && node.op != "Multinomial";
        forEachRead(graph, node, [&](ValueId id) { readsStored = readsStored && stored[id.index]; });
        for (const ValueId output : node.outputs) {
            if (output) {
                stored[output.index] = readsStored;
            }
        }
    }
    return stored;
}

} // namespace

std::optional<ModelPart> partOf(const Graph& graph, std::span<const NodeId> nodes)
{
    const std::vector<bool> stored = storedValues(graph);
    std::vector<bool> inside(graph.nodeCount());
    for (const NodeId node : nodes) {
        inside[node.index] = true;
    }
    const auto isMadeInside = [&](ValueId id) {
        const NodeId producer = graph.value(id).producer;
        return producer && inside[producer.index];
    };
    std::set<std::uint32_t> needed;
    std::set<std::uint32_t> given;
    for (const ValueId id : graph.outputs) {
        if (isMadeInside(id)) {
            given.insert(id.index);
        }
    }
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        forEachRead(graph, graph.node(NodeId{i}), [&](ValueId id) {
            if (inside[i] != isMadeInside(id) && !stored[id.index]) {
                (inside[i] ? needed : given).insert(id.index);
            }
        });
    }
    ModelPart part;
    for (const std::uint32_t id : needed) {
        part.from.push_back(graph.value(ValueId{id}).name);
    }
    for (const std::uint32_t id : given) {
        part.to.push_back(graph.value(ValueId{id}).name);
    }
    return part.from.empty() || part.to.empty() ? std::nullopt : std::optional(std::move(part));
}

} // namespace crosswalk
