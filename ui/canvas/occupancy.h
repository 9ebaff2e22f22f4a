#pragma once

#include "ui/canvas/scene_index.h"
#include "ui/theme/theme.h"

#include <cstdint>
#include <span>
#include <vector>

class QPainter;

namespace crosswalk::ui {

/// The positions of boxes at increasingly coarse resolutions, used at scales at which single boxes vanish. The painting
/// cost depends on the pixels of the view, not on the number of boxes.
class Occupancy {
public:
    /// In the colours of the operators' categories.
    Occupancy(const Scene& scene, const SceneIndex& index);
    /// `colours` is indexed by box.
    Occupancy(const SceneIndex& index, std::span<const ColourNumber> colours);

    /// Paints the part `world` of the scene into `target` (logical pixels of the painter).
    void paint(QPainter& painter, const QRectF& world, const QRectF& target, const Theme& theme) const;

private:
    struct Cell {
        std::int32_t column;
        std::uint8_t coverage; ///< fraction of the cell covered by boxes, 255 = fully covered
        ColourNumber colour;   ///< the one that covers the largest part
    };
    struct Level {
        double size = 0;                  ///< cell size in scene pixels
        std::vector<std::uint32_t> first; ///< by row
        std::vector<Cell> cells;          ///< sorted by column within a row
        std::uint32_t rows() const { return static_cast<std::uint32_t>(first.size()) - 1; }
    };

    static Level finest(const SceneIndex& index, std::span<const ColourNumber> colours);
    static Level coarser(const Level& fine);

    QPointF m_origin;
    std::vector<Level> m_levels;
};

} // namespace crosswalk::ui
