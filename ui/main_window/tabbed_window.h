#pragma once

#include "ui/main_window/session.h"

#include <QSettings>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QStackedWidget;

namespace crosswalk::ui {

class ClosableTabs;
class CollectionWindow;
class CrashRecovery;
class MainWindow;
struct LeftEdits;
struct OpenedFiles;

/// A window with one model per tab. Menus and tools belong to the model in front. The tab bar is visible if there are
/// several tabs.
class TabbedWindow final : public QWidget {
    Q_OBJECT
public:
    /// Null settings: nothing is stored.
    explicit TabbedWindow(std::unique_ptr<QSettings> settings, QWidget* parent = nullptr);
    ~TabbedWindow() override;

    int count() const { return static_cast<int>(m_pages.size()); }
    MainWindow* current() const { return m_pages[static_cast<std::size_t>(m_front)].model; }
    MainWindow* at(int tab) const { return m_pages[static_cast<std::size_t>(tab)].model; }

    /// Adds an empty tab in front.
    MainWindow* addTab();
    /// Switches to the tab that already shows the model. Otherwise opens it in the front tab if that is empty, or in a
    /// new one. Converts it according to the preferences.
    void openModel(const QString& path, const QString& weights = {});
    /// The same with the options in `files`.
    void openModel(OpenedFiles files);
    void showTab(int tab);
    /// Switches to a neighbouring tab, wrapping around.
    void stepTab(int step);
    /// The last tab first becomes empty; closing it again closes the window. Asks first if a file is being written.
    void closeTab(int tab);
    void closeCurrent() { closeTab(m_front); }
    bool canReopen() const { return !m_closed.empty(); }
    /// Reopens the last closed tab with its state.
    void reopenClosed();
    /// Moves the model in front to a new window.
    void moveToWindow();
    /// Opens another window with an empty tab next to this one.
    TabbedWindow* openWindow();

    /// Asks for a folder and opens a window for its models.
    void askCollection();
    CollectionWindow* openCollection(const QString& folder);

    /// Stores all windows and their models for the next start.
    void saveSession() const;
    /// All models of the session use the settings as they are now.
    void takePreferences() const;
    /// Restores the stored session, with this as its first window. A model is read when its tab is first shown.
    void restoreSession();
    /// Offers to restore the edits of windows that a crash has closed.
    void offerLeftEdits();
    /// Closes all windows.
    void quit() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Page {
        MainWindow* model;
        QWidget* bars;                     ///< its menus and tools
        std::optional<ModelState> waiting; ///< opened when the tab is first shown
    };

    void dropTab(int tab);
    /// Asks whether to stop writing files, and calls `close` if so and while `context` exists.
    void askToStop(const QStringList& activities, const QObject& context, std::function<void()> close);
    MainWindow* adopt(MainWindow* model);
    Page release(int tab);
    int tabOf(const MainWindow* model) const;
    ModelState stateOf(const Page& page) const;
    std::vector<Page>::iterator pageOf(const QString& model); ///< the first one that shows the model
    MainWindow* vacantTab();                                  ///< the front tab if it is empty, or a new one
    void showTitles();
    QList<const TabbedWindow*> windowsOfSession() const;
    /// Stores the layout of the front tab, or of another one if that is empty.
    void saveLayout() const;
    void storeEdits();
    void restoreEdits(const std::vector<LeftEdits>& left);

    std::unique_ptr<QSettings> m_settings;
    QStackedWidget* m_bars;
    ClosableTabs* m_tabs;
    QStackedWidget* m_models;
    std::vector<Page> m_pages; ///< in the order of the tabs
    int m_front = -1;
    bool m_isStopped = false; ///< the user agreed to stop writing files
    std::vector<ModelState> m_closed;
    std::unique_ptr<CrashRecovery> m_recovery; ///< null without settings
};

} // namespace crosswalk::ui
