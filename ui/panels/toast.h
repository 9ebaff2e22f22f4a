#pragma once

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QTimer;

namespace crosswalk::ui {

/// A short message about something that worked, with what to do next, over a corner of its parent. Disappears by
/// itself unless the mouse or the keyboard focus is on it.
class Toast final : public QFrame {
    Q_OBJECT
public:
    struct Action {
        QString name; ///< object name of the button
        QString text;
        std::function<void()> run;
    };

    explicit Toast(QWidget* parent);

    void show(const QString& text, std::vector<Action> actions);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QLabel* m_text;
    QHBoxLayout* m_buttons;
    QTimer* m_timer;
};

} // namespace crosswalk::ui
