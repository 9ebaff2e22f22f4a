#pragma once

#include "core/layout/scene.h"

#include <QRectF>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crosswalk::ui {

/// Finds boxes and edges of a laid-out scene by position, and edges by box, without iterating over the scene:
/// horizontal strips, each sorted by x. Coordinates are those of the scene, pixels at scale 1.
class SceneIndex {
public:
    explicit SceneIndex(const Scene& scene);

    const QRectF& bounds() const { return m_bounds; }
    QRectF box(std::uint32_t node) const;
    /// Indices of items that intersect `area`, ascending, without duplicates. Overwrites `out`.
    void nodesIn(const QRectF& area, std::vector<std::uint32_t>& out) const;
    void edgesIn(const QRectF& area, std::vector<std::uint32_t>& out) const;

    std::optional<std::uint32_t> nodeAt(QPointF point) const;
    /// The edge nearest to the point, at most `reach` away.
    std::optional<std::uint32_t> edgeAt(const Scene& scene, QPointF point, double reach) const;

    std::span<const std::uint32_t> edgesInto(std::uint32_t node) const { return m_into.of(node); }
    std::span<const std::uint32_t> edgesOutOf(std::uint32_t node) const { return m_outOf.of(node); }

private:
    struct Table {
        std::vector<std::uint32_t> first;
        std::vector<std::uint32_t> items;
        std::span<const std::uint32_t> of(std::uint32_t key) const
        {
            return {items.data() + first[key], items.data() + first[key + 1]};
        }
    };
    struct Entry {
        float left;
        float right;
        std::uint32_t item;
        std::uint32_t strip;
    };
    struct Strips {
        std::vector<std::uint32_t> first;
        std::vector<Entry> entries;
        std::vector<float> widest; ///< width of the widest entry of each strip
    };

    void boxesAndBounds(const Scene& scene);
    void addRoute(const std::vector<LayoutPoint>& route, std::uint32_t edge, std::vector<Entry>& entries) const;
    std::uint32_t stripOf(double y) const;
    Strips sorted(std::vector<Entry> entries) const;
    void collect(const Strips& strips, const QRectF& area, std::vector<std::uint32_t>& out) const;

    QRectF m_bounds;
    std::uint32_t m_stripCount = 1;
    std::vector<float> m_left, m_top, m_right, m_bottom;
    Strips m_nodes;
    Strips m_edges;
    Table m_into;
    Table m_outOf;
};

} // namespace crosswalk::ui
