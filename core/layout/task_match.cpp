#include "core/layout/task_match.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace crosswalk {
namespace {

/// Consecutive numbers sorted by key; equal keys keep their order.
template <typename Key>
std::vector<std::uint32_t> sortedBy(std::size_t count, Key key)
{
    std::vector<std::uint32_t> sorted(count);
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::ranges::stable_sort(sorted, {}, key);
    return sorted;
}

/// Calls `pair` for the first element of each key on both sides, then the second, and so on.
template <typename KeyA, typename KeyB, typename Pair>
void pairEqual(std::span<const std::uint32_t> a, KeyA keyA, std::span<const std::uint32_t> b, KeyB keyB, Pair pair)
{
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const auto left = keyA(a[i]);
        const auto right = keyB(b[j]);
        if (left == right) {
            pair(a[i], b[j]);
        }
        i += left <= right ? 1 : 0;
        j += right <= left ? 1 : 0;
    }
}

} // namespace

std::vector<std::uint32_t> pairByKey(std::span<const std::uint64_t> before, std::span<const std::uint64_t> now)
{
    const auto keyBefore = [&](std::uint32_t i) { return before[i]; };
    const auto keyNow = [&](std::uint32_t i) { return now[i]; };
    std::vector<std::uint32_t> paired(before.size(), TaskMatch::none);
    pairEqual(sortedBy(before.size(), keyBefore), keyBefore, sortedBy(now.size(), keyNow), keyNow,
              [&](std::uint32_t then, std::uint32_t here) { paired[then] = here; });
    return paired;
}

TaskMatch::TaskMatch(const LayoutTask& task, std::span<const std::uint64_t> keys, const LayoutTask& before,
                     std::span<const std::uint64_t> keysBefore)
    : boxBefore(task.boxes.size(), TaskMatch::none)
    , boxNow(pairByKey(keysBefore, keys))
    , edgeBefore(task.edges.size(), TaskMatch::none)
{
    changedAbove.resize(before.boxes.size());
    for (std::uint32_t v = 0; v < before.boxes.size(); ++v) {
        if (boxNow[v] != TaskMatch::none) {
            boxBefore[boxNow[v]] = v;
        }
        changedAbove[v] = boxNow[v] == TaskMatch::none || task.boxes[boxNow[v]].width != before.boxes[v].width ||
                          task.boxes[boxNow[v]].height != before.boxes[v].height;
    }
    changedBelow = changedAbove;
    matchEdges(task, before);
}

void TaskMatch::matchEdges(const LayoutTask& task, const LayoutTask& before)
{
    const auto keyNow = [&](std::uint32_t e) {
        const LayoutEdge& edge = task.edges[e];
        return std::tuple(boxBefore[edge.from], boxBefore[edge.to], edge.leaves, edge.enters);
    };
    const auto keyBefore = [&](std::uint32_t e) {
        const LayoutEdge& edge = before.edges[e];
        return std::tuple(edge.from, edge.to, edge.leaves, edge.enters);
    };
    std::vector<bool> isKept(before.edges.size(), false);
    pairEqual(sortedBy(task.edges.size(), keyNow), keyNow, sortedBy(before.edges.size(), keyBefore), keyBefore,
              [&](std::uint32_t now, std::uint32_t then) {
                  edgeBefore[now] = then;
                  isKept[then] = true;
              });
    const auto change = [&](std::uint32_t from, std::uint32_t to) {
        if (from != TaskMatch::none) {
            changedBelow[from] = true;
        }
        if (to != TaskMatch::none) {
            changedAbove[to] = true;
        }
    };
    for (std::size_t e = 0; e < task.edges.size(); ++e) {
        if (edgeBefore[e] == TaskMatch::none) {
            change(boxBefore[task.edges[e].from], boxBefore[task.edges[e].to]);
        }
    }
    for (std::size_t e = 0; e < before.edges.size(); ++e) {
        if (!isKept[e]) {
            change(before.edges[e].from, before.edges[e].to);
        }
    }
}

} // namespace crosswalk
