#include "ui/controllers/save_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/document/document.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/panels/banner.h"
#include "ui/panels/graph_pane.h"

#include <QMainWindow>

namespace crosswalk::ui {

SaveController::SaveController(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_panes(panes)
{
    m_commands
        .add("filePicture", tr("Save a &picture of the graph\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
             nullptr, [this] { askPicture(CanvasView::Part::Whole); })
        .enabledIf([this] { return m_document.isOpen(); });
    m_commands
        .add("filePictureOfSelection", tr("Save a picture of the &selection\u2026"),
             QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P), nullptr, [this] { askPicture(CanvasView::Part::Selection); })
        .enabledIf([this] { return !m_panes.picked().boxes.empty(); });
    m_commands
        .add("fileReport", tr("Save a &report of the conversion\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R),
             nullptr, [this] { askReport(); })
        .enabledIf([this] {
            return m_document.converted() != nullptr && m_document.compared() == nullptr && !m_document.isOutdated();
        });
    m_commands
        .add("fileLayers", tr("Save the &layers as CSV\u2026"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_L), nullptr,
             [this] { askLayers(); })
        .enabledIf([this] { return m_document.converted() != nullptr; });
    connect(&m_document.exporter(), &Exporter::saved, this, &SaveController::reportSaved);
    connect(&m_document.exporter(), &Exporter::saveFailed, this, [this](const Diagnostic& problem) {
        m_messages.banner().show(QStringLiteral("save"), Severity::Error,
                                 tr("Nothing was saved: %1.").arg(messageText(problem.message)));
    });
}

void SaveController::askPicture(CanvasView::Part part)
{
    // The active pane is empty while the model is converted, and if the conversion failed.
    const bool isSource = m_panes.activeSide() == Side::Source || m_panes.activeCanvas()->drawnScene() == nullptr;
    const CanvasView& canvas = isSource ? *m_panes.pane(Side::Source)->visibleCanvas() : *m_panes.activeCanvas();
    if (canvas.drawnScene() == nullptr) {
        return;
    }
    const ScenePart shown = canvas.part(part);
    const auto& path = m_document.path();
    auto* dialog =
        fileDialog(&m_window, "pictureDialog",
                   isSource ? tr("Save a picture of the source graph") : tr("Save a picture of the ONNX graph"),
                   QString::fromStdString(path.parent_path().string()), tr("PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& filter) { dialog->setDefaultSuffix(filter.left(3).toLower()); });
    dialog->selectFile(suggestedStem(path) + (isSource ? QString() : QStringLiteral("-onnx")));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, shown](const QString& file) { m_document.exporter().savePicture(file.toStdString(), shown); });
    dialog->open();
}

void SaveController::askReport()
{
    const auto& path = m_document.path();
    auto* dialog = fileDialog(&m_window, "reportDialog", tr("Save a report of the conversion"),
                              QString::fromStdString(path.parent_path().string()), tr("Web pages (*.html)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(suggestedStem(path) + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { m_document.exporter().saveReport(file.toStdString()); });
    dialog->open();
}

void SaveController::askLayers()
{
    const auto& path = m_document.path();
    auto* dialog = fileDialog(&m_window, "layersDialog", tr("Save the layers"),
                              QString::fromStdString(path.parent_path().string()), tr("Tables (*.csv)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(tr("%1-layers.csv").arg(suggestedStem(path)));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { m_document.exporter().saveLayers(file.toStdString()); });
    dialog->open();
}

void SaveController::reportSaved(const std::filesystem::path& path)
{
    m_messages.banner().clear(QStringLiteral("save"));
    const QString text = tr("Saved %1").arg(displayText(path.filename().string()));
    m_messages.show(text, displayText(path.string()));
    m_messages.offerFile(text, path);
}

} // namespace crosswalk::ui
