// A script concatenates the items of a list that a loop built along axis a by moving axis 0 of the stacked items to a
// and flattening the axes a and a + 1 (tensor_functions.cpp).

#include "core/formats/pytorch/lowering/joined_items.h"

#include "core/graph/attributes.h"
#include "core/graph/tensor_type.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace crosswalk::pytorch {
namespace {

class ReadersByValue {
public:
    explicit ReadersByValue(const Graph& graph)
        : m_graph(graph)
        , m_readers(graph.valueCount())
        , m_isOutput(graph.valueCount())
    {
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            for (const ValueId input : graph.node(NodeId{i}).inputs) {
                if (input) {
                    m_readers[input.index].push_back(NodeId{i});
                }
            }
        }
        for (const ValueId output : graph.outputs) {
            m_isOutput[output.index] = true;
        }
    }

    /// The axis along which all readers of stacked items concatenate them.
    std::int64_t joinedAxis(ValueId stacked) const
    {
        std::int64_t joined = notJoined;
        for (const NodeId reader : m_readers[stacked.index]) {
            const auto axis = axisOf(m_graph.node(reader));
            if (!axis || (joined != notJoined && joined != *axis)) {
                return notJoined;
            }
            joined = *axis;
        }
        return m_isOutput[stacked.index] ? notJoined : joined;
    }

private:
    /// Of the items, if a reader of the stacked items concatenates them.
    std::optional<std::int64_t> axisOf(const Node& reader) const
    {
        if (reader.op == "aten::flatten") {
            return flattens(reader, 0) ? std::optional<std::int64_t>(0) : std::nullopt;
        }
        const auto* source = attributeOf<std::int64_t>(reader, "source");
        const auto* destination = attributeOf<std::int64_t>(reader, "destination");
        if (reader.op != "aten::movedim" || source == nullptr || destination == nullptr || *source != 0 ||
            reader.outputs.size() != 1 || m_isOutput[reader.outputs[0].index]) {
            return std::nullopt;
        }
        const auto& next = m_readers[reader.outputs[0].index];
        const bool areFlattened = !next.empty() && std::ranges::all_of(next, [&](NodeId id) {
            return flattens(m_graph.node(id), *destination);
        });
        // A negative axis counts the same axes with and without the axis of the items.
        return areFlattened ? std::optional(*destination < 0 ? *destination + 1 : *destination) : std::nullopt;
    }

    static bool flattens(const Node& node, std::int64_t axis)
    {
        const auto* first = attributeOf<std::int64_t>(node, "start_dim");
        const auto* last = attributeOf<std::int64_t>(node, "end_dim");
        return node.op == "aten::flatten" && first != nullptr && last != nullptr && *first == axis && *last == axis + 1;
    }

    const Graph& m_graph;
    std::vector<std::vector<NodeId>> m_readers;
    std::vector<bool> m_isOutput;
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
    const ReadersByValue readers(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto* carried = attributeOf<std::int64_t>(node, "carried");
        if (!isLoop(node) || carried == nullptr || *carried < 0) {
            continue;
        }
        Ints axes;
        for (auto k = static_cast<std::size_t>(*carried); k < node.outputs.size(); ++k) {
            axes.push_back(readers.joinedAxis(node.outputs[k]));
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
