#include "ui/controllers/context_menus.h"

#include "ui/controllers/body_controller.h"
#include "ui/controllers/command_set.h"
#include "ui/controllers/dock_controller.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/menu_text.h"
#include "ui/controllers/messages.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/tensor_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>

namespace crosswalk::ui {

namespace {

constexpr std::size_t maxTensors = 20; ///< in a menu

} // namespace

ContextMenus::ContextMenus(const WindowParts& parts, GraphPanes& panes, DockController& docks, BodyController& bodies)
    : Controller(parts)
    , m_panes(panes)
    , m_docks(docks)
    , m_bodies(bodies)
{
    for (const auto side : {Side::Source, Side::Target}) {
        auto* pane = m_panes.pane(side);
        connect(pane, &GraphPane::menuRequested, this,
                [this, side](CanvasView* view, const QPoint& place) { showNodeMenu(side, view, place); });
        connect(pane, &GraphPane::edgeMenuRequested, this,
                [this, side](CanvasView* view, std::uint32_t edge, const QPoint& place) {
                    showEdgeMenu(side, view, edge, place);
                });
        connect(pane, &GraphPane::backgroundMenuRequested, this,
                [this, side](CanvasView* view, const QPoint& place) { showBackgroundMenu(side, view, place); });
    }
}

QMenu* ContextMenus::makeMenu(Side side, CanvasView* view, const char* name)
{
    view->setFocus();
    m_panes.setActiveSide(side);
    m_commands.refresh();
    auto* menu = new QMenu(&m_window);
    menu->setObjectName(QLatin1String(name));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

void ContextMenus::addTensorMenu(QMenu& menu)
{
    const auto& tensors = m_docks.tensor().tensors();
    if (tensors.size() < 2) {
        menu.addAction(m_commands["fileTensor"]);
        return;
    }
    auto* list = menu.addMenu(tr("Save a te&nsor"));
    list->setObjectName(QStringLiteral("tensorMenu"));
    for (std::size_t i = 0; i < std::min(tensors.size(), maxTensors); ++i) {
        connect(list->addAction(menuText(m_docks.tensor().names()[static_cast<qsizetype>(i)]) + QChar(0x2026)),
                &QAction::triggered, this, [this, tensor = tensors[i]] {
                    m_docks.show("tensorDock");
                    m_docks.tensor().showTensor(tensor);
                    m_docks.tensor().askExport();
                });
    }
}

void ContextMenus::showNodeMenu(Side side, CanvasView* view, const QPoint& place)
{
    auto* menu = makeMenu(side, view, "nodeMenu");
    // Commands for other kinds of nodes are left out; the others keep their place, enabled or not.
    const auto add = [this, menu](const char* name, bool isAlways = true) {
        auto* action = m_commands[name];
        if (isAlways || action->isEnabled()) {
            menu->addAction(action);
        }
    };
    if (m_bodies.selectedBody()) {
        connect(menu->addAction(tr("Open the body here")), &QAction::triggered, &m_bodies,
                &BodyController::openSelectedHere);
    }
    for (const auto* name : {"viewBodyTab", "viewOpenGroup", "viewCloseGroup"}) {
        add(name, false);
    }
    add("viewZoomToSelection");
    menu->addSeparator();
    for (const auto* name : {"goCounterpart", "goUpstream", "goDownstream", "goPaths", "goBookmark"}) {
        add(name);
    }
    menu->addSeparator();
    for (const auto* name : {"editCopyName", "editCopyJson", "editCopyPicture", "filePictureOfSelection"}) {
        add(name);
    }
    addTensorMenu(*menu);
    menu->addSeparator();
    add("modelMapOperator", false);
    add("modelMakeOutput");
    add("modelCutHere");
    for (const auto* name : {"modelOwnOutputs", "modelCutOut", "modelKeepWhole"}) {
        add(name, false);
    }
    menu->popup(view->mapToGlobal(place));
}

void ContextMenus::showEdgeMenu(Side side, CanvasView* view, std::uint32_t edge, const QPoint& place)
{
    auto* menu = makeMenu(side, view, "edgeMenu");
    const auto* drawn = view->drawnScene();
    const SceneEdge shown = drawn->scene.edges[edge];
    const auto* page = m_panes.pane(side)->frontPage();
    // The menu refers to boxes of the drawing.
    connect(&m_document, &Document::sideChanged, menu, &QMenu::close);
    connect(&m_document.folding(), &GroupFolding::changed, menu, &QMenu::close);
    if (page != nullptr) {
        connect(page, &SubgraphPage::moved, menu, &QMenu::close);
    }
    const auto graph = page != nullptr ? page->body() : m_document.side(side);
    const auto nameOf = [&](std::uint32_t box) {
        const auto group = drawn->groupOf(box);
        return menuText(group ? displayText(drawn->scene.nodes[box].fullName)
                              : displayText(graph->label(drawn->firstMember(box))));
    };
    const auto go = [this, menu, view](const QString& text, const char* name, std::vector<std::uint32_t> boxes) {
        auto* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, view, [view, boxes = std::move(boxes)] {
            view->pick(boxes);
            view->reveal(boxes);
        });
    };
    std::vector<std::uint32_t> consumers;
    for (const auto e : drawn->index.edgesOutOf(shown.from)) {
        if (drawn->scene.edges[e].value == shown.value) {
            consumers.push_back(drawn->scene.edges[e].to);
        }
    }
    std::ranges::sort(consumers);
    consumers.erase(std::unique(consumers.begin(), consumers.end()), consumers.end());
    go(tr("To the &producer %1").arg(nameOf(shown.from)), "edgeProducer", {shown.from});
    go(tr("To the &consumer %1").arg(nameOf(shown.to)), "edgeConsumer", {shown.to});
    if (const auto count = static_cast<int>(consumers.size()); count > 1) {
        go(tr("Select all %Ln consumers", nullptr, count), "edgeConsumers", consumers);
    }
    go(tr("Select &both ends"), "edgeEnds", {shown.from, shown.to});
    if (shown.value) {
        menu->addSeparator();
        const auto copy = [this, menu](const QString& text, const char* name, const QString& copied) {
            auto* action = menu->addAction(text);
            action->setObjectName(QLatin1String(name));
            connect(action, &QAction::triggered, this, [this, copied] {
                QApplication::clipboard()->setText(copied);
                m_messages.show(tr("Copied %1").arg(copied));
            });
        };
        const QString name = displayText(graph->graph->value(shown.value).name);
        copy(tr("Copy the &name %1").arg(menuText(name)), "edgeCopyName", name);
        const QString type = page != nullptr
                                 ? typeText(knownTypes(m_document).of(*graph->graph).of(*graph->graph, shown.value))
                                 : typeText(typeOf(m_document, side, shown.value));
        if (!type.isEmpty()) {
            copy(tr("Copy the &type %1").arg(type), "edgeCopyType", type);
        }
        if (page == nullptr && side == Side::Source && m_document.compared() == nullptr) {
            menu->addSeparator();
            auto* output = menu->addAction(tr("Make this the &output"));
            output->setObjectName(QStringLiteral("edgeOutput"));
            connect(output, &QAction::triggered, this,
                    [this, value = graph->graph->value(shown.value).name] { m_document.setOutputs({value}); });
        }
    }
    menu->popup(view->mapToGlobal(place));
}

void ContextMenus::showBackgroundMenu(Side side, CanvasView* view, const QPoint& place)
{
    auto* menu = makeMenu(side, view, "backgroundMenu");
    const std::vector<std::vector<const char*>> sections{
        {"goBack", "goForward"},
        {"viewFit", "viewActualSize"},
        {"viewOpenAll", "viewCloseAll"},
        {"viewLeadRight", "viewEdgeShapes", "viewMaximize"},
        {"filePicture"},
    };
    for (const auto& section : sections) {
        for (const auto* name : section) {
            menu->addAction(m_commands[name]);
        }
        menu->addSeparator();
    }
    menu->popup(view->mapToGlobal(place));
}

} // namespace crosswalk::ui
