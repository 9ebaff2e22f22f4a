#include "core/layout/order_piece.h"

#include "core/layout/chains.h"
#include "core/layout/sort_short.h"
#include "core/layout/transpose.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::layered {

namespace {

/// Barycenter sweeps, swaps and reinsertion of chains, from several starts; keeps the best.
class PieceOrderer {
public:
    PieceOrderer(const Piece& piece, PieceOrder& found)
        : m_found(found)
        , m_state(piece)
        , m_crossings(m_state)
        , m_transposer(m_state, m_crossings)
        , m_chains(m_state, m_crossings)
        , m_wanted(piece.vertexCount())
        , m_random(found.starts + 1)
    {
    }

    void run(unsigned passes, const std::stop_token& stop)
    {
        constexpr unsigned patience = 4; // passes without improvement before the next start
        while (passes > 0 && m_found.cost > 0 && !stop.stop_requested()) {
            begin(m_found.starts++);
            std::uint64_t least = keepIfBetter();
            for (unsigned pass = 0, idle = 0;
                 passes > 0 && idle < patience && m_found.cost > 0 && !stop.stop_requested(); ++pass, --passes) {
                sweep(pass);
                const std::uint64_t cost = keepIfBetter();
                idle = cost < least ? 0 : idle + 1;
                least = std::min(least, cost);
            }
        }
    }

private:
    /// Starts: file order, depth-first order, random orders. They find different local minima.
    void begin(unsigned start)
    {
        std::iota(m_state.order.begin(), m_state.order.end(), 0U);
        if (start == 1) {
            beginDepthFirst();
        } else if (start > 1) {
            for (std::size_t l = m_state.firstFree; l < m_state.endFree; ++l) {
                const auto order = m_state.layer(l);
                for (std::size_t i = order.size(); i > 1; --i) {
                    std::swap(order[i - 1], order[random(i)]);
                }
            }
        }
        std::ranges::copy(m_state.piece.top, m_state.order.begin());
        for (std::size_t l = m_state.endFree; l < m_state.piece.layerCount(); ++l) {
            std::ranges::sort(m_state.layer(l));
        }
        for (std::size_t l = 0; l < m_state.piece.layerCount(); ++l) {
            m_state.setPositions(l);
        }
    }

    void beginDepthFirst()
    {
        std::vector<std::uint32_t> next(m_state.piece.layerFirst.begin(), m_state.piece.layerFirst.end() - 1);
        std::vector<bool> isSeen(m_state.piece.vertexCount(), false);
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
                m_state.order[next[l]++] = v;
                const auto visit = [&](std::uint32_t neighbour, std::size_t at) {
                    if (!isSeen[neighbour]) {
                        isSeen[neighbour] = true;
                        open.emplace_back(neighbour, at);
                    }
                };
                for (const std::uint32_t up : m_state.above(v)) {
                    visit(up, l - 1);
                }
                const auto down = m_state.below(v);
                for (std::size_t i = down.size(); i-- > 0;) {
                    visit(down[i], l + 1);
                }
            }
        };
        for (const std::uint32_t v : m_state.piece.top) {
            walk(v, 0);
        }
        for (std::size_t l = 0; l < m_state.piece.layerCount(); ++l) {
            for (std::uint32_t v = m_state.piece.layerFirst[l]; v < m_state.piece.layerFirst[l + 1]; ++v) {
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
            for (std::size_t l = std::max<std::size_t>(m_state.firstFree, 1); l < m_state.endFree; ++l) {
                sortLayer(l, true, reversesTies);
            }
        } else {
            for (std::size_t l = std::min(m_state.endFree, m_state.piece.layerCount() - 1); l-- > m_state.firstFree;) {
                sortLayer(l, false, reversesTies);
            }
        }
        m_transposer.transpose(reversesTies);
        // The more expensive step every other time: the sweeps solve the easy cases.
        if (pass % 2 == 1) {
            m_chains.rethreadAll();
        }
    }

    /// The positions of the neighbours' ports.
    float mean(std::uint32_t v, bool areAbove) const
    {
        const std::size_t count = m_state.countOf(v, areAbove);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum += m_state.place(v, i, areAbove);
        }
        return static_cast<float>(sum) / static_cast<float>(count << PieceState::placeBits);
    }

    void sortLayer(std::size_t l, bool byAbove, bool reversesTies)
    {
        const auto order = m_state.layer(l);
        if (order.size() < 2) {
            return;
        }
        const auto size = [&](std::size_t which) { return static_cast<float>(m_state.layer(which).size()); };
        for (const std::uint32_t v : order) {
            if (m_state.countOf(v, byAbove) > 0) {
                m_wanted[v] = mean(v, byAbove) / size(byAbove ? l - 1 : l + 1);
            } else if (m_state.countOf(v, !byAbove) > 0) {
                // No neighbour on this side: use the position proportional to the other side.
                m_wanted[v] = mean(v, !byAbove) / size(byAbove ? l + 1 : l - 1);
            } else {
                m_wanted[v] = (static_cast<float>(m_state.position[v]) + 0.5F) / size(l);
            }
        }
        if (reversesTies) {
            std::ranges::reverse(order);
        }
        sortShort(order, [&](std::uint32_t v) { return m_wanted[v]; });
        m_state.setPositions(l);
    }

    std::uint64_t keepIfBetter()
    {
        const std::uint64_t cost = m_crossings.cost();
        if (cost < m_found.cost) {
            m_found.cost = cost;
            m_found.order = m_state.order;
        }
        return cost;
    }

    PieceOrder& m_found;
    PieceState m_state;
    PieceCrossings m_crossings;
    Transposer m_transposer;
    Chains m_chains;
    std::vector<float> m_wanted; ///< by vertex: desired position, as a fraction of its layer
    std::uint64_t m_random;
};

} // namespace

void improveOrder(const Piece& piece, unsigned passes, PieceOrder& found, const std::stop_token& stop)
{
    PieceOrderer(piece, found).run(passes, stop);
}

} // namespace crosswalk::layered
