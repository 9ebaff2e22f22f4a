#pragma once

#include "core/base/diagnostic.h"

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace crosswalk::ui {

/// A message bar across the window that states a problem and offers a remedy. Stays until the user closes it or its
/// cause disappears.
class Banner final : public QWidget {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);

    /// `kind` identifies the cause, for clear(). `action` labels the button; empty for no button.
    void show(const QString& kind, Severity severity, const QString& text, const QString& action = {},
              std::function<void()> onAction = {});
    /// Hides the message shown for this cause.
    void clear(const QString& kind);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_kind;
    Severity m_severity = Severity::Note;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    std::function<void()> m_onAction;
};

} // namespace crosswalk::ui
