// Ways through the graphs: back and forward, paths, bookmarks; copies of nodes; the context menus of the graphs.

#include "ui/document/graph_paths.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/pane_switch.h"
#include "ui/models/node_details.h"
#include "ui/models/node_json.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"
#include "ui/panels/tensor_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <tuple>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxTensors = 20; ///< in a menu

/// The text of an action for a name that may contain the sign of mnemonics.
QString literal(QString name)
{
    return name.replace(u'&', QStringLiteral("&&"));
}

} // namespace

void MainWindow::buildNavigation()
{
    m_navigation = new GraphNavigation(m_document, m_settings.get(), this);
    m_copying = new JobRunner(tr("Painting the picture"), this);
    connect(m_copying, &JobRunner::failed, this,
            [this](const QString& what) { reportInternalError(m_copying->activity(), what); });
    connect(m_navigation, &GraphNavigation::revealRequested, this, &MainWindow::revealSelection);
    connect(m_navigation, &GraphNavigation::focusRequested, this, [this](Side side) {
        if (m_paneSwitch->isShown(*pane(side))) {
            m_activeSide = side;
            pane(side)->visibleCanvas()->setFocus(Qt::OtherFocusReason);
        }
    });
    connect(m_navigation, &GraphNavigation::nothingFound, this,
            [this](const QString& message) { m_message->setText(message); });
    connect(m_navigation, &GraphNavigation::bookmarksChanged, this, [this] {
        for (const auto side : {Side::Source, Side::Target}) {
            showBookmarks(side);
        }
        refreshNavigationActions();
    });
}

MainWindow::Picked MainWindow::picked()
{
    activeCanvas();
    if (const auto* page = pane(m_activeSide)->frontPage()) {
        const auto* drawn = pane(m_activeSide)->visibleCanvas()->drawnScene();
        return {page->body(),
                drawn != nullptr ? drawn->membersOf(pane(m_activeSide)->visibleCanvas()->selection())
                                 : std::vector<std::uint32_t>(),
                true};
    }
    return {m_document.side(m_document.selectedSide()), m_document.selection()};
}

void MainWindow::buildCopyActions(QMenu& edit)
{
    edit.addAction(addCommand("editCopyName", tr("&Copy the node's name"),
                              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), "copy", [this] { copyNames(); }));
    edit.addAction(addCommand("editCopyJson", tr("Copy as &JSON"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_J), "copy",
                              [this] { copyJson(); }));
    edit.addAction(addCommand("editCopyPicture", tr("Copy a &picture of the selection"),
                              QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), "copy", [this] { copyPicture(); }));
}

void MainWindow::buildNavigationActions()
{
    auto* go = m_menus->addMenu(tr("&Go"));
    go->addAction(addCommand("goBack", tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), "back",
                             [this] { m_navigation->goBack(); }));
    go->addAction(addCommand("goForward", tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right), "forward",
                             [this] { m_navigation->goForward(); }));
    go->addSeparator();
    const auto onCanvas = [this, go](QAction* action) {
        limitToGraphs(action);
        go->addAction(action);
    };
    onCanvas(addCommand("goCounterpart", tr("To the &counterpart"), QKeySequence(Qt::Key_O), nullptr,
                        [this] { m_navigation->goToCounterpart(); }));
    onCanvas(addCommand("goUpstream", tr("Select everything &upstream"), QKeySequence(Qt::Key_U), "upstream",
                        [this] { extendSelection(&upstreamOf, &GraphNavigation::selectUpstream); }));
    onCanvas(addCommand("goDownstream", tr("Select everything &downstream"), QKeySequence(Qt::Key_D), "downstream",
                        [this] { extendSelection(&downstreamOf, &GraphNavigation::selectDownstream); }));
    onCanvas(addCommand("goPaths", tr("Select the &paths between the nodes"), QKeySequence(Qt::Key_P), "paths",
                        [this] { extendSelection(&pathsBetween, &GraphNavigation::selectPaths); }));
    go->addSeparator();
    auto* bookmark = addCommand("goBookmark", tr("Book&mark the node"), QKeySequence(Qt::Key_B), "bookmark",
                                [this] { m_navigation->toggleBookmark(); });
    bookmark->setCheckable(true);
    onCanvas(bookmark);
    go->addAction(addCommand("goNextBookmark", tr("&Next bookmark"), QKeySequence(Qt::CTRL | Qt::Key_B), nullptr,
                             [this] { m_navigation->stepBookmark(1); }));
    go->addAction(addCommand("goPreviousBookmark", tr("Pre&vious bookmark"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), nullptr,
                             [this] { m_navigation->stepBookmark(-1); }));
    go->addAction(addCommand("goClearBookmarks", tr("&Remove all bookmarks"),
                             QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_B), nullptr,
                             [this] { m_navigation->clearBookmarks(); }));
    m_bookmarkMenu = go->addMenu(tr("Book&marks"));
    m_bookmarkMenu->setObjectName(QStringLiteral("bookmarkMenu"));
    connect(go, &QMenu::aboutToShow, this, &MainWindow::fillBookmarkMenu);
    fillBookmarkMenu();
}

void MainWindow::fillBookmarkMenu()
{
    m_bookmarkMenu->clear();
    for (const auto& place : m_navigation->bookmarks()) {
        auto* action = m_bookmarkMenu->addAction(
            literal(place.side == Side::Target ? tr("%1 (ONNX)").arg(place.label) : place.label));
        connect(action, &QAction::triggered, this, [this, place] { m_navigation->goTo(place); });
    }
    m_bookmarkMenu->setEnabled(!m_bookmarkMenu->isEmpty());
}

void MainWindow::refreshNavigationActions()
{
    if (m_bookmarkMenu == nullptr) { // not all actions exist yet
        return;
    }
    const auto enable = [this](const char* name, bool enabled) { m_actions[QLatin1String(name)]->setEnabled(enabled); };
    const Picked now = picked();
    const bool isAny = now.graph && !now.boxes.empty();
    for (const auto* name : {"editCopyName", "editCopyJson", "editCopyPicture", "goUpstream", "goDownstream"}) {
        enable(name, isAny);
    }
    enable("goPaths", isAny && now.boxes.size() > 1);
    enable("goBack", m_navigation->canGoBack());
    enable("goForward", m_navigation->canGoForward());
    enable("goCounterpart", !now.isBody && !m_document.counterpartsOfSelection().empty());
    const auto isBookmarked = now.isBody ? std::nullopt : m_navigation->isSelectionBookmarked();
    enable("goBookmark", isBookmarked.has_value());
    m_actions[QStringLiteral("goBookmark")]->setChecked(isBookmarked.value_or(false));
    const bool hasBookmarks =
        !m_navigation->bookmarked(Side::Source).empty() || !m_navigation->bookmarked(Side::Target).empty();
    for (const auto* name : {"goNextBookmark", "goPreviousBookmark", "goClearBookmarks"}) {
        enable(name, hasBookmarks);
    }
    enable("fileTensor", !now.isBody && m_tensor->hasTensor());
}

void MainWindow::showBookmarks(Side side)
{
    // A new graph has bookmarks before its drawing is shown.
    const auto& drawing = m_document.drawing(side);
    if (drawing && drawing->drawn.get() == canvas(side)->drawnScene()) {
        canvas(side)->setBookmarks(drawnBoxes(side, m_navigation->bookmarked(side)));
    }
}

void MainWindow::extendSelection(BoxSearch search, void (GraphNavigation::*command)())
{
    const Picked now = picked();
    if (!now.isBody) {
        (m_navigation->*command)();
    } else if (now.graph && !now.boxes.empty()) {
        auto* view = pane(m_activeSide)->visibleCanvas();
        const auto drawn = view->drawnScene()->drawnAs(search(*now.graph->scene, now.boxes));
        view->pick(drawn);
        view->reveal(drawn);
    }
}

void MainWindow::copyNames()
{
    const Picked now = picked();
    QStringList names;
    for (const std::uint32_t box : now.graph ? now.boxes : std::vector<std::uint32_t>()) {
        names.append(fromUtf8(now.graph->label(box)));
    }
    if (!names.isEmpty()) {
        QApplication::clipboard()->setText(names.join(u'\n'));
        m_message->setText(counted(static_cast<int>(names.size()), tr("Copied the name"),
                                   tr("Copied %Ln names", nullptr, static_cast<int>(names.size()))));
    }
}

void MainWindow::copyJson()
{
    const Picked now = picked();
    if (!now.graph || now.boxes.empty()) {
        return;
    }
    const bool isSource = now.isBody || m_document.selectedSide() == Side::Source;
    KnownTypes types = isSource ? knownTypes(m_document) : KnownTypes();
    std::span<const Verdict> verdicts;
    if (now.isBody) {
        types = types.of(*now.graph->graph);
    } else if (const auto& converted = m_document.converted(); converted && !converted->diff && isSource) {
        verdicts = converted->conversion.verdicts;
    }
    QApplication::clipboard()->setText(QString::fromUtf8(boxesAsJson(*now.graph, types, verdicts, now.boxes)));
    m_message->setText(tr("Copied as JSON"));
}

void MainWindow::copyPicture()
{
    if (picked().boxes.empty()) {
        return;
    }
    m_copying->run(
        this,
        [part = activeCanvas()->part(CanvasView::Part::Selection)](const std::stop_token&) { return pictureOf(part); },
        [this](const QImage& image) {
            QApplication::clipboard()->setImage(image);
            m_message->setText(tr("Copied a picture of %1 \u00d7 %2 pixels").arg(image.width()).arg(image.height()));
        });
}

void MainWindow::addTensorMenu(QMenu& menu)
{
    const auto& tensors = m_tensor->tensors();
    if (tensors.size() < 2) {
        menu.addAction(m_actions[QStringLiteral("fileTensor")]);
        return;
    }
    auto* list = menu.addMenu(tr("Save a te&nsor"));
    list->setObjectName(QStringLiteral("tensorMenu"));
    for (std::size_t i = 0; i < std::min(tensors.size(), maxTensors); ++i) {
        connect(list->addAction(literal(m_tensor->names()[static_cast<qsizetype>(i)]) + QChar(0x2026)),
                &QAction::triggered, this, [this, tensor = tensors[i]] {
                    showDock("tensorDock");
                    m_tensor->showTensor(tensor);
                    m_tensor->askExport();
                });
    }
}

QMenu* MainWindow::makeContextMenu(Side side, CanvasView* view, const char* name)
{
    view->setFocus();
    m_activeSide = side;
    refreshActions();
    auto* menu = new QMenu(this);
    menu->setObjectName(QLatin1String(name));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

void MainWindow::showNodeMenu(Side side, CanvasView* view, const QPoint& place)
{
    auto* menu = makeContextMenu(side, view, "nodeMenu");
    // Commands for other kinds of nodes are left out; the others keep their place, enabled or not.
    const auto add = [this, menu](const char* name, bool isAlways = true) {
        auto* action = m_actions[QLatin1String(name)];
        if (isAlways || action->isEnabled()) {
            menu->addAction(action);
        }
    };
    if (selectedBody()) {
        connect(menu->addAction(tr("Open the body here")), &QAction::triggered, this, [this] {
            if (const auto body = selectedBody()) {
                pane(body->first)->openHere(*m_document.side(body->first), body->second);
            }
        });
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
    add("modelMakeOutput");
    for (const auto* name : {"modelOwnOutputs", "modelCutOut", "modelKeepWhole"}) {
        add(name, false);
    }
    menu->popup(view->mapToGlobal(place));
}

void MainWindow::showEdgeMenu(Side side, CanvasView* view, std::uint32_t edge, const QPoint& place)
{
    auto* menu = makeContextMenu(side, view, "edgeMenu");
    const auto* drawn = view->drawnScene();
    const SceneEdge shown = drawn->scene.edges[edge];
    const auto* page = pane(side)->frontPage();
    const auto graph = page != nullptr ? page->body() : m_document.side(side);
    const auto nameOf = [&](std::uint32_t box) {
        const auto group = drawn->groupOf(box);
        return literal(group ? fromUtf8(drawn->scene.nodes[box].fullName)
                             : fromUtf8(graph->label(drawn->firstMember(box))));
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
                m_message->setText(tr("Copied %1").arg(copied));
            });
        };
        const QString name = fromUtf8(graph->graph->value(shown.value).name);
        copy(tr("Copy the &name %1").arg(literal(name)), "edgeCopyName", name);
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

void MainWindow::showBackgroundMenu(Side side, CanvasView* view, const QPoint& place)
{
    auto* menu = makeContextMenu(side, view, "backgroundMenu");
    const std::vector<std::vector<const char*>> sections{
        {"goBack", "goForward"},
        {"viewFit", "viewActualSize"},
        {"viewOpenAll", "viewCloseAll"},
        {"viewLeadRight", "viewEdgeShapes", "viewMaximize"},
        {"filePicture"},
    };
    for (const auto& section : sections) {
        for (const auto* name : section) {
            menu->addAction(m_actions[QLatin1String(name)]);
        }
        menu->addSeparator();
    }
    menu->popup(view->mapToGlobal(place));
}

} // namespace crosswalk::ui
