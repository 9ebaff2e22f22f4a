#include "ui/document/graph_paths.h"

#include <algorithm>
#include <cstdint>

namespace crosswalk::ui {
namespace {

enum class Direction : std::uint8_t { Up, Down };
enum class Loops : std::uint8_t { Followed, Cut };

/// By box: whether edges lead to it from the given ones in this direction.
std::vector<bool> reachedFrom(const Scene& scene, std::span<const std::uint32_t> boxes, Direction direction,
                              Loops loops)
{
    const auto count = scene.nodes.size();
    const auto near = [direction](const SceneEdge& edge) { return direction == Direction::Up ? edge.to : edge.from; };
    const auto far = [direction](const SceneEdge& edge) { return direction == Direction::Up ? edge.from : edge.to; };
    std::vector<std::uint32_t> first(count + 1);
    for (const SceneEdge& edge : scene.edges) {
        ++first[near(edge) + 1];
    }
    for (std::size_t i = 1; i <= count; ++i) {
        first[i] += first[i - 1];
    }
    std::vector<std::uint32_t> neighbours(scene.edges.size());
    auto next = first;
    for (const SceneEdge& edge : scene.edges) {
        // An edge that closes a loop leads nowhere if loops are cut: to its own box, which is reached already.
        neighbours[next[near(edge)]++] = loops == Loops::Cut && edge.closesLoop ? near(edge) : far(edge);
    }
    std::vector<bool> reached(count);
    std::vector<std::uint32_t> open(boxes.begin(), boxes.end());
    for (const std::uint32_t box : boxes) {
        reached[box] = true;
    }
    while (!open.empty()) {
        const std::uint32_t box = open.back();
        open.pop_back();
        for (auto i = first[box]; i < first[box + 1]; ++i) {
            if (!reached[neighbours[i]]) {
                reached[neighbours[i]] = true;
                open.push_back(neighbours[i]);
            }
        }
    }
    return reached;
}

std::vector<std::uint32_t> listOf(const std::vector<bool>& boxes)
{
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i]) {
            list.push_back(i);
        }
    }
    return list;
}

} // namespace

std::vector<std::uint32_t> upstreamOf(const Scene& scene, std::span<const std::uint32_t> boxes)
{
    return listOf(reachedFrom(scene, boxes, Direction::Up, Loops::Followed));
}

std::vector<std::uint32_t> downstreamOf(const Scene& scene, std::span<const std::uint32_t> boxes)
{
    return listOf(reachedFrom(scene, boxes, Direction::Down, Loops::Followed));
}

std::vector<std::uint32_t> pathsBetween(const Scene& scene, std::span<const std::uint32_t> boxes)
{
    auto between = reachedFrom(scene, boxes, Direction::Down, Loops::Cut);
    const auto above = reachedFrom(scene, boxes, Direction::Up, Loops::Cut);
    for (std::size_t i = 0; i < between.size(); ++i) {
        between[i] = between[i] && above[i];
    }
    return listOf(between);
}

} // namespace crosswalk::ui
