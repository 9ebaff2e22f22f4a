#include "ui/panels/fitted_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int maxShare = 3;   ///< a column takes at most this fraction (1/n) of the view
constexpr int precision = 50; ///< rows that are measured

} // namespace

FittedColumns::FittedColumns(QTreeView* view, int rest, int leastRest)
    : QObject(view)
    , m_view(view)
    , m_rest(rest)
    , m_leastRest(leastRest)
{
    view->header()->setStretchLastSection(false);
    view->header()->setSectionResizeMode(rest, leastRest > 0 ? QHeaderView::Interactive : QHeaderView::Stretch);
    view->header()->setResizeContentsPrecision(precision);
    view->viewport()->installEventFilter(this);
    auto* soon = new QTimer(this); // a model may report one change by several signals
    soon->setSingleShot(true);
    soon->setInterval(0);
    connect(soon, &QTimer::timeout, this, &FittedColumns::fit);
    const auto* model = view->model();
    const auto later = [soon] { soon->start(); };
    connect(model, &QAbstractItemModel::modelReset, this, later);
    connect(model, &QAbstractItemModel::rowsInserted, this, later);
    connect(model, &QAbstractItemModel::rowsRemoved, this, later);
    connect(model, &QAbstractItemModel::dataChanged, this, later);
}

void FittedColumns::fit()
{
    auto* header = m_view->header();
    int taken = 0;
    for (int column = 0; column < header->count(); ++column) {
        if (header->isSectionHidden(column)) {
            header->showSection(column); // after a reset, Qt adds a size of hidden sections to the length
            header->hideSection(column);
        }
        if (column != m_rest && !header->isSectionHidden(column)) {
            const int wanted = std::max(static_cast<QAbstractItemView*>(m_view)->sizeHintForColumn(column),
                                        header->sectionSizeHint(column));
            header->resizeSection(column, std::min(wanted, m_view->viewport()->width() / maxShare));
            taken += header->sectionSize(column);
        }
    }
    if (m_leastRest > 0) {
        header->resizeSection(m_rest, std::max(m_leastRest, m_view->viewport()->width() - taken));
    }
}

bool FittedColumns::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        fit();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace crosswalk::ui
