#include "ui/panels/details_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>

namespace crosswalk::ui {

namespace {

constexpr int narrowest = 150;   ///< of the room for names
constexpr int measuredRows = 40; ///< about what is seen at once: these say how wide the names are

/// Names and links are told apart by their ends, shapes and numbers by their beginnings.
class DetailsDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const bool isText = index.column() == 1 && !index.data(DetailsModel::IsNameRole).toBool();
        option->textElideMode = isText ? Qt::ElideRight : Qt::ElideMiddle;
    }
};

} // namespace

DetailsView::DetailsView(QWidget* parent)
    : QTreeView(parent)
{
    setItemDelegate(new DetailsDelegate(this));
    setModel(&m_model);
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(12);
    setTextElideMode(Qt::ElideMiddle);
    header()->setStretchLastSection(true);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header()->setResizeContentsPrecision(measuredRows);
    header()->setMaximumSectionSize(narrowest);
    connect(this, &QTreeView::activated, this, &DetailsView::follow);
    connect(this, &QTreeView::clicked, this, &DetailsView::follow);
}

void DetailsView::setSections(std::vector<DetailSection> sections)
{
    QStringList folded;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (!isExpanded(m_model.index(row, 0))) {
            folded.append(m_model.sections()[static_cast<std::size_t>(row)].title);
        }
    }
    m_model.setSections(std::move(sections));
    for (int row = 0; row < m_model.rowCount(); ++row) {
        setExpanded(m_model.index(row, 0), !folded.contains(m_model.sections()[static_cast<std::size_t>(row)].title));
    }
    // The first of these lays all rows out: what is open must be known by then, or every row would do it again.
    for (int row = 0; row < m_model.rowCount(); ++row) {
        setFirstColumnSpanned(row, {}, true);
    }
}

void DetailsView::resizeEvent(QResizeEvent* event)
{
    header()->setMaximumSectionSize(std::max(narrowest, viewport()->width() * 3 / 5));
    QTreeView::resizeEvent(event);
}

void DetailsView::follow(const QModelIndex& index)
{
    const QVariant tensor = index.data(DetailsModel::TensorRole);
    if (tensor.isValid() && index.column() == 1) {
        emit tensorActivated(ValueId{tensor.toUInt()});
        return;
    }
    const QVariant box = index.data(DetailsModel::BoxRole);
    if (box.isValid() && index.column() == 1) {
        emit boxActivated(box.toUInt(), index.data(DetailsModel::OtherSideRole).toBool());
    }
}

void DetailsView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy) && currentIndex().isValid()) {
        QGuiApplication::clipboard()->setText(currentIndex().siblingAtColumn(1).data().toString());
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        follow(currentIndex().siblingAtColumn(1));
        return;
    }
    QTreeView::keyPressEvent(event);
}

void DetailsView::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const
{
    // Lines between names and values of two levels would be noise; the fold arrow of a section is enough.
    if (!index.parent().isValid()) {
        QTreeView::drawBranches(painter, rect, index);
    }
}

} // namespace crosswalk::ui
