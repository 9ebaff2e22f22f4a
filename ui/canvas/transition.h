#pragma once

#include "ui/canvas/same_boxes.h"
#include "ui/canvas/scene_painter.h"

#include <QPixmap>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace crosswalk::ui {

/// Animates the change from one drawing to the next: boxes in both move from their old to their new position, the
/// contents of an opening group emerge from its box, those of a closing group shrink into it, and the rest fades.
class Transition {
public:
    using Drawing = std::shared_ptr<const DrawnScene>;

    /// `shift` maps old positions to new ones, `seen` is the old visible area.
    Transition(Drawing before, std::shared_ptr<const SceneMarks> marksBefore, Drawing now, const SameBoxes& same,
               QPointF shift, const QRectF& seen);
    /// False if the view contains too many boxes to paint twice per frame, or shows cells instead of boxes.
    bool isPossible(double scale) const;
    /// `picture` is the picture of the new scene; `share` is the progress from 0 to 1.
    void paint(QPainter& painter, ScenePainter& scenePainter, ScenePicture picture, double share);

private:
    /// The part of one of the two drawings that is visible before or after.
    struct Cast {
        Drawing drawn;
        QPointF shift;                    ///< from its positions to the new ones
        std::vector<std::uint32_t> boxes; ///< drawn boxes, ascending
        std::vector<QPointF> away; ///< by entry of `boxes`: offset from its position to that in the other drawing
        std::vector<std::uint32_t> edges;
        std::vector<std::pair<GroupFrame, QRectF>> frames; ///< with their rectangles in the other drawing
    };
    static Cast castOf(const Drawing& own, const Drawing& other, const SameBoxes& toOther, QPointF shift,
                       const QRectF& seen, const QRectF& seenByOther);
    static void addFrames(Cast& cast, const DrawnScene& other, QPointF toOther, const QRectF& seen);
    static void paintCast(const Cast& cast, double share, QPainter& painter, ScenePainter& scenePainter,
                          ScenePicture picture);

    Cast m_before;
    Cast m_now;
    std::shared_ptr<const SceneMarks> m_marksBefore;
    QPixmap m_layer;
};

} // namespace crosswalk::ui
