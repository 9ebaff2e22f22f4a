#pragma once

#include "core/layout/scene.h"

namespace crosswalk::test {

/// A chain of operators; each also reads the operators at the distances `skips` before it.
class SceneMaker {
public:
    std::uint32_t add(std::string op, std::string name, std::vector<std::uint32_t> skips = {})
    {
        const auto made = static_cast<std::uint32_t>(scene.nodes.size());
        SceneNode node;
        node.node = NodeId{made};
        node.title = std::move(op);
        node.fullName = std::move(name);
        measureBox(node);
        scene.nodes.push_back(std::move(node));
        skips.push_back(1);
        for (const auto back : skips) {
            if (back <= made) {
                scene.edges.push_back({made - back, made, {}});
            }
        }
        return made;
    }
    Scene scene;
};

} // namespace crosswalk::test
