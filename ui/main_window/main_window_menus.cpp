// The commands of the window itself, the menus, and the tool bar. Every command is an action with an object name; the
// palette (Ctrl+K) lists them all.

#include "ui/controllers/colour_controller.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/export_controller.h"
#include "ui/controllers/file_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/navigation_controller.h"
#include "ui/controllers/option_controller.h"
#include "ui/main_window/about_dialog.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/settings_dialog.h"
#include "ui/main_window/shortcuts_dialog.h"
#include "ui/main_window/tabbed_window.h"
#include "ui/theme/icons.h"

#include <QActionGroup>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include <cmath>
#include <tuple>

namespace crosswalk::ui {
namespace {

constexpr const char* separator = nullptr; ///< between the names of the commands of a menu

QWidget* spacer(QWidget* parent)
{
    auto* widget = new QWidget(parent);
    widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return widget;
}

} // namespace

void MainWindow::addCommands()
{
    addTabCommands();
    addThemeCommands();
    m_commands->add("editCommands", tr("&Run a command\u2026"), QKeySequence(Qt::CTRL | Qt::Key_K), "command",
                    [this] { m_palette->open(); });
    m_commands->add("editSettings", tr("&Settings\u2026"), QKeySequence(Qt::CTRL | Qt::Key_Comma), nullptr,
                    [this] { askSettings(); });
    m_commands->add("helpShortcuts", tr("&Keys and mouse"), QKeySequence(Qt::Key_F1), nullptr,
                    [this] { (new ShortcutsDialog(m_commands->actions(), this))->open(); });
    m_commands->add("helpAbout", tr("&About Crosswalk"), QKeySequence(Qt::SHIFT | Qt::Key_F1), nullptr,
                    [this] { (new AboutDialog(this))->open(); });
}

void MainWindow::addThemeCommands()
{
    const std::tuple<const char*, QString, ThemeChoice, Qt::Key> choices[] = {
        {"themeSystem", tr("Theme: follow the &system"), ThemeChoice::System, Qt::Key_F9},
        {"themeLight", tr("Theme: &light"), ThemeChoice::Light, Qt::Key_F10},
        {"themeDark", tr("Theme: &dark"), ThemeChoice::Dark, Qt::Key_F11}};
    auto* group = new QActionGroup(this);
    for (const auto& [name, text, choice, key] : choices) {
        auto& command =
            m_commands
                ->add(name, text, QKeySequence(Qt::CTRL | key), nullptr, [this, choice = choice] { setTheme(choice); })
                .checkedIf([choice = choice] { return themeChoice() == choice; });
        group->addAction(command.action());
    }
}

QList<QAction*> MainWindow::commands() const
{
    return m_commands->actions();
}

void MainWindow::addToMenu(QMenu& menu, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (name == separator) {
            menu.addSeparator();
        } else {
            menu.addAction((*m_commands)[name]);
        }
    }
}

void MainWindow::buildMenus()
{
    m_menus = menuBar();
    auto& file = *m_menus->addMenu(tr("&File"));
    addToMenu(file, {"fileOpen", "fileOpenFolder", "fileOpenCollection"});
    file.addMenu(&m_files->recentMenu());
    connect(&file, &QMenu::aboutToShow, m_files, &FileController::refreshRecent); // other tabs open models, too
    addToMenu(file, {"fileNewTab", "fileNewWindow", "fileMoveToWindow", "fileReopenClosed", separator});
    addToMenu(file, {"fileCompare", "fileEndComparison", separator, "fileWeights", "fileReload", "fileReloadLarge",
                     separator});
    addToMenu(file, {"fileExport", "fileCopyExport", "filePicture", "filePictureOfSelection", "fileReport",
                     "fileLayers", "fileTensor", separator, "fileClose", "fileQuit"});

    auto& edit = *m_menus->addMenu(tr("&Edit"));
    addToMenu(edit, {"editUndo", "editRedo", separator, "editFind", "editCopyName", "editCopyJson", "editCopyPicture",
                     "editCommands", separator, "editSettings"});

    auto& view = *m_menus->addMenu(tr("&View"));
    addToMenu(view, {"viewFit", "viewActualSize", "viewZoomToSelection", "viewZoomIn", "viewZoomOut", separator});
    addToMenu(view, {"viewOpenGroup", "viewCloseGroup", "viewOpenAll", "viewCloseAll", "viewBodyTab", separator});
    addToMenu(view, {"viewSourcePane", "viewBothPanes", "viewOnnxPane", separator});
    addToMenu(view, {"viewLinkPanes", "viewStackPanes", "viewLeadRight", "viewEdgeShapes"});
    view.addMenu(&m_colours->menu());
    addToMenu(view, {"viewLegend", "viewFolded", "viewMaximize", separator});
    addToMenu(view, {"viewNextTab", "viewPreviousTab", separator});
    addToMenu(view, {"outlineDockToggle", "nodeDockToggle", "problemsDockToggle", "inputsDockToggle",
                     "summaryDockToggle", "tensorDockToggle", "layersDockToggle"});
    addToMenu(view, {"viewBottom", "viewNextPane", "viewPreviousPane", separator});
    addToMenu(*view.addMenu(icon(QLatin1String("theme")), tr("&Theme")), {"themeSystem", "themeLight", "themeDark"});

    auto& go = *m_menus->addMenu(tr("&Go"));
    addToMenu(go, {"goBack", "goForward", separator, "goCounterpart", "goUpstream", "goDownstream", "goPaths",
                   separator, "goBookmark", "goNextBookmark", "goPreviousBookmark", "goClearBookmarks"});
    go.addMenu(&m_navigation->bookmarkMenu());
    connect(&go, &QMenu::aboutToShow, m_navigation, &NavigationController::fillBookmarkMenu);

    auto& model = *m_menus->addMenu(tr("&Model"));
    addToMenu(model, {"nextDifference", "previousDifference", separator, "modelVerify", "modelVerifyOriginal",
                      separator, "nextProblem", "previousProblem", separator});
    addToMenu(model, {"modelNames", "modelMakeOutput", "modelCutHere", "modelOwnOutputs", "modelCutOut",
                      "modelKeepWhole", "modelMapOperator", separator});
    model.addMenu(&m_options->opsetMenu());
    model.addMenu(&m_options->recurrentMenu());
    addToMenu(model, {"modelEachSample", "modelReroll", "modelOptimize", "modelAttention", separator, "workCancel"});

    addToMenu(*m_menus->addMenu(tr("&Help")), {"helpShortcuts", "helpAbout"});
}

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
        auto* action = (*m_commands)[name];
        auto* button = new QToolButton(bar);
        button->setDefaultAction(action);
        button->setObjectName(QLatin1String(name) + QStringLiteral("Button"));
        button->setAccessibleName(action->text().remove(u'&'));
        button->setToolButtonStyle(style);
        button->setFocusPolicy(Qt::TabFocus);
        if (!text.isEmpty()) {
            action->setIconText(text);
        }
        bar->addWidget(button);
    };
    add("fileOpen", Qt::ToolButtonTextBesideIcon, tr("Open"));
    bar->addWidget(m_export->makeButton(bar));
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
    auto* zoom = new QToolButton(bar);
    zoom->setObjectName(QStringLiteral("zoomLabel"));
    zoom->setAccessibleName(tr("Zoom"));
    zoom->setToolTip(tr("Zoom to 100 %"));
    zoom->setText(tr("%L1 %").arg(100));
    zoom->setMinimumWidth(58);
    connect(zoom, &QToolButton::clicked, (*m_commands)["viewActualSize"], &QAction::trigger);
    connect(m_panes, &GraphPanes::zoomChanged, zoom, [this, zoom] {
        const double percent = m_panes->activeCanvas()->scale() * 100;
        zoom->setText(percent < 1 ? tr("%L1 %").arg(percent, 0, 'g', 1) : tr("%L1 %").arg(std::lround(percent)));
    });
    bar->addWidget(zoom);
    add("viewZoomIn", Qt::ToolButtonIconOnly);
    bar->addSeparator();
    for (const auto* name : {"viewSourcePane", "viewBothPanes", "viewOnnxPane", "viewLinkPanes"}) {
        add(name, Qt::ToolButtonIconOnly);
    }

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

void MainWindow::setTheme(ThemeChoice choice)
{
    applyTheme(choice);
    if (m_settings) {
        m_settings->setValue(QStringLiteral("theme"), static_cast<int>(choice));
    }
}

void MainWindow::askSettings()
{
    auto* dialog = new SettingsDialog(m_preferences, m_settings ? m_settings->fileName() : QString(),
                                      m_panes->areStacked() ? Qt::Vertical : Qt::Horizontal, this);
    connect(dialog, &SettingsDialog::themeChosen, this, &MainWindow::setTheme);
    connect(dialog, &SettingsDialog::panesChosen, this,
            [this](Qt::Orientation panes) { m_panes->stack(panes == Qt::Vertical); });
    connect(dialog, &SettingsDialog::preferencesChanged, this, [this] {
        if (m_tabs != nullptr) {
            m_tabs->takePreferences();
        } else {
            takePreferences();
        }
    });
    dialog->open();
}

} // namespace crosswalk::ui
