#pragma once

#include "ui/main_window/selection_history.h"
#include "ui/models/bookmarks.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace crosswalk::ui {

/// Ways through the graphs of a document: back and forward, upstream and downstream, paths, counterparts, bookmarks.
/// Selects boxes; the window reveals them.
class GraphNavigation final : public QObject {
    Q_OBJECT
public:
    GraphNavigation(Document& document, QSettings* settings, QObject* parent);

    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }
    void goBack();
    void goForward();

    /// Adds everything that the selection depends on.
    void selectUpstream();
    /// Adds everything that depends on the selection.
    void selectDownstream();
    /// Adds the boxes between the selected ones.
    void selectPaths();
    /// Selects the counterparts of the selection on the other side.
    void goToCounterpart();

    /// A bookmark of the current graphs; `box` is on the side of the bookmark.
    struct Place {
        Side side;
        std::uint32_t box;
        QString label;
    };
    /// The bookmarks whose nodes exist, in the order in which they were set.
    std::vector<Place> bookmarks() const;
    /// The bookmarked boxes of a side, ascending.
    const std::vector<std::uint32_t>& bookmarked(Side side) const { return m_bookmarked[side == Side::Source ? 0 : 1]; }
    /// Whether the only selected box is bookmarked; nothing if none or several are selected.
    std::optional<bool> isSelectionBookmarked() const;
    void toggleBookmark();
    void clearBookmarks();
    void goTo(const Place& place);
    void stepBookmark(int direction);

signals:
    /// The selection changed and has to be revealed.
    void revealRequested();
    /// The keyboard focus follows the selection to its side.
    void focusRequested(crosswalk::ui::Side side);
    /// Why nothing was selected.
    void nothingFound(const QString& message);
    void bookmarksChanged();

private:
    using Search = std::vector<std::uint32_t> (*)(const Scene& scene, std::span<const std::uint32_t> boxes);
    void extend(Search search, const QString& nothing);
    void show(const SelectionHistory::Entry& entry);
    void takeSelection();
    void resolveBookmarks();

    Document& m_document;
    SelectionHistory m_history;
    Bookmarks m_bookmarks;
    std::array<std::vector<std::uint32_t>, 2> m_bookmarked; ///< by side
    bool m_isReturning = false;                             ///< the selection changes to one of the history
};

} // namespace crosswalk::ui
