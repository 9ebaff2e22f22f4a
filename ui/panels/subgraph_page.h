#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/document/bodies.h"
#include "ui/jobs/job_runner.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace crosswalk::ui {

class PathLabel;

/// A page that shows one body of a node, below a line of links back to the enclosing graphs. Nested bodies replace the
/// body.
class SubgraphPage final : public QWidget {
    Q_OBJECT
public:
    explicit SubgraphPage(const QString& objectName, QWidget* parent = nullptr);

    /// Shows the body that the levels (at least one) lead to. `home` names the enclosing graph, `model` is that graph.
    void open(const QString& home, std::shared_ptr<const Graph> model, std::vector<BodyLevel> levels);
    /// Adapts to a changed enclosing graph; `levels` are the new ones along the same path. Keeps the view and the
    /// selection if the body still exists.
    void follow(std::shared_ptr<const Graph> model, std::vector<BodyLevel> levels);
    /// Removes all levels.
    void close();
    bool isOpen() const { return !m_levels.empty(); }
    bool isIdle() const { return !m_drawing.isBusy(); }
    CanvasView* canvas() { return m_canvas; }
    BodyPath path() const { return pathOf(m_levels); }
    GraphPath graphPath() const { return graphPathOf(m_levels); }
    /// The graph that contains the outermost level; null when closed.
    const std::shared_ptr<const Graph>& model() const { return m_model; }
    /// The innermost node whose body is shown.
    QString node() const { return m_levels.empty() ? QString() : m_levels.back().node; }
    /// The body shown; null when closed.
    const std::shared_ptr<const GraphSide>& body() const { return m_body.side; }
    /// The selected box of the body, if exactly one is selected.
    std::optional<std::uint32_t> pickedBox() const;
    /// Sets a callback that is asked before another body is shown. It returns true if it has brought that body to the
    /// front elsewhere, with the node of this label (may be empty) selected. This page then stays unchanged.
    void setShownElsewhere(std::function<bool(const BodyPath& path, const QString& selected)> shown)
    {
        m_shownElsewhere = std::move(shown);
    }
    /// Sets the flow direction of bodies opened from now on.
    void setFlow(Flow flow) { m_flow = flow; }
    /// Sets the source of the types of values.
    void setTypes(std::function<KnownTypes()> types) { m_types = std::move(types); }
    /// Sets the source of the marks of a body; may return null.
    using Marks = std::function<std::shared_ptr<const SceneMarks>(const GraphSide& body, const GraphPath& path)>;
    void setMarks(Marks marks) { m_marksOf = std::move(marks); }
    /// The marks of the body shown; may be null.
    const std::shared_ptr<const SceneMarks>& marks() const { return m_marks; }
    /// Additional lines of rich text for the tool tip of a box.
    using Notes = std::function<QStringList(const GraphSide& body, const GraphPath& path, std::uint32_t box)>;
    void setNotes(Notes notes) { m_notesOn = std::move(notes); }
    /// Selects a box of the body and reveals it.
    void select(std::uint32_t box);
    /// Selects a box by its label, now or after the body is drawn.
    void selectLabel(const QString& label);

public slots:
    /// Shows the graph of the node that the body belongs to.
    void goUp();

signals:
    /// The user left the outermost body, which belongs to this node.
    void left(const QString& node);
    /// Another body is shown or is being drawn.
    void moved();
    /// A box of the body was selected; empty if none or several are selected.
    void picked(std::optional<std::uint32_t> box);
    /// The user pressed Enter on a node without bodies, which requests its details.
    void detailsRequested();
    void idleChanged();
    /// A background job failed with an internal error; `what` is for a bug report.
    void internalErrorOccurred(const QString& activity, const QString& what);

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
    TensorType flowType(std::uint32_t edge) const;
    QString flowText(std::uint32_t edge) const;

    QString m_home;
    std::shared_ptr<const Graph> m_model;
    std::vector<BodyLevel> m_levels;
    DrawnSide m_body;
    QString m_toSelect; ///< label of the box to select after the body is drawn
    std::function<KnownTypes()> m_types;
    Marks m_marksOf;
    Notes m_notesOn;
    std::shared_ptr<const SceneMarks> m_marks;
    std::function<bool(const BodyPath& path, const QString& selected)> m_shownElsewhere;
    Flow m_flow = Flow::Down;
    PathLabel* m_path;
    CanvasView* m_canvas;
    JobRunner m_drawing;
};

} // namespace crosswalk::ui
