#pragma once

#include "core/layout/order_piece.h"

#include <span>

namespace crosswalk::layered {

/// A piece while its order is looked for: who stands where, and who is joined to whom.
struct PieceState {
    explicit PieceState(const Piece& thePiece);

    const Piece& piece;
    std::size_t firstFree;               ///< layer: those before it are settled
    std::size_t endFree;                 ///< layer: it and those after it are settled
    std::vector<std::uint32_t> order;    ///< the vertices of all layers from left to right
    std::vector<std::uint32_t> position; ///< by vertex: place in its layer
    std::vector<std::uint32_t> layerOf;  ///< by vertex

    std::span<const std::uint32_t> below(std::uint32_t v) const
    {
        return {piece.below.data() + piece.belowFirst[v], piece.belowFirst[v + 1] - piece.belowFirst[v]};
    }
    std::span<const std::uint32_t> above(std::uint32_t v) const
    {
        return {m_above.data() + m_aboveFirst[v], m_aboveFirst[v + 1] - m_aboveFirst[v]};
    }
    std::span<std::uint32_t> layer(std::size_t l)
    {
        return {order.data() + piece.layerFirst[l], piece.layerFirst[l + 1] - piece.layerFirst[l]};
    }
    /// After the order of a layer has changed.
    void setPositions(std::size_t l)
    {
        const auto vertices = layer(l);
        for (std::uint32_t i = 0; i < vertices.size(); ++i) {
            position[vertices[i]] = i;
        }
    }

private:
    void listAbove();

    std::vector<std::uint32_t> m_aboveFirst;
    std::vector<std::uint32_t> m_above;
};

} // namespace crosswalk::layered
