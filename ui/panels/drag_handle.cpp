#include "ui/panels/drag_handle.h"

#include "ui/theme/icons.h"

#include <QApplication>
#include <QDrag>
#include <QIcon>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>
#include <QWidget>

#include <algorithm>

namespace crosswalk::ui {

DragHandle::DragHandle(const QList<QWidget*>& widgets, QObject* parent)
    : QObject(parent)
    , m_widgets(widgets)
{
    for (auto* widget : m_widgets) {
        widget->installEventFilter(this);
    }
}

void DragHandle::setReady(bool ready, const QString& toolTip)
{
    m_ready = ready;
    for (auto* widget : m_widgets) {
        widget->setToolTip(toolTip);
        widget->setCursor(ready ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
}

QMimeData* DragHandle::mimeOf(const QStringList& files)
{
    QList<QUrl> urls;
    std::transform(files.begin(), files.end(), std::back_inserter(urls), &QUrl::fromLocalFile);
    auto* mime = new QMimeData;
    mime->setUrls(urls);
    return mime;
}

void DragHandle::drag(const QStringList& files)
{
    m_pulled = false;
    auto* drag = new QDrag(this);
    drag->setMimeData(mimeOf(files));
    drag->setPixmap(icon(QLatin1String("export")).pixmap(32));
    emit dragged(files);
    drag->exec(Qt::CopyAction);
}

bool DragHandle::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        m_pressedAt = mouse->pos();
        m_pulled = false;
        return m_ready && mouse->button() == Qt::LeftButton;
    }
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (m_ready && !m_pulled && mouse->buttons().testFlag(Qt::LeftButton) &&
            (mouse->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            m_pulled = true;
            emit pulled();
        }
        return m_ready;
    }
    case QEvent::MouseButtonRelease:
        m_pulled = false;
        return m_ready;
    default:
        return QObject::eventFilter(watched, event);
    }
}

} // namespace crosswalk::ui
