#pragma once

#include "core/layout/groups.h"
#include "core/layout/nested_layout.h"
#include "core/layout/scene.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// An open group as drawn: a frame with a title around its members.
struct GroupFrame {
    std::uint32_t group = 0;
    std::string title; ///< includes the number of repetitions, elided to fit
    LayoutPoint at;
    float width = 0;
    float height = 0;
};

/// A scene with closed groups: each is drawn as one box; open groups are frames around their members.
struct FoldedScene {
    Scene scene;                        ///< the laid-out drawing with its own numbering of boxes and edges
    std::vector<std::uint32_t> drawnAs; ///< by box of the whole scene: the drawn box that is or contains it
    std::vector<std::uint32_t> boxOf;   ///< by drawn box: the box of the whole scene, SceneGroup::none for a group
    std::vector<std::uint32_t> groupOf; ///< by drawn box: the closed group, SceneGroup::none for any other box
    std::vector<GroupFrame> frames;     ///< outer frames first
    std::shared_ptr<const LayoutMemo> memo;
    Flow flow = Flow::Down;

    /// Boxes of the whole scene that a drawn box represents, ascending.
    std::vector<std::uint32_t> membersOf(const SceneGroups& groups, std::uint32_t drawn) const;
};

/// By group: whether it is open. Groups inside a closed group are hidden in any case.
using OpenGroups = std::vector<bool>;

/// Lays out the visible part. Reuses layouts from `previous`. Returns no boxes if stopped.
FoldedScene foldScene(const Scene& whole, const SceneGroups& groups, const OpenGroups& open,
                      const LayoutMemo* previous = nullptr, std::stop_token stop = {}, Flow flow = Flow::Down);

/// The groups that are drawn as frames: omits very small groups, a group around nearly everything unless it is a loop,
/// and groups that a path leaves and reenters.
SceneGroups foldableGroups(const Scene& whole, const SceneGroups& groups);

/// The initially open groups: all in a small graph, otherwise from the outside in as long as the whole remains readable
/// at a glance.
OpenGroups openAtFirst(const Scene& whole, const SceneGroups& groups);

/// By depth, from `open` down to none: the same with the groups of that depth and deeper ones closed. Without
/// repetitions.
std::vector<OpenGroups> closedByDepth(const SceneGroups& groups, const OpenGroups& open);

/// Transfers the open state by name to the groups of another scene. Groups without a match keep `initial`.
OpenGroups carryOpen(const SceneGroups& from, const OpenGroups& open, const SceneGroups& to, const OpenGroups& initial);

} // namespace crosswalk
