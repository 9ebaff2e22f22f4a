#pragma once

#include "ui/panels/subgraph_page.h"

#include <QStringList>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QLabel;

namespace crosswalk::ui {

class ClosableTabs;
class ElidedLabel;

/// One side of the window: a title line and the canvas. The body of a node opens in place of the graph, or in a tab
/// next to it.
class GraphPane final : public QWidget {
    Q_OBJECT
public:
    explicit GraphPane(const QString& objectName, QWidget* parent = nullptr);

    CanvasView* canvas() { return m_canvas; }
    /// The page of bodies in front, in place or in a tab; null if the graph is in front.
    SubgraphPage* frontPage() const;
    CanvasView* visibleCanvas();
    /// Opens a body of the graph in place of the graph.
    void openHere(const GraphSide& home, const BodyPath& path);
    /// Brings a body to the front with the node of this label selected: where it is already shown, otherwise in place
    /// of the graph. Keyboard focus outside the pane stays where it is.
    void showInBody(const GraphSide& home, const BodyPath& path, const QString& label);
    /// Opens a body in its own tab, or switches to the tab that already shows it. Does nothing if the graph has no such
    /// body.
    void openTab(const GraphSide& home, const BodyPath& path);
    /// The bodies in tabs, in tab order.
    std::vector<BodyPath> tabs() const;
    /// 0 is the graph, tabs count from 1.
    int front() const { return m_front; }
    void showFront(int tab);
    /// Brings the graph to the front and closes a body opened in its place.
    void showGraph();
    /// Closes the tab in front; returns false if the graph is in front.
    bool closeFront();
    void closeBodies();
    /// Adapts the bodies to a changed graph; closes those that no longer exist.
    void follow(const GraphSide& home);
    bool isIdle() const;
    void setAnimated(bool animated);
    /// Whether edges show the shapes of their values.
    void setShapesShown(bool shown);
    /// Sets the flow direction of bodies opened from now on.
    void setFlow(Flow flow);
    /// Sets the source of the types of values in bodies.
    void setBodyTypes(std::function<KnownTypes()> types) { m_bodyTypes = std::move(types); }
    /// Sets the source of the marks of bodies, and of additional lines in their tool tips.
    void setBodyMarks(SubgraphPage::Marks marks, SubgraphPage::Notes notes)
    {
        m_bodyMarks = std::move(marks);
        m_bodyNotes = std::move(notes);
    }
    /// The labels of the title line.
    QList<QWidget*> titleWidgets() const;
    /// Shows `details` on the right. If there is not enough room, the first ones are dropped.
    void setTitle(const QString& what, const QString& name, const QStringList& details);

signals:
    /// A different page or the graph came to the front, or the page in front shows a different body.
    void frontChanged();
    void bodyZoomed();
    /// A box in the front page was selected; empty if none or several are selected.
    void picked(crosswalk::ui::SubgraphPage* page, std::optional<std::uint32_t> box);
    /// The user left a tab for this node of the graph.
    void nodeRequested(const QString& node);
    /// Requests a context menu for the selection of a canvas at this position.
    void menuRequested(crosswalk::ui::CanvasView* view, const QPoint& place);
    void edgeMenuRequested(crosswalk::ui::CanvasView* view, std::uint32_t edge, const QPoint& place);
    void backgroundMenuRequested(crosswalk::ui::CanvasView* view, const QPoint& place);
    /// The buttons of the mouse that lead back and forward.
    void backRequested();
    void forwardRequested();
    void detailsRequested();
    void idleChanged();
    void internalErrorOccurred(const QString& activity, const QString& what);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    SubgraphPage* makePage(const QString& objectName);
    void forwardRequests(CanvasView* view);
    std::optional<int> tabOf(const BodyPath& path) const;
    void bring(int tab, bool focused);
    void closeTab(int tab);
    void leave(SubgraphPage* page, const QString& node);
    void arrange();
    void showTabTitles();
    void fitTitle();

    QString m_prefix; ///< object-name prefix of the child widgets
    QStringList m_allDetails;
    QLabel* m_what;
    ElidedLabel* m_name;
    QLabel* m_details;
    ClosableTabs* m_tabBar;
    CanvasView* m_canvas;
    SubgraphPage* m_page; ///< shown in place of the graph
    std::vector<SubgraphPage*> m_tabs;
    std::function<KnownTypes()> m_bodyTypes;
    SubgraphPage::Marks m_bodyMarks;
    SubgraphPage::Notes m_bodyNotes;
    int m_front = 0;
    bool m_animated = true;
    bool m_shapesShown = true;
    Flow m_flow = Flow::Down;
};

} // namespace crosswalk::ui
