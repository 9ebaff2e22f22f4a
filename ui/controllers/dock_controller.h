#pragma once

#include "ui/controllers/controller.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSize>
#include <QSizeF>

#include <utility>

class QDockWidget;
class QWidget;

namespace crosswalk::ui {

class BottomArea;
class DetailsView;
class GraphPanes;
class InputsPanel;
class LayersPanel;
class OutlinePanel;
class ProblemsPanel;
class PropertiesPanel;
class TensorPanel;

/// The docks around the graphs with their panels: their contents, titles and notes, their layout, and the commands that
/// show, hide and step through them.
class DockController final : public Controller {
    Q_OBJECT
public:
    DockController(const WindowParts& parts, GraphPanes& panes);

    OutlinePanel& outline() { return *m_outline; }
    PropertiesPanel& properties() { return *m_properties; }
    ProblemsPanel& problems() { return *m_problems; }
    InputsPanel& inputs() { return *m_inputs; }
    LayersPanel& layers() { return *m_layers; }
    TensorPanel& tensor() { return *m_tensor; }

    /// Shows a dock in front of those that share its place.
    void show(const char* name);
    /// Shows the details of the selected node and moves the focus there.
    void focusDetails();
    /// Shows the inputs, with the shape of the first one that needs one being edited.
    void askShapes();
    /// Asks for a file and saves the tensor shown.
    void saveTensor();
    /// Whether the widget is in a dock that another one covers, which Qt counts as visible.
    bool isCovered(const QWidget* widget) const;
    /// Repaints what depends on the theme.
    void refreshTheme();

    // Layout: dock_layout.cpp.
    /// Without a model, the window shows one simple page: the docks are hidden, and restored with the next model.
    void showWorkspace(bool open);
    QByteArray layout() const;
    void restoreSettings();
    void saveSettings() const;
    void takeLayout(const DockController& other);
    /// Hides all docks, or restores them.
    void toggleMaximized();
    /// The area of a pane in a window of this size with its default layout.
    static QSizeF paneSize(QSize window);
    // Floating docks are separate windows, which Qt does not hide with their tab.
    void hideFloating();
    void showFloating();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void saveLayersRequested();
    void weightsRequested();
    // Queued: what follows needs the layout after the event.
    void resized(); ///< the window
    void fitted();  ///< the docks at the sides

private:
    void buildDocks();
    QDockWidget* addDock(const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void connectPanels();
    void addCommands();
    /// Shows and focuses a dock; hides it if it has the focus.
    void callDock(QDockWidget& dock);
    void focusDock(QDockWidget& dock);
    /// Whether a dock below the graphs can be seen: it is neither behind another one nor collapsed.
    bool isUncovered(const char* name) const;
    void stepPane(int direction);
    void refreshNotes();
    void refreshVisibility();
    /// Shows the panel of problems if there are any, and collapses the panels if there are none.
    void arrangeBottom();
    /// Gives the docks at the sides the widths for the size of the window.
    void fitWidths();
    /// The widths of the docks at the sides.
    std::pair<int, int> widths() const;
    /// After the layout with the docks' widths.
    void noteWidths();

    GraphPanes& m_panes;
    OutlinePanel* m_outline = nullptr;
    PropertiesPanel* m_properties = nullptr;
    ProblemsPanel* m_problems = nullptr;
    InputsPanel* m_inputs = nullptr;
    DetailsView* m_summary = nullptr;
    TensorPanel* m_tensor = nullptr;
    LayersPanel* m_layers = nullptr;
    QMap<QString, QDockWidget*> m_docks; ///< ordered: the order of restoring determines their sizes
    QList<QDockWidget*> m_floating;      ///< hidden while another tab is in front
    BottomArea* m_bottom = nullptr;
    QByteArray m_layout;           ///< applied when a model opens: in a window without a size it would have no effect
    QByteArray m_beforeMaximizing; ///< empty if the graph is not maximized
    std::pair<int, int> m_fitted;  ///< widths of the docks at the sides in a window of m_fittedIn
    QSize m_fittedIn;
    bool m_isFitting = false;
    bool m_followsWindow = false; ///< the docks at the sides do, until the user sets another width
    bool m_workspaceShown = false;
    bool m_newlyOpened = false;
};

} // namespace crosswalk::ui
