#pragma once

#include "core/layout/piece_crossings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::layered {

/// Swaps adjacent vertices of a layer.
class Transposer {
public:
    Transposer(PieceState& state, PieceCrossings& crossings)
        : m_state(state)
        , m_crossings(crossings)
    {
    }
    /// Swaps adjacent vertices while that reduces crossings.
    void transpose(bool swapsTies);

private:
    struct Ends {
        std::uint32_t above;
        std::uint32_t below;
        std::uint32_t last;
    };

    bool transposeLayer(std::size_t l, bool swapsTies);
    /// Sorted positions of the neighbours above and below, for each vertex of a layer.
    void listEnds(std::span<const std::uint32_t> order);
    std::int64_t gainOfSwap(std::uint32_t left, std::uint32_t right) const;

    PieceState& m_state;
    PieceCrossings& m_crossings;
    std::vector<std::uint32_t> m_ends;
    std::vector<Ends> m_endsOf;
};

} // namespace crosswalk::layered
