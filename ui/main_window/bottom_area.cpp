#include "ui/main_window/bottom_area.h"

#include "ui/theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int sizeOfIcon = 14;
constexpr int leastHeight = 80; ///< of an expanded area

} // namespace

BottomArea::BottomArea(QMainWindow& window, QList<QDockWidget*> docks)
    : QObject(&window)
    , m_window(window)
    , m_docks(std::move(docks))
    , m_corner(new QWidget(&window))
    , m_note(new QLabel(m_corner))
    , m_toggle(new QToolButton(m_corner))
{
    setObjectName(QStringLiteral("bottomArea"));
    m_corner->setObjectName(QStringLiteral("bottomCorner"));
    auto* row = new QHBoxLayout(m_corner);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(0);
    m_note->setObjectName(QStringLiteral("bottomNote"));
    m_note->setProperty("muted", true);
    m_note->setContentsMargins(0, 0, 10, 0);
    row->addWidget(m_note);
    const auto add = [&](QToolButton* button, const char* name, const QString& text, QLatin1String iconName, auto run) {
        button->setObjectName(QLatin1String(name));
        button->setToolTip(text);
        button->setAccessibleName(text);
        button->setIcon(icon(iconName));
        button->setIconSize({sizeOfIcon, sizeOfIcon});
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("compact", true);
        connect(button, &QToolButton::clicked, this, run);
        row->addWidget(button);
    };
    add(m_toggle, "bottomToggle", tr("Collapse or expand the panels (Ctrl+J)"), QLatin1String("collapse"),
        [this] { toggle(); });
    add(new QToolButton(m_corner), "bottomFloat", tr("Float the panel"), QLatin1String("float"), [this] {
        if (auto* dock = front()) {
            dock->setFloating(true);
        }
    });
    add(new QToolButton(m_corner), "bottomClose", tr("Close the panel"), QLatin1String("close"), [this] {
        if (auto* dock = front()) {
            dock->close();
        }
    });
    m_corner->hide();
    // With an interval of 0: when all events are processed.
    m_refreshing.setSingleShot(true);
    connect(&m_refreshing, &QTimer::timeout, this, &BottomArea::refresh);
    m_restoring.setSingleShot(true);
    connect(&m_restoring, &QTimer::timeout, this, &BottomArea::restoreHeight);
    window.installEventFilter(this);
    for (const auto* dock : std::as_const(m_docks)) {
        connect(dock, &QDockWidget::visibilityChanged, this, &BottomArea::refreshSoon);
        connect(dock, &QDockWidget::dockLocationChanged, this, &BottomArea::refreshSoon);
        connect(dock, &QDockWidget::topLevelChanged, this, &BottomArea::refreshSoon);
    }
}

bool BottomArea::contains(const QDockWidget& dock) const
{
    return !dock.isFloating() && m_window.dockWidgetArea(const_cast<QDockWidget*>(&dock)) == Qt::BottomDockWidgetArea;
}

int BottomArea::expandedHeight() const
{
    const auto* dock = front();
    return m_collapsed || dock == nullptr ? m_height : dock->height();
}

void BottomArea::setCollapsed(bool collapsed)
{
    if (collapsed == m_collapsed) {
        return;
    }
    m_height = expandedHeight();
    m_collapsed = collapsed;
    refresh();
    if (!collapsed) {
        // The docks learn of the room for their content one after the other.
        for (auto* dock : std::as_const(m_docks)) {
            dock->layout()->activate();
        }
        m_window.layout()->activate();
        restoreHeight();
        m_restoring.start();
    }
    emit collapsedChanged();
}

void BottomArea::restoreHeight()
{
    const int height = std::max(m_height, leastHeight);
    if (auto* dock = front(); dock != nullptr && !m_collapsed && dock->height() != height) {
        m_window.resizeDocks({dock}, {height}, Qt::Vertical);
    }
}

void BottomArea::toggle()
{
    m_pinned = m_collapsed;
    setCollapsed(!m_collapsed);
}

void BottomArea::reveal(const QDockWidget& dock)
{
    if (m_docks.contains(&dock) && contains(dock)) {
        setCollapsed(false);
    }
}

void BottomArea::setNote(const QDockWidget& dock, const QString& note)
{
    m_notes.insert(&dock, note);
    refreshSoon();
}

QTabBar* BottomArea::findTabBar() const
{
    const auto bars = m_window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
    const auto holds = [this](const QTabBar* bar) {
        for (int tab = 0; bar->isVisible() && tab < bar->count(); ++tab) {
            for (const auto* dock : m_docks) {
                if (contains(*dock) && dock->windowTitle() == bar->tabText(tab)) {
                    return true;
                }
            }
        }
        return false;
    };
    const auto found = std::ranges::find_if(bars, holds);
    return found != bars.end() ? *found : nullptr;
}

QDockWidget* BottomArea::front() const
{
    const QString title = m_tabBar != nullptr ? m_tabBar->tabText(m_tabBar->currentIndex()) : QString();
    for (auto* dock : m_docks) {
        if (contains(*dock) && dock->isVisible() && (m_tabBar == nullptr || dock->windowTitle() == title)) {
            return dock;
        }
    }
    return nullptr;
}

void BottomArea::refreshSoon()
{
    if (!m_refreshing.isActive()) {
        m_refreshing.start();
    }
}

void BottomArea::refresh()
{
    auto* bar = findTabBar();
    if (bar != m_tabBar) {
        if (m_tabBar != nullptr) {
            m_tabBar->removeEventFilter(this);
            m_tabBar->disconnect(this);
        }
        m_tabBar = bar;
        if (bar != nullptr) {
            bar->installEventFilter(this);
            connect(bar, &QTabBar::tabBarClicked, this, [this](int tab) {
                if (tab >= 0 && m_collapsed) {
                    m_pinned = true;
                    setCollapsed(false);
                }
            });
            connect(bar, &QTabBar::currentChanged, this, &BottomArea::refreshSoon);
            connect(bar, &QObject::destroyed, this, [this] {
                m_tabBar = nullptr;
                refreshSoon();
            });
        }
    }
    for (const auto* dock : std::as_const(m_docks)) {
        dock->widget()->setMaximumHeight(m_collapsed && contains(*dock) ? 0 : QWIDGETSIZE_MAX);
    }
    const auto* dock = front();
    const QString note = dock != nullptr && !m_collapsed ? m_notes.value(dock) : QString();
    if (std::exchange(m_noteText, note) != note) {
        m_note->setText(note);
    }
    if (std::exchange(m_togglesToExpanded, m_collapsed) != m_collapsed) {
        m_toggle->setIcon(icon(QLatin1String(m_collapsed ? "expand" : "collapse")));
    }
    m_corner->setVisible(m_tabBar != nullptr);
    place();
}

/// Any change to the corner, even to an equal icon or text, makes the window lay itself out, which calls refresh()
/// again: only what differs is set.
void BottomArea::place()
{
    if (m_tabBar != nullptr) {
        // The note gives way to the tabs.
        const int tabs = m_tabBar->count() > 0 ? m_tabBar->tabRect(m_tabBar->count() - 1).right() : 0;
        if (m_note->text() == m_noteText) {
            m_widthWithNote = m_corner->sizeHint().width();
        }
        const QString shown = tabs + m_widthWithNote <= m_tabBar->width() ? m_noteText : QString();
        if (m_note->text() != shown) {
            m_note->setText(shown);
        }
        const QSize size(m_corner->sizeHint().width(), m_tabBar->height());
        m_corner->setGeometry(QRect(m_tabBar->geometry().topRight() - QPoint(size.width() - 1, 0), size));
        if (m_window.children().constLast() != m_corner) {
            m_corner->raise();
        }
    }
}

bool BottomArea::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
        if (watched == m_tabBar) {
            place();
        }
        break;
    case QEvent::Hide:
    case QEvent::LayoutRequest:
    case QEvent::ChildAdded:
        refreshSoon();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace crosswalk::ui
