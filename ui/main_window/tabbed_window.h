#pragma once

#include "ui/main_window/session.h"

#include <QSettings>
#include <QWidget>

#include <memory>

class QStackedWidget;

namespace crosswalk::ui {

class ClosableTabs;
class MainWindow;

/// A window with a model in every tab. Menus and tools are those of the model in front; the tabs show where there are
/// several.
class TabbedWindow final : public QWidget {
    Q_OBJECT
public:
    /// Null settings: nothing is remembered from one run to the next.
    explicit TabbedWindow(std::unique_ptr<QSettings> settings, QWidget* parent = nullptr);
    ~TabbedWindow() override;

    int count() const { return static_cast<int>(m_pages.size()); }
    MainWindow* current() const { return m_pages[static_cast<std::size_t>(m_front)].model; }
    MainWindow* at(int tab) const { return m_pages[static_cast<std::size_t>(tab)].model; }

    /// An empty tab, in front.
    MainWindow* addTab();
    /// Shows the tab that has the model already; else opens it in the tab in front where that is empty, or in a new
    /// one. Without options it is converted as the preferences say.
    void openModel(const QString& path, const QString& weights = {}, const std::optional<ConvertOptions>& options = {});
    void showTab(int tab);
    /// To a neighbour, round and round.
    void stepTab(int step);
    /// The last tab becomes empty first; empty, it takes the window with it.
    void closeTab(int tab);
    void closeCurrent() { closeTab(m_front); }
    bool canReopen() const { return !m_closed.empty(); }
    /// What was closed last, as it was left.
    void reopenClosed();
    /// The model in front gets a window of its own.
    void moveToWindow();
    /// Another window, beside this one, with an empty tab.
    TabbedWindow* openWindow();

    /// Keeps all windows with their models for the next start.
    void saveSession() const;
    /// Opens what was kept; its first window is this one. A model is read when its tab is first shown.
    void restoreSession();
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
        std::optional<ModelState> waiting; ///< to be opened when it is shown
    };

    MainWindow* adopt(MainWindow* model);
    Page release(int tab);
    int tabOf(const MainWindow* model) const;
    ModelState stateOf(const Page& page) const;
    void showTitles();
    QList<const TabbedWindow*> windowsOfSession() const;

    std::unique_ptr<QSettings> m_settings;
    QStackedWidget* m_bars;
    ClosableTabs* m_tabs;
    QStackedWidget* m_models;
    std::vector<Page> m_pages; ///< in the order of the tabs
    int m_front = -1;
    std::vector<ModelState> m_closed;
};

} // namespace crosswalk::ui
