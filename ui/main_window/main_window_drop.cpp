// What is dropped on the window: models, weights, recorded tensors.

#include "core/verify/data_sets.h"
#include "ui/main_window/main_window.h"

#include <QDragEnterEvent>
#include <QMimeData>

namespace crosswalk::ui {

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    std::filesystem::path model;
    std::filesystem::path weights;
    std::filesystem::path data;
    for (const auto& url : event->mimeData()->urls()) {
        const std::filesystem::path path(url.toLocalFile().toStdString());
        if (const auto recorded = dataFolderOf(path)) {
            data = *recorded;
        } else {
            (path.extension() == ".params" ? weights : model) = path;
        }
    }
    event->acceptProposedAction();
    if (!model.empty()) {
        m_document.open(model, weights);
    } else if (m_document.isOpen() && !weights.empty()) {
        m_document.chooseWeights(weights);
    } else if (!data.empty()) {
        verifyAgainst(data);
    }
}

} // namespace crosswalk::ui
