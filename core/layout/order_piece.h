#pragma once

#include "core/layout/layered.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crosswalk::layered {

/// A few neighbouring layers in numbers of their own: the vertices of layer l are layerFirst[l] to layerFirst[l + 1].
struct Piece {
    std::vector<std::uint32_t> layerFirst;
    std::vector<std::uint32_t> belowFirst; ///< by vertex: where its neighbours one layer down start in `below`
    std::vector<std::uint32_t> below;
    std::vector<PortPlaces> ports;  ///< by entry of `below`; empty where every line may be attached anywhere
    std::uint32_t lookahead = 0;    ///< layers at the end that are there to look ahead only
    std::vector<std::uint32_t> top; ///< the first layer from left to right where that is settled, else empty
    bool endsFixed = false;         ///< the last layer stays in the order of its numbers

    std::size_t layerCount() const { return layerFirst.size() - 1; }
    std::size_t vertexCount() const { return layerFirst.back(); }
    friend bool operator==(const Piece&, const Piece&) = default;
};

/// What was found for a piece so far.
struct PieceOrder {
    std::vector<std::uint32_t> order; ///< the vertices of all layers from left to right
    std::uint64_t cost = ~std::uint64_t{0};
    unsigned starts = 0; ///< that were tried
};

/// Looks for an order with fewer crossings, from starts that were not tried yet. Time is proportional to `passes` and
/// the size of the piece.
void improveOrder(const Piece& piece, unsigned passes, PieceOrder& found);

} // namespace crosswalk::layered
