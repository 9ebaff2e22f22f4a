#include "core/convert/model_part.h"

#include "core/graph/reads.h"
#include "core/onnx/node.h"

#include <set>

namespace crosswalk {
namespace {

/// By value: whether it depends only on stored values. The shape operand of a Reshape is extracted with its reader, in
/// whatever form it is stored.
std::vector<bool> storedValues(const Graph& graph)
{
    std::vector<bool> stored(graph.valueCount());
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        stored[i] = static_cast<bool>(graph.value(ValueId{i}).tensor);
    }
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        bool readsStored = !isRandom(node.op);
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
    std::set<ValueId> needed;
    std::set<ValueId> given;
    for (const ValueId id : graph.outputs) {
        if (isMadeInside(id)) {
            given.insert(id);
        }
    }
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        forEachRead(graph, graph.node(NodeId{i}), [&](ValueId id) {
            if (inside[i] != isMadeInside(id) && !stored[id.index]) {
                (inside[i] ? needed : given).insert(id);
            }
        });
    }
    ModelPart part;
    for (const ValueId id : needed) {
        part.from.push_back(graph.value(id).name);
    }
    for (const ValueId id : given) {
        part.to.push_back(graph.value(id).name);
    }
    return part.from.empty() || part.to.empty() ? std::nullopt : std::optional(std::move(part));
}

} // namespace crosswalk
