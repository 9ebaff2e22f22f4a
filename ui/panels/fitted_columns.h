#pragma once

#include <QObject>

class QTreeView;

namespace crosswalk::ui {

/// Sizes the columns of a table to their contents, each up to a fraction of the view; one column takes the remaining
/// width. Recomputed when rows are added or removed and when the width of the view changes.
class FittedColumns final : public QObject {
    Q_OBJECT
public:
    FittedColumns(QTreeView* view, int rest);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTreeView* m_view;
    int m_rest;
};

} // namespace crosswalk::ui
