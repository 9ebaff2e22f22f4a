#include "ui/document/graph_side.h"

#include "core/layout/constants.h"
#include "core/layout/task_match.h"

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

constexpr std::size_t fewBoxes = 30; ///< of these no group is closed: the view starts at the inputs

/// The first drawing of a side. If not even the drawing with all groups closed fits, that one.
std::shared_ptr<const SideDrawing> firstDrawing(const GraphSide& side, const OpenGroups& open,
                                                const std::stop_token& stop, Flow flow, QSizeF room)
{
    std::shared_ptr<const SideDrawing> drawing;
    for (const OpenGroups& less : closedByDepth(*side.groups, open)) {
        drawing = SideDrawing::make(side, less, drawing.get(), stop, flow);
        const QRectF bounds = drawing ? drawing->drawn->index.bounds() : QRectF();
        if (!drawing || room.isEmpty() || drawing->drawn->scene.nodes.size() <= fewBoxes ||
            (bounds.width() <= room.width() && bounds.height() <= room.height())) {
            break;
        }
    }
    return drawing;
}

} // namespace

DrawnSide DrawnSide::make(std::shared_ptr<const Graph> graph, const KnownTypes& types, const DrawnSide& previous,
                          std::stop_token stop, Flow flow, QSizeF room)
{
    Scene scene = buildScene(*graph, types.values);
    const bool isAsBefore = previous && sameOutline(scene, *previous.side->scene);
    auto groups = isAsBefore ? previous.side->groups
                             : std::make_shared<const SceneGroups>(foldableGroups(scene, findGroups(scene)));
    if (groups->groups.empty()) {
        if (isAsBefore) {
            scene.layout = previous.side->scene->layout;
        } else if (previous && previous.side->groups->groups.empty()) {
            layOutLike(scene, *previous.side->scene, stop);
        } else {
            layOut(scene, LayoutEngine::Automatic, stop);
        }
        if (scene.layout.positions.size() != scene.nodes.size()) {
            return {};
        }
    }
    if (stop.stop_requested()) {
        return {};
    }
    OpenGroups open = openAtFirst(scene, *groups);
    if (isAsBefore) {
        open = previous.drawing->open;
    } else if (previous) {
        open = carryOpen(*previous.side->groups, previous.drawing->open, *groups, open);
    }
    DrawnSide made;
    if (previous && !isAsBefore) {
        made.sameNow =
            std::make_shared<const std::vector<std::uint32_t>>(pairByKey(keysOf(*previous.side->scene), keysOf(scene)));
    }
    made.side = std::make_shared<const GraphSide>(std::move(graph), std::make_shared<const Scene>(std::move(scene)),
                                                  std::move(groups), types);
    made.drawing = previous ? SideDrawing::make(*made.side, std::move(open), previous.drawing.get(), stop,
                                                previous.drawing->flow())
                            : firstDrawing(*made.side, open, stop, flow, room);
    return made.drawing ? made : DrawnSide();
}

std::shared_ptr<const SideDrawing> SideDrawing::make(const GraphSide& side, OpenGroups open,
                                                     const SideDrawing* previous, std::stop_token stop, Flow flow)
{
    auto made = std::make_shared<SideDrawing>();
    if (side.groups->groups.empty()) {
        if (flow == Flow::Down) {
            made->drawn = std::make_shared<const DrawnScene>(side.scene);
            return made;
        }
        Scene turned = *side.scene;
        layOut(turned, LayoutEngine::Automatic, stop, flow);
        const bool isWhole = turned.layout.positions.size() == turned.nodes.size();
        made->drawn = isWhole ? std::make_shared<const DrawnScene>(std::move(turned), flow) : nullptr;
        return isWhole ? made : nullptr;
    }
    const LayoutMemo* memo = previous != nullptr ? previous->drawn->memo() : nullptr;
    FoldedScene folded = foldScene(*side.scene, *side.groups, open, memo, stop, flow);
    if (stop.stop_requested() || folded.drawnAs.empty()) {
        return nullptr;
    }
    made->open = std::move(open);
    made->drawn = std::make_shared<const DrawnScene>(std::move(folded), side.groups);
    return made;
}

GraphSide::GraphSide(std::shared_ptr<const Graph> shared, std::shared_ptr<const Scene> boxes,
                     std::shared_ptr<const SceneGroups> foldable, const KnownTypes& types)
    : graph(std::move(shared))
    , scene(std::move(boxes))
    , groups(std::move(foldable))
    , names(*graph)
    , consumers(*graph)
    , outline(*scene, *graph, types)
    , isStoredAlone(storedAlone(*graph))
    , counts(*graph, isStoredAlone)
{
    const auto& nodes = scene->nodes;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].kind != SceneNode::Kind::Operator && nodes[i].value) {
            m_boxOfValue.emplace(nodes[i].value.index, i);
        }
    }
    for (const ValueId input : graph->inputs) {
        if (const NodeId placeholder = graph->value(input).producer) {
            if (const auto drawn = boxOf(placeholder)) {
                m_boxOfValue.emplace(input.index, *drawn);
            }
        }
    }
}

ValueId GraphSide::inputOf(std::uint32_t index) const
{
    const SceneNode& node = box(index);
    return node.kind == SceneNode::Kind::Output ? ValueId{} : node.value;
}

std::optional<std::uint32_t> GraphSide::boxOf(NodeId node) const
{
    const auto& ofNode = scene->ofNode;
    if (node.index >= ofNode.size() || ofNode[node.index] >= scene->nodes.size()) {
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
