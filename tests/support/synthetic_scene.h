#pragma once

#include "core/layout/scene.h"

#include <string>

namespace crosswalk::test {

/// A laid-out scene of `count` boxes in layers of `width`, each with edges from one or two boxes of the layer above,
/// for canvas tests that need no model.
inline Scene syntheticScene(std::uint32_t count, std::uint32_t width = 4)
{
    constexpr float boxWidth = 150;
    constexpr float boxHeight = 64;
    constexpr float gap = 40;
    Scene scene;
    scene.nodes.resize(count);
    scene.layout.positions.resize(count);
    scene.ofNode.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto column = static_cast<float>(i % width);
        const auto row = static_cast<float>(i / width);
        SceneNode& node = scene.nodes[i];
        node.node = NodeId{i};
        node.title = i % 3 == 0 ? "Conv" : i % 3 == 1 ? "Relu" : "Add";
        node.name = "stage" + std::to_string(i / 100) + "_node" + std::to_string(i);
        node.fullName = node.name;
        node.rows = {"kernel (3, 3)", "weight 64x64x3x3"};
        node.category = i % 3 == 0   ? OperatorCategory::Convolution
                        : i % 3 == 1 ? OperatorCategory::Activation
                                     : OperatorCategory::Arithmetic;
        node.width = boxWidth;
        node.height = boxHeight;
        scene.ofNode[i] = i;
        scene.layout.positions[i] = {column * (boxWidth + gap), row * (boxHeight + gap)};
    }
    const auto connect = [&](std::uint32_t from, std::uint32_t to) {
        scene.edges.push_back({from, to, ValueId{}});
        const auto a = scene.layout.positions[from];
        const auto b = scene.layout.positions[to];
        const LayoutPoint start{a.x + boxWidth / 2, a.y + boxHeight};
        const LayoutPoint end{b.x + boxWidth / 2, b.y};
        const float middle = (start.y + end.y) / 2;
        scene.layout.routes.push_back({start, {start.x, middle}, {end.x, middle}, end});
    };
    for (std::uint32_t i = width; i < count; ++i) {
        connect(i - width, i);
        if (i % width != 0 && i % 5 == 0) {
            connect(i - width - 1, i);
        }
    }
    scene.layout.width = static_cast<float>(std::min(count, width)) * (boxWidth + gap) - gap;
    scene.layout.height = static_cast<float>((count + width - 1) / width) * (boxHeight + gap) - gap;
    return scene;
}

} // namespace crosswalk::test
