#include "ui/controllers/command_set.h"

#include "ui/theme/icons.h"

#include <QWidget>

#include <algorithm>
#include <cassert>
#include <utility>

namespace crosswalk::ui {

Command& Command::enabledIf(std::function<bool()> condition)
{
    m_isEnabled = std::move(condition);
    return *this;
}

Command& Command::checkedIf(std::function<bool()> condition)
{
    m_isChecked = std::move(condition);
    return checkable();
}

Command& Command::checkable()
{
    m_action->setCheckable(true);
    return *this;
}

Command& Command::limitedTo(QWidget& widget)
{
    m_action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    static_cast<QWidget*>(m_action->parent())->removeAction(m_action);
    widget.addAction(m_action);
    return *this;
}

void Command::refresh() const
{
    if (m_isEnabled) {
        m_action->setEnabled(m_isEnabled());
    }
    if (m_isChecked) {
        m_action->setChecked(m_isChecked());
    }
}

CommandSet::CommandSet(QWidget& window)
    : QObject(&window)
    , m_window(window)
{
}

Command& CommandSet::add(const char* name, const QString& text, const QKeySequence& shortcut, const char* iconName,
                         std::function<void()> run)
{
    auto* action = new QAction(text, &m_window);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    if (iconName != nullptr) {
        action->setIcon(icon(QLatin1String(iconName)));
    }
    connect(action, &QAction::triggered, this, std::move(run));
    m_window.addAction(action);
    const auto [place, isNew] = m_commands.emplace(action->objectName(), Command(action));
    assert(isNew);
    return place->second;
}

QAction* CommandSet::operator[](const QString& name) const
{
    const auto found = m_commands.find(name);
    assert(found != m_commands.end());
    return found->second.action();
}

QList<QAction*> CommandSet::actions() const
{
    QList<QAction*> all;
    for (const auto& [name, command] : m_commands) {
        all.append(command.action());
    }
    std::ranges::stable_sort(all, [](const QAction* a, const QAction* b) { return a->text() < b->text(); });
    return all;
}

void CommandSet::refresh()
{
    for (const auto& [name, command] : m_commands) {
        command.refresh();
    }
    emit refreshed();
}

} // namespace crosswalk::ui
