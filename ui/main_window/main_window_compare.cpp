// Comparison of two models: File > Compare with, the legend of changes, stepping through the differences.

#include "ui/document/comparison.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <QAction>
#include <QLabel>
#include <QMenu>

#include <algorithm>

namespace crosswalk::ui {

void MainWindow::buildCompareActions(QMenu& file)
{
    file.addAction(addCommand("fileCompare", tr("Co&mpare with\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D),
                              nullptr, [this] { askCompare(); }));
    file.addAction(addCommand("fileEndComparison", tr("E&nd the comparison"),
                              QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_D), nullptr,
                              [this] { m_document.endComparison(); }));
    file.addSeparator();
}

void MainWindow::buildDifferenceActions(QMenu& model)
{
    model.addAction(addCommand("nextDifference", tr("Next &difference"), QKeySequence(Qt::Key_F7), nullptr,
                               [this] { stepDifference(1); }));
    model.addAction(addCommand("previousDifference", tr("Previous d&ifference"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
                               nullptr, [this] { stepDifference(-1); }));
    model.addSeparator();
}

void MainWindow::refreshCompareActions()
{
    const bool isComparing = m_document.compared() != nullptr;
    m_actions[QStringLiteral("fileCompare")]->setEnabled(m_document.isOpen());
    for (const char* name : {"fileEndComparison", "nextDifference", "previousDifference"}) {
        m_actions[QLatin1String(name)]->setEnabled(isComparing);
    }
}

void MainWindow::askCompare()
{
    const auto& path = m_document.path();
    auto* dialog =
        fileDialog(this, "compareDialog", tr("Compare %1 with").arg(QString::fromStdString(path.filename().string())),
                   QString::fromStdString(path.parent_path().string()), modelFilter());
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& other) { m_document.compareWith(std::filesystem::path(other.toStdString())); });
    dialog->open();
}

void MainWindow::showChanges()
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

void MainWindow::stepDifference(int direction)
{
    std::vector<std::pair<Side, std::uint32_t>> places;
    for (const Side side : {Side::Source, Side::Target}) {
        const auto& marks = m_document.marks(side);
        for (std::size_t i = 0; marks && i < marks->alarms.size(); ++i) {
            // A changed node is on both sides but counts once.
            const std::uint32_t box = marks->alarms[i];
            if (side == Side::Source || marks->verdicts[box] == markOf(Change::Added)) {
                places.emplace_back(side, box);
            }
        }
    }
    if (places.empty()) {
        return;
    }
    const auto& selection = m_document.selection();
    const auto here = selection.empty() ? places.end()
                                        : std::find(places.begin(), places.end(),
                                                    std::pair(m_document.selectedSide(), selection.front()));
    const auto count = static_cast<std::ptrdiff_t>(places.size());
    const std::ptrdiff_t next =
        here == places.end() ? (direction > 0 ? 0 : count - 1) : (here - places.begin() + direction + count) % count;
    const auto& [side, box] = places[static_cast<std::size_t>(next)];
    m_message->setText(tr("Difference %1 of %2").arg(next + 1).arg(count));
    m_document.select(side, {box});
    revealSelection();
}

} // namespace crosswalk::ui
