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
    const std::set<NodeId> inside(nodes.begin(), nodes.end());
    std::set<ValueId> needed;
    std::set<ValueId> given(graph.outputs.begin(), graph.outputs.end());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const bool isInside = inside.contains(NodeId{i});
        forEachRead(graph, graph.node(NodeId{i}), [&](ValueId id) {
            const Value& value = graph.value(id);
            const bool isMadeInside = value.producer && inside.contains(value.producer);
            if (isInside && !isMadeInside && !stored[id.index]) {
                needed.insert(id);
            } else if (!isInside && isMadeInside && !stored[id.index]) {
                given.insert(id);
            }
        });
    }
    ModelPart part;
    for (const ValueId id : needed) {
        part.from.push_back(graph.value(id).name);
    }
    for (const ValueId id : given) {
        const Value& value = graph.value(id);
        if (value.producer && inside.contains(value.producer)) {
            part.to.push_back(value.name);
        }
    }
    return part.from.empty() || part.to.empty() ? std::nullopt : std::optional(std::move(part));
}

} // namespace crosswalk
