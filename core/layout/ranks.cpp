#include "core/layout/boundaries.h"
#include "core/layout/hash_numbers.h"
#include "core/layout/layered.h"
#include "core/layout/network_simplex.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace crosswalk::layered {
namespace {

std::vector<std::uint32_t> endsOf(std::span<const LayoutEdge> edges, std::uint32_t LayoutEdge::*end)
{
    std::vector<std::uint32_t> ends(edges.size());
    std::ranges::transform(edges, ends.begin(), [&](const LayoutEdge& edge) { return edge.*end; });
    return ends;
}

/// Boxes in topological order.
std::vector<std::uint32_t> topologicalOrder(std::size_t boxes, std::span<const LayoutEdge> edges)
{
    const Adjacency out(boxes, endsOf(edges, &LayoutEdge::from), endsOf(edges, &LayoutEdge::to));
    std::vector<std::uint32_t> waiting(boxes, 0);
    for (const LayoutEdge& edge : edges) {
        ++waiting[edge.to];
    }
    std::vector<std::uint32_t> order;
    order.reserve(boxes);
    for (std::uint32_t v = 0; v < boxes; ++v) {
        if (waiting[v] == 0) {
            order.push_back(v);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const std::uint32_t next : out.of(order[i])) {
            if (--waiting[next] == 0) {
                order.push_back(next);
            }
        }
    }
    assert(order.size() == boxes); // the graph has no cycles
    return order;
}

/// Boxes whose levels are improved while all others are fixed: vertex 0 of the edges represents the fixed ones, at
/// level 0.
struct RankWindow {
    std::vector<std::int32_t> levels;
    std::vector<LevelEdge> edges;

    friend bool operator==(const RankWindow&, const RankWindow&) = default;
};

struct HashWindow {
    std::size_t operator()(const RankWindow& window) const
    {
        std::size_t hash = hashNumbers<std::int32_t>(1, window.levels);
        for (const LevelEdge& edge : window.edges) {
            const std::uint32_t numbers[] = {edge.from, edge.to, static_cast<std::uint32_t>(edge.least),
                                             static_cast<std::uint32_t>(edge.weight)};
            hash = hashNumbers<std::uint32_t>(hash, numbers);
        }
        return hash;
    }
};

class Ranker {
public:
    Ranker(std::size_t boxes, std::span<const LayoutEdge> edges, const std::vector<bool>& isLoose)
        : m_edges(edges)
        , m_isLoose(isLoose)
        , m_ranks(boxes, 0)
        , m_local(boxes, 0)
    {
        std::vector<std::uint32_t> numbers(edges.size());
        std::iota(numbers.begin(), numbers.end(), 0U);
        m_in = Adjacency(boxes, endsOf(edges, &LayoutEdge::to), numbers);
        m_out = Adjacency(boxes, endsOf(edges, &LayoutEdge::from), numbers);
    }

    std::vector<std::uint32_t> run(const std::stop_token& stop)
    {
        start();
        shortenByWindows(stop);
        return closedUp();
    }

private:
    /// Places boxes as high as possible. Then sources and chains that start with a source move down to their readers,
    /// and so do boxes with more outgoing than incoming lines.
    void start()
    {
        const auto order = topologicalOrder(m_ranks.size(), m_edges);
        std::vector<bool> isFloating(m_ranks.size(), false);
        for (const std::uint32_t v : order) {
            isFloating[v] = std::ranges::all_of(m_in.of(v), [&](std::uint32_t e) {
                const std::uint32_t from = m_edges[e].from;
                return m_isLoose[e] || (isFloating[from] && firmLines(m_out.of(from)) == 1);
            });
            for (const std::uint32_t e : m_out.of(v)) {
                std::int32_t& rank = m_ranks[m_edges[e].to];
                rank = std::max(rank, m_ranks[v] + 1);
            }
        }
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::uint32_t v = order[i];
            const auto readers = firmLines(m_out.of(v));
            if (readers > 0 && (isFloating[v] || readers > firmLines(m_in.of(v)))) {
                m_ranks[v] = std::numeric_limits<std::int32_t>::max();
                for (const std::uint32_t e : m_out.of(v)) {
                    m_ranks[v] = std::min(m_ranks[v], m_ranks[m_edges[e].to] - 1);
                }
            }
        }
    }

    std::ptrdiff_t firmLines(std::span<const std::uint32_t> edges) const
    {
        return std::ranges::count_if(edges, [&](std::uint32_t e) { return !m_isLoose[e]; });
    }

    /// Applies the network simplex to two adjacent segments at a time with all others fixed: nearly as good as on the
    /// whole graph, in linear time.
    void shortenByWindows(const std::stop_token& stop)
    {
        const auto boundaries = findBoundaries(layerSizes());
        if (boundaries.size() < 2) {
            return;
        }
        std::vector<std::uint32_t> segmentOf; // by rank
        for (std::uint32_t s = 0; s + 1 < boundaries.size(); ++s) {
            segmentOf.resize(boundaries[s + 1], s);
        }
        const auto segments = static_cast<std::uint32_t>(boundaries.size() - 1);
        segmentOf.push_back(segments - 1);
        std::vector<std::uint32_t> segment(m_ranks.size());
        std::vector<std::uint32_t> boxes(m_ranks.size());
        for (std::uint32_t v = 0; v < m_ranks.size(); ++v) {
            segment[v] = segmentOf[static_cast<std::size_t>(m_ranks[v])];
            boxes[v] = v;
        }
        const Adjacency members(segments, segment, boxes);
        for (std::uint32_t s = 0; s < std::max(segments - 1, 1U) && !stop.stop_requested(); ++s) {
            m_window.assign(members.of(s).begin(), members.of(s).end());
            if (s + 1 < segments) {
                m_window.insert(m_window.end(), members.of(s + 1).begin(), members.of(s + 1).end());
            }
            shorten(static_cast<std::int32_t>(boundaries[s]), stop);
        }
    }

    /// Boxes in each layer and lines through it, without loose ones.
    std::vector<std::uint32_t> layerSizes() const
    {
        const std::int32_t last = m_ranks.empty() ? -1 : *std::ranges::max_element(m_ranks);
        std::vector<std::uint32_t> sizes(static_cast<std::size_t>(last + 2), 0);
        for (const std::int32_t rank : m_ranks) {
            ++sizes[static_cast<std::size_t>(rank)];
            --sizes[static_cast<std::size_t>(rank) + 1];
        }
        for (std::size_t e = 0; e < m_edges.size(); ++e) {
            if (!m_isLoose[e]) {
                ++sizes[static_cast<std::size_t>(m_ranks[m_edges[e].from]) + 1];
                --sizes[static_cast<std::size_t>(m_ranks[m_edges[e].to])];
            }
        }
        std::partial_sum(sizes.begin(), sizes.end(), sizes.begin()); // unsigned overflow is intended and cancels out
        sizes.pop_back();
        return sizes;
    }

    void shorten(std::int32_t base, const std::stop_token& stop)
    {
        constexpr std::size_t pivots = 256;
        RankWindow window = describeWindow(base);
        auto found = m_known.find(window);
        if (found == m_known.end()) {
            auto levels = window.levels;
            lowerLevels(levels, window.edges, pivots, stop);
            found = m_known.emplace(std::move(window), std::move(levels)).first;
        }
        const auto& levels = found->second;
        for (std::size_t i = 0; i < m_window.size(); ++i) {
            m_ranks[m_window[i]] = base + levels[i + 1] - levels[0];
            m_local[m_window[i]] = 0;
        }
    }

    RankWindow describeWindow(std::int32_t base)
    {
        RankWindow window;
        window.levels.push_back(0);
        for (const std::uint32_t v : m_window) {
            m_local[v] = static_cast<std::uint32_t>(window.levels.size());
            window.levels.push_back(m_ranks[v] - base);
        }
        for (const std::uint32_t v : m_window) {
            for (const std::uint32_t e : m_in.of(v)) {
                const std::uint32_t from = m_edges[e].from;
                const std::int32_t least = m_local[from] == 0 ? m_ranks[from] - base + 1 : 1;
                window.edges.push_back({m_local[from], m_local[v], least, m_isLoose[e] ? 0 : 1});
            }
            for (const std::uint32_t e : m_out.of(v)) {
                const std::uint32_t to = m_edges[e].to;
                if (m_local[to] == 0) {
                    window.edges.push_back({m_local[v], 0, base - m_ranks[to] + 1, m_isLoose[e] ? 0 : 1});
                }
            }
        }
        return window;
    }

    /// Renumbers from 0 and removes empty layers.
    std::vector<std::uint32_t> closedUp() const
    {
        if (m_ranks.empty()) {
            return {};
        }
        const auto [least, most] = std::ranges::minmax(m_ranks);
        std::vector<std::uint32_t> newRank(static_cast<std::size_t>(most - least) + 1, 0);
        for (const std::int32_t rank : m_ranks) {
            newRank[static_cast<std::size_t>(rank - least)] = 1;
        }
        std::exclusive_scan(newRank.begin(), newRank.end(), newRank.begin(), 0U);
        std::vector<std::uint32_t> ranks(m_ranks.size());
        for (std::size_t v = 0; v < ranks.size(); ++v) {
            ranks[v] = newRank[static_cast<std::size_t>(m_ranks[v] - least)];
        }
        return ranks;
    }

    std::span<const LayoutEdge> m_edges;
    const std::vector<bool>& m_isLoose;
    std::vector<std::int32_t> m_ranks;
    Adjacency m_in;  ///< by box: incoming edges
    Adjacency m_out; ///< by box: outgoing edges
    std::vector<std::uint32_t> m_window;
    std::vector<std::uint32_t> m_local; ///< by box: its number in the window, 0 outside it
    std::unordered_map<RankWindow, std::vector<std::int32_t>, HashWindow> m_known;
};

} // namespace

std::vector<std::uint32_t> assignRanks(std::size_t boxes, std::span<const LayoutEdge> edges,
                                       const std::vector<bool>& isLoose, const std::stop_token& stop)
{
    return Ranker(boxes, edges, isLoose).run(stop);
}

void pinRanks(std::vector<std::uint32_t>& ranks, std::span<const std::uint32_t> first,
              std::span<const std::uint32_t> last)
{
    if (first.empty() && last.empty()) {
        return;
    }
    std::vector<bool> isPinned(ranks.size(), false);
    for (const auto& pinned : {first, last}) {
        for (const std::uint32_t v : pinned) {
            isPinned[v] = true;
        }
    }
    // Remove a layer that contained nothing else.
    std::vector<std::uint32_t> newRank(ranks.size() + 1, 0);
    for (std::size_t v = 0; v < ranks.size(); ++v) {
        newRank[ranks[v]] |= isPinned[v] ? 0U : 1U;
    }
    std::exclusive_scan(newRank.begin(), newRank.end(), newRank.begin(), first.empty() ? 0U : 1U);
    for (std::uint32_t& rank : ranks) {
        rank = newRank[rank];
    }
    for (const std::uint32_t v : first) {
        ranks[v] = 0;
    }
    for (const std::uint32_t v : last) {
        ranks[v] = newRank.back();
    }
}

} // namespace crosswalk::layered
