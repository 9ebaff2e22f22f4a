// The legend of marks in the status bar. A click on an entry filters the nodes.

#include "ui/document/error_marks.h"
#include "ui/main_window/main_window.h"
#include "ui/models/proof_words.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QLabel>

#include <algorithm>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int waitingEntry = 100; ///< index of a legend entry that is not a verdict

/// Boxes of the source that are unsupported only because an earlier gap leaves their inputs unknown.
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
            parts.append(legendEntry(waitingEntry, theme().folded, waiting, tr("blocked")));
        }
    }
    parts.removeAll(QString());
    m_verdicts->setText(parts.join(QStringLiteral(" &nbsp; ")));
    m_timing->setText(tr("converted in %1").arg(secondsText(converted->seconds)));
}

QString MainWindow::legendEntry(int entry, const QColor& mark, std::ptrdiff_t count, const QString& name) const
{
    const bool isChosen = m_filter && m_filter->entry == entry;
    return count == 0 ? QString()
                      : QStringLiteral("<a href=\"%1\" style=\"color: %2; text-decoration: %6\">"
                                       "<span style=\"color: %3\">\u25cf</span> %L4 %5</a>")
                            .arg(entry)
                            .arg((isChosen ? theme().text : theme().mutedText).name(), mark.name())
                            .arg(count)
                            .arg(name, isChosen ? QStringLiteral("underline") : QStringLiteral("none"));
}

void MainWindow::toggleFilter(int entry)
{
    if (m_filter && m_filter->entry == entry) {
        m_document.select(m_document.selectedSide(), {}); // this also ends the filter
        return;
    }
    m_filter.reset();
    selectMarked(entry);
    if (m_document.selection().empty()) {
        return;
    }
    m_filter = LegendFilter{entry, {m_document.selection(), m_document.counterpartsOfSelection()}};
    if (m_document.selectedSide() == Side::Target) {
        std::swap(m_filter->boxes[0], m_filter->boxes[1]);
    }
    showFilter();
}

void MainWindow::endFilter()
{
    m_filter.reset();
    showFilter();
}

void MainWindow::showFilter()
{
    showMarks(Side::Source);
    showMarks(Side::Target);
    refreshStatus();
    showColourLegend();
}

std::shared_ptr<const SceneMarks> MainWindow::filteredMarks(Side side) const
{
    const auto& marks = m_document.shownMarks(side);
    if (!marks || !m_filter) {
        return marks;
    }
    auto filtered = std::make_shared<SceneMarks>(*marks);
    filtered->dimmed.assign(marks->verdicts.size(), true);
    for (const auto box : m_filter->boxes[side == Side::Source ? 0 : 1]) {
        if (box < filtered->dimmed.size()) {
            filtered->dimmed[box] = false;
        }
    }
    std::erase_if(filtered->alarms, [&](std::uint32_t box) { return filtered->isDimmed(box); });
    return filtered;
}

void MainWindow::selectMarked(int entry)
{
    // A node that the second model adds exists only on the other side.
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

} // namespace crosswalk::ui
