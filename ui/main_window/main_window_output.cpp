// Dialogs for opening, exporting and help.

#include "ui/main_window/about_dialog.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/toast.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {

void MainWindow::askOpen(bool isFolder)
{
    const QString folder = m_document.isOpen()          ? pathText(m_document.path().parent_path())
                           : m_recent.paths().isEmpty() ? QDir::homePath()
                                                        : QFileInfo(m_recent.paths().front()).absolutePath();
    auto* dialog = isFolder ? fileDialog(this, "openFolderDialog", tr("Open a model folder"), folder, {})
                            : fileDialog(this, "openDialog", tr("Open a model"), folder, modelFilter());
    dialog->setFileMode(isFolder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { openAnother(path); });
    dialog->open();
}

bool MainWindow::openModelIn(const QString& folder)
{
    constexpr std::size_t mostFiles = 1000; // the window waits for it
    const auto models = modelsIn(folder.toStdString(), mostFiles);
    if (models.empty()) {
        return false;
    }
    if (models.size() == 1) {
        openAnother(pathText(models.front()));
        return true;
    }
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("folderDialog"));
    dialog->setWindowTitle(tr("Open a model of %1").arg(QFileInfo(folder).fileName()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto count = static_cast<int>(models.size());
    auto* text =
        new QLabel(tr("The folder contains %Ln models. Which one do you want to open?", nullptr, count), dialog);
    auto* list = new QListWidget(dialog);
    list->setObjectName(QStringLiteral("folderModels"));
    list->setAccessibleName(tr("Models in the folder"));
    for (const auto& model : models) {
        auto* item = new QListWidgetItem(pathText(model.filename()), list);
        item->setData(Qt::UserRole, pathText(model));
    }
    list->setCurrentRow(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, dialog);
    if (m_tabs != nullptr) {
        auto* all = buttons->addButton(tr("Show as a &collection"), QDialogButtonBox::ActionRole);
        all->setObjectName(QStringLiteral("folderCollection"));
        connect(all, &QPushButton::clicked, this, [this, dialog, folder] {
            dialog->reject();
            m_tabs->openCollection(folder);
        });
    }
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text);
    layout->addWidget(list);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(list, &QListWidget::itemDoubleClicked, dialog, &QDialog::accept);
    connect(dialog, &QDialog::accepted, this, [this, list] {
        if (const auto* item = list->currentItem()) {
            openAnother(item->data(Qt::UserRole).toString());
        }
    });
    dialog->open();
    list->setFocus();
    return true;
}

void MainWindow::askWeights()
{
    auto* dialog =
        fileDialog(this, "weightsDialog", tr("Choose the weights of %1").arg(pathText(m_document.path().filename())),
                   pathText(m_document.path().parent_path()), weightsFilter());
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { readAgain(std::filesystem::path(path.toStdString())); });
    dialog->open();
}

void MainWindow::askExport()
{
    const int gaps = m_document.gapCount();
    const auto choosePath = [this] {
        const auto folder = m_document.path().parent_path();
        auto* dialog =
            fileDialog(this, "exportDialog", tr("Export to ONNX"), pathText(folder), tr("ONNX models (*.onnx)"));
        dialog->setAcceptMode(QFileDialog::AcceptSave);
        dialog->setDefaultSuffix(QStringLiteral("onnx"));
        dialog->selectFile(exportName(m_document.path()));
        dialog->setOption(QFileDialog::DontConfirmOverwrite); // our own question names the kind of file
        connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { exportOver(path); });
        dialog->open();
    };
    if (gaps == 0) {
        choosePath();
        return;
    }
    QString text =
        counted(gaps, tr("1 node has no ONNX equivalent."), tr("%Ln nodes have no ONNX equivalent.", nullptr, gaps));
    const int waiting = static_cast<int>(m_document.converted()->conversion.behindGaps.size());
    if (waiting > 0) {
        text += u' ' + counted(waiting, tr("1 more node is blocked by a gap."),
                               tr("%Ln more nodes are blocked by gaps.", nullptr, waiting));
    }
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Export with gaps"), text, QMessageBox::Cancel, this);
    question->setIconPixmap(iconPixmap(QLatin1String("warning"), theme().approximate, 40, devicePixelRatioF()));
    question->setObjectName(QStringLiteral("gapsDialog"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(
        tr("They are kept as nodes of the domain crosswalk.gap. No runtime can run the file until all of them are "
           "replaced. The problems panel lists them with possible workarounds."));
    auto* go = question->addButton(tr("Export with gaps"), QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("exportWithGaps"));
    connect(go, &QAbstractButton::clicked, this, choosePath);
    question->open();
}

void MainWindow::exportOver(const QString& path)
{
    const std::filesystem::path target(path.toStdString());
    std::error_code ignored;
    if (!std::filesystem::exists(target, ignored)) {
        m_document.exportTo(target);
        return;
    }
    const bool isOpenModel = std::filesystem::equivalent(target, m_document.path(), ignored);
    const QString name = pathText(target.filename());
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Replace a file"),
                                     isOpenModel ? tr("%1 is the open model. Replace it with its export?").arg(name)
                                                 : tr("%1 already exists. Replace it?").arg(name),
                                     QMessageBox::Cancel, this);
    question->setIconPixmap(iconPixmap(QLatin1String("warning"), theme().approximate, 40, devicePixelRatioF()));
    question->setObjectName(QStringLiteral("replaceDialog"));
    question->setDefaultButton(QMessageBox::Cancel);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(isOpenModel ? tr("This overwrites the model in the file.") : pathText(target));
    auto* go = question->addButton(tr("Replace"), QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("replaceFile"));
    connect(go, &QAbstractButton::clicked, this, [this, target] { m_document.exportTo(target); });
    question->open();
}

void MainWindow::reportExported(const ExportResult& result)
{
    m_banner->clear(QStringLiteral("export"));
    rememberExport(result);
    const QString text =
        tr("Exported %1, %2 in %3, checked")
            .arg(pathText(result.path.filename()), bytesText(result.written.bytes), secondsText(result.seconds));
    m_message->setText(text);
    m_message->setToolTip(pathText(result.path));
    const bool isStaged = m_staging && result.path.parent_path() == m_staging->path().toStdString();
    if (!isStaged) {
        offerFile(text, result.path);
    }
    if (result.verified) {
        reportVerified(*result.verified);
    }
    if (isStaged) {
        takeOut();
    }
}

void MainWindow::offerFile(const QString& text, const std::filesystem::path& file)
{
    const QString path = pathText(file);
    m_toast->show(text, {{QStringLiteral("toastFolder"), tr("Show in folder"),
                          [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); }},
                         {QStringLiteral("toastCopy"), tr("Copy path"), [path] {
                              QApplication::clipboard()->setText(
                                  QDir::toNativeSeparators(QFileInfo(path).absoluteFilePath()));
                          }}});
}

void MainWindow::showAbout()
{
    (new AboutDialog(this))->open();
}

void MainWindow::showShortcuts()
{
    const std::pair<QString, QString> rows[] = {
        {tr("Wheel, Shift+wheel"), tr("scroll vertically, horizontally")},
        {tr("Ctrl+wheel, pinch"), tr("zoom at the pointer")},
        {tr("Drag on the background, middle button, Space+drag"), tr("move the graph")},
        {tr("Arrow up, down"), tr("to a producer, to a consumer")},
        {tr("Arrow left, right"), tr("to a neighbour")},
        {tr("Enter"), tr("open a group or a body; go to a node's panel")},
        {tr("Ctrl+Enter"), tr("open a body in a tab")},
        {tr("Backspace"), tr("back to the previous node, then out of the group or body")},
        {tr("Alt+Left, Alt+Right, mouse buttons"), tr("back and forward through the selections")},
        {tr("Shift+click, Shift+drag, Shift+arrows"), tr("extend the selection")},
        {tr("U, D, P, O"), tr("select upstream, downstream, paths between; go to the counterpart")},
        {tr("B, Ctrl+B, Ctrl+Shift+B"), tr("bookmark, to the next one, to the one before")},
        {tr("Double click, click on a group's title"), tr("open a group or a body, close a group")},
        {tr("E, C, Shift+E, Shift+C"), tr("open a group, close it, open all, close all")},
        {tr("F, 1, Z"), tr("fit, 100 %, zoom to the selection")},
        {tr("S, L"), tr("show or hide the shapes on edges, the legend of the colours")},
        {tr("Ctrl+Alt+1 to Ctrl+Alt+8"),
         tr("colour by operator family, parameters, size, work, type, verdict, latency")},
        {tr("Ctrl+F, Ctrl+K"), tr("find a node, run a command")},
        {tr("F6, Shift+F6, Esc"), tr("to the next pane, the one before, back to the graph")},
        {tr("Alt+1 to Alt+7"), tr("show or hide a panel")},
        {tr("F8, Shift+F8"), tr("next, previous problem")},
        {tr("F7, Shift+F7"), tr("next, previous difference of two models")},
        {tr("Ctrl+O, Ctrl+Shift+F, Ctrl+Shift+M"), tr("open a file, a folder, a folder as a collection")},
        {tr("Ctrl+T, Ctrl+W, Ctrl+Tab"), tr("new tab, close tab, next tab")},
        {tr("Ctrl+E, Ctrl+R"), tr("export, verify")},
        {tr("Ctrl+1, Ctrl+2, Ctrl+3"), tr("show the source, both graphs, ONNX")},
        {tr("Ctrl+J, M"), tr("collapse or open the panels below the graphs, show the graphs alone")},
        {tr("Ctrl+L, Ctrl+Shift+L"), tr("link the panes, stack them")},
        {tr("Ctrl+P, then 1 and 7"), tr("opset 17, and so on")},
        {tr("Ctrl+,"), tr("settings")},
        {tr("Ctrl+Z"), tr("undo an edit or a choice")},
    };
    QString table = QStringLiteral("<table cellspacing='0' cellpadding='3'>");
    for (const auto& [keys, what] : rows) {
        table += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                     .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Keys and mouse"), table + QStringLiteral("</table>"),
                                QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("shortcutsDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace crosswalk::ui
