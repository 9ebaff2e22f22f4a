#include "core/layout/graphviz.h"
#include "core/layout/scene.h"

namespace crosswalk {

void layOut(Scene& scene, LayoutEngine engine, std::stop_token stop)
{
    std::vector<LayoutBox> boxes;
    boxes.reserve(scene.nodes.size());
    for (const SceneNode& node : scene.nodes) {
        boxes.push_back({node.width, node.height});
    }
    std::vector<LayoutEdge> edges;
    edges.reserve(scene.edges.size());
    for (const SceneEdge& edge : scene.edges) {
        edges.push_back({edge.from, edge.to});
    }
    if (engine != LayoutEngine::Ours) {
        if (auto layout = layoutWithGraphviz(boxes, edges)) {
            scene.layout = std::move(*layout);
            return;
        }
    }
    scene.layout = layoutGraph(boxes, edges, {}, stop);
}

} // namespace crosswalk
