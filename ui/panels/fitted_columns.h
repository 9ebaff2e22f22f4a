#pragma once

#include <QObject>

class QTreeView;

namespace crosswalk::ui {

/// Sizes the columns of a table to their contents, each up to a fraction of the view; one column takes the remaining
/// width, and the table scrolls sideways if that is too little. Recomputed when rows are added or removed and when the
/// width of the view changes.
class FittedColumns final : public QObject {
    Q_OBJECT
public:
    /// `leastRest`: the least width of the column that takes the remaining width.
    FittedColumns(QTreeView* view, int rest, int leastRest = 0);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTreeView* m_view;
    int m_rest;
    int m_leastRest;
};

} // namespace crosswalk::ui
