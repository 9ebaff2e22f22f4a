#include "core/layout/layered.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace crosswalk::layered {
namespace {

/// Makes nearly vertical lines vertical. In each gap, a set of lines that do not cross is chosen; the vertices that
/// they join form a column. Each column moves to the median of the ends of its other lines (so that most of them become
/// vertical, too), as far as its neighbours allow.
class Straightener {
public:
    Straightener(const Layers& layers, const Separation& separation, const FixedLayers& fixed, std::vector<float>& x)
        : m_layers(layers)
        , m_separation(separation)
        , m_fixed(fixed)
        , m_x(x)
        , m_columnOf(layers.vertexCount())
    {
        std::iota(m_columnOf.begin(), m_columnOf.end(), 0U);
        m_range.reserve(x.size());
        for (const float place : x) {
            m_range.push_back({place, place});
        }
    }

    void run(std::stop_token stop)
    {
        for (std::size_t layer = 1; layer < m_layers.layerCount(); ++layer) {
            if (!m_fixed.holds(layer - 1, m_layers) && !m_fixed.holds(layer, m_layers)) {
                joinUpright(layer);
            }
        }
        numberColumns();
        placeColumns();
        constexpr int sweeps = 4;
        bool hasMoved = true;
        for (int sweep = 0; sweep < sweeps && hasMoved && !stop.stop_requested(); ++sweep) {
            hasMoved = false;
            for (std::uint32_t i = 0; i < m_columnX.size(); ++i) {
                hasMoved |= settle(sweep % 2 == 0 ? i : static_cast<std::uint32_t>(m_columnX.size()) - 1 - i);
            }
        }
        for (std::uint32_t v = 0; v < m_x.size(); ++v) {
            m_x[v] = m_columnX[m_columnOf[v]];
        }
    }

private:
    struct Range {
        float least;
        float most;
    };
    struct Link {
        std::uint32_t upper; ///< positions in their layers
        std::uint32_t lower;
        float worth;
        std::uint32_t before; ///< the previous link of the chosen set, to the left
    };
    // Maximum distance in pixels between the parts of a column, in each direction. Boxes with no other neighbours form
    // a column at any distance.
    static constexpr float maxSpread = 40;
    static constexpr float chainSpread = 240;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    bool isChain(std::uint32_t upper, std::uint32_t lower) const
    {
        return m_layers.isBox(upper) && m_layers.isBox(lower) && m_layers.below.of(upper).size() == 1 &&
               m_layers.above.of(lower).size() == 1;
    }

    /// The benefit of a vertical line between two neighbours.
    float worth(std::uint32_t upper, std::uint32_t lower) const
    {
        constexpr float insideLine = 8;
        constexpr float betweenBoxes = 3;
        constexpr float chain = 2; // factor if neither has other neighbours
        constexpr float near = 24; // pixels off
        float value = 1;
        if (!m_layers.isBox(upper) && !m_layers.isBox(lower)) {
            value = insideLine;
        } else if (m_layers.isBox(upper) && m_layers.isBox(lower)) {
            value = betweenBoxes * (isChain(upper, lower) ? chain : 1);
        }
        return value * (0.25F + near / (near + std::abs(m_x[upper] - m_x[lower])));
    }

    /// The most beneficial set of lines above a layer that do not cross or meet: a heaviest increasing subsequence.
    void joinUpright(std::size_t layer)
    {
        m_links.clear();
        const auto upper = m_layers.order(layer - 1);
        const auto lower = m_layers.order(layer);
        m_best.assign(lower.size() + 1, none); // a tree of maxima over the lower positions
        for (std::uint32_t i = 0; i < upper.size(); ++i) {
            const std::size_t first = m_links.size();
            const Range range = m_range[m_columnOf[upper[i]]];
            for (const std::uint32_t down : m_layers.below.of(upper[i])) {
                const float most = isChain(upper[i], down) ? chainSpread : maxSpread;
                if (m_x[down] > range.least + most || m_x[down] < range.most - most) {
                    continue;
                }
                const std::uint32_t place = m_layers.position[down];
                const std::uint32_t before = heaviestBelow(place);
                const float sum = worth(upper[i], down) + (before == none ? 0 : m_links[before].worth);
                m_links.push_back({i, place, sum, before});
            }
            for (std::size_t link = first; link < m_links.size(); ++link) {
                enter(static_cast<std::uint32_t>(link));
            }
        }
        for (std::uint32_t link = heaviestBelow(static_cast<std::uint32_t>(lower.size())); link != none;
             link = m_links[link].before) {
            const std::uint32_t column = m_columnOf[upper[m_links[link].upper]];
            const std::uint32_t v = lower[m_links[link].lower];
            m_columnOf[v] = column;
            m_range[column] = {std::min(m_range[column].least, m_x[v]), std::max(m_range[column].most, m_x[v])};
        }
    }

    std::uint32_t heaviestBelow(std::uint32_t place) const
    {
        std::uint32_t best = none;
        for (std::uint32_t i = place; i > 0; i &= i - 1) {
            if (m_best[i] != none && (best == none || m_links[m_best[i]].worth > m_links[best].worth)) {
                best = m_best[i];
            }
        }
        return best;
    }

    void enter(std::uint32_t link)
    {
        for (std::size_t i = m_links[link].lower + 1; i < m_best.size(); i += i & (~i + 1)) {
            if (m_best[i] == none || m_links[link].worth > m_links[m_best[i]].worth) {
                m_best[i] = link;
            }
        }
    }

    /// Columns in an order in which each follows those to its left.
    void numberColumns()
    {
        // Links do not cross, so "left of" has no cycle; a column is ready when it is the next in all of its layers.
        std::vector<std::uint32_t> size(m_layers.vertexCount(), 0);
        for (const std::uint32_t head : m_columnOf) {
            ++size[head];
        }
        std::vector<std::uint32_t> arrived(m_layers.vertexCount(), 0);
        std::vector<std::uint32_t> number(m_layers.vertexCount(), none);
        std::vector<std::uint32_t> ready;
        const auto arrive = [&](std::uint32_t v) {
            if (++arrived[m_columnOf[v]] == size[m_columnOf[v]]) {
                ready.push_back(m_columnOf[v]);
            }
        };
        for (std::size_t layer = 0; layer < m_layers.layerCount(); ++layer) {
            arrive(m_layers.order(layer).front());
        }
        std::vector<std::uint32_t> vertices(m_layers.vertexCount());
        std::iota(vertices.begin(), vertices.end(), 0U);
        const Adjacency members(m_layers.vertexCount(), m_columnOf, vertices);
        for (std::size_t i = 0; i < ready.size(); ++i) {
            number[ready[i]] = static_cast<std::uint32_t>(i);
            for (const std::uint32_t v : members.of(ready[i])) {
                const auto order = m_layers.order(m_layers.rank[v]);
                if (m_layers.position[v] + 1 < order.size()) {
                    arrive(order[m_layers.position[v] + 1]);
                }
            }
        }
        for (std::uint32_t& column : m_columnOf) {
            column = number[column];
        }
        m_members = Adjacency(ready.size(), m_columnOf, vertices);
        m_columnX.resize(ready.size());
    }

    /// Places columns at the mean position of their parts, pushed apart to the right and to the left: the mean of two
    /// arrangements that satisfy all distances satisfies them, too.
    void placeColumns()
    {
        std::vector<float> wanted(m_columnX.size());
        for (std::uint32_t c = 0; c < wanted.size(); ++c) {
            float sum = 0;
            for (const std::uint32_t v : m_members.of(c)) {
                sum += m_x[v];
            }
            wanted[c] = sum / static_cast<float>(m_members.of(c).size());
        }
        std::vector<float> pushedRight(wanted);
        for (std::uint32_t c = 0; c < wanted.size(); ++c) {
            m_columnX = std::move(pushedRight);
            const float least = leftLimit(c);
            pushedRight = std::move(m_columnX);
            pushedRight[c] = std::max(wanted[c], least);
        }
        m_columnX = wanted;
        for (auto c = static_cast<std::uint32_t>(wanted.size()); c-- > 0;) {
            m_columnX[c] = std::min(wanted[c], rightLimit(c));
        }
        for (std::size_t c = 0; c < wanted.size(); ++c) {
            m_columnX[c] = isFixed(static_cast<std::uint32_t>(c)) ? wanted[c] : (m_columnX[c] + pushedRight[c]) / 2;
        }
    }

    /// A vertex of a fixed layer is a separate column.
    bool isFixed(std::uint32_t column) const
    {
        return m_fixed.any() && m_fixed.holds(m_layers.rank[m_members.of(column).front()], m_layers);
    }

    float leftLimit(std::uint32_t column) const
    {
        float limit = std::numeric_limits<float>::lowest();
        for (const std::uint32_t v : m_members.of(column)) {
            if (m_layers.position[v] > 0) {
                const std::uint32_t left = m_layers.order(m_layers.rank[v])[m_layers.position[v] - 1];
                limit = std::max(limit, m_columnX[m_columnOf[left]] + m_separation.between(left, v));
            }
        }
        return limit;
    }

    float rightLimit(std::uint32_t column) const
    {
        float limit = std::numeric_limits<float>::max();
        for (const std::uint32_t v : m_members.of(column)) {
            const auto order = m_layers.order(m_layers.rank[v]);
            if (m_layers.position[v] + 1 < order.size()) {
                const std::uint32_t right = order[m_layers.position[v] + 1];
                limit = std::min(limit, m_columnX[m_columnOf[right]] - m_separation.between(v, right));
            }
        }
        return limit;
    }

    /// Moves a column towards the weighted median of the columns that its lines lead to. Returns whether it moved.
    bool settle(std::uint32_t column)
    {
        if (isFixed(column)) {
            return false;
        }
        m_pulls.clear();
        float all = 0;
        const auto list = [&](std::uint32_t v, std::uint32_t other) {
            if (m_columnOf[other] != column) {
                constexpr float insideLine = 4;
                const float weight = m_layers.isBox(v) || m_layers.isBox(other) ? 1 : insideLine;
                m_pulls.emplace_back(m_columnX[m_columnOf[other]], weight);
                all += weight;
            }
        };
        for (const std::uint32_t v : m_members.of(column)) {
            std::ranges::for_each(m_layers.above.of(v), [&](std::uint32_t other) { list(v, other); });
            std::ranges::for_each(m_layers.below.of(v), [&](std::uint32_t other) { list(v, other); });
        }
        if (m_pulls.empty()) {
            return false;
        }
        std::ranges::sort(m_pulls);
        float passed = 0;
        std::size_t low = 0;
        while (passed + m_pulls[low].second < all / 2) {
            passed += m_pulls[low++].second;
        }
        const bool isEven = passed + m_pulls[low].second == all / 2 && low + 1 < m_pulls.size();
        const float wanted = std::clamp(m_columnX[column], m_pulls[low].first, m_pulls[isEven ? low + 1 : low].first);
        const float least = leftLimit(column);
        const float most = rightLimit(column);
        const float before = std::exchange(m_columnX[column], std::max(least, std::min(wanted, most)));
        constexpr float visible = 0.25F;
        return std::abs(m_columnX[column] - before) > visible;
    }

    const Layers& m_layers;
    const Separation& m_separation;
    const FixedLayers& m_fixed;
    std::vector<float>& m_x;
    std::vector<std::uint32_t> m_columnOf; ///< by vertex
    std::vector<Range> m_range;            ///< by column, while columns grow
    std::vector<Link> m_links;
    std::vector<std::uint32_t> m_best;
    Adjacency m_members; ///< by column: its vertices
    std::vector<float> m_columnX;
    std::vector<std::pair<float, float>> m_pulls;
};

} // namespace

void straighten(const Layers& layers, const Separation& separation, const FixedLayers& fixed, std::vector<float>& x,
                std::stop_token stop)
{
    // Lines that become nearly vertical in one round are joined in the next.
    constexpr int rounds = 3;
    for (int round = 0; round < rounds && !x.empty() && !stop.stop_requested(); ++round) {
        Straightener(layers, separation, fixed, x).run(stop);
    }
}

} // namespace crosswalk::layered
