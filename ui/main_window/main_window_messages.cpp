// What the window says: status bar, progress, banners, notes on the docks.

#include "ui/document/error_marks.h"
#include "ui/main_window/dock_title.h"
#include "ui/main_window/main_window.h"
#include "ui/models/problems_model.h"
#include "ui/models/proof_words.h"
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

constexpr qsizetype longestBanner = 200; ///< characters
constexpr int progressDelay = 300;       ///< milliseconds: what is done sooner needs no progress
constexpr int waitingEntry = 100;        ///< of the legend, beside the verdicts

/// By box of the source: unsupported only for want of what another gap would give.
std::vector<bool> waitingBoxes(const GraphSide& source, const Conversion& conversion)
{
    std::vector<bool> waiting(source.scene->nodes.size());
    for (const NodeId node : conversion.behindGaps) {
        if (const auto box = source.boxOf(node)) {
            waiting[*box] = true;
        }
    }
    return waiting;
}

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
    m_verdicts->setToolTip(tr("Legend of the marks. A click selects the nodes of one kind."));
    connect(m_verdicts, &QLabel::linkActivated, this, [this](const QString& entry) { selectMarked(entry.toInt()); });
    m_timing = add(QStringLiteral("statusTiming"), tr("Time"));
    m_checked = add(QStringLiteral("statusVerified"), tr("Verification"));

    m_progress = new QWidget(statusBar());
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progressText = new QLabel(m_progress);
    auto* bar = new QProgressBar(m_progress);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedWidth(120);
    bar->setAccessibleName(tr("Progress"));
    auto* cancel = new QToolButton(m_progress);
    cancel->setObjectName(QStringLiteral("cancelButton"));
    cancel->setText(tr("Cancel"));
    cancel->setAccessibleName(tr("Cancel what is running"));
    connect(cancel, &QToolButton::clicked, this, [this] { m_document.cancel(); });
    auto* layout = new QHBoxLayout(m_progress);
    layout->setContentsMargins(6, 0, 0, 0);
    layout->addWidget(m_progressText);
    layout->addWidget(bar);
    layout->addWidget(cancel);
    m_progress->hide();
    m_progressDelay = new QTimer(this);
    m_progressDelay->setSingleShot(true);
    m_progressDelay->setInterval(progressDelay);
    connect(m_progressDelay, &QTimer::timeout, m_progress, &QWidget::show);

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
        m_progress->hide();
        return;
    }
    m_progressText->setText((*busy)->activity() + QChar(0x2026));
    if (!m_progressDelay->isActive() && m_progress->isHidden()) {
        m_progressDelay->start();
    }
}

void MainWindow::refreshStatus()
{
    const auto& converted = m_document.converted();
    const auto& source = m_document.side(Side::Source);
    m_counts->clear();
    m_verdicts->clear();
    m_timing->clear();
    if (!source || !converted) {
        return;
    }
    if (converted->diff) {
        showChanges();
        return;
    }
    const auto operators = static_cast<int>(source->graph->nodeCount());
    const int nodes = converted->target ? static_cast<int>(converted->target.side->graph->nodeCount()) : 0;
    m_counts->setText(QStringLiteral("%1 \u2192 %2")
                          .arg(counted(operators, tr("1 operator"), tr("%Ln operators", nullptr, operators)),
                               counted(nodes, tr("1 ONNX node"), tr("%Ln ONNX nodes", nullptr, nodes))));
    QStringList parts;
    if (m_document.errorsShown()) {
        std::array<int, 5> counts{};
        for (std::uint32_t i = 0; i < source->graph->nodeCount(); ++i) {
            ++counts[static_cast<std::size_t>(errorLevel(*m_document.check(), NodeId{i}))];
        }
        for (const auto level : {ErrorLevel::Same, ErrorLevel::Tiny, ErrorLevel::Tolerated, ErrorLevel::Differs,
                                 ErrorLevel::NotCompared}) {
            parts.append(legendEntry(static_cast<int>(level), theme().error(level).block,
                                     counts[static_cast<std::size_t>(level)], errorLevelName(level)));
        }
    } else {
        const auto& verdicts = converted->conversion.verdicts;
        for (const auto verdict :
             {Verdict::Exact, Verdict::Decomposed, Verdict::Approximate, Verdict::Unsupported, Verdict::Folded}) {
            const QColor mark = theme().verdict(verdict);
            const bool isLeftOut = verdict == Verdict::Folded && converted->options.part;
            const auto waiting = verdict == Verdict::Unsupported ? std::ssize(converted->conversion.behindGaps) : 0;
            parts.append(legendEntry(static_cast<int>(verdict), mark.isValid() ? mark : theme().exact,
                                     std::count(verdicts.begin(), verdicts.end(), verdict) - waiting,
                                     isLeftOut ? tr("left out") : verdictWord(verdict)));
            parts.append(legendEntry(waitingEntry, mark, waiting, tr("waiting for others")));
        }
    }
    parts.removeAll(QString());
    m_verdicts->setText(parts.join(QStringLiteral(" &nbsp; ")));
    m_timing->setText(tr("converted in %1").arg(secondsText(converted->seconds)));
}

QString MainWindow::legendEntry(int entry, const QColor& mark, std::ptrdiff_t count, const QString& name) const
{
    return count == 0 ? QString()
                      : QStringLiteral("<a href=\"%1\" style=\"color: %2; text-decoration: none\">"
                                       "<span style=\"color: %3\">\u25cf</span> %L4 %5</a>")
                            .arg(entry)
                            .arg(theme().mutedText.name(), mark.name())
                            .arg(count)
                            .arg(name);
}

void MainWindow::selectMarked(int entry)
{
    // What a comparison has found added stands on the other side only.
    const auto& converted = m_document.converted();
    const bool isAdded = converted && converted->diff && entry == static_cast<int>(Verdict::Decomposed);
    const Side side = isAdded ? Side::Target : Side::Source;
    const auto& marks = m_document.shownMarks(side);
    if (!marks) {
        return;
    }
    std::vector<std::uint32_t> boxes;
    const auto waiting = m_document.errorsShown() || !converted || converted->diff
                             ? std::vector<bool>(marks->verdicts.size())
                             : waitingBoxes(*m_document.side(side), converted->conversion);
    for (std::uint32_t i = 0; i < marks->verdicts.size(); ++i) {
        const bool isNode = m_document.side(side)->box(i).kind == SceneNode::Kind::Operator;
        const int of = m_document.errorsShown() ? static_cast<int>(marks->errors[i])
                       : waiting[i]             ? waitingEntry
                                                : static_cast<int>(marks->verdicts[i]);
        if (isNode && of == entry) {
            boxes.push_back(i);
        }
    }
    m_document.select(side, std::move(boxes));
    revealSelection();
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
    m_dockTitles[QStringLiteral("problemsDock")]->setNote(
        m_document.compared() != nullptr ? QString() : parts.join(QStringLiteral(", ")));
    const int inputs = m_inputs->model()->rowCount();
    m_dockTitles[QStringLiteral("inputsDock")]->setNote(
        inputs > 0 ? counted(inputs, tr("1 input"), tr("%Ln inputs", nullptr, inputs)) : QString());
    const auto* loaded = m_document.loaded();
    m_dockTitles[QStringLiteral("summaryDock")]->setNote(
        loaded != nullptr ? QString::fromStdString(loaded->path.filename().string()) : QString());
    refreshActions();
}

void MainWindow::tellOpenFailed(const Diagnostic& problem, const std::filesystem::path& path)
{
    QString text =
        tr("%1 cannot be opened: %2.").arg(QString::fromStdString(path.filename().string()), fromUtf8(problem.message));
    if (const QString hint = problemHint(problem); !hint.isEmpty()) {
        text += u' ' + hint + u'.';
    }
    if (!m_document.isOpen()) { // what the tab is called after
        setWindowFilePath(QString::fromStdString(path.string()));
        setWindowTitle(tr("%1 \u2014 Crosswalk").arg(QString::fromStdString(path.filename().string())));
    }
    m_banner->show(QStringLiteral("open"), Severity::Error, text, tr("Open another\u2026"), [this] { askOpen(); });
}

void MainWindow::tellOpenShapes()
{
    const auto& problems = m_document.problems();
    const bool isOpen = std::any_of(problems.begin(), problems.end(),
                                    [](const Diagnostic& d) { return d.code == Code("unknown-shape"); });
    if (!isOpen) {
        m_banner->clear(QStringLiteral("shapes"));
        return;
    }
    m_banner->show(QStringLiteral("shapes"), Severity::Warning,
                   tr("The file does not say the shape of every input: what depends on it waits to be converted."),
                   tr("Give shapes\u2026"), [this] {
                       showDock("inputsDock");
                       m_inputs->editOpenShape();
                   });
}

void MainWindow::tellMissingWeights()
{
    const auto& problems = m_document.problems();
    // Weights that fit until the user gave a shape are not the ones to blame.
    const bool given = !m_document.options().shapes.empty();
    const auto found = std::find_if(problems.begin(), problems.end(), [given](const Diagnostic& d) {
        return d.code == Code("missing-weight") || (d.code == Code("wrong-weight") && !given);
    });
    if (found == problems.end()) {
        m_banner->clear(QStringLiteral("weights"));
        return;
    }
    // The problems panel has all of a long list.
    QString text = problemSentence(*found);
    if (text.size() > longestBanner) {
        text = text.left(text.lastIndexOf(u',', longestBanner)) + QStringLiteral(", \u2026");
    } else {
        text += u'.';
    }
    m_banner->show(QStringLiteral("weights"), Severity::Warning, text, tr("Choose file\u2026"),
                   [this] { askWeights(); });
}

void MainWindow::tellMistake(const QString& activity, const QString& what)
{
    const QString report = QStringLiteral("Crosswalk %1, Qt %2\n%3: %4\nModel: %5\n")
                               .arg(QLatin1String(CROSSWALK_VERSION), QLatin1String(qVersion()), activity, what,
                                    QString::fromStdString(m_document.path().filename().string()));
    m_banner->show(
        QStringLiteral("mistake"), Severity::Error,
        tr("Sorry, this is a mistake of ours (%1). What is open stays open; please send us the report.").arg(what),
        tr("Copy the report"), [report] { QApplication::clipboard()->setText(report); });
}

} // namespace crosswalk::ui
