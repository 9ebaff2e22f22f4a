#include "ui/panels/choice_delegate.h"

#include "ui/models/choice_roles.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPainter>
#include <QTimer>

namespace crosswalk::ui {
namespace {

constexpr int chevronRoom = 20;

} // namespace

void ChoiceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    if (index.flags().testFlag(Qt::ItemIsEditable)) {
        const QPixmap chevron =
            iconPixmap(QLatin1String("chevron"), theme().mutedText, 14, painter->device()->devicePixelRatioF());
        painter->drawPixmap(option.rect.right() - chevronRoom, option.rect.center().y() - 7, chevron);
    }
}

QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return QStyledItemDelegate::sizeHint(option, index) + QSize(chevronRoom, 0);
}

QWidget* ChoiceDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& /*option*/,
                                      const QModelIndex& index) const
{
    auto* combo = new QComboBox(parent);
    combo->setObjectName(QStringLiteral("choiceEditor"));
    combo->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    const QStringList choices = index.data(ChoicesRole).toStringList();
    for (qsizetype i = 0; i + 1 < choices.size(); i += 2) {
        combo->addItem(choices[i + 1], choices[i]);
    }
    // The field is as narrow as its column; the popup list shows each choice with its cost.
    combo->view()->setMinimumWidth(combo->view()->sizeHintForColumn(0) + 24);
    auto* self = const_cast<ChoiceDelegate*>(this);
    connect(combo, &QComboBox::activated, self, [self, combo] {
        emit self->commitData(combo);
        emit self->closeEditor(combo);
    });
    auto* opening = new QTimer(combo); // opens the list after the field is placed in its cell
    opening->setSingleShot(true);
    connect(opening, &QTimer::timeout, combo, &QComboBox::showPopup);
    opening->start(0);
    return combo;
}

void ChoiceDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    auto* combo = static_cast<QComboBox*>(editor);
    combo->setCurrentIndex(combo->findData(index.data(CurrentChoiceRole)));
}

void ChoiceDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    model->setData(index, static_cast<QComboBox*>(editor)->currentData(), Qt::EditRole);
}

} // namespace crosswalk::ui
