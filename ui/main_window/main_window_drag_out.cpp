// Provides the export as a file for other programs, by drag and drop or the clipboard.

#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/drag_handle.h"
#include "ui/panels/graph_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>

#include <algorithm>

namespace crosswalk::ui {

void MainWindow::buildDragHandle()
{
    m_dragHandle = new DragHandle(m_targetPane->titleWidgets(), this);
    connect(m_dragHandle, &DragHandle::pulled, this, [this] { requestExport(false); });
}

void MainWindow::requestExport(bool copied)
{
    m_copiesExport = copied;
    if (!exportedFiles().isEmpty()) {
        takeOut();
        return;
    }
    // The export is written completely first; the drag continues if the mouse button is still pressed then.
    if (!m_staging) {
        m_staging = std::make_unique<QTemporaryDir>();
    }
    m_document.exportTo(m_staging->filePath(exportName(m_document.path())).toStdString());
}

void MainWindow::refreshDragHandle()
{
    const QString obstacle = m_document.exportObstacle();
    const bool isReady = obstacle.isEmpty() && m_document.gapCount() == 0;
    m_dragHandle->setReady(isReady, isReady ? tr("Drag the ONNX file from here into a folder or another program")
                                    : obstacle.isEmpty() ? tr("An export with gaps cannot be dragged; use Export")
                                                         : obstacle);
    m_actions[QStringLiteral("fileCopyExport")]->setEnabled(isReady);
}

QStringList MainWindow::exportedFiles() const
{
    const bool areThere =
        std::all_of(m_exported.begin(), m_exported.end(), [](const QString& path) { return QFileInfo::exists(path); });
    const bool areOfThis = m_document.converted() && m_exportedOf.lock() == m_document.converted();
    return areThere && areOfThis ? m_exported : QStringList();
}

void MainWindow::rememberExport(const ExportResult& result)
{
    m_exportedOf = m_document.converted();
    m_exported = {QString::fromStdString(result.path.string())};
    if (result.written.externalData) {
        m_exported.append(m_exported.front() + QStringLiteral(".data"));
    }
}

void MainWindow::takeOut()
{
    const QStringList files = exportedFiles();
    if (files.isEmpty()) {
        return;
    }
    const QString name = QFileInfo(files.front()).fileName();
    if (m_dragHandle->isPulled()) {
        m_message->setText(tr("Drop %1 at its destination").arg(name));
        m_dragHandle->drag(files);
    } else if (!m_copiesExport) {
        m_message->setText(tr("%1 is ready: drag it out now").arg(name));
    } else {
        QApplication::clipboard()->setMimeData(DragHandle::mimeOf(files));
        m_message->setText(tr("Copied %1: paste it into a folder or another program").arg(name));
    }
}

} // namespace crosswalk::ui
