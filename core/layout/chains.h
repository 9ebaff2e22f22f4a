#pragma once

#include "core/layout/piece_crossings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::layered {

/// Moves whole chains of a piece to the positions with the fewest crossings.
class Chains {
public:
    Chains(PieceState& state, PieceCrossings& crossings)
        : m_state(state)
        , m_crossings(crossings)
    {
        listChains();
    }
    /// Reinserts every chain that crosses a line.
    void rethreadAll();

private:
    /// Paths of vertices without other neighbours. The eye sees one line, so they move together.
    void listChains();
    /// Removes a chain and reinserts it with the fewest crossings: a shortest path through the gaps of its layers.
    void rethread(std::span<const std::uint32_t> chain);
    /// Computes the minimum costs of the gaps for `lower` in layer l from those for `upper` in layer l - 1.
    void stepDown(std::size_t l, std::uint32_t upper, std::uint32_t lower);
    void moveTo(std::size_t l, std::size_t from, std::size_t to);
    /// Adds the crossings of the lines of `moving`, up or down, for every gap in layer l.
    void addCostOfEnds(std::size_t l, std::uint32_t moving, bool areAbove);

    PieceState& m_state;
    PieceCrossings& m_crossings;
    std::vector<std::uint32_t> m_chains;
    std::vector<std::uint32_t> m_chainFirst;
    std::vector<std::uint32_t> m_ends; ///< places of the ends of a vertex's lines, in order
    std::vector<std::int32_t> m_cost;  ///< costs of the gaps in the current layer
    std::vector<std::int32_t> m_best;
    std::vector<std::int32_t> m_passed;
    std::vector<std::uint32_t> m_from;
};

} // namespace crosswalk::layered
