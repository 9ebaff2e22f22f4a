#pragma once

#include "ui/canvas/drawn_scene.h"

#include <QPixmap>
#include <QWidget>

#include <memory>

namespace crosswalk::ui {

/// The whole graph in a corner of the canvas, with a frame around the visible part. A click or drag moves the view.
/// Hides itself while the whole graph is visible, and on a small canvas if it would cover boxes.
class Minimap final : public QWidget {
    Q_OBJECT
public:
    explicit Minimap(QWidget* canvas);

    void setScene(std::shared_ptr<const DrawnScene> drawn);
    /// Shows the graph in other colours than those of the categories, or null for these.
    void setCells(std::shared_ptr<const Occupancy> cells);
    void setView(const QRectF& visibleArea);
    /// Moves to the lower right corner of the canvas.
    void adjustPlace(const QRect& canvas);

signals:
    void moved(QPointF scenePoint);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QPointF toMap(QPointF p) const;
    QPointF toScene(QPointF p) const;
    bool standsOnBoxes() const;
    void decideVisible();

    std::shared_ptr<const DrawnScene> m_drawn;
    std::shared_ptr<const Occupancy> m_cells; ///< may be null
    QRectF m_view;
    QPixmap m_picture;
    bool m_roomy = true;
    bool m_isSmall = false; ///< the canvas is small
    bool m_isHeld = false;  ///< the mouse button is pressed: stay visible
};

} // namespace crosswalk::ui
