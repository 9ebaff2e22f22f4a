#pragma once

#include "core/layout/groups.h"

#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk {

struct GroupedScene {
    const Scene& scene;
    const SceneGroups& groups;
};

/// The groups of `source` in the scene of a graph that was made from it: box i comes from the boxes origins[i] of the
/// source. Several boxes that come from one box of the source are a group with its name.
SceneGroups groupsAsIn(const GroupedScene& source, const Scene& scene,
                       std::span<const std::vector<std::uint32_t>> origins);

/// Those of them that are drawn as frames, as by foldableGroups, except that a group of the source around nearly
/// everything remains.
SceneGroups foldableGroupsAsIn(const GroupedScene& source, const Scene& scene,
                               std::span<const std::vector<std::uint32_t>> origins);

} // namespace crosswalk
