#pragma once

#include "ui/canvas/scene_index.h"
#include "ui/theme/theme.h"

class QPainter;

namespace crosswalk::ui {

/// The positions of boxes at increasingly coarse resolutions, used at scales at which single boxes vanish. The painting
/// cost depends on the pixels of the view, not on the number of boxes.
class Occupancy {
public:
    Occupancy(const Scene& scene, const SceneIndex& index);

    /// Paints the part `world` of the scene into `target` (logical pixels of the painter).
    void paint(QPainter& painter, const QRectF& world, const QRectF& target, const Theme& theme) const;

private:
    struct Cell {
        std::int32_t column;
        std::uint8_t coverage; ///< fraction of the cell covered by boxes, 255 = fully covered
        std::uint8_t category; ///< the category that covers the largest part
    };
    struct Level {
        double size = 0;                  ///< cell size in scene pixels
        std::vector<std::uint32_t> first; ///< by row
        std::vector<Cell> cells;          ///< sorted by column within a row
        std::uint32_t rows() const { return static_cast<std::uint32_t>(first.size()) - 1; }
    };

    static Level finest(const Scene& scene, const SceneIndex& index);
    static Level coarser(const Level& fine);

    QPointF m_origin;
    std::vector<Level> m_levels;
};

} // namespace crosswalk::ui
