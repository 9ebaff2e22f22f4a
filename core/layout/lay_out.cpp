#include "core/layout/graphviz.h"
#include "core/layout/incremental.h"
#include "core/layout/scene.h"

#include <algorithm>

namespace crosswalk {
namespace {

LayoutTask taskOf(const Scene& scene, Flow flow = Flow::Down)
{
    LayoutTask task;
    task.boxes.reserve(scene.nodes.size());
    for (const SceneNode& node : scene.nodes) {
        task.boxes.push_back(flow == Flow::Down ? LayoutBox{node.width, node.height}
                                                : LayoutBox{node.height, node.width});
    }
    task.edges.reserve(scene.edges.size());
    for (const SceneEdge& edge : scene.edges) { // every edge leads down
        task.edges.push_back(edge.closesLoop ? LayoutEdge{edge.to, edge.from} : LayoutEdge{edge.from, edge.to});
    }
    return task;
}

/// Reverses the routes of edges that close loops between the task's direction and the scene's.
void turnLoopRoutes(const Scene& scene, Layout& layout)
{
    for (std::size_t e = 0; e < layout.routes.size(); ++e) {
        if (scene.edges[e].closesLoop) {
            std::ranges::reverse(layout.routes[e]);
        }
    }
}

} // namespace

std::vector<std::uint64_t> keysOf(const Scene& scene)
{
    std::vector<std::uint64_t> keys;
    keys.reserve(scene.nodes.size());
    for (const SceneNode& node : scene.nodes) {
        keys.push_back(keyOf(node));
    }
    return keys;
}

void layOut(Scene& scene, LayoutEngine engine, std::stop_token stop, Flow flow)
{
    const LayoutTask task = taskOf(scene, flow);
    auto drawn = engine != LayoutEngine::Ours ? layoutWithGraphviz(task.boxes, task.edges) : std::nullopt;
    scene.layout = drawn ? std::move(*drawn) : layoutGraph(task.boxes, task.edges, {}, std::move(stop));
    turnLoopRoutes(scene, scene.layout);
    if (flow == Flow::Right) {
        exchangeAxes(scene.layout);
    }
}

void layOutLike(Scene& scene, const Scene& before, std::stop_token stop)
{
    const LayoutTask then = taskOf(before);
    const auto keys = keysOf(before);
    Layout layoutThen = before.layout;
    turnLoopRoutes(before, layoutThen);
    if (auto layout = layoutChanges(taskOf(scene), keysOf(scene), {then, keys, layoutThen}, stop)) {
        scene.layout = std::move(*layout);
        turnLoopRoutes(scene, scene.layout);
    } else {
        layOut(scene, LayoutEngine::Automatic, std::move(stop));
    }
}

} // namespace crosswalk
