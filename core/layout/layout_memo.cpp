#include "core/layout/nested_layout.h"

#include <bit>

namespace crosswalk {
namespace {

std::size_t hashOf(const LayoutMemo::Task& task)
{
    std::uint64_t hash = task.boxes.size();
    const auto mix = [&](std::uint64_t number) {
        hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    };
    for (const LayoutBox& box : task.boxes) {
        mix(std::bit_cast<std::uint32_t>(box.width));
        mix(std::bit_cast<std::uint32_t>(box.height));
    }
    for (const LayoutEdge& edge : task.edges) {
        mix((std::uint64_t{edge.from} << 32U) | edge.to);
    }
    return hash;
}

} // namespace

std::shared_ptr<const LayoutMemo::Entry> LayoutMemo::find(std::size_t hash, const Task& task) const
{
    const auto [first, last] = m_known.equal_range(hash);
    for (auto at = first; at != last; ++at) {
        if (at->second->task == task) {
            return at->second;
        }
    }
    return nullptr;
}

std::shared_ptr<const Layout> LayoutMemo::layOut(Task task, const LayoutMemo* previous, std::stop_token stop)
{
    // What is larger than this is rare, and to keep it would cost more than it saves.
    constexpr std::size_t mostBoxes = 20'000;
    const std::size_t hash = hashOf(task);
    if (const auto known = find(hash, task)) {
        return known->layout;
    }
    if (previous != nullptr) {
        if (auto known = previous->find(hash, task)) {
            return m_known.emplace(hash, std::move(known))->second->layout;
        }
    }
    LayoutOptions options;
    options.first = task.first;
    options.last = task.last;
    auto layout = std::make_shared<const Layout>(layoutGraph(task.boxes, task.edges, options, stop));
    if (layout->positions.size() != task.boxes.size()) {
        return nullptr;
    }
    if (task.boxes.size() <= mostBoxes) {
        m_known.emplace(hash, std::make_shared<const Entry>(Entry{std::move(task), layout}));
    }
    return layout;
}

} // namespace crosswalk
