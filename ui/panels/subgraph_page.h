#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/document/bodies.h"
#include "ui/jobs/job_runner.h"

#include <functional>

class QLabel;

namespace crosswalk::ui {

/// Bodies of a node as a page: a line with the way back, and the graph of one body. Bodies within take its place.
class SubgraphPage final : public QWidget {
    Q_OBJECT
public:
    explicit SubgraphPage(const QString& objectName, QWidget* parent = nullptr);

    /// Shows the body that levels lead to (there is at least one); `home` is what they lead from, `model` its graph.
    void open(const QString& home, std::shared_ptr<const Graph> model, std::vector<BodyLevel> levels);
    /// The graph around it became another, with these levels along the same path. What is shown and selected stays
    /// where it is there still.
    void follow(std::shared_ptr<const Graph> model, std::vector<BodyLevel> levels);
    /// Forgets all levels.
    void close();
    bool isOpen() const { return !m_levels.empty(); }
    bool isIdle() const { return !m_drawing.isBusy(); }
    CanvasView* canvas() { return m_canvas; }
    BodyPath path() const { return pathOf(m_levels); }
    GraphPath graphPath() const { return graphPathOf(m_levels); }
    /// The graph that the outermost level is in; null when closed.
    const std::shared_ptr<const Graph>& model() const { return m_model; }
    /// The innermost node whose body is shown.
    QString node() const { return m_levels.empty() ? QString() : m_levels.back().node; }
    /// The body that is shown; null when closed.
    const std::shared_ptr<const GraphSide>& body() const { return m_body.side; }
    /// The single selected box of the body.
    std::optional<std::uint32_t> pickedBox() const;
    /// Asked before another body is shown: true where that has come to the front elsewhere, with the node of this label
    /// (may be empty) selected. This page stays as it is then.
    void setShownElsewhere(std::function<bool(const BodyPath& path, const QString& selected)> shown)
    {
        m_shownElsewhere = std::move(shown);
    }
    /// Of the bodies that are opened from now on.
    void setFlow(Flow flow) { m_flow = flow; }
    /// Where what is known of the values of bodies comes from.
    void setTypes(std::function<KnownTypes()> types) { m_types = std::move(types); }
    /// Where the marks of a body come from; may give null.
    using Marks = std::function<std::shared_ptr<const SceneMarks>(const GraphSide& body, const GraphPath& path)>;
    void setMarks(Marks marks) { m_marksOf = std::move(marks); }
    /// Those of the body that is shown; may be null.
    const std::shared_ptr<const SceneMarks>& marks() const { return m_marks; }
    /// What a tool tip adds about a box, as lines of rich text.
    using Notes = std::function<QStringList(const GraphSide& body, const GraphPath& path, std::uint32_t box)>;
    void setNotes(Notes notes) { m_notesOn = std::move(notes); }
    /// Selects a box of the body, and brings it into view.
    void select(std::uint32_t box);
    /// The same by what it is called, now or when the body is drawn.
    void selectLabel(const QString& label);

public slots:
    /// To the node that the body belongs to.
    void goUp();

signals:
    /// The user went past the outermost body, which is of this node.
    void left(const QString& node);
    /// Another body is shown, or is being drawn.
    void moved();
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
    void followLink(const QString& link);
    void goTo(std::size_t levels);
    void moveTo(std::vector<BodyLevel> levels, const QString& selected = {});
    void showLevel(const QString& selected = {});
    void draw(const DrawnSide& previous);
    void showBody(DrawnSide body);
    void showMarks();
    void showPath();
    void toggle(std::uint32_t group);
    void enter(std::uint32_t drawn);
    QString selectedLabel() const;
    std::optional<std::uint32_t> boxCalled(const QString& label) const;
    QString toolTipOf(std::uint32_t drawn) const;
    QString flowText(std::uint32_t edge) const;

    QString m_home;
    std::shared_ptr<const Graph> m_model;
    std::vector<BodyLevel> m_levels;
    DrawnSide m_body;
    QString m_toSelect; ///< label of the box to select when the body is drawn
    std::function<KnownTypes()> m_types;
    Marks m_marksOf;
    Notes m_notesOn;
    std::shared_ptr<const SceneMarks> m_marks;
    std::function<bool(const BodyPath& path, const QString& selected)> m_shownElsewhere;
    Flow m_flow = Flow::Down;
    QLabel* m_path;
    CanvasView* m_canvas;
    JobRunner m_drawing;
};

} // namespace crosswalk::ui
