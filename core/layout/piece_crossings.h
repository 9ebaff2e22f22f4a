#pragma once

#include "core/layout/piece_state.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace crosswalk::layered {

/// The number of crossings of lines given by their upper ends in the order of their lower ends: the inversions of that
/// sequence.
class Inversions {
public:
    std::uint64_t count(std::span<std::uint32_t> ends)
    {
        constexpr std::size_t fewEnough = 24;
        if (ends.size() <= fewEnough) {
            return byInsertion(ends);
        }
        m_buffer.resize(ends.size());
        return byMerging(ends, m_buffer);
    }

private:
    static std::uint64_t byInsertion(std::span<std::uint32_t> ends)
    {
        std::uint64_t inversions = 0;
        for (std::size_t i = 1; i < ends.size(); ++i) {
            const std::uint32_t end = ends[i];
            std::size_t j = i;
            for (; j > 0 && ends[j - 1] > end; --j) {
                ends[j] = ends[j - 1];
            }
            ends[j] = end;
            inversions += i - j;
        }
        return inversions;
    }
    static std::uint64_t byMerging(std::span<std::uint32_t> ends, std::span<std::uint32_t> buffer)
    {
        if (ends.size() <= 8) {
            return byInsertion(ends);
        }
        const std::size_t middle = ends.size() / 2;
        std::uint64_t inversions = byMerging(ends.first(middle), buffer) + byMerging(ends.subspan(middle), buffer);
        std::copy(ends.begin(), ends.end(), buffer.begin());
        for (std::size_t left = 0, right = middle, out = 0; out < ends.size(); ++out) {
            if (left < middle && (right == ends.size() || buffer[left] <= buffer[right])) {
                ends[out] = buffer[left++];
            } else {
                inversions += middle - left;
                ends[out] = buffer[right++];
            }
        }
        return inversions;
    }

    std::vector<std::uint32_t> m_buffer;
};

/// The crossings of a piece.
class PieceCrossings {
public:
    explicit PieceCrossings(PieceState& state)
        : m_state(state)
    {
    }
    /// The cost of the piece's current order: its crossings, weighted by position.
    std::uint64_t cost();
    /// Finds the vertices with an upward or downward line that crosses another.
    void mark();
    std::vector<char> isCrossedAbove; ///< by vertex, valid after mark()
    std::vector<char> isCrossedBelow;

private:
    /// Positions of the upper ends of all lines between a layer and the one above, ordered by their lower ends.
    void listUpperEnds(std::size_t l);
    void sortByEntry(std::uint32_t v, std::span<std::uint32_t> ends);

    PieceState& m_state;
    Inversions m_inversions;
    std::vector<std::uint32_t> m_ends;
    std::vector<std::uint32_t> m_leastAfter;
    std::vector<std::pair<std::uint8_t, std::uint32_t>> m_entries;
};

} // namespace crosswalk::layered
