#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/document/document.h"
#include "ui/main_window/preferences.h"
#include "ui/main_window/session.h"
#include "ui/models/recent_files.h"
#include "ui/theme/theme.h"

#include <QMainWindow>
#include <QMap>
#include <QSettings>
#include <QTemporaryDir>
#include <QUrl>

#include <memory>

class QActionGroup;
class QFileSystemWatcher;
class QLabel;
class QProgressBar;
class QScrollArea;
class QSplitter;
class QStackedWidget;
class QTimer;
class QToolBar;
class QToolButton;
class QVBoxLayout;

namespace crosswalk::ui {

class Banner;
class CommandPalette;
class DockTitle;
class DragHandle;
class GraphPane;
class InputsPanel;
class OutlinePanel;
class ProblemsPanel;
class PropertiesPanel;
class StartPage;
class TabbedWindow;
class TensorPanel;
class DetailsView;

/// One model: source left, ONNX right, docks around them (UI.md). Wires the document to the widgets; what is true of
/// the model stands in the document. A window of its own, or a tab of a TabbedWindow.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// Null settings: nothing is remembered from one run to the next (tests, screenshots).
    explicit MainWindow(std::unique_ptr<QSettings> settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return m_document; }
    CanvasView* canvas(Side side);
    void openModel(const QString& path);
    /// Opens models, reads again with weights, verifies against recorded tensors.
    void takeFiles(const QList<QUrl>& urls);
    /// Nothing is open, nor about to be.
    bool isVacant() const { return !m_document.isOpen() && m_document.isIdle(); }
    /// The model as it is now: its files, choices, selection and zoom.
    ModelState state() const;
    const Preferences& preferences() const { return m_preferences; }
    void restore(const ModelState& state);
    /// All commands, for the palette.
    QList<QAction*> commands() const;
    /// Brings what is selected, and its counterparts, into view; opens the groups that hide a single node.
    void revealSelection();
    /// Nothing runs, nothing is still to be laid out or shown.
    bool isIdle() const;
    /// Off: the canvases move at once (tests, screenshots).
    void setAnimated(bool animated);

    // As a tab.
    void setTabs(TabbedWindow* tabs);
    /// Menus and tools go there: all of the window has one place for them.
    void moveBars(QVBoxLayout* place);
    /// Docks and panes as in another tab.
    void takeLayout(const MainWindow& other);
    void saveLayout();
    void takeFocus();
    void refreshTabActions();

signals:
    void becameIdle();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    // main_window.cpp: what there is, and how it hangs together.
    void buildCenter();
    void buildDocks();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void connectDocument();
    GraphPane* pane(Side side) { return side == Side::Source ? m_sourcePane : m_targetPane; }

    // main_window_layout.cpp: where docks and panes stand.
    void showWorkspace(bool open);
    void restoreLayout();

    // main_window_docks.cpp: docks and panes by keys.
    void buildDockActions(QMenu& view);
    void refreshDockActions();
    void showDock(const char* name);
    /// Brings it up with the focus; what has the focus already is put away.
    void callDock(QDockWidget& dock);
    void focusDock(QDockWidget& dock);
    void focusDetails();
    void stepPane(int direction);

    // main_window_panes.cpp: what the two panes show.
    void connectPane(Side side);
    void showSide(Side side);
    void showMarks(Side side);
    void showFolding(Side side, std::optional<std::uint32_t> group);
    void showSelection();
    void reveal(Side side, const std::vector<std::uint32_t>& boxes);
    std::vector<std::uint32_t> drawnBoxes(Side side, const std::vector<std::uint32_t>& boxes);
    void closeGroup();
    /// Where the panes are linked, the other one moves along.
    void follow(Side moved);

    // main_window_actions.cpp: menus, tool bar, shortcuts.
    void buildActions();
    void buildToolBar();
    QAction* addCommand(const char* name, const QString& text, const QKeySequence& shortcut, const char* iconName,
                        std::function<void()> run);
    void refreshActions();
    void refreshRecent();
    CanvasView* activeCanvas();
    void setTheme(ThemeChoice choice);

    // main_window_messages.cpp: status bar, banners, progress.
    void buildStatusBar();
    void refreshStatus();
    void showZoom();
    /// Selects all nodes of one entry of the legend in the status bar: a verdict, or a level of error.
    void selectMarked(int entry);
    /// Shows the nodes of an entry of the legend alone, or all again where it does already.
    void toggleFilter(int entry);
    void endFilter();
    void showFilter();
    /// What the canvas paints a side with: what the legend filters away steps back.
    std::shared_ptr<const SceneMarks> filteredMarks(Side side) const;
    QString legendEntry(int entry, const QColor& mark, std::ptrdiff_t count, const QString& name) const;
    void refreshNotes();
    void showProgress();
    void tellOpenFailed(const Diagnostic& problem, const std::filesystem::path& path);
    void tellOpenShapes();
    void tellMissingWeights();
    void tellMistake(const QString& activity, const QString& what);

    // main_window_output.cpp: dialogs of opening, exporting, help.
    void askOpen(bool isFolder = false);
    void askWeights();
    void askExport();
    /// Asks before it replaces a file, and says so where that is the model that is open.
    void exportOver(const QString& path);
    void tellExported(const ExportResult& result);
    // main_window_drag_out.cpp: the export as a file for other programs.
    void buildDragHandle();
    void refreshDragHandle();
    void wantExport(bool copied);
    void takeOut();
    /// The files that the conversion in force was exported to; empty where there are none, or no longer.
    QStringList exportedFiles() const;
    void rememberExport(const ExportResult& result);
    // main_window_pictures.cpp: pictures and reports of what is seen.
    void askPicture(CanvasView::Part part);
    void askReport();
    void tellSaved(const std::filesystem::path& path);
    void tellNotSaved(const Diagnostic& problem);

    void showAbout();
    void showShortcuts();

    // main_window_files.cpp: changes on disk; how a model is left and found again.
    void watchFiles();
    void tellFileChanged(const QString& path);
    void reload();
    void readAgain(const std::filesystem::path& weights);
    ModelView view() const;
    void restoreView();

    // main_window_bodies.cpp: what nodes run, in place and in tabs.
    void connectBodies(Side side);
    void activate(Side side, std::uint32_t box);
    /// Where the selected node is, and the way to its body; none where it has none.
    std::optional<std::pair<Side, BodyPath>> selectedBody();
    void openBodyTab();
    /// Selects a node in a body of the source, and what the node around it becomes.
    void showInSourceBody(const GraphPath& path, NodeId node);
    void showContextMenu(Side side, CanvasView* view, const QPoint& place);
    /// The outline and the properties are of the page in front.
    void showFrontBody();

    // main_window_settings.cpp: what is the same for all models, and what this one is converted with.
    void buildOptionActions(QMenu* model);
    void refreshOptionActions();
    void askSettings();
    void takePreferences();
    void stackPanes(bool stacked);
    void setFlow(Flow flow);

    // main_window_tabs.cpp: other models beside this one.
    void addTabCommand(QMenu* menu, const char* name, const QString& text, const QKeySequence& shortcut,
                       std::function<void(TabbedWindow&)> run);
    void showFloatingDocks();
    void openAnother(const QString& path, const QString& weights = {});
    void closeModel();
    void leave();

    // main_window_inputs.cpp: what an edit of the inputs did.
    void tellEditedInputs();

    // main_window_verify.cpp: recorded tensors and what they say.
    void askVerify();
    void verifyAgainst(const std::filesystem::path& data);
    void verifyEquivalence();
    /// Whether a check can run; else says why not.
    bool canVerify();
    void tellVerified(const Result<NodeCheck>& result);
    void tellNotVerified(const Diagnostic& problem);
    void explainRuntime(const Diagnostic& problem);
    void askRuntime();
    void restoreRuntime();

    // main_window_compare.cpp: two models side by side.
    void buildCompareActions(QMenu& file);
    void buildDifferenceActions(QMenu& model);
    void refreshCompareActions();
    void askCompare();
    void showChanges();
    void stepDifference(int direction);

    // main_window_edits.cpp: what can be changed of an ONNX source.
    void buildEditActions(QMenu& model);
    void refreshEditActions();
    void askNames();
    void cutOutSelection();
    void tellConversionFailed(const Diagnostic& problem);

    std::unique_ptr<QSettings> m_settings;
    Preferences m_preferences;
    TabbedWindow* m_tabs = nullptr;
    Document m_document;
    RecentFiles m_recent;
    QHash<QString, QAction*> m_actions;
    QActionGroup* m_opsets = nullptr;
    QMenu* m_recentMenu = nullptr;

    QStackedWidget* m_stack = nullptr;
    StartPage* m_start = nullptr;
    QScrollArea* m_startArea = nullptr;
    Banner* m_banner = nullptr;
    QSplitter* m_splitter = nullptr;
    GraphPane* m_sourcePane = nullptr;
    GraphPane* m_targetPane = nullptr;
    Side m_activeSide = Side::Source;
    std::optional<ModelView> m_viewToRestore; ///< once the model is converted
    QFileSystemWatcher* m_watcher = nullptr;
    bool m_following = false;
    std::vector<Diagnostic> m_problemsBefore; ///< of the conversion before
    std::filesystem::path m_data;             ///< recorded tensors that were asked for last
    bool m_freshlyOpened = false;
    std::filesystem::path m_comparedWith; ///< what stands on the right, where it is another model
    std::optional<ModelPart> m_partShown; ///< of the source, on the right
    QString m_whatIsDone;                 ///< by the conversion that runs, once it is there
    struct LegendFilter {
        int entry;
        std::array<std::vector<std::uint32_t>, 2> boxes; ///< by side: what it leaves
    };
    std::optional<LegendFilter> m_filter;
    std::array<bool, 2> m_revealWhenFolded{}; ///< by side: groups are being opened to show what is selected

    OutlinePanel* m_outline = nullptr;
    PropertiesPanel* m_properties = nullptr;
    ProblemsPanel* m_problems = nullptr;
    InputsPanel* m_inputs = nullptr;
    DetailsView* m_summary = nullptr;
    TensorPanel* m_tensor = nullptr;
    QMap<QString, QDockWidget*> m_docks; ///< in an order: that in which they come back decides their sizes
    QHash<QString, DockTitle*> m_dockTitles;
    QList<QDockWidget*> m_floatingDocks; ///< hidden while another tab is in front
    QByteArray m_layout; ///< of the docks, for when a model opens: in a window that has no size yet they find none
    bool m_workspaceShown = false;
    CommandPalette* m_palette = nullptr;
    QMenuBar* m_menus = nullptr;
    QToolBar* m_tools = nullptr;

    QToolButton* m_exportButton = nullptr;
    DragHandle* m_dragHandle = nullptr;               ///< the title of the ONNX pane
    bool m_copiesExport = false;                      ///< rather than that it is dragged
    std::weak_ptr<const ConvertedModel> m_exportedOf; ///< what these files were written of
    QStringList m_exported;
    std::unique_ptr<QTemporaryDir> m_staging;
    QToolButton* m_zoomLabel = nullptr;
    QLabel* m_message = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_verdicts = nullptr;
    QLabel* m_timing = nullptr;
    QLabel* m_checked = nullptr;
    QWidget* m_progress = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progressBar = nullptr;
    QTimer* m_progressDelay = nullptr;
    QTimer* m_progressPoll = nullptr; ///< while something runs
};

} // namespace crosswalk::ui
