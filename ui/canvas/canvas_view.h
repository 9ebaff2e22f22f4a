#pragma once

#include "ui/canvas/backing.h"
#include "ui/canvas/picture_file.h"
#include "ui/canvas/transition.h"

#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace crosswalk::ui {

class Minimap;

/// Shows a scene: pans, zooms, selects, and moves between nodes by keyboard. Handles boxes only; their meaning is the
/// document's business.
class CanvasView final : public QWidget {
    Q_OBJECT
public:
    explicit CanvasView(QWidget* parent = nullptr);
    ~CanvasView() override;

    /// Shows the beginning of the scene with nothing selected. Null shows no scene.
    void setScene(std::shared_ptr<const DrawnScene> drawn);
    /// Switches to another drawing: different groups are open, or parts of the model changed. `group`, or else the
    /// middle of the view, keeps its position on the screen; boxes that both drawings contain move to their new
    /// positions. Clears the selection.
    void changeScene(std::shared_ptr<const DrawnScene> drawn, const SameBoxes& same,
                     std::optional<std::uint32_t> group = std::nullopt);
    void setMarks(std::shared_ptr<const SceneMarks> marks);
    const SceneMarks* marks() const { return m_marks.get(); }
    const DrawnScene* drawnScene() const { return m_drawn.get(); }
    /// The content of a picture: the whole scene, or the boxes selected here or by their counterparts.
    enum class Part { Whole, Selection };
    ScenePart part(Part which) const;
    /// Functions that return the tool tips of boxes and edges on demand.
    void setToolTips(std::function<QString(std::uint32_t node)> node, std::function<QString(std::uint32_t edge)> edge);
    void setEdgeLabel(std::function<QString(std::uint32_t edge)> label) { m_edgeLabel = std::move(label); }
    /// The label of every edge close up; may be empty.
    void setEdgeShape(std::function<QString(std::uint32_t edge)> shape) { m_edgeShape = std::move(shape); }
    void setShapesShown(bool shown);
    void setPlaceholder(const QString& text);

    void setSelection(std::vector<std::uint32_t> nodes);
    /// Selects boxes as the user does.
    void pick(std::vector<std::uint32_t> nodes);
    void setCounterparts(std::vector<std::uint32_t> nodes);
    /// Marks boxes with a ribbon.
    void setBookmarks(std::vector<std::uint32_t> nodes);
    const std::vector<std::uint32_t>& bookmarks() const { return m_bookmarks; }
    const std::vector<std::uint32_t>& selection() const { return m_selection; }
    const std::vector<std::uint32_t>& counterparts() const { return m_counterparts; }

    const ViewTransform& transform() const { return m_transform; }
    double scale() const { return m_transform.scale; }
    QRectF visibleArea() const { return m_transform.toScene(QRectF(rect())); }
    /// Scrolls so that the scene's `point` is at `place` of the view.
    void moveTo(QPointF point, QPointF place);
    void setTransform(const ViewTransform& transform);
    /// If false, every movement is immediate (tests, screenshots).
    void setAnimated(bool animated) { m_animated = animated; }
    /// Whether a transition between two drawings is running.
    bool isChanging() const { return m_transition || !m_fadingOut.isNull(); }

public slots:
    /// Shows the initial view: the whole graph if that is readable, otherwise its beginning at a readable scale.
    void showBeginning();
    void fit();
    void zoomToActualSize();
    void zoomIn();
    void zoomOut();
    void zoomToSelection();
    /// Reveals boxes with the least movement; does not move if they are visible.
    void reveal(const std::vector<std::uint32_t>& nodes);
    /// Reveals boxes at a readable scale: zooms in if the current one is too small and they fit together.
    void jumpTo(const std::vector<std::uint32_t>& nodes);
    void goBack();

signals:
    /// The user selected boxes: one; several with Ctrl or Shift, or a rectangle; none by a click on the background.
    void picked(const std::vector<std::uint32_t>& nodes);
    /// Enter on the selected box, or a double click.
    void activated(std::uint32_t node);
    /// The user wants to open a closed group or to close an open one.
    void groupToggled(std::uint32_t group);
    /// Backspace with an empty history.
    void leftUpwards();
    /// The buttons of the mouse that lead back and forward.
    void backRequested();
    void forwardRequested();
    /// The user requests a context menu for the selection, by the right button (which also selects) or a key.
    void menuRequested(const QPoint& place);
    /// The same for an edge, and for the background.
    void edgeMenuRequested(std::uint32_t edge, const QPoint& place);
    void backgroundMenuRequested(const QPoint& place);
    void transformChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Step { Producer, Consumer, Before, Behind }; ///< Before and Behind are siblings

    void zoomAt(QPointF place, double factor);
    void glideTo(const ViewTransform& target);
    ViewTransform scaledAround(QPointF place, double scale) const;
    void settle();
    ViewTransform fitted(const QRectF& sceneArea, double largest) const;
    /// The inputs and what follows them, at a readable scale, with the trunk of the graph in the middle.
    ViewTransform beginning() const;
    /// The middle of the selection if it is visible, otherwise of the view: this point stays while keys zoom.
    QPointF zoomCenter() const;
    double smallestScale() const;
    /// Selects the neighbour of the box picked last, alone or in addition.
    void walk(Step step, bool isExtending);
    /// The rectangle between two places; selects what it touches in addition to the selection.
    void pickInside(const QRectF& area);
    std::optional<std::uint32_t> neighbour(std::uint32_t node, Step step) const;
    std::optional<std::uint32_t> nodeAt(QPointF place) const;
    std::optional<std::uint32_t> edgeAt(QPointF place) const;
    bool followTag(QPointF place);
    /// The group that a click here opens or closes: on the title of a frame or the sign of a closed group.
    std::optional<std::uint32_t> foldingAt(QPointF place);
    void activate(std::uint32_t node);
    void replaceScene(std::shared_ptr<const DrawnScene> drawn);
    /// A point of the current scene and the same point of the next one that keeps its position on screen: the corner of
    /// the group, or of a box near the middle that both scenes contain.
    std::optional<std::pair<QPointF, QPointF>> anchor(const DrawnScene& next, const SameBoxes& same,
                                                      std::optional<std::uint32_t> group) const;
    /// Whether movements are animated; false if the desktop disables animations.
    bool isMoving() const;
    void finishChange();
    void hoverAt(QPointF place);
    bool showToolTip(QPointF place, const QPoint& global);
    void placeMinimap();
    void paintFocus(QPainter& painter) const;
    void paintRubberBand(QPainter& painter) const;

    std::shared_ptr<const DrawnScene> m_drawn;
    std::shared_ptr<const SceneMarks> m_marks;
    std::shared_ptr<const Occupancy> m_cells; ///< in the colours of the marks; null: in those of the categories
    ScenePainter m_painter;
    Backing m_backing;
    ViewTransform m_transform;
    bool m_beginningPending = false; ///< the user has not moved the view yet
    bool m_animated = true;
    QVariantAnimation m_glide;
    QTimer m_settling; ///< expires when zooming stops
    QPointF m_zoomedAt;
    QVariantAnimation m_change;               ///< transition to the next drawing
    std::unique_ptr<Transition> m_transition; ///< null if the view contains too many boxes to animate
    QPixmap m_fadingOut;                      ///< used instead of m_transition: the previous view

    std::vector<std::uint32_t> m_selection;
    std::vector<std::uint32_t> m_counterparts;
    std::vector<std::uint32_t> m_bookmarks;
    std::vector<std::uint32_t> m_visited;   ///< previously selected boxes, for goBack
    std::optional<std::uint32_t> m_current; ///< the box picked last: arrow keys start there
    std::optional<std::uint32_t> m_hoverNode;
    std::optional<std::uint32_t> m_hoverEdge;

    QPointF m_pressedAt;
    QPointF m_lastPlace;
    bool m_panning = false;
    std::optional<QRectF> m_rubberBand; ///< in view coordinates, while it is drawn
    bool m_spaceHeld = false;
    std::optional<std::uint32_t> m_pressedNode;
    std::optional<std::uint32_t> m_pressedGroup; ///< the group that releasing the button toggles

    std::function<QString(std::uint32_t)> m_nodeTip;
    std::function<QString(std::uint32_t)> m_edgeTip;
    std::function<QString(std::uint32_t)> m_edgeLabel;
    std::function<QString(std::uint32_t)> m_edgeShape;
    bool m_shapesShown = true;
    QString m_placeholder;
    Minimap* m_minimap;
};

} // namespace crosswalk::ui
