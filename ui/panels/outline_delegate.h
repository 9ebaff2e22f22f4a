#pragma once

#include <QStyledItemDelegate>

namespace crosswalk::ui {

/// A row of the outline: verdict mark, name with its telling end, and the operator or the number of nodes on the right.
class OutlineDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace crosswalk::ui
