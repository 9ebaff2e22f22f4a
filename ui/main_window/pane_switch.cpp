#include "ui/main_window/pane_switch.h"

#include <QWidget>

#include <utility>

namespace crosswalk::ui {

PaneSwitch::PaneSwitch(QWidget& source, QWidget& target, QObject* parent)
    : QObject(parent)
    , m_source(source)
    , m_target(target)
{
}

bool PaneSwitch::isShown(const QWidget& pane) const
{
    return shown() == Panes::Both || (shown() == Panes::Source) == (&pane == &m_source);
}

void PaneSwitch::choose(Panes panes)
{
    const Panes before = shown();
    m_chosen = panes;
    apply(before);
}

void PaneSwitch::suggest(Panes panes)
{
    const Panes before = shown();
    m_suitable = panes;
    apply(before);
}

void PaneSwitch::forget()
{
    const Panes before = shown();
    m_chosen.reset();
    m_suitable = Panes::Both;
    apply(before);
}

void PaneSwitch::apply(Panes before)
{
    if (shown() == before) {
        return;
    }
    const QWidget* focus = m_source.window()->focusWidget();
    bool focusHidden = false;
    for (auto* pane : {&m_source, &m_target}) {
        focusHidden = focusHidden || (!isShown(*pane) && focus != nullptr && pane->isAncestorOf(focus));
    }
    m_source.setVisible(isShown(m_source));
    m_target.setVisible(isShown(m_target));
    emit changed(focusHidden);
}

} // namespace crosswalk::ui
