#pragma once

#include "ui/canvas/canvas_view.h"

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
};

} // namespace crosswalk::ui
