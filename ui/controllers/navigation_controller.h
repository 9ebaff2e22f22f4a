#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <cstdint>
#include <span>
#include <vector>

class QMenu;

namespace crosswalk::ui {

class GraphNavigation;
class GraphPanes;

/// Ways through the graphs: back and forward, paths, bookmarks; and copies of the selected nodes.
class NavigationController final : public Controller {
    Q_OBJECT
public:
    NavigationController(const WindowParts& parts, GraphPanes& panes);

    /// The bookmarks of the model.
    QMenu& bookmarkMenu() { return *m_bookmarkMenu; }
    void fillBookmarkMenu();

private:
    void addCommands();
    void addCopyCommands();
    void connectNavigation();
    void showBookmarks(Side side);
    using BoxSearch = std::vector<std::uint32_t> (*)(const Scene& scene, std::span<const std::uint32_t> boxes);
    /// Runs the search in the body in front, or the command in the graph.
    void extendSelection(BoxSearch search, void (GraphNavigation::*command)());
    bool hasPicked();
    bool hasBookmarks() const;
    void copyNames();
    void copyJson();
    void copyPicture();

    GraphPanes& m_panes;
    GraphNavigation* m_navigation;
    JobRunner* m_painting; ///< of pictures for the clipboard
    QMenu* m_bookmarkMenu;
};

} // namespace crosswalk::ui
