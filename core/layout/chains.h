#pragma once

#include "core/layout/piece_crossings.h"

namespace crosswalk::layered {

/// Moves whole lines of a piece to where they cross least.
class Chains {
public:
    Chains(PieceState& state, PieceCrossings& crossings)
        : m_state(state)
        , m_crossings(crossings)
    {
        listChains();
    }
    /// Threads in anew every chain that crosses something.
    void rethreadAll();

private:
    /// Runs of vertices that hang on each other alone: one line for the eye, so they move together.
    void listChains();
    /// Takes a chain out and threads it in again where it crosses least: a shortest path through the places of its
    /// layers, the places being those between the other vertices.
    void rethread(std::span<const std::uint32_t> chain);
    /// From the least costs of the places that `upper` could take in layer l - 1 to those of `lower` in layer l.
    void stepDown(std::size_t l, std::uint32_t upper, std::uint32_t lower);
    void moveTo(std::size_t l, std::size_t from, std::size_t to);
    /// Adds, for every place in layer l that `moving` could take, the crossings of its lines up, or down.
    void addCostOfEnds(std::size_t l, std::uint32_t moving, bool areAbove);

    PieceState& m_state;
    PieceCrossings& m_crossings;
    std::vector<std::uint32_t> m_chains;
    std::vector<std::uint32_t> m_chainFirst;
    std::vector<std::int32_t> m_cost; ///< of the places of the layer that the chain has come to
    std::vector<std::int32_t> m_best;
    std::vector<std::int32_t> m_passed;
    std::vector<std::uint32_t> m_from;
};

} // namespace crosswalk::layered
