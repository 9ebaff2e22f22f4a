#include "ui/document/graph_side.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

/// Whether a layout of one scene fits the other: equal boxes, equal edges.
bool sameOutline(const Scene& a, const Scene& b)
{
    const auto sameBox = [](const SceneNode& x, const SceneNode& y) {
        return x.width == y.width && x.height == y.height;
    };
    const auto sameEdge = [](const SceneEdge& x, const SceneEdge& y) { return x.from == y.from && x.to == y.to; };
    return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), sameBox) &&
           std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(), sameEdge);
}

} // namespace

std::shared_ptr<const GraphSide> GraphSide::make(std::shared_ptr<const Graph> graph, std::span<const TensorType> types,
                                                 const GraphSide* previous, std::stop_token stop)
{
    Scene scene = buildScene(*graph, types);
    if (previous != nullptr && sameOutline(scene, previous->drawn->scene)) {
        scene.layout = previous->drawn->scene.layout;
    } else {
        layOut(scene, LayoutEngine::Automatic, stop);
    }
    if (stop.stop_requested() || scene.layout.positions.size() != scene.nodes.size()) {
        return nullptr;
    }
    return std::make_shared<const GraphSide>(std::move(graph), std::move(scene));
}

GraphSide::GraphSide(std::shared_ptr<const Graph> shared, Scene laidOut)
    : graph(std::move(shared))
    , drawn(std::make_shared<const DrawnScene>(std::move(laidOut)))
    , names(*graph)
    , consumers(*graph)
    , outline(drawn->scene, *graph)
{
    const auto& boxes = drawn->scene.nodes;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].kind != SceneNode::Kind::Operator && boxes[i].value) {
            m_boxOfValue.emplace(boxes[i].value.index, i);
        }
    }
}

std::optional<std::uint32_t> GraphSide::boxOf(NodeId node) const
{
    const auto& ofNode = drawn->scene.ofNode;
    if (node.index >= ofNode.size() || ofNode[node.index] >= drawn->scene.nodes.size()) {
        return std::nullopt;
    }
    return ofNode[node.index];
}

std::optional<std::uint32_t> GraphSide::boxOf(ValueId value) const
{
    const auto found = m_boxOfValue.find(value.index);
    return found != m_boxOfValue.end() ? std::optional(found->second) : std::nullopt;
}

std::string GraphSide::label(std::uint32_t index) const
{
    const SceneNode& node = box(index);
    return node.kind == SceneNode::Kind::Operator ? names.of(node.node) : graph->value(node.value).name;
}

} // namespace crosswalk::ui
