#pragma once

#include "ui/panels/subgraph_page.h"

#include <QStringList>

class QLabel;

namespace crosswalk::ui {

class ClosableTabs;
class ElidedLabel;

/// One side of the window: a line that says what is shown, and the canvas. The body of a node opens in the place of the
/// graph, or in a tab beside it.
class GraphPane final : public QWidget {
    Q_OBJECT
public:
    explicit GraphPane(const QString& objectName, QWidget* parent = nullptr);

    CanvasView* canvas() { return m_canvas; }
    /// The page of bodies that is in front, in place or in a tab; null where the graph is.
    SubgraphPage* frontPage() const;
    CanvasView* visibleCanvas();
    /// Opens a body that the graph has, in the place of the graph.
    void openHere(const GraphSide& home, const BodyPath& path);
    /// Brings up a body with the node of this label selected: where it is shown already, else in the place of the
    /// graph. The keyboard focus stays outside where it was.
    void showInBody(const GraphSide& home, const BodyPath& path, const QString& label);
    /// In a tab of its own, or in the one that shows it already. Nothing where the graph has no such body.
    void openTab(const GraphSide& home, const BodyPath& path);
    /// The bodies in tabs, in their order.
    std::vector<BodyPath> tabs() const;
    /// 0 is the graph, tabs count from 1.
    int front() const { return m_front; }
    void showFront(int tab);
    /// The graph itself is in front; what was opened in its place is closed.
    void showGraph();
    /// Closes the tab in front; false where that is the graph.
    bool closeFront();
    void closeBodies();
    /// The graph became another: bodies follow it, those that are gone are closed.
    void follow(const GraphSide& home);
    bool isIdle() const;
    void setAnimated(bool animated);
    /// Of the bodies that are opened from now on.
    void setFlow(Flow flow);
    /// Where what is known of the values of bodies comes from.
    void setBodyTypes(std::function<KnownTypes()> types) { m_bodyTypes = std::move(types); }
    /// Where marks of bodies and what tool tips add to them come from.
    void setBodyMarks(SubgraphPage::Marks marks, SubgraphPage::Notes notes)
    {
        m_bodyMarks = std::move(marks);
        m_bodyNotes = std::move(notes);
    }
    /// The words that say what is shown.
    QList<QWidget*> titleWidgets() const;
    /// `details` stand on the right; where there is no room for all the first ones go.
    void setTitle(const QString& what, const QString& name, const QStringList& details);

signals:
    /// Another page or the graph came to the front, or the body in front became another.
    void frontChanged();
    void bodyZoomed();
    /// A box in the page in front was selected; none when several are or nothing is.
    void picked(crosswalk::ui::SubgraphPage* page, std::optional<std::uint32_t> box);
    /// The way back from a tab: to this node of the graph.
    void nodeWanted(const QString& node);
    /// For what is selected in a canvas, at a place of it.
    void menuAsked(crosswalk::ui::CanvasView* view, const QPoint& place);
    void detailsWanted();
    void idleChanged();
    void mistakeHappened(const QString& activity, const QString& what);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    SubgraphPage* makePage(const QString& objectName);
    std::optional<int> tabOf(const BodyPath& path) const;
    void bring(int tab, bool focused);
    void closeTab(int tab);
    void leave(SubgraphPage* page, const QString& node);
    void arrange();
    void showTabTitles();
    void fitTitle();

    QString m_prefix; ///< of the names of what it holds
    QStringList m_allDetails;
    QLabel* m_what;
    ElidedLabel* m_name;
    QLabel* m_details;
    ClosableTabs* m_tabBar;
    CanvasView* m_canvas;
    SubgraphPage* m_page; ///< in the place of the graph
    std::vector<SubgraphPage*> m_tabs;
    std::function<KnownTypes()> m_bodyTypes;
    SubgraphPage::Marks m_bodyMarks;
    SubgraphPage::Notes m_bodyNotes;
    int m_front = 0;
    bool m_animated = true;
    Flow m_flow = Flow::Down;
};

} // namespace crosswalk::ui
