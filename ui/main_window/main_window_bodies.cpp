// Bodies of loops, scans and branches, in place of the graph and in tabs next to it.

#include "ui/document/conversion_marks.h"
#include "ui/main_window/main_window.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/properties_panel.h"

namespace crosswalk::ui {

void MainWindow::connectBodies(Side side)
{
    GraphPane* shown = pane(side);
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
            QStringList notes{bodyVerdictSentence(m_document, body, place, box).toHtmlEscaped()};
            for (const Diagnostic& problem : bodyProblems(m_document, body, place, box)) {
                notes.append(fromUtf8(problem.message).toHtmlEscaped());
            }
            notes.removeAll(QString());
            return notes;
        });
    connect(shown, &GraphPane::frontChanged, this, &MainWindow::showFrontBody);
    connect(shown, &GraphPane::frontChanged, this, &MainWindow::showZoom);
    connect(shown, &GraphPane::bodyZoomed, this, &MainWindow::showZoom);
    connect(shown, &GraphPane::picked, this, [this, side](SubgraphPage* page, std::optional<std::uint32_t> box) {
        m_activeSide = page->canvas()->hasFocus() ? side : m_activeSide;
        if (side != m_activeSide) {
            return;
        }
        m_properties->showInBody(box ? page->body() : nullptr, box.value_or(0), {side, page->graphPath()});
        if (box) {
            m_outline->selectInBody(*box);
        }
        refreshActions();
    });
    connect(shown, &GraphPane::nodeRequested, this, [this, side](const QString& node) {
        const auto& graphSide = m_document.side(side);
        if (const auto id = graphSide ? graphSide->names.find(node.toStdString()) : std::nullopt) {
            m_document.selectNode(side, *id);
            revealSelection();
        }
    });
    connect(shown, &GraphPane::detailsRequested, this, &MainWindow::focusDetails);
    connect(shown, &GraphPane::internalErrorOccurred, this, &MainWindow::reportInternalError);
    connect(shown, &GraphPane::idleChanged, this, [this] {
        if (isIdle()) {
            emit becameIdle();
        }
    });
    connect(shown, &GraphPane::menuRequested, this,
            [this, side](CanvasView* view, const QPoint& place) { showNodeMenu(side, view, place); });
    connect(shown, &GraphPane::edgeMenuRequested, this,
            [this, side](CanvasView* view, std::uint32_t edge, const QPoint& place) {
                showEdgeMenu(side, view, edge, place);
            });
    connect(shown, &GraphPane::backgroundMenuRequested, this,
            [this, side](CanvasView* view, const QPoint& place) { showBackgroundMenu(side, view, place); });
    connect(shown, &GraphPane::backRequested, m_navigation, &GraphNavigation::goBack);
    connect(shown, &GraphPane::forwardRequested, m_navigation, &GraphNavigation::goForward);
}

void MainWindow::activate(Side side, std::uint32_t box)
{
    const auto& graphSide = m_document.side(side);
    if (subgraphsOf(*graphSide, box, *graphSide->graph).empty()) {
        focusDetails();
    } else {
        m_activeSide = side;
        pane(side)->openHere(*graphSide, {{fromUtf8(graphSide->label(box)), 0}});
    }
}

std::optional<std::pair<Side, BodyPath>> MainWindow::selectedBody()
{
    activeCanvas();
    BodyPath path;
    std::shared_ptr<const GraphSide> graph;
    std::optional<std::uint32_t> box;
    Side side = m_activeSide;
    if (const auto* page = pane(side)->frontPage()) {
        path = page->path();
        graph = page->body();
        box = page->pickedBox();
    } else if (m_document.selection().size() == 1) {
        side = m_document.selectedSide();
        graph = m_document.side(side);
        box = m_document.selection().front();
    }
    if (!graph || !box || subgraphsOf(*graph, *box, *m_document.side(side)->graph).empty()) {
        return std::nullopt;
    }
    path.push_back({fromUtf8(graph->label(*box)), 0});
    return std::pair(side, std::move(path));
}

void MainWindow::openBodyTab()
{
    if (const auto body = selectedBody()) {
        m_activeSide = body->first;
        pane(body->first)->openTab(*m_document.side(body->first), body->second);
    }
}

void MainWindow::showInSourceBody(const GraphPath& path, NodeId node)
{
    const auto& source = m_document.side(Side::Source);
    const Graph* body = source ? graphAt(*source->graph, path) : nullptr;
    const BodyPath way = source ? bodyPathOf(*source->graph, path) : BodyPath();
    if (body == nullptr || way.empty()) {
        revealSelection();
        return;
    }
    reveal(Side::Target, m_document.counterpartsOfSelection());
    m_activeSide = Side::Source;
    pane(Side::Source)->showInBody(*source, way, fromUtf8(NodeNames(*body).of(node)));
}

void MainWindow::showFrontBody()
{
    activeCanvas();
    const auto* page = pane(m_activeSide)->frontPage();
    const auto body = page != nullptr ? page->body() : nullptr;
    const auto box = page != nullptr ? page->pickedBox() : std::nullopt;
    m_outline->showBody(body, page != nullptr ? page->node() : QString(), page != nullptr ? page->marks() : nullptr);
    m_properties->showInBody(box ? body : nullptr, box.value_or(0),
                             {m_activeSide, page != nullptr ? page->graphPath() : GraphPath()});
    refreshActions();
}

} // namespace crosswalk::ui
