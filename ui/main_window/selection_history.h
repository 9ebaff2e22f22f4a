#pragma once

#include "ui/document/document.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crosswalk::ui {

/// The selections of a window in the order in which they were made, to go back and forward as in a browser.
class SelectionHistory {
public:
    struct Entry {
        Side side = Side::Source;
        std::vector<std::uint32_t> boxes;
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    /// Adds a selection behind the current one and forgets those that were ahead. Ignores an empty selection, and one
    /// that equals the current one.
    void add(Entry entry);
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_entries.size(); }
    const Entry& goBack();
    const Entry& goForward();
    void clear();
    /// Maps the selections of a side to its next graph; those that no longer exist are forgotten.
    void follow(Side side, const SameBoxes& same);

private:
    std::vector<Entry> m_entries;
    std::size_t m_at = 0; ///< the current one; 0 if there is none
};

} // namespace crosswalk::ui
