#pragma once

#include "core/layout/layered.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crosswalk::layered {

/// A few adjacent layers with their own numbering: the vertices of layer l are layerFirst[l] to layerFirst[l + 1].
struct Piece {
    std::vector<std::uint32_t> layerFirst;
    std::vector<std::uint32_t> belowFirst; ///< by vertex: start of its neighbours one layer down in `below`
    std::vector<std::uint32_t> below;
    std::vector<PortPlaces> ports;  ///< by entry of `below`; empty if all lines use the middle
    std::uint32_t lookahead = 0;    ///< number of layers at the end that serve only as lookahead
    std::vector<std::uint32_t> top; ///< the first layer from left to right if it is fixed, otherwise empty
    bool endsFixed = false;         ///< the last layer keeps the order of its numbers

    std::size_t layerCount() const { return layerFirst.size() - 1; }
    std::size_t vertexCount() const { return layerFirst.back(); }
    friend bool operator==(const Piece&, const Piece&) = default;
};

/// The best result for a piece so far.
struct PieceOrder {
    std::vector<std::uint32_t> order; ///< the vertices of all layers from left to right
    std::uint64_t cost = ~std::uint64_t{0};
    unsigned starts = 0; ///< number of starts tried
};

/// Searches for an order with fewer crossings from untried starts. The time is proportional to `passes` and to the size
/// of the piece. If stopped, there may be no order.
void improveOrder(const Piece& piece, unsigned passes, PieceOrder& found, const std::stop_token& stop);

} // namespace crosswalk::layered
