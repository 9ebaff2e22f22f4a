#include "core/layout/layered.h"

#include <algorithm>

namespace crosswalk::layered {
namespace {

/// Depth first from every source: neighbours stand near each other from the start.
void startDepthFirst(Layers& layers)
{
    std::vector<bool> isSeen(layers.vertexCount(), false);
    std::vector<std::uint32_t> open;
    for (std::uint32_t start = 0; start < layers.vertexCount(); ++start) {
        if (isSeen[start]) {
            continue;
        }
        open.push_back(start);
        isSeen[start] = true;
        while (!open.empty()) {
            const std::uint32_t v = open.back();
            open.pop_back();
            auto& layer = layers.order[layers.rank[v]];
            layers.position[v] = static_cast<std::uint32_t>(layer.size());
            layer.push_back(v);
            const auto visit = [&](std::uint32_t next) {
                if (!isSeen[next]) {
                    isSeen[next] = true;
                    open.push_back(next);
                }
            };
            std::ranges::for_each(layers.above.of(v), visit);
            const auto below = layers.below.of(v);
            std::for_each(below.rbegin(), below.rend(), visit);
        }
    }
}

/// Crossings between a layer and the one above it, counted with a tree of sums (Barth, Juenger, Mutzel 2002).
class CrossingCounter {
public:
    std::uint64_t above(const Layers& layers, std::size_t layer)
    {
        std::size_t leaves = 1;
        while (leaves < layers.order[layer - 1].size()) {
            leaves *= 2;
        }
        m_tree.assign(2 * leaves, 0);
        std::uint64_t crossings = 0;
        for (const std::uint32_t v : layers.order[layer]) {
            m_ends.clear();
            for (const std::uint32_t up : layers.above.of(v)) {
                m_ends.push_back(layers.position[up]);
            }
            std::ranges::sort(m_ends);
            // First all lines of v are counted against those before, then entered: lines that meet do not cross.
            for (const std::uint32_t end : m_ends) {
                for (std::size_t i = end + leaves; i > 1; i /= 2) {
                    if (i % 2 == 0) {
                        crossings += m_tree[i + 1];
                    }
                }
            }
            for (const std::uint32_t end : m_ends) {
                for (std::size_t i = end + leaves; i >= 1; i /= 2) {
                    ++m_tree[i];
                }
            }
        }
        return crossings;
    }
    std::uint64_t all(const Layers& layers)
    {
        std::uint64_t crossings = 0;
        for (std::size_t layer = 1; layer < layers.order.size(); ++layer) {
            crossings += above(layers, layer);
        }
        return crossings;
    }

private:
    std::vector<std::uint32_t> m_tree;
    std::vector<std::uint32_t> m_ends;
};

void sortByNeighbours(Layers& layers, std::size_t layer, const Adjacency& neighbours, std::vector<float>& wanted)
{
    auto& order = layers.order[layer];
    for (const std::uint32_t v : order) {
        const auto ends = neighbours.of(v);
        float sum = 0;
        for (const std::uint32_t end : ends) {
            sum += static_cast<float>(layers.position[end]);
        }
        wanted[v] = ends.empty() ? static_cast<float>(layers.position[v]) : sum / static_cast<float>(ends.size());
    }
    std::ranges::stable_sort(order, [&](auto a, auto b) { return wanted[a] < wanted[b]; });
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        layers.position[order[i]] = i;
    }
}

} // namespace

void orderLayers(Layers& layers, std::stop_token stop)
{
    constexpr int sweeps = 8;
    startDepthFirst(layers);
    CrossingCounter counter;
    std::vector<float> wanted(layers.vertexCount());
    std::uint64_t fewest = counter.all(layers);
    auto best = layers.order;
    for (int sweep = 0; sweep < sweeps && fewest > 0 && !stop.stop_requested(); ++sweep) {
        if (sweep % 2 == 0) {
            for (std::size_t layer = 1; layer < layers.order.size(); ++layer) {
                sortByNeighbours(layers, layer, layers.above, wanted);
            }
        } else {
            for (std::size_t layer = layers.order.size() - 1; layer-- > 0;) {
                sortByNeighbours(layers, layer, layers.below, wanted);
            }
        }
        if (const auto crossings = counter.all(layers); crossings < fewest) {
            fewest = crossings;
            best = layers.order;
        }
    }
    layers.order = std::move(best);
    for (const auto& layer : layers.order) {
        for (std::uint32_t i = 0; i < layer.size(); ++i) {
            layers.position[layer[i]] = i;
        }
    }
}

} // namespace crosswalk::layered
