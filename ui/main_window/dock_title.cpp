#include "ui/main_window/dock_title.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QPainter>
#include <QToolButton>

namespace crosswalk::ui {

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock)
    , m_dock(dock)
    , m_text(new QLabel(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 2, 4, 2);
    layout->setSpacing(0);
    layout->addWidget(m_text, 1);
    const auto addButton = [&](QLatin1String name, QLatin1String suffix, const QString& text, auto slot) {
        auto* button = new QToolButton(this);
        button->setObjectName(dock->objectName() + suffix);
        button->setIcon(icon(name));
        button->setIconSize({14, 14});
        button->setToolTip(text);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(dock->windowTitle(), text));
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("compact", true);
        connect(button, &QToolButton::clicked, dock, slot);
        layout->addWidget(button);
    };
    addButton(QLatin1String("float"), QLatin1String("Float"), tr("Float"),
              [dock] { dock->setFloating(!dock->isFloating()); });
    addButton(QLatin1String("close"), QLatin1String("Close"), tr("Close"), [dock] { dock->close(); });
    connect(dock, &QDockWidget::visibilityChanged, this, &DockTitle::refresh);
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockTitle::refresh);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::refresh);
    refresh();
}

QSize DockTitle::sizeHint() const
{
    return m_isEmpty ? QSize(0, 0) : QWidget::sizeHint();
}

QSize DockTitle::minimumSizeHint() const
{
    return m_isEmpty ? QSize(0, 0) : QWidget::minimumSizeHint();
}

void DockTitle::refresh()
{
    auto* window = qobject_cast<QMainWindow*>(m_dock->parentWidget());
    const bool tabbed = window != nullptr && !m_dock->isFloating() && !window->tabifiedDockWidgets(m_dock).isEmpty();
    QFont font = this->font();
    font.setWeight(tabbed ? QFont::Normal : QFont::DemiBold);
    m_text->setFont(font);
    m_text->setText(tabbed ? QString() : m_dock->windowTitle());
    const bool isEmpty = tabbed && window->dockWidgetArea(m_dock) == Qt::BottomDockWidgetArea;
    if (isEmpty != m_isEmpty) {
        m_isEmpty = isEmpty;
        for (auto* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            child->setVisible(!isEmpty);
        }
        updateGeometry();
        setMaximumHeight(isEmpty ? 0 : QWIDGETSIZE_MAX);
    }
}

void DockTitle::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme().line);
}

} // namespace crosswalk::ui
