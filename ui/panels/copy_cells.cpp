#include "ui/panels/copy_cells.h"

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>

namespace crosswalk::ui {
namespace {

constexpr qint64 mostCopied = 1'000'000; ///< cells

/// The smallest rectangle of cells that contains the selection; x is the column.
QRect areaOf(const QItemSelection& selection)
{
    QRect area;
    for (const QItemSelectionRange& range : selection) {
        area |= QRect(QPoint(range.left(), range.top()), QPoint(range.right(), range.bottom()));
    }
    return area;
}

/// Cells of the rectangle that are not selected are empty.
QString textOf(const QItemSelectionModel& selection, const QRect& area)
{
    QString text;
    for (int row = area.top(); row <= area.bottom(); ++row) {
        for (int column = area.left(); column <= area.right(); ++column) {
            const QModelIndex cell = selection.model()->index(row, column);
            if (column > area.left()) {
                text += u'\t';
            }
            if (selection.isSelected(cell)) {
                text += cell.data().toString();
            }
        }
        text += row < area.bottom() ? QStringLiteral("\n") : QString();
    }
    return text;
}

} // namespace

void addCopyAction(QAbstractItemView& table, const QString& text, const std::function<void(qint64)>& refuse)
{
    auto* action = new QAction(text, &table);
    action->setShortcut(QKeySequence::Copy);
    action->setShortcutContext(Qt::WidgetShortcut);
    table.addAction(action);
    table.setContextMenuPolicy(Qt::ActionsContextMenu);
    QObject::connect(action, &QAction::triggered, &table, [&table, refuse] {
        const QItemSelectionModel& selection = *table.selectionModel();
        const QRect area = areaOf(selection.selection());
        const qint64 cells = qint64{area.width()} * area.height();
        if (cells > mostCopied) {
            refuse(cells);
        } else if (cells > 0) {
            QGuiApplication::clipboard()->setText(textOf(selection, area));
        }
    });
}

} // namespace crosswalk::ui
