#include "core/layout/layered.h"

#include <algorithm>
#include <numeric>

namespace crosswalk::layered {

std::vector<bool> findCycleEdges(std::size_t boxes, std::span<const LayoutEdge> edges)
{
    std::vector<bool> closesCycle(edges.size(), false);
    if (std::ranges::all_of(edges, [](const LayoutEdge& edge) { return edge.from < edge.to; })) {
        return closesCycle; // the common case: models list their nodes in topological order
    }
    std::vector<std::uint32_t> sources(edges.size());
    std::ranges::transform(edges, sources.begin(), &LayoutEdge::from);
    std::vector<std::uint32_t> numbers(edges.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    const Adjacency out(boxes, sources, numbers);

    // Depth-first search: an edge to a box that is still open closes a cycle.
    enum class State : char { Unseen, Open, Done };
    std::vector<State> state(boxes, State::Unseen);
    std::vector<std::pair<std::uint32_t, std::size_t>> open; // box, and the index of its next edge
    for (std::uint32_t root = 0; root < boxes; ++root) {
        if (state[root] != State::Unseen) {
            continue;
        }
        state[root] = State::Open;
        open.emplace_back(root, 0);
        while (!open.empty()) {
            auto& [box, next] = open.back();
            if (next == out.of(box).size()) {
                state[box] = State::Done;
                open.pop_back();
                continue;
            }
            const std::uint32_t edge = out.of(box)[next++];
            const std::uint32_t to = edges[edge].to;
            closesCycle[edge] = state[to] == State::Open;
            if (state[to] == State::Unseen) {
                state[to] = State::Open;
                open.emplace_back(to, 0);
            }
        }
    }
    return closesCycle;
}

} // namespace crosswalk::layered
