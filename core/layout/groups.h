#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace crosswalk {

struct Scene;

/// A part of a scene that can be drawn as one box.
struct SceneGroup {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::string name;
    std::uint32_t parent = none;       ///< group around it
    std::vector<std::uint32_t> groups; ///< directly in it
    std::vector<std::uint32_t> nodes;  ///< scene nodes directly in it
    std::uint32_t boxes = 0;           ///< scene nodes in it and below
    std::uint32_t times = 1;           ///< of equal blocks that it stands for: it is a stack of them
    std::uint64_t kind = 0;            ///< equal for equal blocks: operators, attributes, shapes and edges between them
};

/// The parts of a scene, from the scopes that names spell ("/model/layers.3/...", "stage1_unit2_...") and from what
/// repeats; equal blocks one after the other are in a stack. Parents stand before their children.
struct SceneGroups {
    std::vector<SceneGroup> groups;
    std::vector<std::uint32_t> ofNode; ///< innermost group of each scene node, SceneGroup::none outside all
};

SceneGroups findGroups(const Scene& scene);

/// Everything in a group, by scene node, ascending.
std::vector<std::uint32_t> nodesWithin(const SceneGroups& groups, std::uint32_t group);

} // namespace crosswalk
