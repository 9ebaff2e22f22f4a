// Events of the canvas: painting, mouse, wheel, keys, gestures (UI.md, "Moving").

#include "ui/canvas/canvas_view.h"
#include "ui/canvas/minimap.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPinchGesture>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {

void CanvasView::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    ScenePicture picture;
    picture.drawn = m_drawn.get();
    picture.marks = m_marks.get();
    picture.cells = m_cells.get();
    picture.theme = &theme();
    picture.transform = m_transform;
    picture.view = QRectF(rect());
    picture.selected = m_selection;
    picture.counterparts = m_counterparts;
    picture.bookmarked = m_bookmarks;
    picture.hoverNode = m_hoverNode;
    picture.hoverEdge = m_hoverEdge;
    picture.edgeLabel = m_edgeLabel;
    picture.edgeShape = m_shapesShown ? m_edgeShape : nullptr;
    if (m_transition) {
        m_transition->paint(painter, m_painter, picture, m_change.currentValue().toDouble());
    } else {
        painter.drawPixmap(0, 0, m_backing.update(m_painter, picture, devicePixelRatioF()));
        m_painter.paintOverlay(painter, picture);
    }
    if (!m_fadingOut.isNull()) {
        painter.setOpacity(1 - m_change.currentValue().toDouble());
        painter.drawPixmap(0, 0, m_fadingOut);
        painter.setOpacity(1);
    }
    if (!m_drawn && !m_placeholder.isEmpty()) {
        painter.setPen(theme().mutedText);
        painter.drawText(rect().adjusted(40, 40, -40, -40), Qt::AlignCenter | Qt::TextWordWrap, m_placeholder);
    }
    paintRubberBand(painter);
    paintFocus(painter);
}

void CanvasView::paintRubberBand(QPainter& painter) const
{
    if (m_rubberBand) {
        QColor ground = theme().accent;
        ground.setAlphaF(0.12F);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(ground);
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(*m_rubberBand);
    }
}

void CanvasView::paintFocus(QPainter& painter) const
{
    if (hasFocus() && m_drawn) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void CanvasView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // A window reaches its size in steps. Until the user moves the graph, each step shows the beginning again.
    if (m_beginningPending) {
        showBeginning();
    }
    placeMinimap();
}

void CanvasView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPoint degrees = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAt(event->position(), std::pow(1.0015, degrees.y()));
        return;
    }
    QPointF delta = event->pixelDelta().isNull() ? QPointF(degrees) * 0.6 : QPointF(event->pixelDelta());
    if (event->modifiers().testFlag(Qt::ShiftModifier) && qFuzzyIsNull(delta.x())) {
        delta = {delta.y(), 0};
    }
    m_glide.stop();
    m_settling.stop();
    finishChange();
    setTransform({m_transform.origin - delta / m_transform.scale, m_transform.scale});
}

void CanvasView::mousePressEvent(QMouseEvent* event)
{
    finishChange();
    m_pressedAt = m_lastPlace = event->position();
    m_pressedNode.reset();
    m_pressedGroup.reset();
    m_rubberBand.reset();
    if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) {
        event->button() == Qt::BackButton ? emit backRequested() : emit forwardRequested();
        return;
    }
    const bool left = event->button() == Qt::LeftButton;
    if (left && !m_spaceHeld && m_drawn && event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_pressedNode = nodeAt(event->position());
        m_rubberBand = QRectF(event->position(), QSizeF());
        return;
    }
    if (left && !m_spaceHeld) {
        m_pressedNode = nodeAt(event->position());
        m_pressedGroup = foldingAt(event->position());
        if (!m_pressedNode && followTag(event->position())) {
            return;
        }
    }
    m_panning = event->button() == Qt::MiddleButton || (left && !m_pressedNode);
    if (m_panning) {
        m_glide.stop();
        m_settling.stop();
    }
}

void CanvasView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_panning && event->buttons() != Qt::NoButton) {
        setCursor(Qt::ClosedHandCursor);
        setTransform({m_transform.origin - (event->position() - m_lastPlace) / m_transform.scale, m_transform.scale});
        m_lastPlace = event->position();
        return;
    }
    if (m_rubberBand && event->buttons().testFlag(Qt::LeftButton)) {
        setCursor(Qt::CrossCursor);
        m_rubberBand = QRectF(m_pressedAt, event->position()).normalized();
        update();
        return;
    }
    hoverAt(event->position());
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool moved = (event->position() - m_pressedAt).manhattanLength() > QApplication::startDragDistance();
    const bool wasPanning = std::exchange(m_panning, false);
    setCursor(m_spaceHeld ? Qt::OpenHandCursor : Qt::ArrowCursor);
    if (const auto area = std::exchange(m_rubberBand, std::nullopt); area && event->button() == Qt::LeftButton) {
        update();
        if (moved) {
            return pickInside(*area);
        }
    }
    if (event->button() != Qt::LeftButton || moved || m_spaceHeld) {
        return;
    }
    if (m_pressedGroup) {
        emit groupToggled(*m_pressedGroup);
    } else if (m_pressedNode) {
        std::vector<std::uint32_t> nodes{*m_pressedNode};
        if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            nodes = m_selection;
            if (std::ranges::find(nodes, *m_pressedNode) == nodes.end()) {
                nodes.push_back(*m_pressedNode);
            }
        } else if (event->modifiers().testFlag(Qt::ControlModifier)) {
            nodes = m_selection;
            if (std::erase(nodes, *m_pressedNode) == 0) {
                nodes.push_back(*m_pressedNode);
            }
        }
        const auto last = *m_pressedNode;
        pick(std::move(nodes));
        m_current = std::ranges::binary_search(m_selection, last) ? std::optional(last) : std::nullopt;
    } else if (wasPanning) {
        pick({});
    }
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto node = event->button() == Qt::LeftButton ? nodeAt(event->position()) : std::nullopt;
    if (node && !foldingAt(event->position())) { // on a fold control, the first click already toggled the group
        activate(*node);
    }
}

void CanvasView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    m_hoverNode.reset();
    m_hoverEdge.reset();
    update();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event)
{
    QPoint place = event->pos();
    if (event->reason() != QContextMenuEvent::Keyboard) {
        const auto node = nodeAt(place);
        if (!node) {
            if (const auto edge = edgeAt(place)) {
                emit edgeMenuRequested(*edge, place);
            } else if (m_drawn) {
                emit backgroundMenuRequested(place);
            }
            return;
        }
        if (std::find(m_selection.begin(), m_selection.end(), *node) == m_selection.end()) {
            pick({*node});
        }
    } else if (!m_selection.empty()) {
        const QRectF box = m_transform.toView(m_drawn->index.box(m_selection.front())).intersected(QRectF(rect()));
        place = box.isEmpty() ? rect().center() : box.center().toPoint();
    }
    if (!m_selection.empty()) {
        emit menuRequested(place);
    } else if (m_drawn) {
        emit backgroundMenuRequested(rect().center());
    }
}

void CanvasView::keyPressEvent(QKeyEvent* event)
{
    // With these modifiers a key is a shortcut, even if it is currently disabled.
    if ((event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const bool isDown = !m_drawn || m_drawn->flow() == Flow::Down;
    const bool isExtending = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Up:
        return walk(isDown ? Step::Producer : Step::Before, isExtending);
    case Qt::Key_Down:
        return walk(isDown ? Step::Consumer : Step::Behind, isExtending);
    case Qt::Key_Left:
        return walk(isDown ? Step::Before : Step::Producer, isExtending);
    case Qt::Key_Right:
        return walk(isDown ? Step::Behind : Step::Consumer, isExtending);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_selection.empty()) {
            activate(m_selection.front());
        }
        return;
    case Qt::Key_Escape:
        if (m_rubberBand) {
            m_rubberBand.reset();
            return update();
        }
        return pick({});
    case Qt::Key_Backspace:
        return goBack();
    case Qt::Key_F:
        return fit();
    case Qt::Key_1:
        return zoomToActualSize();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_Z:
        return zoomToSelection();
    case Qt::Key_PageDown:
    case Qt::Key_PageUp: {
        const double page = (event->key() == Qt::Key_PageDown ? 0.85 : -0.85) * height() / m_transform.scale;
        return setTransform({m_transform.origin + QPointF(0, page), m_transform.scale});
    }
    case Qt::Key_Space:
        if (!event->isAutoRepeat()) {
            m_spaceHeld = true;
            setCursor(Qt::OpenHandCursor);
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        setCursor(Qt::ArrowCursor);
        return;
    }
    QWidget::keyReleaseEvent(event);
}

bool CanvasView::event(QEvent* event)
{
    if (event->type() == QEvent::Gesture) {
        if (const auto* pinch =
                static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture))) {
            zoomAt(mapFromGlobal(pinch->hotSpot()), pinch->scaleFactor());
            return true;
        }
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomAt(gesture->position(), 1 + gesture->value());
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        return showToolTip(help->pos(), help->globalPos());
    }
    if (event->type() == QEvent::ContentsRectChange) { // something covers an edge
        placeMinimap();
    }
    if (event->type() == QEvent::FocusOut) { // what is held is released elsewhere
        m_spaceHeld = false;
        m_panning = false;
        setCursor(Qt::ArrowCursor);
    }
    if (event->type() == QEvent::PaletteChange) {
        m_backing.forget();
        update();
    }
    return QWidget::event(event);
}

bool CanvasView::showToolTip(QPointF place, const QPoint& global)
{
    hoverAt(place);
    QString text;
    if (m_hoverNode && m_nodeTip) {
        text = m_nodeTip(*m_hoverNode);
    } else if (m_hoverEdge && m_edgeTip) {
        text = m_edgeTip(*m_hoverEdge);
    }
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(global, text, this);
    }
    return true;
}

} // namespace crosswalk::ui
