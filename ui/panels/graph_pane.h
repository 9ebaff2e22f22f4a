#pragma once

#include "ui/canvas/canvas_view.h"

class QLabel;

namespace crosswalk::ui {

class ElidedLabel;

/// One side of the window: a line that says what is shown, and the canvas.
class GraphPane final : public QWidget {
    Q_OBJECT
public:
    explicit GraphPane(const QString& objectName, QWidget* parent = nullptr);

    CanvasView* canvas() { return m_canvas; }
    void setTitle(const QString& what, const QString& name, const QString& details);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* m_what;
    ElidedLabel* m_name;
    ElidedLabel* m_details;
    CanvasView* m_canvas;
};

} // namespace crosswalk::ui
