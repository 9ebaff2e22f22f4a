#include "core/layout/piece_crossings.h"

#include "core/layout/sort_short.h"

#include <algorithm>
#include <functional>

namespace crosswalk::layered {

std::uint64_t PieceCrossings::cost()
{
    // Later crossings weigh slightly more: in a sequence of equal layers it is better to sort the lines once than to
    // propagate a crossing.
    constexpr std::uint64_t now = 8;
    constexpr std::uint64_t later = 9;
    std::uint64_t sum = 0;
    for (std::size_t l = 1; l < m_state.piece.layerCount(); ++l) {
        listUpperEnds(l);
        sum += m_inversions.count(m_ends) * (l + m_state.piece.lookahead < m_state.piece.layerCount() ? now : later);
    }
    return sum;
}

void PieceCrossings::listUpperEnds(std::size_t l)
{
    m_ends.clear();
    for (const std::uint32_t v : m_state.layer(l)) {
        const std::size_t start = m_ends.size();
        for (std::size_t i = 0; i < m_state.countOf(v, true); ++i) {
            m_ends.push_back(m_state.place(v, i, true));
        }
        const std::span ends = std::span(m_ends).subspan(start);
        if (m_state.piece.ports.empty()) {
            sortShort(ends, std::identity());
        } else {
            sortByEntry(v, ends);
        }
    }
}

/// Lines into the middle of a vertex do not cross each other, lines with ports may.
void PieceCrossings::sortByEntry(std::uint32_t v, std::span<std::uint32_t> ends)
{
    m_entries.clear();
    for (std::size_t i = 0; i < ends.size(); ++i) {
        m_entries.emplace_back(m_state.entry(v, i), ends[i]);
    }
    std::ranges::sort(m_entries);
    std::ranges::transform(m_entries, ends.begin(), &std::pair<std::uint8_t, std::uint32_t>::second);
}

void PieceCrossings::mark()
{
    isCrossedAbove.assign(m_state.piece.vertexCount(), 0);
    isCrossedBelow.assign(m_state.piece.vertexCount(), 0);
    for (std::size_t l = 1; l < m_state.piece.layerCount(); ++l) {
        listUpperEnds(l);
        m_leastAfter.resize(m_ends.size() + 1);
        m_leastAfter[m_ends.size()] = ~0U;
        for (std::size_t i = m_ends.size(); i-- > 0;) {
            m_leastAfter[i] = std::min(m_leastAfter[i + 1], m_ends[i]);
        }
        std::uint32_t maxBefore = 0;
        std::size_t i = 0;
        for (const std::uint32_t v : m_state.layer(l)) {
            for (std::size_t line = 0; line < m_state.above(v).size(); ++line, ++i) {
                if (m_leastAfter[i + 1] < m_ends[i] || maxBefore > m_ends[i]) {
                    isCrossedAbove[v] = 1;
                    isCrossedBelow[m_state.layer(l - 1)[PieceState::positionAt(m_ends[i])]] = 1;
                }
                maxBefore = std::max(maxBefore, m_ends[i]);
            }
        }
    }
}

} // namespace crosswalk::layered
