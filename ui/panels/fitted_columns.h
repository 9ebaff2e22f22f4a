#pragma once

#include <QObject>

class QTreeView;

namespace crosswalk::ui {

/// Gives the columns of a table the room that their contents want, each at most a share of the view; one has the rest.
/// Again whenever rows come or go, or the view has another width.
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
