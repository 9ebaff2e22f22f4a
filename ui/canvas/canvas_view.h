#pragma once

#include "ui/canvas/backing.h"
#include "ui/canvas/picture_file.h"
#include "ui/canvas/transition.h"

#include <QTimer>
#include <QVariantAnimation>
#include <QWidget>

#include <memory>

namespace crosswalk::ui {

class Minimap;

/// Shows a scene: pans, zooms, selects, walks from node to node by keys. Knows boxes only; what they stand for is the
/// document's business.
class CanvasView final : public QWidget {
    Q_OBJECT
public:
    explicit CanvasView(QWidget* parent = nullptr);
    ~CanvasView() override;

    /// Null for none. Shows its beginning; nothing is selected.
    void setScene(std::shared_ptr<const DrawnScene> drawn);
    /// What is shown has changed: other groups are open, or the model became another in places. `group` keeps its place
    /// on the screen, without one what is in the middle does; what both drawings have moves there. Nothing stays
    /// selected.
    void changeScene(std::shared_ptr<const DrawnScene> drawn, const SameBoxes& same,
                     std::optional<std::uint32_t> group = std::nullopt);
    void setMarks(std::shared_ptr<const SceneMarks> marks);
    const SceneMarks* marks() const { return m_marks.get(); }
    const DrawnScene* drawnScene() const { return m_drawn.get(); }
    /// What is shown: the whole scene, or the boxes of it that are selected, here or by their counterparts.
    enum class Part { Whole, Selection };
    ScenePart part(Part which) const;
    /// Texts about boxes and edges, asked for when they are shown.
    void setToolTips(std::function<QString(std::uint32_t node)> node, std::function<QString(std::uint32_t edge)> edge);
    void setEdgeLabel(std::function<QString(std::uint32_t edge)> label) { m_edgeLabel = std::move(label); }
    void setPlaceholder(const QString& text);

    void setSelection(std::vector<std::uint32_t> nodes);
    void setCounterparts(std::vector<std::uint32_t> nodes);
    const std::vector<std::uint32_t>& selection() const { return m_selection; }
    const std::vector<std::uint32_t>& counterparts() const { return m_counterparts; }

    const ViewTransform& transform() const { return m_transform; }
    double scale() const { return m_transform.scale; }
    QRectF visibleArea() const { return m_transform.toScene(QRectF(rect())); }
    /// Shows the scene's `point` at `place` of the view.
    void moveTo(QPointF point, QPointF place);
    void setTransform(const ViewTransform& transform);
    /// Off: every move is immediate (tests, screenshots).
    void setAnimated(bool animated) { m_animated = animated; }
    /// On the way from one drawing to the next.
    bool isChanging() const { return m_transition || !m_fadingOut.isNull(); }

public slots:
    /// Where a graph is first seen: all of it if its boxes can be told apart so, else its beginning.
    void showBeginning();
    void fit();
    void zoomToActualSize();
    void zoomIn();
    void zoomOut();
    void zoomToSelection();
    /// Brings boxes into view with the least move; nothing moves when they are visible already.
    void reveal(const std::vector<std::uint32_t>& nodes);
    void goBack();

signals:
    /// The user picked boxes (one; several with Ctrl; none by a click on empty).
    void picked(const std::vector<std::uint32_t>& nodes);
    /// Enter on the selected box, or a double click.
    void activated(std::uint32_t node);
    /// A closed group is to be opened, or an open one to be closed.
    void groupToggled(std::uint32_t group);
    /// Backspace, with nothing to go back to in what is shown.
    void leftUpwards();
    /// A menu for what is selected, by the right button (which selects) or a key.
    void menuAsked(const QPoint& place);
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
    enum class Step { Producer, Consumer, Before, Behind }; ///< the last two among siblings

    void zoomAt(QPointF place, double factor);
    void glideTo(const ViewTransform& target);
    ViewTransform scaledAround(QPointF place, double scale) const;
    void settle();
    ViewTransform fitted(const QRectF& sceneArea, double largest) const;
    double smallestScale() const;
    void pick(std::vector<std::uint32_t> nodes);
    void walk(Step step);
    std::optional<std::uint32_t> neighbour(std::uint32_t node, Step step) const;
    std::optional<std::uint32_t> nodeAt(QPointF place) const;
    bool followTag(QPointF place);
    /// The group that a click here opens or closes: the title of a frame, the sign of a closed group.
    std::optional<std::uint32_t> foldingAt(QPointF place) const;
    void activate(std::uint32_t node);
    void replaceScene(std::shared_ptr<const DrawnScene> drawn);
    /// A point of the scene shown and the same one of the next, which is to stay where it is: the group's corner, or
    /// that of a box near the middle that both have.
    std::optional<std::pair<QPointF, QPointF>> anchor(const DrawnScene& next, const SameBoxes& same,
                                                      std::optional<std::uint32_t> group) const;
    /// Whether moves are shown: not where the desktop asks for none.
    bool isMoving() const;
    void finishChange();
    void hoverAt(QPointF place);
    bool showToolTip(QPointF place, const QPoint& global);
    void placeMinimap();
    void paintFocus(QPainter& painter) const;

    std::shared_ptr<const DrawnScene> m_drawn;
    std::shared_ptr<const SceneMarks> m_marks;
    ScenePainter m_painter;
    Backing m_backing;
    ViewTransform m_transform;
    bool m_beginningPending = false; ///< nobody has moved the view yet
    bool m_animated = true;
    QVariantAnimation m_glide;
    QTimer m_settling; ///< runs out when nobody zooms any more
    QPointF m_zoomedAt;
    QVariantAnimation m_change;               ///< from one drawing to the next
    std::unique_ptr<Transition> m_transition; ///< where there is little enough in view to move
    QPixmap m_fadingOut;                      ///< else the view before

    std::vector<std::uint32_t> m_selection;
    std::vector<std::uint32_t> m_counterparts;
    std::vector<std::uint32_t> m_visited; ///< picked before, for goBack
    std::optional<std::uint32_t> m_hoverNode;
    std::optional<std::uint32_t> m_hoverEdge;

    QPointF m_pressedAt;
    QPointF m_lastPlace;
    bool m_panning = false;
    bool m_spaceHeld = false;
    std::optional<std::uint32_t> m_pressedNode;
    std::optional<std::uint32_t> m_pressedGroup; ///< to be opened or closed

    std::function<QString(std::uint32_t)> m_nodeTip;
    std::function<QString(std::uint32_t)> m_edgeTip;
    std::function<QString(std::uint32_t)> m_edgeLabel;
    QString m_placeholder;
    Minimap* m_minimap;
};

} // namespace crosswalk::ui
