#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>

class QMimeData;
class QWidget;

namespace crosswalk::ui {

/// Turns widgets into a handle from which files are dragged into other programs.
class DragHandle final : public QObject {
    Q_OBJECT
public:
    DragHandle(const QList<QWidget*>& widgets, QObject* parent);

    /// Sets the tool tip as well. A disabled handle only shows the tool tip, which gives the reason.
    void setReady(bool ready, const QString& toolTip);
    /// Whether the mouse button is still held since pulled().
    bool isPulled() const { return m_pulled; }
    /// Continues the mouse gesture as a drag of these files. Returns after the drop.
    void drag(const QStringList& files);
    static QMimeData* mimeOf(const QStringList& files); ///< owned by the caller

signals:
    /// The mouse was pressed and moved: the drag starts as soon as a file exists.
    void pulled();
    /// A drag of these files starts.
    void dragged(const QStringList& files);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;

    QList<QWidget*> m_widgets;
    QPoint m_pressedAt;
    bool m_ready = false;
    bool m_pulled = false;
};

} // namespace crosswalk::ui
