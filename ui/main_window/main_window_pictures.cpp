// Pictures, tables and reports of the displayed model.

#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/banner.h"

#include <QLabel>

namespace crosswalk::ui {

void MainWindow::askPicture(CanvasView::Part part)
{
    const ScenePart shown = activeCanvas()->part(part);
    const auto& path = m_document.path();
    auto* dialog =
        fileDialog(this, "pictureDialog",
                   m_activeSide == Side::Source ? tr("Save a picture of the source graph")
                                                : tr("Save a picture of the ONNX graph"),
                   QString::fromStdString(path.parent_path().string()), tr("PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& filter) { dialog->setDefaultSuffix(filter.left(3).toLower()); });
    dialog->selectFile(suggestedStem(path) + (m_activeSide == Side::Source ? QString() : QStringLiteral("-onnx")));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, shown](const QString& file) { m_document.savePicture(file.toStdString(), shown); });
    dialog->open();
}

void MainWindow::askReport()
{
    const auto& path = m_document.path();
    auto* dialog = fileDialog(this, "reportDialog", tr("Save a report of the conversion"),
                              QString::fromStdString(path.parent_path().string()), tr("Web pages (*.html)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(suggestedStem(path) + QStringLiteral(".html"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { m_document.saveReport(file.toStdString()); });
    dialog->open();
}

void MainWindow::askLayers()
{
    const auto& path = m_document.path();
    auto* dialog = fileDialog(this, "layersDialog", tr("Save the layers"),
                              QString::fromStdString(path.parent_path().string()), tr("Tables (*.csv)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(tr("%1-layers.csv").arg(suggestedStem(path)));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { m_document.saveLayers(file.toStdString()); });
    dialog->open();
}

void MainWindow::reportSaved(const std::filesystem::path& path)
{
    m_banner->clear(QStringLiteral("save"));
    const QString text = tr("Saved %1").arg(QString::fromStdString(path.filename().string()));
    m_message->setText(text);
    m_message->setToolTip(QString::fromStdString(path.string()));
    offerFile(text, path);
}

void MainWindow::reportSaveFailed(const Diagnostic& problem)
{
    m_banner->show(QStringLiteral("save"), Severity::Error,
                   tr("Nothing was saved: %1.").arg(QString::fromStdString(problem.message)));
}

} // namespace crosswalk::ui
