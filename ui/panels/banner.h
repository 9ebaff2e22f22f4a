#pragma once

#include "core/base/diagnostic.h"

#include <QWidget>

#include <functional>
#include <utility>

class QLabel;
class QPushButton;

namespace crosswalk::ui {

/// A message bar across its parent that states a problem and offers a remedy. Lies over the parent's content, which it
/// does not move. Stays until the user closes it or its cause disappears.
class Banner final : public QWidget {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent);

    /// `kind` identifies the cause, for clear(). `action` labels the button; empty for no button.
    void show(const QString& kind, Severity severity, const QString& text, const QString& action = {},
              std::function<void()> onAction = {});
    /// Hides the message shown for this cause.
    void clear(const QString& kind);
    QString text() const;
    /// At the lower edge of the parent instead of the upper one.
    void setAtBottom(bool atBottom);
    /// A message appears at the other edge if its area, in coordinates of the parent, is one to avoid and the area
    /// there is not.
    void avoid(std::function<bool(const QRect&)> isToAvoid) { m_isToAvoid = std::move(isToAvoid); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QRect area(bool atBottom) const;
    void place();

    bool m_atBottom = false;
    bool m_isMoved = false; ///< to the other edge
    std::function<bool(const QRect&)> m_isToAvoid;
    QString m_kind;
    Severity m_severity = Severity::Note;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    std::function<void()> m_onAction;
};

} // namespace crosswalk::ui
