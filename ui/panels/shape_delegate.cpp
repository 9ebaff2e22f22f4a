#include "ui/panels/shape_delegate.h"

#include "ui/models/shape_text.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QStyle>

namespace crosswalk::ui {
namespace {

QString problemOf(const QString& text)
{
    const auto shape = parseShape(text);
    return shape ? QString() : messageText(shape.problem().message);
}

} // namespace

QWidget* ShapeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& /*option*/,
                                     const QModelIndex& index) const
{
    auto* edit = new QLineEdit(parent);
    edit->setObjectName(QStringLiteral("shapeEditor"));
    edit->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
    edit->setPlaceholderText(tr("N, 3, 224, 224"));
    connect(edit, &QLineEdit::textChanged, this, [this, edit](const QString& text) {
        const QString problem = problemOf(text);
        edit->setProperty("invalid", !problem.isEmpty());
        edit->setToolTip(problem);
        edit->style()->unpolish(edit);
        edit->style()->polish(edit);
        emit problemTyped(problem);
    });
    connect(edit, &QObject::destroyed, this, [this] { emit problemTyped({}); });
    return edit;
}

void ShapeDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    if (!static_cast<QLineEdit*>(editor)->isModified()) { // do not overwrite typed text when a conversion finishes
        QStyledItemDelegate::setEditorData(editor, index);
    }
}

bool ShapeDelegate::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        auto* edit = qobject_cast<QLineEdit*>(watched);
        const bool isLeaving =
            key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab || key == Qt::Key_Backtab;
        if (edit != nullptr && isLeaving && !problemOf(edit->text()).isEmpty()) {
            return true;
        }
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace crosswalk::ui
