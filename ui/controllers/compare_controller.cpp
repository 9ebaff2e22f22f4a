#include "ui/controllers/compare_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/document/comparison.h"
#include "ui/document/document.h"
#include "ui/main_window/file_dialog.h"
#include "ui/models/shape_text.h"

#include <QMainWindow>

#include <algorithm>

namespace crosswalk::ui {

CompareController::CompareController(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_panes(panes)
{
    const auto isComparing = [this] { return m_document.compared() != nullptr; };
    m_commands
        .add("fileCompare", tr("Co&mpare with\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), nullptr,
             [this] { ask(); })
        .enabledIf([this] { return m_document.isOpen(); });
    m_commands
        .add("fileEndComparison", tr("E&nd the comparison"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_D), nullptr,
             [this] { m_document.endComparison(); })
        .enabledIf(isComparing);
    m_commands.add("nextDifference", tr("Next &difference"), QKeySequence(Qt::Key_F7), nullptr, [this] { step(1); })
        .enabledIf(isComparing);
    m_commands
        .add("previousDifference", tr("Previous d&ifference"), QKeySequence(Qt::SHIFT | Qt::Key_F7), nullptr,
             [this] { step(-1); })
        .enabledIf(isComparing);
}

void CompareController::ask()
{
    const auto& path = m_document.path();
    auto* dialog =
        fileDialog(&m_window, "compareDialog", tr("Compare %1 with").arg(displayText(path.filename().string())),
                   QString::fromStdString(path.parent_path().string()), modelFilter());
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& other) { m_document.compareWith(std::filesystem::path(other.toStdString())); });
    dialog->open();
}

void CompareController::step(int direction)
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
    const auto& selection = m_document.selection().boxes();
    const auto here = selection.empty() ? places.end()
                                        : std::find(places.begin(), places.end(),
                                                    std::pair(m_document.selection().side(), selection.front()));
    const auto count = static_cast<std::ptrdiff_t>(places.size());
    const std::ptrdiff_t next =
        here == places.end() ? (direction > 0 ? 0 : count - 1) : (here - places.begin() + direction + count) % count;
    const auto& [side, box] = places[static_cast<std::size_t>(next)];
    m_messages.show(tr("Difference %1 of %2").arg(next + 1).arg(count));
    m_document.selection().select(side, {box});
    m_panes.revealSelection();
}

} // namespace crosswalk::ui
