#pragma once

#include "ui/canvas/canvas_view.h"

class QLabel;

namespace crosswalk::ui {

/// One side of the window: a line that says what is shown, and the canvas.
class GraphPane final : public QWidget {
    Q_OBJECT
public:
    explicit GraphPane(const QString& objectName, QWidget* parent = nullptr);

    CanvasView* canvas() { return m_canvas; }
    void setTitle(const QString& what, const QString& name, const QString& details);

private:
    QLabel* m_what;
    QLabel* m_name;
    QLabel* m_details;
    CanvasView* m_canvas;
};

} // namespace crosswalk::ui
