#pragma once

#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <cstdint>

class QMenu;
class QPoint;

namespace crosswalk::ui {

class BodyController;
class CanvasView;
class DockController;
class GraphPanes;

/// The context menus of the graphs: of a node, an edge, and the background.
class ContextMenus final : public Controller {
    Q_OBJECT
public:
    ContextMenus(const WindowParts& parts, GraphPanes& panes, DockController& docks, BodyController& bodies);

private:
    QMenu* makeMenu(Side side, CanvasView* view, const char* name);
    void addTensorMenu(QMenu& menu);
    void showNodeMenu(Side side, CanvasView* view, const QPoint& place);
    void showEdgeMenu(Side side, CanvasView* view, std::uint32_t edge, const QPoint& place);
    void showBackgroundMenu(Side side, CanvasView* view, const QPoint& place);

    GraphPanes& m_panes;
    DockController& m_docks;
    BodyController& m_bodies;
};

} // namespace crosswalk::ui
