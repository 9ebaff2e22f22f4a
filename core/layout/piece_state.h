#pragma once

#include "core/layout/order_piece.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::layered {

/// The state of a piece during ordering: positions and connections of its vertices.
struct PieceState {
    explicit PieceState(const Piece& thePiece);

    const Piece& piece;
    std::size_t firstFree;               ///< layer: the preceding ones are fixed
    std::size_t endFree;                 ///< layer: this and the following ones are fixed
    std::vector<std::uint32_t> order;    ///< the vertices of all layers from left to right
    std::vector<std::uint32_t> position; ///< by vertex: position in its layer
    std::vector<std::uint32_t> layerOf;  ///< by vertex

    std::span<const std::uint32_t> below(std::uint32_t v) const
    {
        return {piece.below.data() + piece.belowFirst[v], piece.belowFirst[v + 1] - piece.belowFirst[v]};
    }
    std::span<const std::uint32_t> above(std::uint32_t v) const
    {
        return {m_above.data() + m_aboveFirst[v], m_aboveFirst[v + 1] - m_aboveFirst[v]};
    }
    std::size_t countOf(std::uint32_t v, bool areAbove) const { return (areAbove ? above(v) : below(v)).size(); }
    /// The port of the line to the i-th neighbour above or below, in 256ths of the vertex.
    std::uint32_t place(std::uint32_t v, std::size_t i, bool isAbove) const
    {
        const std::size_t at = (isAbove ? m_aboveFirst[v] : piece.belowFirst[v]) + i;
        const std::uint32_t neighbour = isAbove ? m_above[at] : piece.below[at];
        const std::uint8_t port = piece.ports.empty() ? PortPlaces::middle
                                  : isAbove           ? piece.ports[m_lines[at]].leaves
                                                      : piece.ports[at].enters;
        return (position[neighbour] << placeBits) | port;
    }
    /// The port at which the line from the i-th neighbour above enters the vertex.
    std::uint8_t entry(std::uint32_t v, std::size_t i) const
    {
        return piece.ports.empty() ? PortPlaces::middle : piece.ports[m_lines[m_aboveFirst[v] + i]].enters;
    }
    static std::uint32_t positionAt(std::uint32_t place) { return place >> placeBits; }
    static constexpr unsigned placeBits = 8;

    std::span<std::uint32_t> layer(std::size_t l)
    {
        return {order.data() + piece.layerFirst[l], piece.layerFirst[l + 1] - piece.layerFirst[l]};
    }
    /// Must be called after the order of a layer changed.
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
    std::vector<std::uint32_t> m_lines; ///< by entry of m_above: its index in piece.below; empty without ports
};

} // namespace crosswalk::layered
