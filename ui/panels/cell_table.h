#pragma once

#include <QTreeView>

namespace crosswalk::ui {

/// A flat table that is operated by keyboard. The focus starts at an editable cell and is visible there. The arrow keys
/// move among all cells, Enter, F2 and typing start editing, Tab moves to the next editable cell and leaves the table
/// after the last.
class CellTable final : public QTreeView {
    Q_OBJECT
public:
    /// The column that receives the focus.
    explicit CellTable(int homeColumn, QWidget* parent = nullptr);

protected:
    void focusInEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// The next editable cell in row order; invalid after the last and before the first.
    QModelIndex editableBeside(QModelIndex index, bool next) const;

    int m_homeColumn;
};

} // namespace crosswalk::ui
