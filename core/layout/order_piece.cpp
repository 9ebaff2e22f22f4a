#include "core/layout/order_piece.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

namespace crosswalk::layered {
namespace {

/// Stable, and without an allocation: nearly everything sorted here is short and nearly sorted.
template <typename Key>
void sortShort(std::span<std::uint32_t> numbers, Key key)
{
    constexpr std::size_t fewEnough = 48;
    if (numbers.size() > fewEnough) {
        std::ranges::stable_sort(numbers, {}, key);
        return;
    }
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const std::uint32_t number = numbers[i];
        std::size_t j = i;
        for (; j > 0 && key(number) < key(numbers[j - 1]); --j) {
            numbers[j] = numbers[j - 1];
        }
        numbers[j] = number;
    }
}

/// Crossings of lines given by their upper ends, in the order of their lower ends: the inversions of that sequence.
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

class PieceOrderer {
public:
    PieceOrderer(const Piece& piece, PieceOrder& found)
        : m_piece(piece)
        , m_found(found)
        , m_order(piece.vertexCount())
        , m_position(piece.vertexCount())
        , m_wanted(piece.vertexCount())
        , m_firstFree(piece.top.empty() ? 0 : 1)
        , m_random(found.starts + 1)
    {
        listAbove();
        listLayers();
        listChains();
    }

    void run(unsigned passes)
    {
        constexpr unsigned patience = 4; // passes without a gain before another start is tried
        while (passes > 0 && m_found.cost > 0) {
            begin(m_found.starts++);
            std::uint64_t least = keepIfBetter();
            for (unsigned pass = 0, idle = 0; passes > 0 && idle < patience && m_found.cost > 0; ++pass, --passes) {
                sweep(pass);
                const std::uint64_t cost = keepIfBetter();
                idle = cost < least ? 0 : idle + 1;
                least = std::min(least, cost);
            }
        }
    }

private:
    std::span<const std::uint32_t> below(std::uint32_t v) const
    {
        return {m_piece.below.data() + m_piece.belowFirst[v], m_piece.belowFirst[v + 1] - m_piece.belowFirst[v]};
    }
    std::span<const std::uint32_t> above(std::uint32_t v) const
    {
        return {m_above.data() + m_aboveFirst[v], m_aboveFirst[v + 1] - m_aboveFirst[v]};
    }
    std::span<std::uint32_t> layer(std::size_t l)
    {
        return {m_order.data() + m_piece.layerFirst[l], m_piece.layerFirst[l + 1] - m_piece.layerFirst[l]};
    }

    void listAbove()
    {
        m_aboveFirst.assign(m_piece.vertexCount() + 1, 0);
        for (const std::uint32_t end : m_piece.below) {
            ++m_aboveFirst[end + 1];
        }
        std::partial_sum(m_aboveFirst.begin(), m_aboveFirst.end(), m_aboveFirst.begin());
        m_above.resize(m_piece.below.size());
        std::vector<std::uint32_t> next(m_aboveFirst.begin(), m_aboveFirst.end() - 1);
        for (std::uint32_t v = 0; v < m_piece.vertexCount(); ++v) {
            for (const std::uint32_t end : below(v)) {
                m_above[next[end]++] = v;
            }
        }
    }

    void setPositions(std::size_t l)
    {
        const auto order = layer(l);
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            m_position[order[i]] = i;
        }
    }

    /// The order of the file, then depth first, then shuffled: what one start misses another finds.
    void begin(unsigned start)
    {
        std::iota(m_order.begin(), m_order.end(), 0U);
        if (start == 1) {
            beginDepthFirst();
        } else if (start > 1) {
            for (std::size_t l = m_firstFree; l < m_piece.layerCount(); ++l) {
                const auto order = layer(l);
                for (std::size_t i = order.size(); i > 1; --i) {
                    std::swap(order[i - 1], order[random(i)]);
                }
            }
        }
        std::ranges::copy(m_piece.top, m_order.begin());
        for (std::size_t l = 0; l < m_piece.layerCount(); ++l) {
            setPositions(l);
        }
    }

    void beginDepthFirst()
    {
        std::vector<std::uint32_t> next(m_piece.layerFirst.begin(), m_piece.layerFirst.end() - 1);
        std::vector<bool> isSeen(m_piece.vertexCount(), false);
        std::vector<std::pair<std::uint32_t, std::size_t>> open; // vertex and its layer
        const auto walk = [&](std::uint32_t start, std::size_t startLayer) {
            if (isSeen[start]) {
                return;
            }
            isSeen[start] = true;
            open.emplace_back(start, startLayer);
            while (!open.empty()) {
                const auto [v, l] = open.back();
                open.pop_back();
                m_order[next[l]++] = v;
                const auto visit = [&](std::uint32_t neighbour, std::size_t at) {
                    if (!isSeen[neighbour]) {
                        isSeen[neighbour] = true;
                        open.emplace_back(neighbour, at);
                    }
                };
                for (const std::uint32_t up : above(v)) {
                    visit(up, l - 1);
                }
                const auto down = below(v);
                for (std::size_t i = down.size(); i-- > 0;) {
                    visit(down[i], l + 1);
                }
            }
        };
        for (const std::uint32_t v : m_piece.top) {
            walk(v, 0);
        }
        for (std::size_t l = 0; l < m_piece.layerCount(); ++l) {
            for (std::uint32_t v = m_piece.layerFirst[l]; v < m_piece.layerFirst[l + 1]; ++v) {
                walk(v, l);
            }
        }
    }

    std::size_t random(std::size_t below)
    {
        m_random = m_random * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>((m_random >> 33U) % below);
    }

    void sweep(unsigned pass)
    {
        const bool isDown = pass % 2 == 0;
        const bool reversesTies = pass % 4 >= 2;
        if (isDown) {
            for (std::size_t l = std::max<std::size_t>(m_firstFree, 1); l < m_piece.layerCount(); ++l) {
                sortLayer(l, true, reversesTies);
            }
        } else {
            for (std::size_t l = m_piece.layerCount() - 1; l-- > m_firstFree;) {
                sortLayer(l, false, reversesTies);
            }
        }
        transpose(reversesTies);
        // The dearer step every other time: the sweeps settle what is easy.
        if (pass % 2 == 1) {
            markCrossings();
            rethreadAll();
        }
    }

    void listLayers()
    {
        m_layerOf.resize(m_piece.vertexCount());
        for (std::uint32_t l = 0; l < m_piece.layerCount(); ++l) {
            for (std::uint32_t v = m_piece.layerFirst[l]; v < m_piece.layerFirst[l + 1]; ++v) {
                m_layerOf[v] = l;
            }
        }
    }

    /// Runs of vertices that hang on each other alone: one line for the eye, so they move together.
    void listChains()
    {
        const auto goesOn = [&](std::uint32_t v) {
            return below(v).size() == 1 && above(below(v).front()).size() == 1;
        };
        for (std::uint32_t v = m_piece.layerFirst[m_firstFree]; v < m_piece.vertexCount(); ++v) {
            const bool isInside = m_layerOf[v] > m_firstFree && above(v).size() == 1 && goesOn(above(v).front());
            if (isInside) {
                continue;
            }
            m_chainFirst.push_back(static_cast<std::uint32_t>(m_chains.size()));
            m_chains.push_back(v);
            for (std::uint32_t w = v; goesOn(w);) {
                w = below(w).front();
                m_chains.push_back(w);
            }
        }
        m_chainFirst.push_back(static_cast<std::uint32_t>(m_chains.size()));
    }

    void rethreadAll()
    {
        for (std::size_t c = 0; c + 1 < m_chainFirst.size(); ++c) {
            const std::span<const std::uint32_t> chain(m_chains.data() + m_chainFirst[c],
                                                       m_chainFirst[c + 1] - m_chainFirst[c]);
            if (m_crossesBelow[chain.back()] != 0 ||
                std::ranges::any_of(chain, [&](auto v) { return m_crossesAbove[v] != 0; })) {
                rethread(chain);
            }
        }
    }

    /// Takes a chain out and threads it in again where it crosses least: a shortest path through the places of its
    /// layers, the places being those between the other vertices.
    void rethread(std::span<const std::uint32_t> chain)
    {
        constexpr std::size_t widest = 64;
        const std::size_t first = m_layerOf[chain.front()];
        for (std::size_t i = 0; i < chain.size(); ++i) {
            if (layer(first + i).size() > widest) {
                return;
            }
        }
        m_cost.assign(layer(first).size(), 0);
        m_from.clear();
        if (first > 0) {
            addCostOfEnds(above(chain.front()), first, chain.front(), true);
        }
        for (std::size_t i = 1; i < chain.size(); ++i) {
            stepDown(first + i, chain[i - 1], chain[i]);
        }
        const std::size_t last = first + chain.size() - 1;
        if (last + 1 < m_piece.layerCount()) {
            addCostOfEnds(below(chain.back()), last, chain.back(), false);
        }
        std::size_t place = m_position[chain.back()];
        for (std::size_t b = 0; b < m_cost.size(); ++b) {
            place = m_cost[b] < m_cost[place] ? b : place;
        }
        std::size_t base = m_from.size();
        for (std::size_t i = chain.size(); i-- > 0;) {
            std::size_t next = 0;
            if (i > 0) {
                base -= layer(first + i).size();
                next = m_from[base + place];
            }
            moveTo(first + i, m_position[chain[i]], place);
            place = next;
        }
    }

    /// From the least costs of the places that `upper` could take in layer l - 1 to those of `lower` in layer l.
    void stepDown(std::size_t l, std::uint32_t upper, std::uint32_t lower)
    {
        const std::size_t places = layer(l).size();
        const std::size_t from = m_from.size();
        m_from.resize(from + places, 0);
        m_best.assign(places, std::numeric_limits<std::int32_t>::max());
        m_passed.assign(places, 0); // by place b: lines of the uppers left of place a that end left of b
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
        for (const std::uint32_t v : layer(l - 1)) {
            if (v == upper) {
                continue;
            }
            relax();
            for (const std::uint32_t end : below(v)) {
                const std::size_t place = m_position[end] - (m_position[end] > m_position[lower] ? 1U : 0U);
                for (std::size_t b = place + 1; b < places; ++b) {
                    ++m_passed[b];
                }
                ++passedAll;
            }
            ++a;
        }
        relax();
        // Lines that end left of b cross unless they start left of a too.
        for (std::size_t b = 0; b < places; ++b) {
            m_best[b] += m_passed[b];
        }
        std::swap(m_cost, m_best);
    }

    void moveTo(std::size_t l, std::size_t from, std::size_t to)
    {
        const auto order = layer(l);
        const auto begin = order.begin();
        const auto at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
        if (from < to) {
            std::rotate(at(from), at(from + 1), at(to + 1));
        } else if (to < from) {
            std::rotate(at(to), at(from), at(from + 1));
        }
        for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
            m_position[order[i]] = static_cast<std::uint32_t>(i);
        }
    }

    /// Adds, for every place in layer l that `moving` could take, the crossings of its lines to these neighbours.
    void addCostOfEnds(std::span<const std::uint32_t> ends, std::size_t l, std::uint32_t moving, bool areAbove)
    {
        for (const std::uint32_t end : ends) {
            const std::uint32_t at = m_position[end];
            std::int32_t crossings = 0; // at the far left: with all lines that start left of `end`
            m_best.assign(1, 0);
            for (const std::uint32_t v : layer(l)) {
                if (v == moving) {
                    continue;
                }
                for (const std::uint32_t other : areAbove ? above(v) : below(v)) {
                    const bool isLeft = m_position[other] < at;
                    m_best.front() += isLeft ? 1 : 0;
                    crossings += m_position[other] == at ? 0 : isLeft ? -1 : 1;
                }
                m_best.push_back(crossings);
            }
            m_cost.front() += m_best.front();
            for (std::size_t place = 1; place < m_best.size(); ++place) {
                m_cost[place] += m_best.front() + m_best[place];
            }
        }
    }

    float mean(std::span<const std::uint32_t> ends) const
    {
        std::uint32_t sum = 0;
        for (const std::uint32_t end : ends) {
            sum += m_position[end];
        }
        return (static_cast<float>(sum) + 0.5F * static_cast<float>(ends.size())) / static_cast<float>(ends.size());
    }

    void sortLayer(std::size_t l, bool byAbove, bool reversesTies)
    {
        const auto order = layer(l);
        if (order.size() < 2) {
            return;
        }
        const auto size = [&](std::size_t which) { return static_cast<float>(layer(which).size()); };
        for (const std::uint32_t v : order) {
            const auto near = byAbove ? above(v) : below(v);
            const auto far = byAbove ? below(v) : above(v);
            if (!near.empty()) {
                m_wanted[v] = mean(near) / size(byAbove ? l - 1 : l + 1);
            } else if (!far.empty()) {
                // Nothing holds it on this side: it stays where its other neighbours are, by proportion.
                m_wanted[v] = mean(far) / size(byAbove ? l + 1 : l - 1);
            } else {
                m_wanted[v] = (static_cast<float>(m_position[v]) + 0.5F) / size(l);
            }
        }
        if (reversesTies) {
            std::ranges::reverse(order);
        }
        sortShort(order, [&](std::uint32_t v) { return m_wanted[v]; });
        setPositions(l);
    }

    /// Swaps neighbours wherever that saves a crossing, until none does.
    void transpose(bool swapsTies)
    {
        constexpr int rounds = 3;
        for (int round = 0; round < rounds; ++round) {
            bool hasGained = false;
            const bool tries = swapsTies && round == 0;
            markCrossings();
            for (std::size_t l = m_firstFree; l < m_piece.layerCount(); ++l) {
                const auto crosses = [&](std::uint32_t v) { return (m_crossesAbove[v] | m_crossesBelow[v]) != 0; };
                if (tries || std::ranges::any_of(layer(l), crosses)) {
                    hasGained |= transposeLayer(l, tries);
                }
            }
            if (!hasGained) {
                return;
            }
        }
    }

    bool transposeLayer(std::size_t l, bool swapsTies)
    {
        const auto order = layer(l);
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
        setPositions(l);
        return hasGained;
    }

    /// Positions of the neighbours of each vertex of a layer, sorted, above and below.
    void listEnds(std::span<const std::uint32_t> order)
    {
        m_ends.clear();
        m_endsOf.resize(m_piece.vertexCount());
        for (const std::uint32_t v : order) {
            Ends& ends = m_endsOf[v];
            const auto list = [&](std::span<const std::uint32_t> neighbours) {
                const std::size_t start = m_ends.size();
                for (const std::uint32_t end : neighbours) {
                    m_ends.push_back(m_position[end]);
                }
                sortShort(std::span(m_ends).subspan(start), std::identity());
                return static_cast<std::uint32_t>(start);
            };
            ends.above = list(above(v));
            ends.below = list(below(v));
            ends.last = static_cast<std::uint32_t>(m_ends.size());
        }
    }

    /// Pairs of ends where the left one's lies right of the right one's, less those where it lies left.
    static std::int64_t surplus(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right)
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

    std::int64_t gainOfSwap(std::uint32_t left, std::uint32_t right) const
    {
        const Ends& a = m_endsOf[left];
        const Ends& b = m_endsOf[right];
        const std::span<const std::uint32_t> all(m_ends);
        return surplus(all.subspan(a.above, a.below - a.above), all.subspan(b.above, b.below - b.above)) +
               surplus(all.subspan(a.below, a.last - a.below), all.subspan(b.below, b.last - b.below));
    }

    /// Upper ends of all lines between a layer and the one above, by their lower ends from left to right.
    void listUpperEnds(std::size_t l)
    {
        m_ends.clear();
        for (const std::uint32_t v : layer(l)) {
            const std::size_t start = m_ends.size();
            for (const std::uint32_t up : above(v)) {
                m_ends.push_back(m_position[up]);
            }
            sortShort(std::span(m_ends).subspan(start), std::identity());
        }
    }

    /// Which vertices have a line upwards, or downwards, that crosses another.
    void markCrossings()
    {
        m_crossesAbove.assign(m_piece.vertexCount(), 0);
        m_crossesBelow.assign(m_piece.vertexCount(), 0);
        for (std::size_t l = 1; l < m_piece.layerCount(); ++l) {
            listUpperEnds(l);
            m_leastAfter.resize(m_ends.size() + 1);
            m_leastAfter[m_ends.size()] = ~0U;
            for (std::size_t i = m_ends.size(); i-- > 0;) {
                m_leastAfter[i] = std::min(m_leastAfter[i + 1], m_ends[i]);
            }
            std::uint32_t mostBefore = 0;
            std::size_t i = 0;
            for (const std::uint32_t v : layer(l)) {
                for (std::size_t line = 0; line < above(v).size(); ++line, ++i) {
                    if (m_leastAfter[i + 1] < m_ends[i] || mostBefore > m_ends[i]) {
                        m_crossesAbove[v] = 1;
                        m_crossesBelow[layer(l - 1)[m_ends[i]]] = 1;
                    }
                    mostBefore = std::max(mostBefore, m_ends[i]);
                }
            }
        }
    }

    std::uint64_t keepIfBetter()
    {
        // A crossing that comes later counts a little more: where the same layers follow each other again and again, it
        // is better to sort the lines once than to carry a crossing along.
        constexpr std::uint64_t now = 8;
        constexpr std::uint64_t later = 9;
        std::uint64_t cost = 0;
        for (std::size_t l = 1; l < m_piece.layerCount(); ++l) {
            listUpperEnds(l);
            cost += m_inversions.count(m_ends) * (l + m_piece.lookahead < m_piece.layerCount() ? now : later);
        }
        if (cost < m_found.cost) {
            m_found.cost = cost;
            m_found.order = m_order;
        }
        return cost;
    }

    struct Ends {
        std::uint32_t above;
        std::uint32_t below;
        std::uint32_t last;
    };

    const Piece& m_piece;
    PieceOrder& m_found;
    std::vector<std::uint32_t> m_aboveFirst;
    std::vector<std::uint32_t> m_above;
    std::vector<std::uint32_t> m_order;
    std::vector<std::uint32_t> m_position;
    std::vector<float> m_wanted;
    std::size_t m_firstFree;
    std::vector<std::uint32_t> m_ends;
    std::vector<Ends> m_endsOf;
    Inversions m_inversions;
    std::vector<char> m_crossesAbove; ///< by vertex, as of markCrossings
    std::vector<char> m_crossesBelow;
    std::vector<std::uint32_t> m_leastAfter;
    std::vector<std::uint32_t> m_layerOf;
    std::vector<std::uint32_t> m_chains;
    std::vector<std::uint32_t> m_chainFirst;
    std::vector<std::int32_t> m_cost; ///< of the places of the layer that the chain has come to
    std::vector<std::int32_t> m_best;
    std::vector<std::int32_t> m_passed;
    std::vector<std::uint32_t> m_from;
    std::uint64_t m_random;
};

} // namespace

void improveOrder(const Piece& piece, unsigned passes, PieceOrder& found)
{
    PieceOrderer(piece, found).run(passes);
}

} // namespace crosswalk::layered
