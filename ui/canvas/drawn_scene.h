#pragma once

#include "ui/canvas/occupancy.h"

#include <QStringList>

#include <unordered_map>

namespace crosswalk::ui {

/// A laid-out scene with what painting it needs. Built in the background, then shared and never changed.
struct DrawnScene {
    explicit DrawnScene(Scene laidOut)
        : scene(std::move(laidOut))
        , index(scene)
        , occupancy(scene, index)
    {
    }
    DrawnScene(const DrawnScene&) = delete;
    DrawnScene& operator=(const DrawnScene&) = delete;

    Scene scene;
    SceneIndex index;
    Occupancy occupancy;
};

/// What a conversion says of the boxes of a scene.
struct SceneMarks {
    std::vector<Verdict> verdicts;                         ///< by box; Exact where there is nothing to say
    std::unordered_map<std::uint32_t, QStringList> badges; ///< "clip", "proj"... of boxes with such gaps
    std::vector<std::uint32_t> alarms;                     ///< unsupported and approximate boxes, seen at every zoom
};

} // namespace crosswalk::ui
