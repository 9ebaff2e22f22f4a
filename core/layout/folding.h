#pragma once

#include "core/layout/groups.h"
#include "core/layout/nested_layout.h"
#include "core/layout/scene.h"

namespace crosswalk {

/// An open group as it is drawn: a frame with a title around its members.
struct GroupFrame {
    std::uint32_t group = 0;
    std::string title; ///< with how often it repeats, elided to fit
    LayoutPoint at;
    float width = 0;
    float height = 0;
};

/// A scene of which some groups are closed: each is drawn as one box; open ones are frames around their members.
struct FoldedScene {
    Scene scene;                        ///< what is drawn, laid out; its boxes and edges are numbered anew
    std::vector<std::uint32_t> drawnAs; ///< by box of the whole scene: the box that it is drawn as or in
    std::vector<std::uint32_t> boxOf;   ///< by drawn box: the box of the whole scene, SceneGroup::none for a group
    std::vector<std::uint32_t> groupOf; ///< by drawn box: the closed group, SceneGroup::none for any other
    std::vector<GroupFrame> frames;     ///< outer ones first
    std::shared_ptr<const LayoutMemo> memo;
    Flow flow = Flow::Down;

    /// Boxes of the whole scene that a drawn box stands for, ascending.
    std::vector<std::uint32_t> membersOf(const SceneGroups& groups, std::uint32_t drawn) const;
};

/// Groups that are open, by group. What stands in a closed one is not seen, open or not.
using OpenGroups = std::vector<bool>;

/// Lays out what is seen. What `previous` has of the same is taken from there. No boxes when stopped.
FoldedScene foldScene(const Scene& whole, const SceneGroups& groups, const OpenGroups& open,
                      const LayoutMemo* previous = nullptr, std::stop_token stop = {}, Flow flow = Flow::Down);

/// The groups that are worth a frame: not the smallest, not one around nearly everything unless it is a loop, and none
/// that a way leads out of and back into.
SceneGroups foldableGroups(const Scene& whole, const SceneGroups& groups);

/// What to open at first: everything where there are few boxes, else from the outside in as long as the whole can be
/// read at a glance.
OpenGroups openAtFirst(const Scene& whole, const SceneGroups& groups);

/// The same groups open in another scene: those that have their names.
OpenGroups carryOpen(const SceneGroups& from, const OpenGroups& open, const SceneGroups& to, const OpenGroups& fresh);

} // namespace crosswalk
