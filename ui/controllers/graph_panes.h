#pragma once

#include "ui/canvas/canvas_view.h"
#include "ui/controllers/controller.h"
#include "ui/document/document.h"

#include <QByteArray>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QSplitter;

namespace crosswalk::ui {

class GraphPane;
class NodeFilter;
class PaneSwitch;
class SubgraphPage;

/// The two panes with the graphs: which of them are shown, their scenes, marks and selections, which one is active, and
/// how they move together.
class GraphPanes final : public Controller {
    Q_OBJECT
public:
    GraphPanes(const WindowParts& parts, NodeFilter& filter);

    QSplitter* widget() { return m_splitter; }
    GraphPane* pane(Side side) { return side == Side::Source ? m_sourcePane : m_targetPane; }
    const GraphPane* pane(Side side) const { return side == Side::Source ? m_sourcePane : m_targetPane; }
    CanvasView* canvas(Side side);
    /// The side that the user worked with last.
    Side activeSide();
    void setActiveSide(Side side) { m_activeSide = side; }
    /// The page of bodies in front of the active pane; null if its graph is in front.
    SubgraphPage* frontPage();
    CanvasView* activeCanvas();
    bool isShown(Side side) const;

    /// The graph in front of the active side, and its selected boxes.
    struct Picked {
        std::shared_ptr<const GraphSide> graph; ///< null if there is none
        std::vector<std::uint32_t> boxes;
        bool isBody = false;
    };
    Picked picked();

    /// Shows the selection and its counterparts; opens the groups that hide a single node.
    void revealSelection();
    /// A jump comes from a list or a search: it zooms to a readable scale.
    void reveal(Side side, const std::vector<std::uint32_t>& boxes, bool isJump = false);
    std::vector<std::uint32_t> drawnBoxes(Side side, const std::vector<std::uint32_t>& boxes);
    void closeGroup();

    bool isIdle() const;
    /// If false, the canvases move immediately (tests, screenshots).
    void setAnimated(bool animated);
    bool areStacked() const;
    void stack(bool stacked);
    void setFlow(Flow flow);
    bool areEdgeShapesShown() const { return m_edgeShapesShown; }
    void showEdgeShapes(bool shown);
    QByteArray saveState() const;
    void restoreState(const QByteArray& state);

signals:
    /// The pane with the active graph, its zoom, or the page in front changed.
    void zoomChanged();
    void shownPanesChanged();
    /// A canvas shows another drawing or other marks.
    void drawn(crosswalk::ui::Side side);
    /// The user changed the layout of the panes.
    void layoutChanged();
    /// The user entered a box of a graph.
    void activated(crosswalk::ui::Side side, std::uint32_t box);

private:
    void addCommands();
    void addPaneCommands();
    void connectPane(Side side);
    /// Shows both panes, or one of an ONNX source that the export does not change.
    void suggestPanes();
    void refreshPanes(bool focusHidden);
    void showSide(Side side);
    void showTitle(Side side);
    void showMarks(Side side);
    void showFolding(Side side, std::optional<std::uint32_t> group);
    void showSelection();
    /// If the panes are linked, moves the other one accordingly.
    void follow(Side moved);
    bool hasGroups() const;

    NodeFilter& m_filter;
    QSplitter* m_splitter;
    GraphPane* m_sourcePane;
    GraphPane* m_targetPane;
    PaneSwitch* m_paneSwitch;
    Side m_activeSide = Side::Source;
    bool m_edgeShapesShown = true;
    bool m_following = false;
    bool m_newlyOpened = false;
    std::array<std::weak_ptr<const GraphSide>, 2> m_shown; ///< by side
    std::filesystem::path m_comparedWith;                  ///< the model on the right in a comparison
    /// The part of the source shown on the right, and the outputs chosen for it.
    std::pair<std::optional<ModelPart>, std::vector<std::string>> m_partShown;
    enum class WhenFolded : std::uint8_t { Nothing, Reveal, Jump };
    std::array<WhenFolded, 2> m_revealWhenFolded{}; ///< by side: what to do when the selection's groups are open
};

} // namespace crosswalk::ui
