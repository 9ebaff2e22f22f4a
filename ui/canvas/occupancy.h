#pragma once

#include "ui/canvas/scene_index.h"
#include "ui/theme/theme.h"

class QPainter;

namespace crosswalk::ui {

/// Where boxes are, at coarser and coarser grain: what is left of a graph when it is seen from so far that single
/// boxes vanish. Painting costs by the pixels of the view, not by the boxes under it.
class Occupancy {
public:
    Occupancy(const Scene& scene, const SceneIndex& index);

    /// Paints the part `world` of the scene into `target` (logical pixels of the painter).
    void paint(QPainter& painter, const QRectF& world, const QRectF& target, const Theme& theme) const;

private:
    struct Cell {
        std::int32_t column;
        std::uint8_t coverage; ///< share of the cell that boxes cover, 255 is all
        std::uint8_t category; ///< of the box that covers most
    };
    struct Level {
        double size = 0;                  ///< of a cell, in the scene's pixels
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
