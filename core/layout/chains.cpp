#include "core/layout/chains.h"

#include <algorithm>
#include <limits>

namespace crosswalk::layered {

void Chains::listChains()
{
    const std::uint32_t end = m_state.piece.layerFirst[m_state.endFree];
    const auto goesOn = [&](std::uint32_t v) {
        return m_state.below(v).size() == 1 && m_state.below(v).front() < end &&
               m_state.above(m_state.below(v).front()).size() == 1;
    };
    for (std::uint32_t v = m_state.piece.layerFirst[m_state.firstFree]; v < end; ++v) {
        const bool isInside =
            m_state.layerOf[v] > m_state.firstFree && m_state.above(v).size() == 1 && goesOn(m_state.above(v).front());
        if (isInside) {
            continue;
        }
        m_chainFirst.push_back(static_cast<std::uint32_t>(m_chains.size()));
        m_chains.push_back(v);
        for (std::uint32_t w = v; goesOn(w);) {
            w = m_state.below(w).front();
            m_chains.push_back(w);
        }
    }
    m_chainFirst.push_back(static_cast<std::uint32_t>(m_chains.size()));
}

void Chains::rethreadAll()
{
    m_crossings.mark();
    for (std::size_t c = 0; c + 1 < m_chainFirst.size(); ++c) {
        const std::span<const std::uint32_t> chain(m_chains.data() + m_chainFirst[c],
                                                   m_chainFirst[c + 1] - m_chainFirst[c]);
        if (m_crossings.isCrossedBelow[chain.back()] != 0 ||
            std::ranges::any_of(chain, [&](auto v) { return m_crossings.isCrossedAbove[v] != 0; })) {
            rethread(chain);
        }
    }
}

void Chains::rethread(std::span<const std::uint32_t> chain)
{
    constexpr std::size_t widest = 64;
    const std::size_t first = m_state.layerOf[chain.front()];
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (m_state.layer(first + i).size() > widest) {
            return;
        }
    }
    m_cost.assign(m_state.layer(first).size(), 0);
    m_from.clear();
    if (first > 0) {
        addCostOfEnds(first, chain.front(), true);
    }
    for (std::size_t i = 1; i < chain.size(); ++i) {
        stepDown(first + i, chain[i - 1], chain[i]);
    }
    const std::size_t last = first + chain.size() - 1;
    if (last + 1 < m_state.piece.layerCount()) {
        addCostOfEnds(last, chain.back(), false);
    }
    std::size_t place = m_state.position[chain.back()];
    for (std::size_t b = 0; b < m_cost.size(); ++b) {
        place = m_cost[b] < m_cost[place] ? b : place;
    }
    std::size_t base = m_from.size();
    for (std::size_t i = chain.size(); i-- > 0;) {
        std::size_t next = 0;
        if (i > 0) {
            base -= m_state.layer(first + i).size();
            next = m_from[base + place];
        }
        moveTo(first + i, m_state.position[chain[i]], place);
        place = next;
    }
}

void Chains::stepDown(std::size_t l, std::uint32_t upper, std::uint32_t lower)
{
    const std::size_t places = m_state.layer(l).size();
    const std::size_t from = m_from.size();
    m_from.resize(from + places, 0);
    m_best.assign(places, std::numeric_limits<std::int32_t>::max());
    m_passed.assign(places, 0); // by gap b: lines of upper vertices left of gap a that end left of b
    std::int32_t passedAll = 0;
    std::size_t a = 0;
    const auto relax = [&] {
        const std::int32_t base = m_cost[a] + passedAll;
        for (std::size_t b = 0; b < places; ++b) {
            const std::int32_t cost = base - 2 * m_passed[b];
            const bool isBetter = cost < m_best[b];
            m_best[b] = isBetter ? cost : m_best[b];
            m_from[from + b] = isBetter ? static_cast<std::uint32_t>(a) : m_from[from + b];
        }
    };
    for (const std::uint32_t v : m_state.layer(l - 1)) {
        if (v == upper) {
            continue;
        }
        relax();
        for (const std::uint32_t end : m_state.below(v)) {
            const std::size_t place =
                m_state.position[end] - (m_state.position[end] > m_state.position[lower] ? 1U : 0U);
            for (std::size_t b = place + 1; b < places; ++b) {
                ++m_passed[b];
            }
            ++passedAll;
        }
        ++a;
    }
    relax();
    // Lines that end left of b cross unless they also start left of a.
    for (std::size_t b = 0; b < places; ++b) {
        m_best[b] += m_passed[b];
    }
    std::swap(m_cost, m_best);
}

void Chains::moveTo(std::size_t l, std::size_t from, std::size_t to)
{
    const auto order = m_state.layer(l);
    const auto begin = order.begin();
    const auto at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
    if (from < to) {
        std::rotate(at(from), at(from + 1), at(to + 1));
    } else if (to < from) {
        std::rotate(at(to), at(from), at(from + 1));
    }
    for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
        m_state.position[order[i]] = static_cast<std::uint32_t>(i);
    }
}

void Chains::addCostOfEnds(std::size_t l, std::uint32_t moving, bool areAbove)
{
    m_ends.clear();
    for (std::size_t line = 0; line < m_state.countOf(moving, areAbove); ++line) {
        m_ends.push_back(m_state.place(moving, line, areAbove));
    }
    if (m_ends.empty()) {
        return;
    }
    std::ranges::sort(m_ends);
    std::int32_t leftmost = 0;  // crossings in the leftmost gap
    std::int32_t crossings = 0; // in the current gap, beyond those: with the lines that start left of it
    m_best.assign(1, 0);
    for (const std::uint32_t v : m_state.layer(l)) {
        if (v == moving) {
            continue;
        }
        for (std::size_t i = 0; i < m_state.countOf(v, areAbove); ++i) {
            const std::uint32_t other = m_state.place(v, i, areAbove);
            const auto [first, last] = std::equal_range(m_ends.begin(), m_ends.end(), other);
            const auto endsLeft = static_cast<std::int32_t>(first - m_ends.begin());
            const auto endsRight = static_cast<std::int32_t>(m_ends.end() - last);
            leftmost += endsRight;
            crossings += endsLeft - endsRight;
        }
        m_best.push_back(crossings);
    }
    for (std::size_t i = 0; i < m_best.size(); ++i) {
        m_cost[i] += leftmost + m_best[i];
    }
}

} // namespace crosswalk::layered
