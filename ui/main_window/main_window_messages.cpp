// Messages of the window: status bar, progress, banners, notes on the docks.

#include "ui/main_window/bottom_area.h"
#include "ui/main_window/dock_title.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/models/problems_model.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/banner.h"
#include "ui/panels/inputs_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int progressDelay = 300;    ///< milliseconds: shorter jobs show no progress
constexpr int progressInterval = 100; ///< milliseconds
constexpr int progressSteps = 1000;

} // namespace

void MainWindow::buildStatusBar()
{
    statusBar()->setSizeGripEnabled(false);
    const auto add = [this](const QString& name, const QString& accessible) {
        auto* label = new QLabel(statusBar());
        label->setObjectName(name);
        label->setAccessibleName(accessible);
        return label;
    };
    m_message = add(QStringLiteral("statusMessage"), tr("Result"));
    m_counts = add(QStringLiteral("statusCounts"), tr("Nodes"));
    m_verdicts = add(QStringLiteral("statusVerdicts"), tr("Verdicts"));
    m_verdicts->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_verdicts->setToolTip(
        tr("Legend of the marks. Click an entry to show only its nodes; click it again or press Esc to show all."));
    connect(m_verdicts, &QLabel::linkActivated, this, [this](const QString& entry) { toggleFilter(entry.toInt()); });
    m_timing = add(QStringLiteral("statusTiming"), tr("Time"));
    m_checked = add(QStringLiteral("statusVerified"), tr("Verification"));

    m_progress = new QWidget(statusBar());
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progressText = new QLabel(m_progress);
    m_progressBar = new QProgressBar(m_progress);
    m_progressBar->setObjectName(QStringLiteral("progressBar"));
    m_progressBar->setRange(0, 0);
    m_progressBar->setTextVisible(false);
    m_progressBar->setFixedWidth(120);
    m_progressBar->setAccessibleName(tr("Progress"));
    auto* cancel = new QToolButton(m_progress);
    cancel->setObjectName(QStringLiteral("cancelButton"));
    cancel->setText(tr("Cancel"));
    cancel->setAccessibleName(tr("Cancel the running task"));
    connect(cancel, &QToolButton::clicked, this, [this] { m_document.cancel(); });
    auto* layout = new QHBoxLayout(m_progress);
    layout->setContentsMargins(6, 0, 0, 0);
    layout->addWidget(m_progressText);
    layout->addWidget(m_progressBar);
    layout->addWidget(cancel);
    m_progress->hide();
    m_progressDelay = new QTimer(this);
    m_progressDelay->setSingleShot(true);
    m_progressDelay->setInterval(progressDelay);
    connect(m_progressDelay, &QTimer::timeout, m_progress, &QWidget::show);
    m_progressPoll = new QTimer(this);
    m_progressPoll->setInterval(progressInterval);
    connect(m_progressPoll, &QTimer::timeout, this, &MainWindow::showProgress);

    statusBar()->addWidget(m_progress);
    statusBar()->addWidget(m_message, 1);
    for (auto* label : {m_counts, m_verdicts, m_timing, m_checked}) {
        statusBar()->addPermanentWidget(label);
    }
}

void MainWindow::showProgress()
{
    const auto& jobs = m_document.jobs();
    const auto busy = std::find_if(jobs.begin(), jobs.end(), [](const JobRunner* job) { return job->isBusy(); });
    if (busy == jobs.end()) {
        m_progressDelay->stop();
        m_progressPoll->stop();
        m_progress->hide();
        return;
    }
    const double done = (*busy)->progress();
    m_progressBar->setRange(0, done < 0 ? 0 : progressSteps); // an unknown progress shows a busy indicator
    m_progressBar->setValue(done < 0 ? 0 : static_cast<int>(done * progressSteps));
    m_progressText->setText((*busy)->activity() + QChar(0x2026));
    if (!m_progressDelay->isActive() && m_progress->isHidden()) {
        m_progressDelay->start();
        m_progressPoll->start();
    }
}

void MainWindow::refreshNotes()
{
    const auto* model = m_problems->model();
    const int errors = model->count(Severity::Error);
    const int warnings = model->count(Severity::Warning);
    const int notes = model->count(Severity::Note);
    QStringList parts;
    if (errors > 0) {
        parts.append(counted(errors, tr("1 error"), tr("%Ln errors", nullptr, errors)));
    }
    if (warnings > 0) {
        parts.append(counted(warnings, tr("1 warning"), tr("%Ln warnings", nullptr, warnings)));
    }
    if (notes > 0) {
        parts.append(counted(notes, tr("1 note"), tr("%Ln notes", nullptr, notes)));
    }
    const int all = errors + warnings + notes;
    const QString title = m_document.compared() != nullptr ? tr("Differences") : tr("Problems");
    m_docks[QStringLiteral("problemsDock")]->setWindowTitle(all > 0 ? QStringLiteral("%1 %2").arg(title).arg(all)
                                                                    : title);
    m_bottom->setNote(*m_docks[QStringLiteral("problemsDock")],
                      m_document.compared() != nullptr ? QString() : parts.join(QStringLiteral(", ")));
    const int inputs = m_inputs->model()->rowCount();
    m_bottom->setNote(*m_docks[QStringLiteral("inputsDock")],
                      inputs > 0 ? counted(inputs, tr("1 input"), tr("%Ln inputs", nullptr, inputs)) : QString());
    const auto* loaded = m_document.loaded();
    m_bottom->setNote(*m_docks[QStringLiteral("summaryDock")],
                      loaded != nullptr ? QString::fromStdString(loaded->path.filename().string()) : QString());
    refreshActions();
}

void MainWindow::reportOpenFailed(const Diagnostic& problem, const std::filesystem::path& path)
{
    // A folder that is not a model itself may contain models.
    std::error_code ignored;
    if (problem.code == Code("unreadable") && std::filesystem::is_directory(path, ignored) &&
        openModelIn(QString::fromStdString(path.string()))) {
        return;
    }
    QString text =
        tr("%1 cannot be opened: %2.").arg(QString::fromStdString(path.filename().string()), fromUtf8(problem.message));
    if (const QString hint = problemHint(problem); !hint.isEmpty()) {
        text += u' ' + hint + u'.';
    }
    if (!m_document.isOpen()) { // the title of the tab
        setWindowFilePath(QString::fromStdString(path.string()));
        setWindowTitle(tr("%1 \u2014 Crosswalk").arg(modelTitle(path)));
    }
    m_banner->show(QStringLiteral("open"), Severity::Error, text, tr("Open another\u2026"), [this] { askOpen(); });
}

void MainWindow::reportUnknownShapes()
{
    const auto& problems = m_document.problems();
    const bool isOpen = std::any_of(problems.begin(), problems.end(),
                                    [](const Diagnostic& d) { return d.code == Code("unknown-shape"); });
    if (!isOpen) {
        m_banner->clear(QStringLiteral("shapes"));
        return;
    }
    m_banner->show(
        QStringLiteral("shapes"), Severity::Warning,
        tr("The file does not contain the shapes of all inputs: nodes that depend on them are not converted."),
        tr("Give shapes\u2026"), [this] { askShapes(); });
}

void MainWindow::askShapes()
{
    showDock("inputsDock");
    m_inputs->editOpenShape();
}

void MainWindow::reportCancelled()
{
    if (!m_document.isOpen()) {
        return;
    }
    canvas(Side::Target)->setPlaceholder(tr("Conversion cancelled."));
    m_banner->show(QStringLiteral("cancelled"), Severity::Note, tr("Conversion cancelled."), tr("Convert again"),
                   [this] {
                       m_banner->clear(QStringLiteral("cancelled"));
                       m_document.convertAgain();
                   });
}

void MainWindow::reportMissingWeights()
{
    const auto& problems = m_document.problems();
    // Weights that fitted until the user set a shape are not the cause.
    const bool given = !m_document.options().shapes.empty();
    const auto found = std::find_if(problems.begin(), problems.end(), [given](const Diagnostic& d) {
        return d.code == Code("missing-weight") || (d.code == Code("wrong-weight") && !given);
    });
    if (found == problems.end()) {
        m_banner->clear(QStringLiteral("weights"));
        return;
    }
    // The tool tip in the problems panel has the complete list.
    QString text = shortSentence(*found);
    text += text.endsWith(QChar(0x2026)) ? QString() : QStringLiteral(".");
    m_banner->show(QStringLiteral("weights"), Severity::Warning, text, tr("Choose\u2026"), [this] { askWeights(); });
}

void MainWindow::reportInternalError(const QString& activity, const QString& what)
{
    const QString report = QStringLiteral("Crosswalk %1, Qt %2\n%3: %4\nModel: %5\n")
                               .arg(QLatin1String(CROSSWALK_VERSION), QLatin1String(qVersion()), activity, what,
                                    QString::fromStdString(m_document.path().filename().string()));
    m_banner->show(QStringLiteral("internalError"), Severity::Error,
                   tr("Internal error (%1). The open model is unaffected; please send us the report.").arg(what),
                   tr("Copy the report"), [report] { QApplication::clipboard()->setText(report); });
}

} // namespace crosswalk::ui
