// A script concatenates the items of a list that a loop built along axis a by moving axis 0 of the stacked items to a
// and flattening the axes a and a + 1 (tensor_functions.cpp).

#include "core/formats/pytorch/lowering/joined_items.h"

#include "core/graph/attributes.h"
#include "core/graph/tensor_type.h"

#include <algorithm>
#include <optional>
#include <set>

namespace crosswalk::pytorch {
namespace {

bool flattens(const Node& node, std::int64_t axis)
{
    const auto* first = attributeOf<std::int64_t>(node, "start_dim");
    const auto* last = attributeOf<std::int64_t>(node, "end_dim");
    return node.op == "aten::flatten" && first != nullptr && last != nullptr && *first == axis && *last == axis + 1;
}

/// The axis along which all that reads the stacked items of a list concatenates them.
class JoinedAxes {
public:
    explicit JoinedAxes(const Graph& graph)
        : m_graph(graph)
        , m_consumers(graph)
        , m_outputs(graph.outputs.begin(), graph.outputs.end())
    {
    }

    std::int64_t of(ValueId stacked) const
    {
        std::int64_t joined = notJoined;
        for (const NodeId consumer : m_consumers.of(stacked)) {
            const auto axis = axisOf(m_graph.node(consumer));
            if (!axis || (joined != notJoined && joined != *axis)) {
                return notJoined;
            }
            joined = *axis;
        }
        return m_outputs.contains(stacked) ? notJoined : joined;
    }

private:
    /// Of the items, if a consumer of the stacked items concatenates them.
    std::optional<std::int64_t> axisOf(const Node& consumer) const
    {
        if (flattens(consumer, 0)) {
            return 0;
        }
        const auto* source = attributeOf<std::int64_t>(consumer, "source");
        const auto* destination = attributeOf<std::int64_t>(consumer, "destination");
        if (consumer.op != "aten::movedim" || source == nullptr || destination == nullptr || *source != 0 ||
            consumer.outputs.size() != 1 || m_outputs.contains(consumer.outputs[0])) {
            return std::nullopt;
        }
        const auto next = m_consumers.of(consumer.outputs[0]);
        const bool areFlattened = !next.empty() && std::ranges::all_of(next, [&](NodeId id) {
            return flattens(m_graph.node(id), *destination);
        });
        // A negative axis counts the same axes with and without the axis of the items.
        return areFlattened ? std::optional(*destination < 0 ? *destination + 1 : *destination) : std::nullopt;
    }

    const Graph& m_graph;
    Consumers m_consumers;
    std::set<ValueId> m_outputs;
};

/// Whether it marked a loop.
bool mark(Graph& graph)
{
    bool isChanged = false;
    for (auto& body : graph.subgraphs) {
        Graph copy = *body;
        if (mark(copy)) {
            body = std::make_shared<const Graph>(std::move(copy));
            isChanged = true;
        }
    }
    const auto isLoop = [](const Node& node) { return node.op == "prim::Loop"; };
    if (std::ranges::none_of(graph.nodes(), isLoop)) {
        return isChanged;
    }
    const JoinedAxes joined(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto* carried = attributeOf<std::int64_t>(node, "carried");
        if (!isLoop(node) || carried == nullptr || *carried < 0) {
            continue;
        }
        Ints axes;
        for (auto k = static_cast<std::size_t>(*carried); k < node.outputs.size(); ++k) {
            axes.push_back(joined.of(node.outputs[k]));
        }
        if (std::ranges::any_of(axes, [](std::int64_t axis) { return axis != notJoined; })) {
            graph.node(NodeId{i}).attributes.push_back({std::string(joinedItems), std::move(axes)});
            isChanged = true;
        }
    }
    return isChanged;
}

} // namespace

void markJoinedItems(Graph& graph)
{
    mark(graph);
}

} // namespace crosswalk::pytorch
