// The contents of the two panes: graphs, marks, selection and counterparts, and linked panes.

#include "ui/document/conversion_marks.h"
#include "ui/main_window/file_dialog.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/pane_switch.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"

#include <QActionGroup>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxUncovered = 12; ///< counterparts whose groups are opened to reveal them

Side other(Side side)
{
    return side == Side::Source ? Side::Target : Side::Source;
}

} // namespace

void MainWindow::connectPane(Side side)
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
        m_document.select(side, view->drawnScene() != nullptr ? view->drawnScene()->membersOf(drawn)
                                                              : std::vector<std::uint32_t>());
        reveal(other(side), m_document.counterpartsOfSelection());
    });
    connect(view, &CanvasView::groupToggled, this, [this, side](std::uint32_t group) {
        m_activeSide = side;
        m_document.toggleGroup(side, group);
    });
    connect(view, &CanvasView::leftUpwards, this, [this] { closeGroup(); });
    connect(view, &CanvasView::activated, this, [this, side, view](std::uint32_t drawn) {
        activate(side, view->drawnScene()->membersOf({drawn}).front());
    });
    connectBodies(side);
    connect(view, &CanvasView::transformChanged, this, [this, side] {
        showZoom();
        follow(side);
    });
}

void MainWindow::buildPaneActions(QMenu& view)
{
    using Panes = PaneSwitch::Panes;
    const std::tuple<const char*, QString, const char*, Panes, Qt::Key> choices[] = {
        {"viewSourcePane", tr("Source &only"), "pane-source", Panes::Source, Qt::Key_1},
        {"viewBothPanes", tr("So&urce and ONNX"), "pane-both", Panes::Both, Qt::Key_2},
        {"viewOnnxPane", tr("ONN&X only"), "pane-onnx", Panes::Target, Qt::Key_3}};
    auto* group = new QActionGroup(this);
    for (const auto& [name, text, iconName, panes, key] : choices) {
        auto* action = addCommand(name, text, QKeySequence(Qt::CTRL | key), iconName,
                                  [this, panes = panes] { m_paneSwitch->choose(panes); });
        action->setCheckable(true);
        action->setData(static_cast<int>(panes));
        group->addAction(action);
        view.addAction(action);
    }
}

void MainWindow::suggestPanes()
{
    m_paneSwitch->suggest(m_document.isExportUnchanged() ? PaneSwitch::Panes::Source : PaneSwitch::Panes::Both);
}

void MainWindow::refreshPanes(bool focusHidden)
{
    if (!m_paneSwitch->isShown(*pane(m_activeSide))) {
        m_activeSide = other(m_activeSide);
    }
    if (focusHidden) {
        pane(m_activeSide)->visibleCanvas()->setFocus(Qt::OtherFocusReason);
    }
    showZoom();
    refreshActions();
    showColourLegend();
}

void MainWindow::showZoom()
{
    const double percent = activeCanvas()->scale() * 100;
    m_zoomLabel->setText(percent < 1 ? tr("%L1 %").arg(percent, 0, 'g', 1) : tr("%L1 %").arg(std::lround(percent)));
}

void MainWindow::showSide(Side side)
{
    const auto& graphSide = m_document.side(side);
    CanvasView* view = canvas(side);
    const auto* compared = m_document.compared();
    const auto with = compared != nullptr ? compared->path : std::filesystem::path();
    const bool isOther = side == Side::Target && std::exchange(m_comparedWith, with) != with;
    const bool keep =
        view->drawnScene() != nullptr && graphSide && m_document.converted() && !m_newlyOpened && !isOther;
    if (isOther) {
        watchFiles();
    }
    const auto drawn = graphSide ? m_document.drawing(side)->drawn : nullptr;
    if (!drawn || drawn.get() != view->drawnScene()) {
        const bool sourceAgain = side == Side::Source && view->drawnScene() != nullptr && m_document.converted();
        if (graphSide && !isOther) {
            pane(side)->follow(*graphSide);
        } else {
            pane(side)->closeBodies();
        }
        const ConvertOptions options = m_document.converted() ? m_document.converted()->options : ConvertOptions();
        const auto part = std::pair(options.part, options.outputs);
        const bool isOtherPart = side == Side::Target && drawn && std::exchange(m_partShown, part) != part;
        if (drawn && (keep || sourceAgain) && !isOtherPart) {
            view->changeScene(drawn, m_document.sameAsBefore(side));
        } else {
            view->setScene(drawn);
        }
        showMarks(side);
    }
    const int nodeCount = graphSide ? static_cast<int>(graphSide->graph->nodeCount()) : 0;
    const auto nodes = graphSide ? counted(nodeCount, tr("1 node"), tr("%Ln nodes", nullptr, nodeCount)) : QString();
    if (side == Side::Source) {
        const auto* loaded = m_document.loaded();
        m_sourcePane->setTitle(compared != nullptr ? tr("Before") : tr("Source"),
                               loaded != nullptr ? QString::fromStdString(loaded->path.filename().string()) : QString(),
                               loaded != nullptr ? QStringList{formatText(*loaded->graph), nodes} : QStringList());
        setWindowTitle(loaded != nullptr ? tr("%1 \u2014 Crosswalk").arg(modelTitle(loaded->path)) : tr("Crosswalk"));
    } else if (compared != nullptr) {
        m_targetPane->setTitle(tr("After"), QString::fromStdString(compared->path.filename().string()), {nodes});
    } else {
        m_targetPane->setTitle(
            tr("ONNX"),
            m_document.converted() ? tr("opset %1").arg(m_document.converted()->conversion.opset) : QString(), {nodes});
        view->setPlaceholder(m_document.converted() ? tr("The model could not be converted. See the problems below.")
                                                    : tr("The ONNX graph appears here."));
    }
}

void MainWindow::showSelection()
{
    const Side side = m_document.selectedSide();
    canvas(side)->setSelection(drawnBoxes(side, m_document.selection()));
    canvas(side)->setCounterparts({});
    canvas(other(side))->setSelection({});
    canvas(other(side))->setCounterparts(drawnBoxes(other(side), m_document.counterpartsOfSelection()));
    if (m_filter && m_document.selection().empty()) {
        endFilter();
    }
    refreshActions();
}

std::vector<std::uint32_t> MainWindow::drawnBoxes(Side side, const std::vector<std::uint32_t>& boxes)
{
    const auto* drawn = canvas(side)->drawnScene();
    return drawn != nullptr ? drawn->drawnAs(boxes) : std::vector<std::uint32_t>();
}

void MainWindow::showMarks(Side side)
{
    const auto* drawn = canvas(side)->drawnScene();
    canvas(side)->setMarks(drawn != nullptr ? marksAsDrawn(filteredMarks(side), *drawn) : nullptr);
    showBookmarks(side);
}

void MainWindow::showFolding(Side side, std::optional<std::uint32_t> group)
{
    const auto& drawn = m_document.drawing(side)->drawn;
    if (drawn->flow() == canvas(side)->drawnScene()->flow()) {
        canvas(side)->changeScene(drawn, SameBoxes(), group);
    } else {
        canvas(side)->setScene(drawn); // after a rotation, no positions are preserved
    }
    showMarks(side);
    showSelection();
    const auto then = std::exchange(m_revealWhenFolded[static_cast<std::size_t>(side)], WhenFolded::Nothing);
    if (then != WhenFolded::Nothing) {
        const auto boxes = drawnBoxes(side, side == m_document.selectedSide() ? m_document.selection()
                                                                              : m_document.counterpartsOfSelection());
        if (then == WhenFolded::Jump) {
            canvas(side)->jumpTo(boxes);
        } else {
            canvas(side)->reveal(boxes);
        }
    }
}

void MainWindow::revealSelection()
{
    reveal(m_document.selectedSide(), m_document.selection(), true);
    reveal(other(m_document.selectedSide()), m_document.counterpartsOfSelection(), true);
}

void MainWindow::reveal(Side side, const std::vector<std::uint32_t>& boxes, bool isJump)
{
    // A node is revealed inside its group; a group that was selected as a whole stays closed.
    pane(side)->showGraph();
    const bool isNode = m_document.selection().size() == 1 && boxes.size() <= maxUncovered;
    if (isNode && m_document.uncover(side, boxes)) {
        m_revealWhenFolded[static_cast<std::size_t>(side)] = isJump ? WhenFolded::Jump : WhenFolded::Reveal;
    } else if (isJump) {
        canvas(side)->jumpTo(drawnBoxes(side, boxes));
    } else {
        canvas(side)->reveal(drawnBoxes(side, boxes));
    }
}

void MainWindow::closeGroup()
{
    const auto group = m_document.groupAroundSelection();
    if (group && pane(m_document.selectedSide())->frontPage() == nullptr) {
        m_document.toggleGroup(m_document.selectedSide(), *group);
    }
}

void MainWindow::follow(Side moved)
{
    const auto* link = m_actions.value(QStringLiteral("viewLinkPanes"));
    if (m_following || link == nullptr || !link->isChecked() || !m_document.converted() || !canvas(moved)->hasFocus()) {
        return;
    }
    // The box nearest to the middle leads: its counterpart moves to the same position in the other pane.
    CanvasView* from = canvas(moved);
    const auto* drawn = from->drawnScene();
    if (drawn == nullptr || m_document.side(other(moved)) == nullptr) {
        return;
    }
    const QRectF visible = from->visibleArea();
    std::vector<std::uint32_t> seen;
    drawn->index.nodesIn(visible.adjusted(visible.width() * 0.3, visible.height() * 0.3, -visible.width() * 0.3,
                                          -visible.height() * 0.3),
                         seen);
    double nearest = std::numeric_limits<double>::max();
    std::optional<std::pair<std::uint32_t, std::uint32_t>> lead;
    for (std::size_t i = 0; i < std::min<std::size_t>(seen.size(), 400); ++i) {
        const double distance = (drawn->index.box(seen[i]).center() - visible.center()).manhattanLength();
        if (distance < nearest) {
            const auto pair = counterparts(moved, {drawn->membersOf({seen[i]}).front()}, *m_document.side(Side::Source),
                                           *m_document.side(Side::Target), m_document.converted()->conversion);
            if (!pair.empty()) {
                nearest = distance;
                lead = {seen[i], drawnBoxes(other(moved), {pair.front()}).front()};
            }
        }
    }
    if (lead) {
        m_following = true;
        CanvasView* to = canvas(other(moved));
        const QPointF place = from->transform().toView(drawn->index.box(lead->first).center());
        to->setTransform({to->transform().origin, from->scale()});
        to->moveTo(to->drawnScene()->index.box(lead->second).center(), place);
        m_following = false;
    }
}

} // namespace crosswalk::ui
