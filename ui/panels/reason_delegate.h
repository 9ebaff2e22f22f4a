#pragma once

#include <QStyledItemDelegate>

class QTreeView;

namespace crosswalk::ui {

/// Sentences in a column of a table: in as many lines as they need, up to a few; what is more is cut at the end. Where
/// the rows of the view are all of one height they have one line.
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
