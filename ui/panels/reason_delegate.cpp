#include "ui/panels/reason_delegate.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int maxLines = 3;
constexpr int sides = 12; ///< margins left and right of a text, at least those of the style

} // namespace

ReasonDelegate::ReasonDelegate(QTreeView* view, int column)
    : QStyledItemDelegate(view)
    , m_view(view)
{
    view->setItemDelegateForColumn(column, this);
    connect(view->header(), &QHeaderView::sectionResized, this, [this, column](int section) {
        if (section == column && !m_view->uniformRowHeights()) {
            emit sizeHintChanged({}); // makes the view lay out its rows again
        }
    });
}

void ReasonDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
    if (!m_view->uniformRowHeights()) {
        option->features |= QStyleOptionViewItem::WrapText;
    }
}

QSize ReasonDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize line = QStyledItemDelegate::sizeHint(option, index);
    if (m_view->uniformRowHeights()) {
        return line;
    }
    const QFontMetrics metrics(option.font);
    const int room = std::max(m_view->columnWidth(index.column()) - sides, metrics.height());
    const QRect text = metrics.boundingRect(QRect(0, 0, room, maxLines * metrics.lineSpacing()),
                                            Qt::TextWordWrap | Qt::AlignLeft, index.data().toString());
    const int lines = std::clamp(text.height() / metrics.lineSpacing(), 1, maxLines);
    return {line.width(), metrics.height() + (lines - 1) * metrics.lineSpacing() + line.height() - metrics.height()};
}

} // namespace crosswalk::ui
