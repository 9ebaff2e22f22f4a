#include "core/layout/graphviz.h"
#include "core/layout/incremental.h"
#include "core/layout/scene.h"

namespace crosswalk {
namespace {

LayoutTask taskOf(const Scene& scene)
{
    LayoutTask task;
    task.boxes.reserve(scene.nodes.size());
    for (const SceneNode& node : scene.nodes) {
        task.boxes.push_back({node.width, node.height});
    }
    task.edges.reserve(scene.edges.size());
    for (const SceneEdge& edge : scene.edges) {
        task.edges.push_back({edge.from, edge.to});
    }
    return task;
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

void layOut(Scene& scene, LayoutEngine engine, std::stop_token stop)
{
    const LayoutTask task = taskOf(scene);
    if (engine != LayoutEngine::Ours) {
        if (auto layout = layoutWithGraphviz(task.boxes, task.edges)) {
            scene.layout = std::move(*layout);
            return;
        }
    }
    scene.layout = layoutGraph(task.boxes, task.edges, {}, std::move(stop));
}

void layOutLike(Scene& scene, const Scene& before, std::stop_token stop)
{
    const LayoutTask then = taskOf(before);
    const auto keys = keysOf(before);
    if (auto layout = layoutChanges(taskOf(scene), keysOf(scene), {then, keys, before.layout}, stop)) {
        scene.layout = std::move(*layout);
    } else {
        layOut(scene, LayoutEngine::Automatic, std::move(stop));
    }
}

} // namespace crosswalk
