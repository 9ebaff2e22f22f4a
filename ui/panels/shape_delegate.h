#pragma once

#include <QStyledItemDelegate>

namespace crosswalk::ui {

/// Edits a shape and validates it as the user types. An invalid shape is highlighted and explained, and Enter and Tab
/// do not accept it.
class ShapeDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;

signals:
    /// Emits the error in the typed text; empty if it is a valid shape, or when editing ends.
    void problemTyped(const QString& problem) const;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace crosswalk::ui
