#include "ui/controllers/graph_panes.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/node_filter.h"
#include "ui/document/conversion_marks.h"
#include "ui/main_window/pane_switch.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QSplitter>

#include <tuple>
#include <utility>

namespace crosswalk::ui {

GraphPanes::GraphPanes(const WindowParts& parts, NodeFilter& filter)
    : Controller(parts)
    , m_filter(filter)
    , m_splitter(new QSplitter(&m_window))
    , m_sourcePane(new GraphPane(QStringLiteral("source"), m_splitter))
    , m_targetPane(new GraphPane(QStringLiteral("onnx"), m_splitter))
    , m_paneSwitch(new PaneSwitch(*m_sourcePane, *m_targetPane, this))
{
    m_splitter->setObjectName(QStringLiteral("panes"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    addCommands();
    addPaneCommands();
    connectPane(Side::Source);
    connectPane(Side::Target);
    connect(m_paneSwitch, &PaneSwitch::changed, this, &GraphPanes::refreshPanes);
    connect(&m_document, &Document::opened, this, [this] {
        m_newlyOpened = m_document.isOpen();
        m_paneSwitch->forget();
        suggestPanes();
        m_sourcePane->closeBodies();
        m_targetPane->closeBodies();
    });
    connect(&m_document, &Document::sideChanged, this, &GraphPanes::showSide);
    connect(&m_document.folding(), &GroupFolding::changed, this, &GraphPanes::showFolding);
    connect(&m_document.selection(), &Selection::changed, this, &GraphPanes::showSelection);
    const auto showAllMarks = [this] {
        showMarks(Side::Source);
        showMarks(Side::Target);
    };
    connect(&m_document.colours(), &BoxColours::changed, this, showAllMarks);
    connect(&m_document, &Document::conversionChanged, this, [this, showAllMarks] {
        showAllMarks();
        suggestPanes();
        m_newlyOpened = m_newlyOpened && !m_document.converted();
    });
    connect(&m_document, &Document::conversionCancelled, this, [this] {
        if (m_document.isOpen()) {
            canvas(Side::Target)->setPlaceholder(tr("Conversion cancelled."));
        }
    });
    connect(&m_filter, &NodeFilter::changed, this, showAllMarks);
    connect(&m_filter, &NodeFilter::revealRequested, this, &GraphPanes::revealSelection);
    showSide(Side::Source);
    showSide(Side::Target);
}

void GraphPanes::addCommands()
{
    const auto isOpen = [this] { return m_document.isOpen(); };
    const auto hasPicked = [this] { return !picked().boxes.empty(); };
    // With a body in front, the groups of the selection are covered.
    const auto isUncovered = [this] { return pane(m_document.selection().side())->frontPage() == nullptr; };
    m_commands.add("viewFit", tr("&Fit the graph"), QKeySequence(Qt::Key_F), "fit", [this] { activeCanvas()->fit(); })
        .enabledIf(isOpen)
        .limitedTo(*m_splitter);
    m_commands
        .add("viewActualSize", tr("&100 %"), QKeySequence(Qt::Key_1), nullptr,
             [this] { activeCanvas()->zoomToActualSize(); })
        .enabledIf(isOpen)
        .limitedTo(*m_splitter);
    m_commands
        .add("viewZoomToSelection", tr("Zoom to the &selection"), QKeySequence(Qt::Key_Z), nullptr,
             [this] {
                 m_sourcePane->visibleCanvas()->zoomToSelection();
                 m_targetPane->visibleCanvas()->zoomToSelection();
             })
        .enabledIf(hasPicked)
        .limitedTo(*m_splitter);
    m_commands
        .add("viewZoomIn", tr("Zoom &in"), QKeySequence(Qt::CTRL | Qt::Key_Plus), "zoom-in",
             [this] { activeCanvas()->zoomIn(); })
        .enabledIf(isOpen);
    m_commands
        .add("viewZoomOut", tr("Zoom &out"), QKeySequence(Qt::CTRL | Qt::Key_Minus), "zoom-out",
             [this] { activeCanvas()->zoomOut(); })
        .enabledIf(isOpen);
    m_commands
        .add("viewOpenGroup", tr("&Open the selected group"), QKeySequence(Qt::Key_E), nullptr,
             [this] {
                 if (const auto group = m_document.folding().selectedGroup()) {
                     m_document.folding().toggleGroup(m_document.selection().side(), *group);
                 }
             })
        .enabledIf([this, isUncovered] { return isUncovered() && m_document.folding().selectedGroup().has_value(); })
        .limitedTo(*m_splitter);
    m_commands
        .add("viewCloseGroup", tr("&Close the group around the selection"), QKeySequence(Qt::Key_C), nullptr,
             [this] { closeGroup(); })
        .enabledIf(
            [this, isUncovered] { return isUncovered() && m_document.folding().groupAroundSelection().has_value(); })
        .limitedTo(*m_splitter);
    m_commands
        .add("viewOpenAll", tr("Open &all groups"), QKeySequence(Qt::SHIFT | Qt::Key_E), nullptr,
             [this] { m_document.folding().setAllOpen(activeSide(), true); })
        .enabledIf([this] { return hasGroups(); })
        .limitedTo(*m_splitter);
    m_commands
        .add("viewCloseAll", tr("Clos&e all groups"), QKeySequence(Qt::SHIFT | Qt::Key_C), nullptr,
             [this] { m_document.folding().setAllOpen(activeSide(), false); })
        .enabledIf([this] { return hasGroups(); })
        .limitedTo(*m_splitter);
}

void GraphPanes::addPaneCommands()
{
    using Panes = PaneSwitch::Panes;
    const std::tuple<const char*, QString, const char*, Panes, Qt::Key> choices[] = {
        {"viewSourcePane", tr("Source &only"), "pane-source", Panes::Source, Qt::Key_1},
        {"viewBothPanes", tr("So&urce and ONNX"), "pane-both", Panes::Both, Qt::Key_2},
        {"viewOnnxPane", tr("ONN&X only"), "pane-onnx", Panes::Target, Qt::Key_3}};
    auto* group = new QActionGroup(this);
    for (const auto& [name, text, iconName, panes, key] : choices) {
        auto& command = m_commands
                            .add(name, text, QKeySequence(Qt::CTRL | key), iconName,
                                 [this, panes = panes] { m_paneSwitch->choose(panes); })
                            .enabledIf([this] { return m_document.isOpen(); })
                            .checkedIf([this, panes = panes] { return m_paneSwitch->shown() == panes; });
        group->addAction(command.action());
    }
    m_commands
        .add("viewLinkPanes", tr("&Link the panes"), QKeySequence(Qt::CTRL | Qt::Key_L), "link",
             [this] { follow(activeSide()); })
        .enabledIf([this] {
            return m_document.side(Side::Target) != nullptr && m_paneSwitch->shown() == PaneSwitch::Panes::Both;
        })
        .checkable();
    m_commands
        .add("viewStackPanes", tr("S&tack panes"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), nullptr,
             [this] { stack(!areStacked()); })
        .checkedIf([this] { return areStacked(); });
    m_commands
        .add("viewLeadRight", tr("Left-to-ri&ght layout"), QKeySequence(Qt::Key_R), nullptr,
             [this] {
                 setFlow(m_document.folding().flow() == Flow::Down ? Flow::Right : Flow::Down);
                 emit layoutChanged();
             })
        .checkedIf([this] { return m_document.folding().flow() == Flow::Right; })
        .limitedTo(*m_splitter);
    m_commands
        .add("viewEdgeShapes", tr("S&hapes on edges"), QKeySequence(Qt::Key_S), nullptr,
             [this] {
                 showEdgeShapes(!m_edgeShapesShown);
                 emit layoutChanged();
             })
        .checkedIf([this] { return m_edgeShapesShown; })
        .limitedTo(*m_splitter);
}

CanvasView* GraphPanes::canvas(Side side)
{
    return pane(side)->canvas();
}

Side GraphPanes::activeSide()
{
    if (m_targetPane->visibleCanvas()->hasFocus()) {
        m_activeSide = Side::Target;
    } else if (m_sourcePane->visibleCanvas()->hasFocus()) {
        m_activeSide = Side::Source;
    }
    return m_activeSide;
}

CanvasView* GraphPanes::activeCanvas()
{
    return pane(activeSide())->visibleCanvas();
}

SubgraphPage* GraphPanes::frontPage()
{
    return pane(activeSide())->frontPage();
}

bool GraphPanes::isShown(Side side) const
{
    return m_paneSwitch->isShown(*pane(side));
}

bool GraphPanes::hasGroups() const
{
    const auto isGrouped = [this](Side side) {
        return m_document.side(side) && !m_document.side(side)->groups->groups.empty();
    };
    return isGrouped(Side::Source) || isGrouped(Side::Target);
}

void GraphPanes::connectPane(Side side)
{
    CanvasView* view = canvas(side);
    view->setToolTips(
        [this, side, view](std::uint32_t drawn) {
            const auto group = view->drawnScene()->groupOf(drawn);
            return group ? groupToolTip(m_document, side, *group)
                         : boxToolTip(m_document, side, view->drawnScene()->membersOf({drawn}).front());
        },
        [this, side, view](std::uint32_t edge) {
            return edgeToolTip(m_document, side, view->drawnScene()->scene.edges[edge].value);
        });
    view->setEdgeLabel([this, side, view](std::uint32_t edge) {
        const ValueId value = view->drawnScene()->scene.edges[edge].value;
        return value ? typeText(typeOf(m_document, side, value)) : QString();
    });
    view->setEdgeShape([this, side, view](std::uint32_t edge) {
        const ValueId value = view->drawnScene()->scene.edges[edge].value;
        return value ? edgeShapeText(typeOf(m_document, side, value)) : QString();
    });
    connect(view, &CanvasView::picked, this, [this, side, view](const std::vector<std::uint32_t>& drawn) {
        m_activeSide = side;
        m_document.selection().select(side, view->drawnScene() != nullptr ? view->drawnScene()->membersOf(drawn)
                                                                          : std::vector<std::uint32_t>());
        reveal(opposite(side), m_document.selection().counterparts());
    });
    connect(view, &CanvasView::groupToggled, this, [this, side](std::uint32_t group) {
        m_activeSide = side;
        m_document.folding().toggleGroup(side, group);
    });
    connect(view, &CanvasView::leftUpwards, this, [this] { closeGroup(); });
    connect(view, &CanvasView::activated, this, [this, side, view](std::uint32_t drawn) {
        emit activated(side, view->drawnScene()->membersOf({drawn}).front());
    });
    connect(view, &CanvasView::transformChanged, this, [this, side] {
        emit zoomChanged();
        follow(side);
    });
    connect(pane(side), &GraphPane::frontChanged, this, &GraphPanes::zoomChanged);
    connect(pane(side), &GraphPane::bodyZoomed, this, &GraphPanes::zoomChanged);
}

void GraphPanes::suggestPanes()
{
    m_paneSwitch->suggest(m_document.isExportUnchanged() ? PaneSwitch::Panes::Source : PaneSwitch::Panes::Both);
}

void GraphPanes::refreshPanes(bool focusHidden)
{
    if (!isShown(m_activeSide)) {
        m_activeSide = opposite(m_activeSide);
    }
    if (focusHidden) {
        pane(m_activeSide)->visibleCanvas()->setFocus(Qt::OtherFocusReason);
    }
    emit zoomChanged();
    m_commands.refresh();
    emit shownPanesChanged();
}

GraphPanes::Picked GraphPanes::picked()
{
    if (const auto* page = frontPage()) {
        const auto* drawn = activeCanvas()->drawnScene();
        return {page->body(),
                drawn != nullptr ? drawn->membersOf(activeCanvas()->selection()) : std::vector<std::uint32_t>(), true};
    }
    return {m_document.side(m_document.selection().side()), m_document.selection().boxes()};
}

bool GraphPanes::isIdle() const
{
    return m_sourcePane->isIdle() && m_targetPane->isIdle();
}

void GraphPanes::setAnimated(bool animated)
{
    for (auto* one : {m_sourcePane, m_targetPane}) {
        one->setAnimated(animated);
    }
}

bool GraphPanes::areStacked() const
{
    return m_splitter->orientation() == Qt::Vertical;
}

void GraphPanes::stack(bool stacked)
{
    std::vector<CanvasView*> whole; // views that show the whole graph still do so in panes of a different shape
    for (const auto side : {Side::Source, Side::Target}) {
        auto* view = pane(side)->visibleCanvas();
        if (view->drawnScene() != nullptr && view->visibleArea().contains(view->drawnScene()->index.bounds())) {
            whole.push_back(view);
        }
    }
    m_splitter->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
    for (auto* view : whole) {
        view->fit();
    }
    emit layoutChanged();
    m_commands.refresh();
}

void GraphPanes::setFlow(Flow flow)
{
    m_document.folding().setFlow(flow);
    m_sourcePane->setFlow(flow);
    m_targetPane->setFlow(flow);
    m_commands.refresh();
}

void GraphPanes::showEdgeShapes(bool shown)
{
    m_edgeShapesShown = shown;
    m_sourcePane->setShapesShown(shown);
    m_targetPane->setShapesShown(shown);
    m_commands.refresh();
}

QByteArray GraphPanes::saveState() const
{
    return m_splitter->saveState();
}

void GraphPanes::restoreState(const QByteArray& state)
{
    m_splitter->restoreState(state);
}

} // namespace crosswalk::ui
