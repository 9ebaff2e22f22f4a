#pragma once

#include <QAction>
#include <QObject>

#include <functional>
#include <map>

namespace crosswalk::ui {

/// An action of the window with the conditions that it depends on.
class Command {
public:
    explicit Command(QAction* action)
        : m_action(action)
    {
    }

    QAction* action() const { return m_action; }
    Command& enabledIf(std::function<bool()> condition);
    /// Makes the action checkable.
    Command& checkedIf(std::function<bool()> condition);
    /// Makes the action checkable; whoever changes its state sets the check mark.
    Command& checkable();
    /// The shortcut acts only while the widget or one of its children has the focus. Single letters are text elsewhere.
    Command& limitedTo(QWidget& widget);

    void refresh() const;

private:
    QAction* m_action;
    std::function<bool()> m_isEnabled; ///< null: always enabled
    std::function<bool()> m_isChecked; ///< null: not derived from the state of the window
};

/// The commands of a window, by object name. Each controller adds its own, with the conditions under which they are
/// enabled; refresh() evaluates all of them after a change of state.
class CommandSet final : public QObject {
    Q_OBJECT
public:
    explicit CommandSet(QWidget& window);

    /// The name must be new. `icon` may be null.
    Command& add(const char* name, const QString& text, const QKeySequence& shortcut, const char* icon,
                 std::function<void()> run);
    /// The name must exist.
    QAction* operator[](const QString& name) const;
    QAction* operator[](const char* name) const { return (*this)[QString::fromLatin1(name)]; }
    /// All actions, sorted by text.
    QList<QAction*> actions() const;
    void refresh();

signals:
    /// The conditions were evaluated: other widgets that depend on the same state follow.
    void refreshed();

private:
    QWidget& m_window;
    std::map<QString, Command> m_commands;
};

} // namespace crosswalk::ui
