#include "ui/controllers/body_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/document/conversion_marks.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/properties_panel.h"

#include <QSplitter>

namespace crosswalk::ui {

BodyController::BodyController(const WindowParts& parts, GraphPanes& panes, DockController& docks)
    : Controller(parts)
    , m_panes(panes)
    , m_docks(docks)
{
    m_commands
        .add("viewBodyTab", tr("Open the &body in a tab"), QKeySequence(Qt::CTRL | Qt::Key_Return), nullptr,
             [this] { openTab(); })
        .enabledIf([this] { return selectedBody().has_value(); })
        .limitedTo(*m_panes.widget());
    connectPane(Side::Source);
    connectPane(Side::Target);
    connect(&m_panes, &GraphPanes::activated, this, &BodyController::activate);
    const auto selectInBody = [this](std::uint32_t box) {
        if (auto* page = m_panes.frontPage()) {
            page->select(box);
        }
    };
    connect(&m_docks.outline(), &OutlinePanel::boxInBodyActivated, this, selectInBody);
    connect(&m_docks.properties(), &PropertiesPanel::boxInBodyActivated, this, selectInBody);
    connect(&m_docks.problems(), &ProblemsPanel::bodyActivated, this, &BodyController::showInSource);
}

void BodyController::openSelectedHere()
{
    if (const auto body = selectedBody()) {
        m_panes.pane(body->first)->openHere(*m_document.side(body->first), body->second);
    }
}

void BodyController::connectPane(Side side)
{
    GraphPane* shown = m_panes.pane(side);
    shown->setBodyTypes([this] { return knownTypes(m_document); });
    shown->setBodyMarks(
        [this, side](const GraphSide& body, const GraphPath& path) -> std::shared_ptr<const SceneMarks> {
            const auto& converted = m_document.converted();
            return !converted || converted->diff ? nullptr
                   : side == Side::Source        ? sourceBodyMarks(body, converted->conversion, path)
                                                 : targetBodyMarks(body);
        },
        [this, side](const GraphSide& body, const GraphPath& path, std::uint32_t box) {
            const BodyPlace place{side, path};
            QStringList notes{bodyVerdictSentence(m_document, body, place, box)};
            for (const Diagnostic& problem : bodyProblems(m_document, body, place, box)) {
                notes.append(messageText(problem.message));
            }
            notes.removeAll(QString());
            return notes;
        });
    connect(shown, &GraphPane::frontChanged, this, &BodyController::showFront);
    connect(shown, &GraphPane::picked, this, [this, side](SubgraphPage* page, std::optional<std::uint32_t> box) {
        if (page->canvas()->hasFocus()) {
            m_panes.setActiveSide(side);
        }
        if (side != m_panes.activeSide()) {
            return;
        }
        m_docks.properties().showInBody(box ? page->body() : nullptr, box.value_or(0), {side, page->graphPath()});
        if (box) {
            m_docks.outline().selectInBody(*box);
        }
        m_commands.refresh();
    });
    connect(shown, &GraphPane::nodeRequested, this, [this, side](const QString& node) {
        const auto& graphSide = m_document.side(side);
        if (const auto id = graphSide ? graphSide->names.find(node.toStdString()) : std::nullopt) {
            m_document.selection().selectNode(side, *id);
            m_panes.revealSelection();
        }
    });
    connect(shown, &GraphPane::detailsRequested, &m_docks, &DockController::focusDetails);
    connect(shown, &GraphPane::internalErrorOccurred, &m_messages, &Messages::reportInternalError);
}

void BodyController::activate(Side side, std::uint32_t box)
{
    const auto& graphSide = m_document.side(side);
    if (subgraphsOf(*graphSide, box, *graphSide->graph).empty()) {
        m_docks.focusDetails();
    } else {
        m_panes.setActiveSide(side);
        m_panes.pane(side)->openHere(*graphSide, {{displayText(graphSide->label(box)), 0}});
    }
}

std::optional<std::pair<Side, BodyPath>> BodyController::selectedBody()
{
    BodyPath path;
    std::shared_ptr<const GraphSide> graph;
    std::optional<std::uint32_t> box;
    Side side = m_panes.activeSide();
    if (const auto* page = m_panes.pane(side)->frontPage()) {
        path = page->path();
        graph = page->body();
        box = page->pickedBox();
    } else if (m_document.selection().boxes().size() == 1) {
        side = m_document.selection().side();
        graph = m_document.side(side);
        box = m_document.selection().boxes().front();
    }
    if (!graph || !box || subgraphsOf(*graph, *box, *m_document.side(side)->graph).empty()) {
        return std::nullopt;
    }
    path.push_back({displayText(graph->label(*box)), 0});
    return std::pair(side, std::move(path));
}

void BodyController::openTab()
{
    if (const auto body = selectedBody()) {
        m_panes.setActiveSide(body->first);
        m_panes.pane(body->first)->openTab(*m_document.side(body->first), body->second);
    }
}

void BodyController::showInSource(const GraphPath& path, NodeId node)
{
    const auto& source = m_document.side(Side::Source);
    const Graph* body = source ? graphAt(*source->graph, path) : nullptr;
    const BodyPath way = source ? bodyPathOf(*source->graph, path) : BodyPath();
    if (body == nullptr || way.empty()) {
        m_panes.revealSelection();
        return;
    }
    m_panes.reveal(Side::Target, m_document.selection().counterparts());
    m_panes.setActiveSide(Side::Source);
    m_panes.pane(Side::Source)->showInBody(*source, way, displayText(NodeNames(*body).of(node)));
}

void BodyController::showFront()
{
    const auto* page = m_panes.pane(m_panes.activeSide())->frontPage();
    const auto body = page != nullptr ? page->body() : nullptr;
    const auto box = page != nullptr ? page->pickedBox() : std::nullopt;
    m_docks.outline().showBody(body, page != nullptr ? page->node() : QString(),
                               page != nullptr ? page->marks() : nullptr);
    m_docks.properties().showInBody(box ? body : nullptr, box.value_or(0),
                                    {m_panes.activeSide(), page != nullptr ? page->graphPath() : GraphPath()});
    m_commands.refresh();
}

} // namespace crosswalk::ui
