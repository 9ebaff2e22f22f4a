#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/document/graph_side.h"
#include "ui/jobs/job_runner.h"

class QLabel;

namespace crosswalk::ui {

/// A body that a node runs: of a loop, a scan, a branch.
struct Subgraph {
    QString name; ///< of the attribute that holds it, with its number where that holds several
    std::shared_ptr<const Graph> graph;
};
std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node);

/// Bodies of a node as a page over its graph: a line with the way back, and the graph of one body. Bodies within are
/// pages over it.
class SubgraphPage final : public QWidget {
    Q_OBJECT
public:
    explicit SubgraphPage(const QString& objectName, QWidget* parent = nullptr);

    /// `home` is what the page is shown over, `node` what the bodies belong to; there is at least one.
    void open(const QString& home, const QString& node, std::vector<Subgraph> bodies);
    /// Forgets all levels.
    void close();
    bool isOpen() const { return !m_levels.empty(); }
    bool isIdle() const { return !m_drawing.isBusy(); }
    CanvasView* canvas() { return m_canvas; }
    /// The body that is shown; null when closed.
    const std::shared_ptr<const GraphSide>& body() const { return m_body.side; }
    /// Of the bodies that are opened from now on.
    void setFlow(Flow flow) { m_flow = flow; }
    /// Selects a box of the body, and brings it into view.
    void select(std::uint32_t box);

public slots:
    /// To the graph around it.
    void goUp();

signals:
    void closed(); ///< by the user
    /// A box of the body was selected; none when several are or nothing is.
    void picked(std::optional<std::uint32_t> box);
    /// Enter on a node without bodies: its details are wanted.
    void detailsWanted();
    void idleChanged();
    /// A job of ours broke: words for a report.
    void mistakeHappened(const QString& activity, const QString& what);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Level {
        QString node;
        std::vector<Subgraph> bodies;
        std::size_t shown = 0;
    };

    void push(const QString& node, std::vector<Subgraph> bodies);
    void tellPicked(const std::vector<std::uint32_t>& drawn);
    void follow(const QString& link);
    void showLevel();
    void showPath();
    void toggle(std::uint32_t group);
    void enter(std::uint32_t drawn);
    QString toolTipOf(std::uint32_t drawn) const;
    QString flowText(std::uint32_t edge) const;

    QString m_home;
    std::vector<Level> m_levels;
    DrawnSide m_body;
    Flow m_flow = Flow::Down;
    QLabel* m_path;
    CanvasView* m_canvas;
    JobRunner m_drawing;
};

} // namespace crosswalk::ui
