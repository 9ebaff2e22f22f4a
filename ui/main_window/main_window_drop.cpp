// Files dropped on the window.

#include "ui/main_window/dropped_files.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/drop_frame.h"

#include <QDragEnterEvent>
#include <QMimeData>

namespace crosswalk::ui {

void acceptFiles(QDragEnterEvent& event)
{
    const auto urls = event.mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) {
        event.acceptProposedAction();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    acceptFiles(*event);
    if (event->isAccepted()) {
        m_dropFrame->show(m_document.isOpen() ? tr("Drop a model to open it, or recorded tensors to verify the export")
                                              : tr("Drop a model to open it"));
    }
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* /*event*/)
{
    m_dropFrame->hide();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropFrame->hide();
    event->acceptProposedAction();
    takeFiles(event->mimeData()->urls());
}

} // namespace crosswalk::ui
