#include "ui/panels/cell_table.h"

#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

namespace crosswalk::ui {

CellTable::CellTable(int homeColumn, QWidget* parent)
    : QTreeView(parent)
    , m_homeColumn(homeColumn)
{
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setSelectionBehavior(SelectItems); // otherwise the arrow keys do not move between columns
    setEditTriggers(DoubleClicked | SelectedClicked | EditKeyPressed | AnyKeyPressed);
}

QModelIndex CellTable::editableBeside(QModelIndex index, bool next) const
{
    do {
        const int column = index.column() + (next ? 1 : -1);
        index = column < 0                        ? index.sibling(index.row() - 1, model()->columnCount() - 1)
                : column < model()->columnCount() ? index.siblingAtColumn(column)
                                                  : index.sibling(index.row() + 1, 0);
    } while (index.isValid() && !index.flags().testFlag(Qt::ItemIsEditable));
    return index;
}

void CellTable::focusInEvent(QFocusEvent* event)
{
    if (!currentIndex().isValid() && event->reason() != Qt::MouseFocusReason) {
        setCurrentIndex(model()->index(0, m_homeColumn));
    }
    QTreeView::focusInEvent(event);
}

bool CellTable::focusNextPrevChild(bool next)
{
    const QModelIndex beside = editableBeside(currentIndex(), next);
    if (!beside.isValid()) {
        return QTreeView::focusNextPrevChild(next);
    }
    setCurrentIndex(beside);
    return true;
}

void CellTable::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint)
{
    QTreeView::closeEditor(editor, QAbstractItemDelegate::NoHint);
    if (hint == QAbstractItemDelegate::EditNextItem || hint == QAbstractItemDelegate::EditPreviousItem) {
        focusNextPrevChild(hint == QAbstractItemDelegate::EditNextItem);
    }
}

void CellTable::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && state() != EditingState && currentIndex().flags().testFlag(Qt::ItemIsEditable)) {
        edit(currentIndex());
    } else {
        QTreeView::keyPressEvent(event);
    }
}

void CellTable::paintEvent(QPaintEvent* event)
{
    QTreeView::paintEvent(event);
    if (hasFocus() && currentIndex().isValid()) {
        QPainter painter(viewport());
        painter.setPen(theme().accent);
        painter.drawRect(visualRect(currentIndex()).adjusted(0, 0, -1, -1));
    }
}

} // namespace crosswalk::ui
