#include "ui/panels/closable_tabs.h"

#include "ui/theme/icons.h"

#include <QMouseEvent>
#include <QToolButton>

namespace crosswalk::ui {

ClosableTabs::ClosableTabs(const QString& objectName, const QString& accessibleName, QWidget* parent)
    : QTabBar(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setProperty("closable", true);
    setExpanding(false);
    setElideMode(Qt::ElideMiddle);
    setUsesScrollButtons(true);
    setFocusPolicy(Qt::TabFocus);
}

int ClosableTabs::addClosable(const QString& text)
{
    const int tab = addTab(text);
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("closeTabButton"));
    close->setIcon(icon(QLatin1String("close")));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close the tab"));
    close->setFocusPolicy(Qt::NoFocus);
    close->setProperty("compact", true);
    connect(close, &QToolButton::clicked, this, [this, close] {
        for (int i = 0; i < count(); ++i) { // the index changes when tabs move
            if (tabButton(i, RightSide) == close) {
                emit tabCloseRequested(i);
                return;
            }
        }
    });
    setTabButton(tab, RightSide, close);
    return tab;
}

void ClosableTabs::mouseReleaseEvent(QMouseEvent* event)
{
    const int tab = tabAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton && tab >= 0 && tabButton(tab, RightSide) != nullptr) {
        emit tabCloseRequested(tab);
    } else {
        QTabBar::mouseReleaseEvent(event);
    }
}

} // namespace crosswalk::ui
