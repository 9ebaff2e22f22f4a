#include "core/layout/nested_layout.h"

#include <algorithm>
#include <bit>

namespace crosswalk {
namespace {

std::size_t hashOf(const LayoutTask& task)
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

std::shared_ptr<const LayoutMemo::Entry> LayoutMemo::find(std::size_t hash, const LayoutTask& task) const
{
    const auto [first, last] = m_known.equal_range(hash);
    for (auto at = first; at != last; ++at) {
        if (at->second->task == task) {
            return at->second;
        }
    }
    return nullptr;
}

const LayoutMemo::Looks& LayoutMemo::looksOf(std::uint64_t frame) const
{
    static const Looks none;
    const auto found = m_looks.find(frame);
    return found != m_looks.end() ? found->second : none;
}

void LayoutMemo::remember(Look look, std::uint64_t frame, const LayoutMemo* previous)
{
    // The states before the last change and the one before it are restored unchanged.
    constexpr std::size_t maxLooks = 3;
    Looks& looks = m_looks[frame];
    if (!looks.empty() || look.keys.empty()) {
        return; // two frames have the same name
    }
    looks.push_back(std::move(look));
    if (previous != nullptr) {
        for (const Look& old : previous->looksOf(frame)) {
            if (looks.size() < maxLooks && old.entry != looks.front().entry) {
                looks.push_back(old);
            }
        }
    }
}

std::shared_ptr<const Layout> LayoutMemo::layOut(Inside inside, const LayoutMemo* previous, std::stop_token stop)
{
    const LayoutTask& task = inside.task;
    const std::size_t hash = hashOf(task);
    auto known = find(hash, task);
    const bool isNew = known == nullptr;
    if (isNew && previous != nullptr) {
        known = previous->find(hash, task);
        for (const Look& look : previous->looksOf(inside.frame)) {
            known = known == nullptr && look.entry->task == task ? look.entry : known;
        }
    }
    if (known == nullptr) {
        std::optional<Layout> layout;
        if (previous != nullptr && !previous->looksOf(inside.frame).empty()) {
            const Look& look = previous->looksOf(inside.frame).front();
            layout = layoutChanges(task, inside.keys, {look.entry->task, look.keys, *look.entry->layout}, stop);
        }
        if (!layout) {
            LayoutOptions options;
            options.first = task.first;
            options.last = task.last;
            layout = layoutGraph(task.boxes, task.edges, options, stop);
        }
        if (layout->positions.size() != task.boxes.size()) {
            return nullptr;
        }
        known = std::make_shared<const Entry>(
            Entry{std::move(inside.task), std::make_shared<const Layout>(std::move(*layout))});
    }
    if (isNew) {
        m_known.emplace(hash, known);
    }
    remember({known, std::move(inside.keys)}, inside.frame, previous);
    return known->layout;
}

} // namespace crosswalk
