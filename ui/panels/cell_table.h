#pragma once

#include <QTreeView>

namespace crosswalk::ui {

/// A flat table that is worked in by keys: the focus arrives at a cell that can be edited and is seen there, the arrows
/// move among all cells, Enter, F2 and typing edit, Tab goes on to the next cell that can be edited and leaves after
/// the last.
class CellTable final : public QTreeView {
    Q_OBJECT
public:
    /// The focus arrives in this column.
    explicit CellTable(int homeColumn, QWidget* parent = nullptr);

protected:
    void focusInEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Row by row; invalid after the last and before the first.
    QModelIndex editableBeside(QModelIndex index, bool next) const;

    int m_homeColumn;
};

} // namespace crosswalk::ui
