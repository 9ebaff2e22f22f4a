#pragma once

#include <QObject>
#include <QPoint>
#include <QStringList>

class QMimeData;
class QWidget;

namespace crosswalk::ui {

/// Makes a handle of widgets that show something: files are dragged out of the window with them, into another program.
class DragHandle final : public QObject {
    Q_OBJECT
public:
    DragHandle(const QList<QWidget*>& widgets, QObject* parent);

    /// With a text for the pointer resting on it. Disabled, it only says why.
    void setReady(bool ready, const QString& toolTip);
    /// The button of the mouse is still held since the pull.
    bool isPulled() const { return m_pulled; }
    /// Goes on with a pull as a drag of these files; returns when they were dropped.
    void drag(const QStringList& files);
    static QMimeData* mimeOf(const QStringList& files); ///< the caller's

signals:
    /// Pressed and moved away: the drag is to begin as soon as there is a file.
    void pulled();
    /// A drag of these files begins.
    void dragged(const QStringList& files);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;

    QList<QWidget*> m_widgets;
    QPoint m_pressedAt;
    bool m_ready = false;
    bool m_pulled = false;
};

} // namespace crosswalk::ui
