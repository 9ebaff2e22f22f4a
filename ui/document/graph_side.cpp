#include "ui/document/target_side.h"

#include "core/layout/constants.h"
#include "core/layout/groups_alike.h"
#include "core/layout/task_match.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

/// Whether both have the same boxes with the same texts, and the same edges.
bool isSameScene(const Scene& a, const Scene& b)
{
    return a.nodes == b.nodes && a.edges == b.edges && a.ofNode == b.ofNode;
}

bool haveSameNodes(const GraphSide* previous, const Graph& graph)
{
    return previous != nullptr && graph.sharesNodesWith(*previous->graph) &&
           graph.valueCount() == previous->graph->valueCount();
}

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

constexpr std::size_t fewBoxes = 30;  ///< with at most this many, all groups stay open: the view starts at the inputs
constexpr double considerably = 1.25; ///< closing more groups for less room than this saves nothing

SceneGroups groupsOf(const Scene& scene, const Provenance* from)
{
    if (from == nullptr) {
        return foldableGroups(scene, findGroups(scene));
    }
    const GraphSide& source = *from->source.side;
    std::vector<std::vector<std::uint32_t>> origins(scene.nodes.size());
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const std::uint32_t node = scene.nodes[i].node.index;
        if (scene.nodes[i].kind != SceneNode::Kind::Operator || node >= from->nodes.size()) {
            continue;
        }
        for (const NodeId id : from->nodes[node]) {
            const auto box = source.boxOf(id);
            if (box && std::ranges::find(origins[i], *box) == origins[i].end()) {
                origins[i].push_back(*box);
            }
        }
    }
    return foldableGroupsAsIn({*source.scene, *source.groups}, scene, origins);
}

/// The first drawings to try, each with fewer open groups than the one before.
std::vector<OpenGroups> firstSteps(const Scene& scene, const SceneGroups& groups, const Provenance* from)
{
    OpenGroups open = openAtFirst(scene, groups);
    if (scene.nodes.size() <= fewBoxes) {
        return {std::move(open)};
    }
    if (from == nullptr) {
        return closedByDepth(groups, open);
    }
    // The nodes that one node of the source became are closed before the groups that the source has.
    const OpenGroups& inSource = from->source.drawing->open;
    const OpenGroups none(open.size(), false);
    auto steps = closedByDepth(groups, carryOpen(*from->source.side->groups, inSource, groups, none));
    if (std::ranges::find(inSource, false) == inSource.end() && open != steps.front()) {
        steps.insert(steps.begin(), std::move(open));
    }
    return steps;
}

/// The first drawing that fits into the room. If none does, the one with the most open groups that is hardly larger
/// than with all groups closed.
std::shared_ptr<const SideDrawing> firstDrawing(const GraphSide& side, const std::vector<OpenGroups>& steps,
                                                const std::stop_token& stop, Flow flow, QSizeF room)
{
    std::vector<std::shared_ptr<const SideDrawing>> drawings;
    std::vector<double> sizes; ///< of the drawings, in panes
    for (const OpenGroups& open : steps) {
        const SideDrawing* before = drawings.empty() ? nullptr : drawings.back().get();
        drawings.push_back(SideDrawing::make(side, open, before, stop, flow));
        if (!drawings.back()) {
            return nullptr;
        }
        const QRectF bounds = drawings.back()->drawn->index.bounds();
        sizes.push_back(room.isEmpty() ? 0 : std::max(bounds.width() / room.width(), bounds.height() / room.height()));
        if (sizes.back() <= 1) {
            return drawings.back();
        }
    }
    const double limit = considerably * std::ranges::min(sizes);
    const auto chosen = std::ranges::find_if(sizes, [&](double size) { return size <= limit; });
    return drawings[static_cast<std::size_t>(chosen - sizes.begin())];
}

DrawnSide makeSide(std::shared_ptr<const Graph> graph, const KnownTypes& types, const Provenance* from,
                   const DrawnSide& previous, const std::stop_token& stop, Flow flow, QSizeF room)
{
    Scene scene = buildScene(*graph, types.values);
    if (previous && isSameScene(scene, *previous.side->scene)) {
        scene = {}; // its memory is used for the search texts
        const GraphSide& before = *previous.side;
        return {std::make_shared<const GraphSide>(std::move(graph), before.scene, before.groups, types, &before),
                previous.drawing};
    }
    const bool isAsBefore = previous && sameOutline(scene, *previous.side->scene);
    auto groups = isAsBefore ? previous.side->groups : std::make_shared<const SceneGroups>(groupsOf(scene, from));
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
    std::vector<OpenGroups> steps;
    if (isAsBefore) {
        steps = {previous.drawing->open};
    } else {
        steps = firstSteps(scene, *groups, from);
        if (previous) {
            const OpenGroups& before = previous.drawing->open;
            const bool wereAllOpen = std::ranges::find(before, false) == before.end();
            const OpenGroups other =
                wereAllOpen && !before.empty() ? OpenGroups(groups->groups.size(), true) : steps.front();
            steps = {carryOpen(*previous.side->groups, before, *groups, other)};
        }
    }
    DrawnSide made;
    if (previous && !isAsBefore) {
        made.sameNow =
            std::make_shared<const std::vector<std::uint32_t>>(pairByKey(keysOf(*previous.side->scene), keysOf(scene)));
    }
    made.side = std::make_shared<const GraphSide>(std::move(graph), std::make_shared<const Scene>(std::move(scene)),
                                                  std::move(groups), types, previous.side.get());
    made.drawing = previous ? SideDrawing::make(*made.side, std::move(steps.front()), previous.drawing.get(), stop,
                                                previous.drawing->flow())
                            : firstDrawing(*made.side, steps, stop, flow, room);
    return made.drawing ? made : DrawnSide();
}

} // namespace

DrawnSide DrawnSide::make(std::shared_ptr<const Graph> graph, const KnownTypes& types, const DrawnSide& previous,
                          std::stop_token stop, Flow flow, QSizeF room)
{
    return makeSide(std::move(graph), types, nullptr, previous, stop, flow, room);
}

DrawnSide makeTargetSide(std::shared_ptr<const Graph> graph, const Provenance& from, const DrawnSide& previous,
                         std::stop_token stop, Flow flow, QSizeF room)
{
    return makeSide(std::move(graph), {}, &from, previous, stop, flow, room);
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

GraphSide::NodeTables::NodeTables(std::shared_ptr<const Graph> of)
    : graph(std::move(of))
    , names(*graph)
    , consumers(*graph)
{
}

GraphSide::GraphSide(std::shared_ptr<const Graph> shared, std::shared_ptr<const Scene> boxes,
                     std::shared_ptr<const SceneGroups> foldable, const KnownTypes& types, const GraphSide* previous)
    : m_tables(haveSameNodes(previous, *shared) ? previous->m_tables : std::make_shared<const NodeTables>(shared))
    , graph(std::move(shared))
    , scene(std::move(boxes))
    , groups(std::move(foldable))
    , names(m_tables->names)
    , consumers(m_tables->consumers)
    , outline(*scene, *graph, types,
              haveSameNodes(previous, *graph) && previous->scene == scene ? &previous->outline : nullptr)
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
