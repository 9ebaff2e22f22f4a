#pragma once

#include "ui/canvas/same_boxes.h"
#include "ui/canvas/scene_painter.h"

#include <QPixmap>

namespace crosswalk::ui {

/// How one drawing becomes another: what both have moves from its old place to its new one, what opens comes out of its
/// closed box, what closes goes into it, and the rest fades.
class Transition {
public:
    using Drawing = std::shared_ptr<const DrawnScene>;

    /// `shift` leads from places before to places now, `seen` is in view before.
    Transition(Drawing before, std::shared_ptr<const SceneMarks> marksBefore, Drawing now, const SameBoxes& same,
               QPointF shift, const QRectF& seen);
    /// Not with more boxes in view than can be painted twice a frame, and not where cells stand for boxes.
    bool isPossible(double scale) const;
    /// `picture` is that of the scene now; `share` of the way is behind.
    void paint(QPainter& painter, ScenePainter& scenePainter, ScenePicture picture, double share);

private:
    /// One of the two drawings, as far as it is in view before or after.
    struct Cast {
        Drawing drawn;
        QPointF shift;                    ///< from its places to those of now
        std::vector<std::uint32_t> boxes; ///< drawn boxes, ascending
        std::vector<QPointF> away;        ///< by entry of `boxes`: from its place to that in the other drawing
        std::vector<std::uint32_t> edges;
        std::vector<std::pair<GroupFrame, QRectF>> frames; ///< with their places in the other drawing
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
