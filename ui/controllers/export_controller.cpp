#include "ui/controllers/export_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/drag_out_controller.h"
#include "ui/controllers/messages.h"
#include "ui/controllers/verify_controller.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

namespace crosswalk::ui {

ExportController::ExportController(const WindowParts& parts, DragOutController& dragOut, VerifyController& verify)
    : Controller(parts)
    , m_dragOut(dragOut)
    , m_verify(verify)
{
    m_commands
        .add("fileExport", tr("&Export to ONNX\u2026"), QKeySequence(Qt::CTRL | Qt::Key_E), "export", [this] { ask(); })
        .enabledIf([this] { return m_document.exporter().obstacle().isEmpty(); });
    connect(&m_commands, &CommandSet::refreshed, this, &ExportController::refreshButton);
    connect(&m_document.exporter(), &Exporter::exported, this, &ExportController::report);
    connect(&m_document.exporter(), &Exporter::exportFailed, this, [this](const Diagnostic& problem) {
        m_messages.clear();
        m_messages.banner().show(QStringLiteral("export"), Severity::Error,
                                 withHint(tr("Nothing was exported: %1.").arg(messageText(problem.message)), problem));
    });
    connect(&m_document.exporter(), &Exporter::cancelled, this, [this](const QStringList& activities) {
        m_messages.show(tr("Cancelled: %1").arg(activities.join(QStringLiteral(", "))));
    });
}

QToolButton* ExportController::makeButton(QWidget* parent)
{
    m_button = new QToolButton(parent);
    m_button->setObjectName(QStringLiteral("exportButton"));
    m_button->setProperty("primary", true);
    m_button->setIcon(icon(QLatin1String("export"), IconTint::OnAccent));
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setFocusPolicy(Qt::TabFocus);
    connect(m_button, &QToolButton::clicked, m_commands["fileExport"], &QAction::trigger);
    return m_button;
}

void ExportController::refreshButton()
{
    if (m_button == nullptr) {
        return;
    }
    const QString obstacle = m_document.exporter().obstacle();
    const int gaps = m_document.gapCount();
    const bool differs =
        obstacle.isEmpty() && m_document.verifier().check() && !m_document.verifier().check()->outputs.equal();
    m_button->setEnabled(obstacle.isEmpty());
    m_button->setText(
        gaps == 0 || !obstacle.isEmpty()
            ? differs ? tr("Export despite differences") : tr("Export to ONNX")
            : counted(gaps, tr("Export with 1 gap\u2026"), tr("Export with %Ln gaps\u2026", nullptr, gaps)));
    m_button->setAccessibleName(m_button->text());
    m_button->setToolTip(!obstacle.isEmpty() ? obstacle
                         : differs ? tr("The check found other results: see the problems. Write the model (Ctrl+E)")
                                   : tr("Check the ONNX model and write it (Ctrl+E)"));
    m_button->setIcon(
        icon(QLatin1String(differs ? "warning" : "export"), obstacle.isEmpty() ? IconTint::OnAccent : IconTint::Text));
}

void ExportController::ask()
{
    const int gaps = m_document.gapCount();
    if (gaps == 0) {
        askPath();
        return;
    }
    QString text =
        counted(gaps, tr("1 node has no ONNX equivalent."), tr("%Ln nodes have no ONNX equivalent.", nullptr, gaps));
    const int waiting = static_cast<int>(m_document.converted()->conversion.behindGaps.size());
    if (waiting > 0) {
        text += u' ' + counted(waiting, tr("1 more node is blocked by a gap."),
                               tr("%Ln more nodes are blocked by gaps.", nullptr, waiting));
    }
    auto* question =
        new QMessageBox(QMessageBox::Warning, tr("Export with gaps"), text, QMessageBox::Cancel, &m_window);
    question->setIconPixmap(
        iconPixmap(QLatin1String("warning"), theme().approximate, 40, m_window.devicePixelRatioF()));
    question->setObjectName(QStringLiteral("gapsDialog"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(
        tr("They are kept as nodes of the domain crosswalk.gap. No runtime can run the file until all of them are "
           "replaced. The problems panel lists them with possible workarounds."));
    auto* go = question->addButton(tr("Export with gaps"), QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("exportWithGaps"));
    connect(go, &QAbstractButton::clicked, this, &ExportController::askPath);
    question->open();
}

void ExportController::askPath()
{
    const auto folder = m_document.path().parent_path();
    auto* dialog =
        fileDialog(&m_window, "exportDialog", tr("Export to ONNX"), pathText(folder), tr("ONNX models (*.onnx)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("onnx"));
    dialog->selectFile(exportName(m_document.path()));
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // our own question names the kind of file
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) { exportOver(path); });
    dialog->open();
}

void ExportController::exportOver(const QString& path)
{
    const std::filesystem::path target(path.toStdString());
    std::error_code ignored;
    if (!std::filesystem::exists(target, ignored)) {
        m_document.exporter().exportTo(target);
        return;
    }
    const bool isOpenModel = std::filesystem::equivalent(target, m_document.path(), ignored);
    const QString name = displayText(pathText(target.filename()));
    auto* question = new QMessageBox(QMessageBox::Warning, tr("Replace a file"),
                                     isOpenModel ? tr("%1 is the open model. Replace it with its export?").arg(name)
                                                 : tr("%1 already exists. Replace it?").arg(name),
                                     QMessageBox::Cancel, &m_window);
    question->setIconPixmap(
        iconPixmap(QLatin1String("warning"), theme().approximate, 40, m_window.devicePixelRatioF()));
    question->setObjectName(QStringLiteral("replaceDialog"));
    question->setDefaultButton(QMessageBox::Cancel);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(isOpenModel ? tr("This overwrites the model in the file.")
                                             : displayText(pathText(target)));
    auto* go = question->addButton(tr("Replace"), QMessageBox::AcceptRole);
    go->setObjectName(QStringLiteral("replaceFile"));
    connect(go, &QAbstractButton::clicked, this, [this, target] { m_document.exporter().exportTo(target); });
    question->open();
}

void ExportController::report(const ExportResult& result)
{
    m_messages.banner().clear(QStringLiteral("export"));
    m_dragOut.remember(result);
    QString text = tr("Exported %1, %2 in %3, checked")
                       .arg(displayText(pathText(result.path.filename())), bytesText(result.written.bytes),
                            secondsText(result.seconds));
    if (result.written.bytesInPlace > 0) {
        text = tr("%1; %2 of weights stay in the files of the model").arg(text, bytesText(result.written.bytesInPlace));
    }
    m_messages.show(text, displayText(pathText(result.path)));
    const bool isStaged = m_dragOut.isStaged(result);
    if (!isStaged) {
        m_messages.offerFile(text, result.path);
    }
    if (result.verified && result.model == m_document.converted()) { // the status bar shows the current conversion
        m_verify.report(*result.verified);
    }
    if (isStaged) {
        m_dragOut.takeOut();
    }
}

} // namespace crosswalk::ui
