#pragma once

#include "ui/panels/subgraph_page.h"

#include <QStringList>

class QLabel;

namespace crosswalk::ui {

class ElidedLabel;

/// One side of the window: a line that says what is shown, and the canvas.
class GraphPane final : public QWidget {
    Q_OBJECT
public:
    explicit GraphPane(const QString& objectName, QWidget* parent = nullptr);

    CanvasView* canvas() { return m_canvas; }
    /// The body of a node, shown in the place of the graph that it is in.
    SubgraphPage* page() { return m_page; }
    CanvasView* visibleCanvas() { return m_page->isOpen() ? m_page->canvas() : m_canvas; }
    void openPage(const QString& node, std::vector<Subgraph> bodies);
    void closePage();
    /// `details` stand on the right; where there is no room for all the first ones go.
    void setTitle(const QString& what, const QString& name, const QStringList& details);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitTitle();

    QStringList m_allDetails;
    QLabel* m_what;
    ElidedLabel* m_name;
    QLabel* m_details;
    CanvasView* m_canvas;
    SubgraphPage* m_page;
};

} // namespace crosswalk::ui
