#pragma once

#include "core/layout/layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace crosswalk::test {

/// Boxes and edges of a synthetic network, for layout tests.
struct BoxGraph {
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;

    std::uint32_t box(std::uint32_t kind = 0)
    {
        boxes.push_back({static_cast<float>(96 + 20 * (kind % 5)), static_cast<float>(24 + 16 * (kind % 4))});
        return static_cast<std::uint32_t>(boxes.size() - 1);
    }
    std::uint32_t after(std::initializer_list<std::uint32_t> sources, std::uint32_t kind = 0)
    {
        const auto made = box(kind);
        for (const auto source : sources) {
            edges.push_back({source, made});
        }
        return made;
    }
};

inline BoxGraph chain(std::uint32_t length)
{
    BoxGraph graph;
    auto last = graph.box();
    for (std::uint32_t i = 1; i < length; ++i) {
        last = graph.after({last}, i);
    }
    return graph;
}

/// Bottleneck blocks, each with a skip connection.
inline BoxGraph residual(std::uint32_t blocks)
{
    BoxGraph graph;
    auto x = graph.box();
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const auto start = x;
        for (std::uint32_t j = 0; j < 6; ++j) {
            x = graph.after({x}, j);
        }
        const auto skip = i % 4 == 0 ? graph.after({graph.after({start}, 1)}, 2) : start;
        x = graph.after({graph.after({x, skip})});
    }
    return graph;
}

/// Unrolled recurrent layers: a grid of time steps and layers.
inline BoxGraph grid(std::uint32_t steps, std::uint32_t layers)
{
    BoxGraph graph;
    std::vector<std::uint32_t> weights;
    std::vector<std::uint32_t> hidden(layers, ~0U);
    std::vector<std::uint32_t> cell(layers, ~0U);
    const auto input = graph.box();
    for (std::uint32_t l = 0; l < layers; ++l) {
        weights.push_back(graph.box(l));
    }
    for (std::uint32_t t = 0; t < steps; ++t) {
        auto x = graph.after({input});
        for (std::uint32_t l = 0; l < layers; ++l) {
            auto sum = graph.after({x, weights[l]}, 1);
            if (t > 0) {
                sum = graph.after({sum, graph.after({hidden[l], weights[l]}, 1)});
            }
            const auto split = graph.after({sum}, 3);
            const auto i = graph.after({split});
            const auto o = graph.after({split});
            const auto f = graph.after({split});
            auto c = graph.after({i, graph.after({split})});
            if (t > 0) {
                c = graph.after({c, graph.after({f, cell[l]})});
            }
            cell[l] = c;
            hidden[l] = x = graph.after({o, graph.after({c})});
        }
    }
    return graph;
}

/// Cells that read the two preceding cells and concatenate their blocks in one box: no single box separates the graph.
inline BoxGraph cells(std::uint32_t count, std::uint32_t seed = 7)
{
    BoxGraph graph;
    std::uint64_t state = seed;
    const auto random = [&](std::size_t below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>((state >> 33U) % below);
    };
    auto before = graph.box();
    auto last = graph.after({before});
    for (std::uint32_t c = 0; c < count; ++c) {
        std::vector<std::uint32_t> states{graph.after({before}, 1), graph.after({last}, 2)};
        std::vector<bool> isUsed(7, false);
        for (std::size_t block = 0; block < 5; ++block) {
            const auto a = random(states.size());
            const auto b = random(states.size());
            isUsed[a] = isUsed[b] = true;
            const auto left = graph.after({states[a]}, 3);
            const auto right = graph.after({graph.after({states[b]}, 2)});
            states.push_back(graph.after({left, right}));
        }
        before = last;
        last = graph.box();
        for (std::size_t s = 0; s < states.size(); ++s) {
            if (!isUsed[s]) {
                graph.edges.push_back({states[s], last});
            }
        }
    }
    return graph;
}

/// One box that all others read, such as an attention mask.
inline BoxGraph fan(std::uint32_t readers)
{
    BoxGraph graph;
    const auto value = graph.box();
    auto last = value;
    for (std::uint32_t i = 0; i < readers; ++i) {
        last = i % 3 == 0 ? graph.after({value}, i) : graph.after({last, value}, i);
    }
    return graph;
}

/// Equal branches that meet in one box below a longer one, as in models with many inputs.
inline BoxGraph branches(std::uint32_t count)
{
    BoxGraph graph;
    auto last = graph.box();
    for (std::uint32_t i = 0; i < 8; ++i) {
        last = graph.after({last});
    }
    const auto sum = graph.after({last});
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto input = graph.box();
        graph.edges.push_back({graph.after({graph.after({input})}), sum});
    }
    return graph;
}

/// Each of many inputs meets a box computed from the next: differences of neighbours.
inline BoxGraph differences(std::uint32_t count)
{
    BoxGraph graph;
    auto input = graph.box();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto next = graph.box();
        graph.after({input, graph.after({next})});
        input = next;
    }
    return graph;
}

inline BoxGraph beside(BoxGraph graph, const BoxGraph& other)
{
    const auto first = static_cast<std::uint32_t>(graph.boxes.size());
    graph.boxes.insert(graph.boxes.end(), other.boxes.begin(), other.boxes.end());
    for (const LayoutEdge& edge : other.edges) {
        graph.edges.push_back({edge.from + first, edge.to + first});
    }
    return graph;
}

/// Random edges between boxes, short ones more often than long ones.
inline BoxGraph tangle(std::uint32_t size, std::uint32_t seed)
{
    BoxGraph graph;
    std::uint64_t state = seed;
    const auto random = [&](std::uint32_t below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::uint32_t>((state >> 33U) % below);
    };
    for (std::uint32_t v = 0; v < size; ++v) {
        graph.box(random(20));
        for (std::uint32_t i = random(4); v > 0 && i > 0; --i) {
            const std::uint32_t reach = random(5) == 0 ? v : std::min(v, 12U);
            graph.edges.push_back({v - 1 - random(reach), v});
        }
    }
    return graph;
}

} // namespace crosswalk::test
