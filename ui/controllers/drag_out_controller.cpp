#include "ui/controllers/drag_out_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/main_window/file_dialog.h"
#include "ui/panels/drag_handle.h"
#include "ui/panels/graph_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMimeData>

#include <algorithm>

namespace crosswalk::ui {

DragOutController::DragOutController(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_handle(new DragHandle(panes.pane(Side::Target)->titleWidgets(), this))
{
    m_commands
        .add("fileCopyExport", tr("Copy the ONN&X file"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), nullptr,
             [this] { request(true); })
        .enabledIf([this] { return m_document.exporter().isRunnable(); });
    connect(m_handle, &DragHandle::pulled, this, [this] { request(false); });
    connect(&m_commands, &CommandSet::refreshed, this, &DragOutController::refresh);
}

void DragOutController::refresh()
{
    const QString obstacle = m_document.exporter().obstacle();
    const bool isReady = m_document.exporter().isRunnable();
    m_handle->setReady(isReady, isReady ? tr("Drag the ONNX file from here into a folder or another program")
                                : obstacle.isEmpty() ? tr("An export with gaps cannot be dragged; use Export")
                                                     : obstacle);
}

bool DragOutController::isStaged(const ExportResult& result) const
{
    return m_staging && result.path.parent_path() == m_staging->path().toStdString();
}

void DragOutController::request(bool copied)
{
    m_copies = copied;
    if (!exportedFiles().isEmpty()) {
        takeOut();
        return;
    }
    if (m_document.exporter().exporting().isBusy() && m_requestedOf.lock() == m_document.converted()) {
        return; // it is being written
    }
    m_requestedOf = m_document.converted();
    // The export is written completely first; the drag continues if the mouse button is still pressed then.
    if (!m_staging) {
        m_staging = std::make_unique<QTemporaryDir>();
    }
    m_document.exporter().exportApart(m_staging->filePath(exportName(m_document.path())).toStdString());
}

QStringList DragOutController::exportedFiles() const
{
    const bool areThere =
        std::all_of(m_exported.begin(), m_exported.end(), [](const QString& path) { return QFileInfo::exists(path); });
    const bool areOfThis =
        m_document.converted() && !m_document.isOutdated() && m_exportedOf.lock() == m_document.converted();
    return areThere && areOfThis ? m_exported : QStringList();
}

void DragOutController::remember(const ExportResult& result)
{
    m_exported.clear();
    if (result.written.bytesInPlace > 0) {
        return; // it is incomplete without the files of the model
    }
    m_exportedOf = result.model;
    m_exported = {QString::fromStdString(result.path.string())};
    if (!result.written.dataFile.empty()) {
        m_exported.append(QString::fromStdString(result.written.dataFile.string()));
    }
}

void DragOutController::takeOut()
{
    const QStringList files = exportedFiles();
    if (files.isEmpty()) {
        m_messages.show(tr("The conversion changed while its file was written: copy or drag it again"));
        return;
    }
    const QString name = QFileInfo(files.front()).fileName();
    if (m_handle->isPulled()) {
        m_messages.show(tr("Drop %1 at its destination").arg(name));
        m_handle->drag(files);
    } else if (!m_copies) {
        m_messages.show(tr("%1 is ready: drag it out now").arg(name));
    } else {
        QApplication::clipboard()->setMimeData(DragHandle::mimeOf(files));
        m_messages.show(tr("Copied %1: paste it into a folder or another program").arg(name));
    }
}

} // namespace crosswalk::ui
