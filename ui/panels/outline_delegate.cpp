#include "ui/panels/outline_delegate.h"

#include "ui/canvas/node_painter.h"
#include "ui/models/outline_model.h"
#include "ui/theme/icons.h"

#include <QApplication>
#include <QPainter>

namespace crosswalk::ui {
namespace {

/// What ONNX cannot say of a node, as on its box; returns where the room left of it ends.
int paintBadges(QPainter& painter, const QRect& room, const QStringList& badges)
{
    const Theme& t = theme();
    int right = room.right();
    QFont font = painter.font();
    font.setPixelSize(10);
    font.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& badge : badges) {
        const int width = metrics.horizontalAdvance(badge) + 10;
        const QRectF pill(right - width, room.center().y() - 6.5, width, 14);
        painter.setPen(Qt::NoPen);
        const auto [ground, color] = t.badge(badge == shapeBadge());
        painter.setBrush(ground);
        painter.drawRoundedRect(pill, 7, 7);
        painter.setPen(color);
        painter.drawText(pill, Qt::AlignCenter, badge);
        right -= width + 4;
    }
    return right;
}

} // namespace

void OutlineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // A row that is neither selected nor under the pointer has no ground of its own, and to ask the style sheet for it
    // takes as long as the rest of the row.
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver | QStyle::State_HasFocus)) {
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        ground.text.clear();
        const auto* style = ground.widget != nullptr ? ground.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, ground.widget);
    }
    const QString name = index.data().toString();

    const Theme& t = theme();
    QRect room = option.rect.adjusted(4, 0, -8, 0);
    const QVariant op = index.data(OutlineModel::OperatorRole);
    const auto verdict = static_cast<Verdict>(index.data(OutlineModel::VerdictRole).toInt());
    if (op.isValid()) {
        // Every node leaves the room of a mark, so that names stand in one line.
        if (verdict != Verdict::Exact) {
            const bool isChange = index.data(OutlineModel::IsChangeRole).toBool();
            const QPixmap mark = iconPixmap(verdictIcon(verdict, isChange), t.verdict(verdict), 13,
                                            painter->device()->devicePixelRatioF());
            painter->drawPixmap(room.left(), room.center().y() - 6, mark);
        }
        room.setLeft(room.left() + 18);
    }
    const QFontMetrics metrics(option.font);
    QString right = op.isValid() ? op.toString() : index.data(OutlineModel::CountRole).toString();
    int rightWidth = metrics.horizontalAdvance(right);
    if (const int most = room.width() * 2 / 5; rightWidth > most) {
        right = metrics.elidedText(right, Qt::ElideRight, most);
        rightWidth = metrics.horizontalAdvance(right);
    }
    painter->save();
    painter->setFont(option.font);
    painter->setPen(t.mutedText);
    painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, right);
    room.setRight(room.right() - rightWidth - 10);
    room.setRight(paintBadges(*painter, room, index.data(OutlineModel::BadgesRole).toStringList()));
    painter->setFont(option.font);
    painter->setPen(t.text);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(name, Qt::ElideMiddle, room.width()));
    painter->restore();
}

QSize OutlineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const
{
    return {80, QFontMetrics(option.font).height() + 8};
}

} // namespace crosswalk::ui
