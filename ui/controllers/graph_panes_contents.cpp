// The contents of the panes: scenes, marks, selections, and linked panes.

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/node_filter.h"
#include "ui/document/conversion_marks.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace crosswalk::ui {

namespace {

constexpr std::size_t maxUncovered = 12; ///< counterparts whose groups are opened to reveal them

} // namespace

void GraphPanes::showSide(Side side)
{
    const auto& graphSide = m_document.side(side);
    CanvasView* view = canvas(side);
    const auto* compared = m_document.compared();
    const auto with = compared != nullptr ? compared->path : std::filesystem::path();
    const bool isOther = side == Side::Target && std::exchange(m_comparedWith, with) != with;
    const bool keep =
        view->drawnScene() != nullptr && graphSide && m_document.converted() && !m_newlyOpened && !isOther;
    const auto drawn = graphSide ? m_document.drawing(side)->drawn : nullptr;
    auto& shown = m_shown[static_cast<std::size_t>(side)];
    // A conversion that leaves a drawing as it is has other bodies and marks nevertheless.
    if (!drawn || drawn.get() != view->drawnScene() || shown.lock() != graphSide) {
        shown = graphSide;
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
    showTitle(side);
}

void GraphPanes::showTitle(Side side)
{
    const auto& graphSide = m_document.side(side);
    const auto* compared = m_document.compared();
    const int nodeCount = graphSide ? static_cast<int>(graphSide->graph->nodeCount()) : 0;
    const auto nodes = graphSide ? counted(nodeCount, tr("1 node"), tr("%Ln nodes", nullptr, nodeCount)) : QString();
    if (side == Side::Source) {
        const auto* loaded = m_document.loaded();
        m_sourcePane->setTitle(compared != nullptr ? tr("Before") : tr("Source"),
                               loaded != nullptr ? displayText(loaded->path.filename().string()) : QString(),
                               loaded != nullptr ? QStringList{formatText(*loaded->graph), nodes} : QStringList());
    } else if (compared != nullptr) {
        m_targetPane->setTitle(tr("After"), displayText(compared->path.filename().string()), {nodes});
    } else {
        m_targetPane->setTitle(
            tr("ONNX"),
            m_document.converted() ? tr("opset %1").arg(m_document.converted()->conversion.opset) : QString(), {nodes});
        canvas(side)->setPlaceholder(m_document.converted()
                                         ? tr("The model could not be converted. See the problems below.")
                                         : tr("The ONNX graph appears here."));
    }
}

void GraphPanes::showMarks(Side side)
{
    const auto* scene = canvas(side)->drawnScene();
    canvas(side)->setMarks(scene != nullptr ? marksAsDrawn(m_filter.marks(side), *scene) : nullptr);
    emit drawn(side);
}

void GraphPanes::showSelection()
{
    const Side side = m_document.selection().side();
    canvas(side)->setSelection(drawnBoxes(side, m_document.selection().boxes()));
    canvas(side)->setCounterparts({});
    canvas(opposite(side))->setSelection({});
    canvas(opposite(side))->setCounterparts(drawnBoxes(opposite(side), m_document.selection().counterparts()));
}

std::vector<std::uint32_t> GraphPanes::drawnBoxes(Side side, const std::vector<std::uint32_t>& boxes)
{
    const auto* drawn = canvas(side)->drawnScene();
    return drawn != nullptr ? drawn->drawnAs(boxes) : std::vector<std::uint32_t>();
}

void GraphPanes::showFolding(Side side, std::optional<std::uint32_t> group)
{
    const auto& drawn = m_document.drawing(side)->drawn;
    if (drawn->flow() == canvas(side)->drawnScene()->flow()) {
        canvas(side)->changeScene(drawn, SameBoxes(), group);
    } else {
        canvas(side)->setScene(drawn); // after a rotation, no positions are preserved
    }
    showMarks(side);
    showSelection();
    m_commands.refresh();
    const auto then = std::exchange(m_revealWhenFolded[static_cast<std::size_t>(side)], WhenFolded::Nothing);
    if (then != WhenFolded::Nothing) {
        const auto boxes =
            drawnBoxes(side, side == m_document.selection().side() ? m_document.selection().boxes()
                                                                   : m_document.selection().counterparts());
        if (then == WhenFolded::Jump) {
            canvas(side)->jumpTo(boxes);
        } else {
            canvas(side)->reveal(boxes);
        }
    }
}

void GraphPanes::revealSelection()
{
    reveal(m_document.selection().side(), m_document.selection().boxes(), true);
    reveal(opposite(m_document.selection().side()), m_document.selection().counterparts(), true);
}

void GraphPanes::reveal(Side side, const std::vector<std::uint32_t>& boxes, bool isJump)
{
    // A node is revealed inside its group; a group that was selected as a whole stays closed.
    pane(side)->showGraph();
    const bool isNode = m_document.selection().boxes().size() == 1 && boxes.size() <= maxUncovered;
    if (isNode && m_document.folding().uncover(side, boxes)) {
        m_revealWhenFolded[static_cast<std::size_t>(side)] = isJump ? WhenFolded::Jump : WhenFolded::Reveal;
    } else if (isJump) {
        canvas(side)->jumpTo(drawnBoxes(side, boxes));
    } else {
        canvas(side)->reveal(drawnBoxes(side, boxes));
    }
}

void GraphPanes::closeGroup()
{
    const auto group = m_document.folding().groupAroundSelection();
    if (group && pane(m_document.selection().side())->frontPage() == nullptr) {
        m_document.folding().toggleGroup(m_document.selection().side(), *group);
    }
}

void GraphPanes::follow(Side moved)
{
    if (m_following || !m_commands["viewLinkPanes"]->isChecked() || !m_document.converted() ||
        !canvas(moved)->hasFocus()) {
        return;
    }
    // The box nearest to the middle leads: its counterpart moves to the same position in the other pane.
    CanvasView* from = canvas(moved);
    const auto* drawn = from->drawnScene();
    if (drawn == nullptr || m_document.side(opposite(moved)) == nullptr) {
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
                lead = {seen[i], drawnBoxes(opposite(moved), {pair.front()}).front()};
            }
        }
    }
    if (lead) {
        m_following = true;
        CanvasView* to = canvas(opposite(moved));
        const QPointF place = from->transform().toView(drawn->index.box(lead->first).center());
        to->setTransform({to->transform().origin, from->scale()});
        to->moveTo(to->drawnScene()->index.box(lead->second).center(), place);
        m_following = false;
    }
}

} // namespace crosswalk::ui
