#pragma once

#include <QStyledItemDelegate>

namespace crosswalk::ui {

/// A line of the outline: verdict mark, name elided in the middle, operator or number of nodes at the right.
class OutlineDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace crosswalk::ui
