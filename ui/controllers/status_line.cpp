#include "ui/controllers/status_line.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/messages.h"
#include "ui/controllers/node_filter.h"
#include "ui/document/comparison.h"
#include "ui/document/error_marks.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
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

StatusLine::StatusLine(const WindowParts& parts, NodeFilter& filter)
    : Controller(parts)
    , m_filter(filter)
    , m_counts(addLabel("statusCounts", tr("Nodes")))
    , m_verdicts(addLabel("statusVerdicts", tr("Verdicts")))
    , m_timing(addLabel("statusTiming", tr("Time")))
    , m_verified(addLabel("statusVerified", tr("Verification")))
{
    m_window.statusBar()->setSizeGripEnabled(false);
    m_verdicts->setTextFormat(Qt::RichText);
    m_verdicts->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_verdicts->setToolTip(
        tr("Legend of the marks. Click an entry to show only its nodes; click it again or press Esc to show all."));
    connect(m_verdicts, &QLabel::linkActivated, this,
            [this](const QString& entry) { m_filter.toggleMark(entry.toInt()); });
    buildProgress();
    m_window.statusBar()->addWidget(m_progress);
    m_window.statusBar()->addWidget(m_messages.label(), 1);
    for (auto* label : {m_counts, m_verdicts, m_timing, m_verified}) {
        m_window.statusBar()->addPermanentWidget(label);
    }
    m_commands
        .add("workCancel", tr("&Cancel the running task"), QKeySequence(Qt::CTRL | Qt::Key_Period), "close",
             [this] { m_document.cancel(); })
        .enabledIf([this] { return !m_document.isIdle(); });
    connect(&m_document, &Document::opened, m_verified, &QLabel::clear);
    connect(&m_document, &Document::conversionChanged, this, [this] {
        m_verified->clear();
        refresh();
    });
    connect(&m_document.colours(), &BoxColours::changed, this, &StatusLine::refresh);
    connect(&m_document, &Document::busyChanged, this, &StatusLine::showProgress);
    connect(&m_filter, &NodeFilter::changed, this, &StatusLine::refresh);
}

QLabel* StatusLine::addLabel(const char* name, const QString& accessibleName)
{
    auto* label = new QLabel(m_window.statusBar());
    label->setObjectName(QLatin1String(name));
    label->setAccessibleName(accessibleName);
    return label;
}

void StatusLine::showVerified(const QString& result, const QString& toolTip)
{
    m_verified->setText(result);
    m_verified->setToolTip(toolTip);
}

void StatusLine::buildProgress()
{
    m_progress = new QWidget(m_window.statusBar());
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
    connect(m_progressPoll, &QTimer::timeout, this, &StatusLine::showProgress);
}

void StatusLine::showProgress()
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

void StatusLine::refresh()
{
    m_counts->clear();
    m_verdicts->clear();
    m_timing->clear();
    const auto& converted = m_document.converted();
    if (!m_document.side(Side::Source) || !converted) {
        return;
    }
    if (converted->diff) {
        showComparison();
    } else {
        showConversion();
    }
}

void StatusLine::showConversion()
{
    const auto& converted = m_document.converted();
    const auto& source = m_document.side(Side::Source);
    const auto operators = static_cast<int>(source->graph->nodeCount());
    const int nodes = converted->target ? static_cast<int>(converted->target.side->graph->nodeCount()) : 0;
    m_counts->setText(QStringLiteral("%1 \u2192 %2")
                          .arg(counted(operators, tr("1 operator"), tr("%Ln operators", nullptr, operators)),
                               counted(nodes, tr("1 ONNX node"), tr("%Ln ONNX nodes", nullptr, nodes))));
    QStringList parts;
    if (m_document.colours().areErrors()) {
        std::array<int, 5> counts{};
        for (std::uint32_t i = 0; i < source->graph->nodeCount(); ++i) {
            ++counts[static_cast<std::size_t>(errorLevel(*m_document.verifier().check(), NodeId{i}))];
        }
        for (const auto level : {ErrorLevel::Same, ErrorLevel::Tiny, ErrorLevel::Tolerated, ErrorLevel::Differs,
                                 ErrorLevel::NotCompared}) {
            parts.append(legendEntry(static_cast<int>(level), theme().error(level).block,
                                     counts[static_cast<std::size_t>(level)],
                                     errorLevelName(level, counts[static_cast<std::size_t>(level)])));
        }
    } else {
        const auto& verdicts = converted->conversion.verdicts;
        for (const auto verdict :
             {Verdict::Exact, Verdict::Decomposed, Verdict::Approximate, Verdict::Unsupported, Verdict::Folded}) {
            const QColor mark = theme().verdict(verdict);
            const bool isLeftOut =
                verdict == Verdict::Folded && (converted->options.part || !converted->options.outputs.empty());
            const auto waiting = verdict == Verdict::Unsupported ? std::ssize(converted->conversion.behindGaps) : 0;
            parts.append(legendEntry(static_cast<int>(verdict), mark.isValid() ? mark : theme().exact,
                                     std::count(verdicts.begin(), verdicts.end(), verdict) - waiting,
                                     isLeftOut ? tr("left out") : verdictWord(verdict)));
            parts.append(
                legendEntry(NodeFilter::blockedEntry, theme().tint(Tint::Blocked).block, waiting, tr("blocked")));
        }
    }
    parts.removeAll(QString());
    m_verdicts->setText(parts.join(QStringLiteral(" &nbsp; ")));
    m_timing->setText(tr("converted in %1").arg(secondsText(converted->seconds)));
}

void StatusLine::showComparison()
{
    const ModelDiff& diff = *m_document.converted()->diff;
    const int nodes = static_cast<int>(diff.ofFirst.size());
    QStringList parts;
    for (const Change change : {Change::Same, Change::Changed, Change::Removed, Change::Added}) {
        const Verdict mark = markOf(change);
        const QColor color = theme().verdict(mark).isValid() ? theme().verdict(mark) : theme().exact;
        parts.append(legendEntry(static_cast<int>(mark), color, static_cast<std::ptrdiff_t>(diff.count(change)),
                                 changeWord(change)));
    }
    parts.removeAll(QString());
    m_verdicts->setText(parts.join(QStringLiteral(" &nbsp; ")));
    m_counts->setText(diff.isEqual() ? tr("The models are equal")
                                     : QStringLiteral("%1 \u2192 %L2")
                                           .arg(counted(nodes, tr("1 node"), tr("%Ln nodes", nullptr, nodes)))
                                           .arg(diff.ofSecond.size()));
    m_timing->setText(tr("compared in %1").arg(secondsText(m_document.converted()->seconds)));
}

QString StatusLine::legendEntry(int entry, const QColor& mark, std::ptrdiff_t count, const QString& name) const
{
    const bool isChosen = m_filter.isMark(entry);
    return count == 0 ? QString()
                      : QStringLiteral("<a href=\"%1\" style=\"color: %2; text-decoration: %6\">"
                                       "<span style=\"color: %3\">\u25cf</span> %L4 %5</a>")
                            .arg(entry)
                            .arg((isChosen ? theme().text : theme().mutedText).name(), mark.name())
                            .arg(count)
                            .arg(name, isChosen ? QStringLiteral("underline") : QStringLiteral("none"));
}

} // namespace crosswalk::ui
