#include "core/layout/transpose.h"

#include "core/layout/sort_short.h"

#include <algorithm>
#include <functional>

namespace crosswalk::layered {

namespace {

/// The number of pairs of ends in which the left one's end is to the right of the right one's, minus the opposite
/// pairs.
std::int64_t surplus(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right)
{
    std::int64_t result = 0;
    std::size_t less = 0;
    std::size_t notMore = 0;
    for (const std::uint32_t end : left) {
        while (less < right.size() && right[less] < end) {
            ++less;
        }
        while (notMore < right.size() && right[notMore] <= end) {
            ++notMore;
        }
        result += static_cast<std::int64_t>(less) - static_cast<std::int64_t>(right.size() - notMore);
    }
    return result;
}

} // namespace

void Transposer::transpose(bool swapsTies)
{
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
        bool hasGained = false;
        const bool tries = swapsTies && round == 0;
        m_crossings.mark();
        for (std::size_t l = m_state.firstFree; l < m_state.endFree; ++l) {
            const auto crosses = [&](std::uint32_t v) {
                return (m_crossings.isCrossedAbove[v] | m_crossings.isCrossedBelow[v]) != 0;
            };
            if (tries || std::ranges::any_of(m_state.layer(l), crosses)) {
                hasGained |= transposeLayer(l, tries);
            }
        }
        if (!hasGained) {
            return;
        }
    }
}

bool Transposer::transposeLayer(std::size_t l, bool swapsTies)
{
    const auto order = m_state.layer(l);
    if (order.size() < 2) {
        return false;
    }
    listEnds(order);
    bool hasGained = false;
    for (bool goesOn = true; goesOn;) {
        goesOn = false;
        for (std::size_t i = 0; i + 1 < order.size(); ++i) {
            const auto gain = gainOfSwap(order[i], order[i + 1]);
            if (gain > 0 || (swapsTies && gain == 0)) {
                std::swap(order[i], order[i + 1]);
                goesOn |= gain > 0;
            }
        }
        hasGained |= goesOn;
        swapsTies = false;
    }
    m_state.setPositions(l);
    return hasGained;
}

void Transposer::listEnds(std::span<const std::uint32_t> order)
{
    m_ends.clear();
    m_endsOf.resize(m_state.piece.vertexCount());
    for (const std::uint32_t v : order) {
        Ends& ends = m_endsOf[v];
        const auto list = [&](bool areAbove) {
            const std::size_t start = m_ends.size();
            for (std::size_t i = 0; i < m_state.countOf(v, areAbove); ++i) {
                m_ends.push_back(m_state.place(v, i, areAbove));
            }
            sortShort(std::span(m_ends).subspan(start), std::identity());
            return static_cast<std::uint32_t>(start);
        };
        ends.above = list(true);
        ends.below = list(false);
        ends.last = static_cast<std::uint32_t>(m_ends.size());
    }
}

std::int64_t Transposer::gainOfSwap(std::uint32_t left, std::uint32_t right) const
{
    const Ends& a = m_endsOf[left];
    const Ends& b = m_endsOf[right];
    const std::span<const std::uint32_t> all(m_ends);
    return surplus(all.subspan(a.above, a.below - a.above), all.subspan(b.above, b.below - b.above)) +
           surplus(all.subspan(a.below, a.last - a.below), all.subspan(b.below, b.last - b.below));
}

} // namespace crosswalk::layered
