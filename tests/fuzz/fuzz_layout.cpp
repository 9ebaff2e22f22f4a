// Lays out boxes and edges: at once, with closed groups, and after a change. Boxes must not overlap.

#include "core/layout/folding.h"
#include "tests/fuzz/no_defect.h"
#include "tests/support/layout_quality.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

using namespace crosswalk;

namespace {

void expectDrawn(const Scene& scene)
{
    std::vector<LayoutBox> boxes;
    for (const SceneNode& node : scene.nodes) {
        boxes.push_back({node.width, node.height});
    }
    std::vector<LayoutEdge> edges;
    for (const SceneEdge& edge : scene.edges) {
        edges.push_back({edge.from, edge.to});
    }
    const Layout& layout = scene.layout;
    if (layout.positions.size() != boxes.size() || layout.routes.size() != edges.size()) {
        fuzz::reportDefect("a box or an edge has no place");
    }
    for (const LayoutPoint& position : layout.positions) {
        if (!std::isfinite(position.x) || !std::isfinite(position.y)) {
            fuzz::reportDefect("a position is not finite");
        }
    }
    if (test::qualityOf(layout, boxes, edges).overlaps > 0) {
        fuzz::reportDefect("two boxes overlap");
    }
}

/// A box for each even byte, with a name in nested scopes, and an edge to the last box for each odd byte.
Scene sceneOf(std::span<const std::uint8_t> bytes)
{
    constexpr std::array scopes = {"", "a/", "a/b/", "a/c/", "d/", "d/a/", "layer_1/", "layer_2/"};
    Scene scene;
    for (const std::uint8_t byte : bytes) {
        const auto count = static_cast<std::uint32_t>(scene.nodes.size());
        const std::uint32_t number = byte / 2U;
        if (byte % 2 == 0) {
            SceneNode box;
            box.node = NodeId{count};
            box.title = number % 3 == 0 ? "Conv" : "Relu";
            box.fullName = fmt::format("{}n{}", scopes[number % scopes.size()], count);
            box.rows.assign(number % 5, "kernel_shape 3x3");
            measureBox(box);
            scene.nodes.push_back(std::move(box));
        } else if (count > 1) {
            const bool closesLoop = number > 120;
            const std::uint32_t other = count - 2 - number % (count - 1);
            scene.edges.push_back({.from = closesLoop ? count - 1 : other,
                                   .to = closesLoop ? other : count - 1,
                                   .value = {},
                                   .isControl = number % 7 == 0,
                                   .closesLoop = closesLoop});
        }
    }
    return scene;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t longest = 160; // 80 boxes have every form of edge, and take a fifth of the time of 250
    if (size < 2 || size > longest) {
        return 0;
    }
    const std::span bytes(data, size);
    Scene scene = sceneOf(bytes.subspan(2));
    layOut(scene, LayoutEngine::Ours, {}, bytes[0] % 2 == 0 ? Flow::Down : Flow::Right);
    expectDrawn(scene);

    const SceneGroups groups = foldableGroups(scene, findGroups(scene));
    OpenGroups open = openAtFirst(scene, groups);
    for (std::size_t i = 0; i < open.size(); ++i) {
        open[i] = (bytes[1] >> i % 8U & 1U) != 0;
    }
    expectDrawn(foldScene(scene, groups, open).scene);

    layOut(scene, LayoutEngine::Ours);
    Scene changed = sceneOf(bytes.subspan(2, size - 2 - (size - 2) / 8));
    layOutLike(changed, scene);
    expectDrawn(changed);
    return 0;
}
