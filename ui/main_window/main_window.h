#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/document/document.h"
#include "ui/main_window/preferences.h"
#include "ui/main_window/session.h"
#include "ui/models/recent_files.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QSettings>
#include <QUrl>

#include <functional>
#include <initializer_list>
#include <memory>

class QScrollArea;
class QStackedWidget;
class QToolBar;
class QVBoxLayout;

namespace crosswalk::ui {

class BodyController;
class ColourController;
class CommandPalette;
class CommandSet;
class DockController;
class DropFrame;
class ExportController;
class FileController;
class GraphPanes;
class Messages;
class NavigationController;
class NodeFilter;
class OptionController;
class StartPage;
class StatusLine;
class TabbedWindow;

/// A window for one model: source left, ONNX right, docks around them (UI.md). A separate window, or a tab of a
/// TabbedWindow. Creates the document and the controllers (ui/controllers), which have the commands and connect the
/// document with the widgets, and arranges their commands in menus and tool bar.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// Null settings: nothing is stored (tests, screenshots).
    explicit MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return m_document; }
    CanvasView* canvas(Side side);
    void openModel(const QString& path);
    /// Opens models, reopens the model with weights, or verifies against recorded tensors.
    void takeFiles(const QList<QUrl>& urls);
    /// Whether no model is open or being opened.
    bool isVacant() const { return !m_document.isOpen() && m_document.isIdle(); }
    /// The state of the model: files, options, selection and zoom.
    ModelState state() const;
    const Preferences& preferences() const { return m_preferences; }
    void restore(const ModelState& state);
    /// All commands, for the palette.
    QList<QAction*> commands() const;
    /// Reveals the selection and its counterparts; opens the groups that hide a single node.
    void revealSelection();
    /// Whether no job is running and all layouts and updates are done.
    bool isIdle() const;
    /// If false, the canvases move immediately (tests, screenshots).
    void setAnimated(bool animated);

    // As a tab of a window: main_window_tabs.cpp.
    void setTabs(TabbedWindow* tabs);
    /// Moves the menus and tool bars to `place`, which all tabs of a window share.
    void moveBars(QVBoxLayout* place);
    /// Copies the layout of docks and panes from another tab.
    void takeLayout(const MainWindow& other);
    void saveLayout();
    /// Uses the settings for exports as they are now.
    void takePreferences();
    void takeFocus();
    void refreshTabActions();

signals:
    void becameIdle();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void buildCenter();
    void buildControllers();
    void connectControllers();
    void showModel();
    void restoreLayout();
    void reportWhenIdle();

    // main_window_menus.cpp: the commands of the window itself, menus and tool bar.
    void addCommands();
    void addThemeCommands();
    void buildMenus();
    void buildToolBar();
    void addToMenu(QMenu& menu, std::initializer_list<const char*> names);
    void setTheme(ThemeChoice choice);
    void askSettings();

    // main_window_tabs.cpp: other tabs and windows.
    void addTabCommands();
    void addTabCommand(const char* name, const QString& text, const QKeySequence& shortcut,
                       std::function<bool(const TabbedWindow&)> isEnabled, std::function<void(TabbedWindow&)> run);
    void openAnother(const QString& path, const QString& weights = {});
    void closeModel();
    void leave();

    std::unique_ptr<QSettings> m_settings;
    Preferences m_preferences;
    TabbedWindow* m_tabs = nullptr;
    Document m_document;
    RecentFiles m_recent;

    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    QScrollArea* m_startArea = nullptr;
    DropFrame* m_dropFrame = nullptr;
    CommandPalette* m_palette = nullptr;
    QMenuBar* m_menus = nullptr;
    QToolBar* m_tools = nullptr;

    CommandSet* m_commands = nullptr;
    Messages* m_messages = nullptr;
    NodeFilter* m_filter = nullptr;
    GraphPanes* m_panes = nullptr;
    DockController* m_docks = nullptr;
    BodyController* m_bodies = nullptr;
    ColourController* m_colours = nullptr;
    NavigationController* m_navigation = nullptr;
    OptionController* m_options = nullptr;
    ExportController* m_export = nullptr;
    StatusLine* m_status = nullptr;
    FileController* m_files = nullptr;
};

} // namespace crosswalk::ui
