#include "ui/panels/details_view.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace crosswalk::ui {

namespace {

constexpr int narrowest = 90;       ///< minimum width of the name column
constexpr int leastForValues = 110; ///< pixels for the shape of an input
constexpr int measuredRows = 40;    ///< rows whose names determine the width of the name column; about one screenful

/// Names and links differ at their ends, shapes and numbers at their beginnings: elide accordingly.
class DetailsDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    // The style lays out a text several times to paint it once, and each selection repaints all rows. Rows without a
    // background of their own are painted as plain text.
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (const double share = index.column() == 1 ? index.data(DetailsModel::ShareRole).toDouble() : 0; share > 0) {
            QRectF bar = QRectF(visible(option)).adjusted(0, 3, -4, -3);
            bar.setWidth(std::max(2.0, bar.width() * share));
            painter->fillRect(bar, theme().accentSoft);
        }
        const bool hasGround =
            bool(option.state & (QStyle::State_Selected | QStyle::State_MouseOver | QStyle::State_HasFocus));
        if (hasGround || !index.parent().isValid() || index.data(Qt::DecorationRole).isValid()) {
            QStyledItemDelegate::paint(painter, option, index);
            return;
        }
        const auto color = index.data(Qt::ForegroundRole).value<QColor>();
        const QRect room = visible(option).adjusted(sideRoom(option), 0, -sideRoom(option), 0);
        const QFontMetrics metrics(option.font);
        painter->setFont(option.font);
        painter->setPen(color);
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          metrics.elidedText(shortened(index.data().toString(), metrics, room.width()), elideOf(index),
                                             room.width()));
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = elideOf(index);
        option->text = shortened(option->text, option->fontMetrics, visible(*option).width() - 2 * sideRoom(*option));
    }

private:
    /// The part of a cell in the view: until the next layout, a scroll bar that has just appeared covers its end.
    static QRect visible(const QStyleOptionViewItem& option)
    {
        const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
        QRect cell = option.rect;
        if (view != nullptr) {
            cell.setRight(std::min(cell.right(), view->viewport()->rect().right()));
        }
        return cell;
    }

    static Qt::TextElideMode elideOf(const QModelIndex& index)
    {
        const bool isText = index.column() == 1 ? !index.data(DetailsModel::IsNameRole).toBool()
                                                : index.data().toString().contains(u' ');
        return isText ? Qt::ElideRight : Qt::ElideMiddle;
    }

    /// The text without its least important part if there is not enough room.
    static QString shortened(const QString& text, const QFontMetrics& metrics, int room)
    {
        const auto extra = text.lastIndexOf(beforeExtra);
        return extra > 0 && room > 0 && metrics.horizontalAdvance(text) > room ? text.left(extra) : text;
    }

    /// Margins left and right of a text, as defined by the style.
    static int sideRoom(const QStyleOptionViewItem& option)
    {
        const QStyle& style = *option.widget->style();
        constexpr int padding = 2; // as in the style sheet
        return padding + style.pixelMetric(QStyle::PM_FocusFrameHMargin, &option, option.widget) + 1;
    }
};

} // namespace

DetailsView::DetailsView(QWidget* parent)
    : QTreeView(parent)
{
    setItemDelegate(new DetailsDelegate(this));
    setModel(&m_model);
    setFont(rowFont());
    setHeaderHidden(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // texts that are too long are elided
    setUniformRowHeights(true);
    setIndentation(12);
    setTextElideMode(Qt::ElideMiddle);
    header()->setStretchLastSection(true);
    header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    header()->setResizeContentsPrecision(measuredRows);
    header()->setMaximumSectionSize(narrowest);
    connect(header(), &QHeaderView::sectionResized, this, [this](int section) {
        if (section == 0) {
            fitValues();
        }
    });
    connect(this, &QTreeView::activated, this, &DetailsView::follow);
    connect(this, &QTreeView::clicked, this, &DetailsView::follow);
}

void DetailsView::setSections(std::vector<DetailSection> sections)
{
    QHash<QString, bool> wereOpen;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        wereOpen.insert(m_model.sections()[static_cast<std::size_t>(row)].title, isExpanded(m_model.index(row, 0)));
    }
    m_model.setSections(std::move(sections));
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const DetailSection& section = m_model.sections()[static_cast<std::size_t>(row)];
        setExpanded(m_model.index(row, 0), wereOpen.value(section.title, !section.isCollapsed));
    }
    // The first of these calls lays out all rows. Set the expanded state before, or every row would repeat the layout.
    for (int row = 0; row < m_model.rowCount(); ++row) {
        setFirstColumnSpanned(row, {}, true);
    }
}

void DetailsView::resizeEvent(QResizeEvent* event)
{
    const int width = viewport()->width();
    header()->setMaximumSectionSize(std::max(narrowest, std::min(width * 3 / 5, width - leastForValues)));
    QTreeView::resizeEvent(event);
    fitValues();
}

void DetailsView::fitValues()
{
    // A scroll bar that appears narrows the view after the header has stretched its last section.
    header()->resizeSection(1, viewport()->width() - header()->sectionSize(0));
}

void DetailsView::follow(const QModelIndex& index)
{
    const QVariant tensor = index.data(DetailsModel::TensorRole);
    if (tensor.isValid() && index.column() == 1) {
        emit tensorActivated(ValueId{tensor.toUInt()});
        return;
    }
    const Detail* detail = m_model.detail(index);
    if (detail != nullptr && detail->boxes && index.column() == 1) {
        emit boxesActivated(detail->boxes(), detail->otherSide);
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
        const int column = currentIndex().parent().isValid() ? 1 : 0; // a section has only a title
        QGuiApplication::clipboard()->setText(currentIndex().siblingAtColumn(column).data().toString());
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
    // Branch lines would only add noise to two levels; the expand arrow of a section is sufficient.
    if (!index.parent().isValid()) {
        QTreeView::drawBranches(painter, rect, index);
    }
}

} // namespace crosswalk::ui
