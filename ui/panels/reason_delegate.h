#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace crosswalk::ui {

/// Wraps sentences in a table column to a few lines and elides the rest. Uses a single line if all rows of the view
/// have the same height.
class ReasonDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    ReasonDelegate(QTreeView* view, int column);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    QTreeView* m_view;
};

} // namespace crosswalk::ui
