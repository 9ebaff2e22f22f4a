#include "ui/panels/outline_delegate.h"

#include "ui/canvas/node_painter.h"
#include "ui/models/outline_model.h"
#include "ui/panels/name_elision.h"
#include "ui/theme/icons.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int textGap = 10; ///< between the name and the text on its right
constexpr int betweenBadges = 4;
constexpr int minOperator = 28; ///< minimum width at which the operator is still informative

QFont badgeFont(QFont font)
{
    font.setPixelSize(10);
    font.setWeight(QFont::DemiBold);
    return font;
}

struct Badges {
    QStringList texts;
    int width = 0;
};

/// The badges of a node, as on its box: all, or as many as fit and the number of the remaining ones.
Badges badgesIn(int room, QStringList texts, const QFontMetrics& metrics)
{
    const auto widthOf = [&](const QStringList& all) {
        int width = 0;
        for (const auto& text : all) {
            width += metrics.horizontalAdvance(text) + 10 + betweenBadges;
        }
        return width;
    };
    const auto all = texts.size();
    QStringList shown = texts;
    while (widthOf(shown) > room && !texts.isEmpty()) {
        texts.removeLast();
        shown = texts + QStringList{QStringLiteral("+%1").arg(all - texts.size())};
    }
    return {shown, widthOf(shown)};
}

void paintBadges(QPainter& painter, const QRect& room, const Badges& badges, const QFontMetrics& metrics)
{
    const Theme& t = theme();
    int right = room.right();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& badge : badges.texts) {
        const int width = metrics.horizontalAdvance(badge) + 10;
        const QRectF pill(right - width, room.center().y() - 6.5, width, 14);
        painter.setPen(Qt::NoPen);
        const auto [ground, color] = t.badge(badge == shapeBadge());
        painter.setBrush(ground);
        painter.drawRoundedRect(pill, 7, 7);
        painter.setPen(color);
        painter.drawText(pill, Qt::AlignCenter, badge);
        right -= width + betweenBadges;
    }
}

} // namespace

void OutlineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    // Rows that are neither selected nor hovered have no background. Asking the style sheet for it would take as long
    // as painting the rest of the row.
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver | QStyle::State_HasFocus)) {
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        ground.text.clear();
        const auto* style = ground.widget != nullptr ? ground.widget->style() : QApplication::style();
        style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, ground.widget);
    }
    // In the flat list of search results, omit the prefix that all names share.
    const QVariant shared = index.data(OutlineModel::SharedRole);
    const bool isFlat = shared.isValid();
    QString name = index.data().toString();
    if (shared.toInt() > 0) {
        name = QChar(0x2026) + name.mid(shared.toInt());
    }

    const Theme& t = theme();
    QRect room = option.rect.adjusted(4, 0, -8, 0);
    const QVariant op = index.data(OutlineModel::OperatorRole);
    const auto verdict = static_cast<Verdict>(index.data(OutlineModel::VerdictRole).toInt());
    if (op.isValid() || verdict != Verdict::Exact) {
        // Nodes without a mark leave room for one, so that names align. Scopes show the mark of their contents.
        const bool isChange = index.data(OutlineModel::IsChangeRole).toBool();
        const bool isTicked = verdict == Verdict::Exact && index.data(OutlineModel::ProvenRole).toBool();
        if (verdict != Verdict::Exact || isTicked) {
            const QPixmap mark =
                iconPixmap(isTicked ? QLatin1String("check") : verdictIcon(verdict, isChange),
                           isTicked ? t.exact : t.verdict(verdict), 13, painter->device()->devicePixelRatioF());
            painter->drawPixmap(room.left(), room.center().y() - 6, mark);
        }
        room.setLeft(room.left() + 18);
    }
    const QFontMetrics metrics(option.font);
    const QFont small = badgeFont(option.font);
    const QFontMetrics smallMetrics(small);
    // The name identifies the node and gets room first, then the badges, then the operator.
    const int forName = std::min(metrics.horizontalAdvance(name), isFlat ? room.width() : room.width() * 3 / 5);
    const int rest = std::max(room.width() - forName - textGap, 0);
    const Badges badges = badgesIn(rest, index.data(OutlineModel::BadgesRole).toStringList(), smallMetrics);
    const QString reason = isFlat ? index.data(OutlineModel::ReasonRole).toString() : QString();
    QString right = !reason.isEmpty() ? reason
                    : op.isValid()    ? op.toString()
                                      : index.data(OutlineModel::CountRole).toString();
    if (const int most = std::min(rest - badges.width, room.width() * 2 / 5); metrics.horizontalAdvance(right) > most) {
        right = most < minOperator ? QString() : metrics.elidedText(right, Qt::ElideRight, most);
    }
    painter->save();
    if (!right.isEmpty()) {
        painter->setFont(option.font);
        painter->setPen(t.mutedText);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, right);
        room.setRight(room.right() - metrics.horizontalAdvance(right) - textGap);
    }
    if (!badges.texts.isEmpty()) {
        painter->setFont(small);
        paintBadges(*painter, room, badges, smallMetrics);
        room.setRight(room.right() - badges.width);
    }
    painter->setFont(option.font);
    painter->setPen(t.text);
    painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, elidedName(metrics, name, room.width()));
    painter->restore();
}

QSize OutlineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const
{
    return {80, QFontMetrics(option.font).height() + 8};
}

} // namespace crosswalk::ui
