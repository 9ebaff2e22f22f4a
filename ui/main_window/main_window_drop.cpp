// Files dropped on the window: models, weights, recorded tensors.

#include "core/verify/data_sets.h"
#include "ui/main_window/dropped_files.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/drop_frame.h"

#include <QDragEnterEvent>
#include <QMimeData>

#include <utility>

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

void MainWindow::takeFiles(const QList<QUrl>& urls)
{
    QStringList models;
    std::filesystem::path weights;
    std::filesystem::path data;
    for (const auto& url : urls) {
        const std::filesystem::path path(url.toLocalFile().toStdString());
        if (const auto recorded = dataFolderOf(path)) {
            data = *recorded;
        } else if (isWeightsFile(url.toLocalFile())) {
            weights = path;
        } else {
            models.append(url.toLocalFile());
        }
    }
    if (!models.isEmpty()) {
        // Weights belong to the model dropped with them; several models look for their own weights.
        for (const auto& model : std::as_const(models)) {
            openAnother(model, models.size() == 1 ? QString::fromStdString(weights.string()) : QString());
        }
    } else if (!weights.empty()) {
        if (m_document.isOpen()) {
            readAgain(weights);
        } else { // the reader's error names the file to open instead
            openAnother(QString::fromStdString(weights.string()));
        }
    } else if (!data.empty()) {
        verifyAgainst(data);
    }
}

} // namespace crosswalk::ui
