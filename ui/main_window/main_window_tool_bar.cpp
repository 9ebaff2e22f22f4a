#include "ui/main_window/command_palette.h"
#include "ui/main_window/main_window.h"
#include "ui/theme/icons.h"

#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace crosswalk::ui {
namespace {

QWidget* spacer(QWidget* parent)
{
    auto* widget = new QWidget(parent);
    widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return widget;
}

} // namespace

void MainWindow::buildToolBar()
{
    auto* bar = addToolBar(tr("Tools"));
    m_tools = bar;
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setIconSize({18, 18});
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const auto add = [&](const char* name, Qt::ToolButtonStyle style, const QString& text = {}) {
        auto* button = new QToolButton(bar);
        button->setDefaultAction(m_actions[QLatin1String(name)]);
        button->setObjectName(QLatin1String(name) + QStringLiteral("Button"));
        button->setAccessibleName(m_actions[QLatin1String(name)]->text().remove(u'&'));
        button->setToolButtonStyle(style);
        button->setFocusPolicy(Qt::TabFocus);
        if (!text.isEmpty()) {
            m_actions[QLatin1String(name)]->setIconText(text);
        }
        bar->addWidget(button);
        return button;
    };
    add("fileOpen", Qt::ToolButtonTextBesideIcon, tr("Open"));
    m_exportButton = new QToolButton(bar);
    m_exportButton->setObjectName(QStringLiteral("exportButton"));
    m_exportButton->setProperty("primary", true);
    m_exportButton->setIcon(icon(QLatin1String("export"), IconTint::OnAccent));
    m_exportButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_exportButton->setFocusPolicy(Qt::TabFocus);
    connect(m_exportButton, &QToolButton::clicked, m_actions[QStringLiteral("fileExport")], &QAction::trigger);
    bar->addWidget(m_exportButton);
    add("modelVerify", Qt::ToolButtonTextBesideIcon, tr("Verify"));
    bar->addSeparator();
    add("editUndo", Qt::ToolButtonIconOnly);
    add("editRedo", Qt::ToolButtonIconOnly);
    bar->addSeparator();
    add("previousProblem", Qt::ToolButtonIconOnly);
    add("nextProblem", Qt::ToolButtonIconOnly);
    bar->addWidget(spacer(bar));
    add("viewFit", Qt::ToolButtonIconOnly);
    add("viewZoomOut", Qt::ToolButtonIconOnly);
    m_zoomLabel = new QToolButton(bar);
    m_zoomLabel->setObjectName(QStringLiteral("zoomLabel"));
    m_zoomLabel->setAccessibleName(tr("Zoom"));
    m_zoomLabel->setToolTip(tr("Zoom to 100 %"));
    m_zoomLabel->setText(tr("%L1 %").arg(100));
    m_zoomLabel->setMinimumWidth(58);
    connect(m_zoomLabel, &QToolButton::clicked, m_actions[QStringLiteral("viewActualSize")], &QAction::trigger);
    bar->addWidget(m_zoomLabel);
    add("viewZoomIn", Qt::ToolButtonIconOnly);
    bar->addSeparator();
    for (const auto* name : {"viewSourcePane", "viewBothPanes", "viewOnnxPane"}) {
        add(name, Qt::ToolButtonIconOnly);
    }
    add("viewLinkPanes", Qt::ToolButtonIconOnly);

    auto* search = new QToolButton(m_menus);
    search->setObjectName(QStringLiteral("commandButton"));
    search->setText(tr("Search or command   Ctrl+K"));
    search->setIcon(icon(QLatin1String("search")));
    search->setIconSize({14, 14});
    search->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    search->setAccessibleName(tr("Search or run a command"));
    connect(search, &QToolButton::clicked, this, [this] { m_palette->open(); });
    m_menus->setCornerWidget(search);
}

} // namespace crosswalk::ui
