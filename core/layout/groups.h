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
    std::uint32_t parent = none;       ///< enclosing group
    std::vector<std::uint32_t> groups; ///< direct child groups
    std::vector<std::uint32_t> nodes;  ///< direct scene nodes
    std::uint32_t boxes = 0;           ///< number of scene nodes in it and its descendants
    std::uint32_t times = 1;           ///< if more than 1: a stack of this many equal blocks
    std::uint64_t kind = 0; ///< equal for equal blocks: hash of operators, attributes, shapes and inner edges
};

/// The groups of a scene: the scopes of its names ("/model/layers.3/...", "stage1_unit2_...") and repeated blocks;
/// consecutive equal blocks form a stack. Parents precede their children.
struct SceneGroups {
    std::vector<SceneGroup> groups;
    std::vector<std::uint32_t> ofNode; ///< innermost group of each scene node, SceneGroup::none outside all groups
};

SceneGroups findGroups(const Scene& scene);

/// All scene nodes in a group, ascending.
std::vector<std::uint32_t> nodesWithin(const SceneGroups& groups, std::uint32_t group);

} // namespace crosswalk
