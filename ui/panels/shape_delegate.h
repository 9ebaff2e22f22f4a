#pragma once

#include <QStyledItemDelegate>

namespace crosswalk::ui {

/// Edits a shape, checked as it is typed: what is no shape is marked, said, and cannot be left by Enter or Tab.
class ShapeDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;

signals:
    /// What is wrong with the text being typed; empty when it is a shape, or when editing ends.
    void problemTyped(const QString& problem) const;

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace crosswalk::ui
