#include "ui/main_window/selection_history.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxEntries = 200;
constexpr std::size_t maxBoxes = 1000; ///< of an entry: a selection of more is no place to return to

} // namespace

void SelectionHistory::add(Entry entry)
{
    if (entry.boxes.empty() || entry.boxes.size() > maxBoxes || (!m_entries.empty() && m_entries[m_at] == entry)) {
        return;
    }
    if (!m_entries.empty()) {
        m_entries.resize(m_at + 1);
    }
    if (m_entries.size() == maxEntries) {
        m_entries.erase(m_entries.begin());
    }
    m_entries.push_back(std::move(entry));
    m_at = m_entries.size() - 1;
}

const SelectionHistory::Entry& SelectionHistory::goBack()
{
    assert(canGoBack());
    return m_entries[--m_at];
}

const SelectionHistory::Entry& SelectionHistory::goForward()
{
    assert(canGoForward());
    return m_entries[++m_at];
}

void SelectionHistory::clear()
{
    m_entries.clear();
    m_at = 0;
}

void SelectionHistory::follow(Side side, const SameBoxes& same)
{
    std::vector<Entry> kept;
    std::size_t at = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        Entry entry = std::move(m_entries[i]);
        if (entry.side == side) {
            std::vector<std::uint32_t> boxes;
            for (const std::uint32_t box : entry.boxes) {
                if (const auto now = same.now(box)) {
                    boxes.push_back(*now);
                }
            }
            std::ranges::sort(boxes);
            entry.boxes = std::move(boxes);
        }
        if (!entry.boxes.empty() && (kept.empty() || !(kept.back() == entry))) {
            kept.push_back(std::move(entry));
        }
        if (i == m_at) {
            at = kept.empty() ? 0 : kept.size() - 1;
        }
    }
    m_entries = std::move(kept);
    m_at = at;
}

} // namespace crosswalk::ui
