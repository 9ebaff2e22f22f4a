#include "ui/controllers/navigation_controller.h"

#include "ui/controllers/command_set.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/menu_text.h"
#include "ui/controllers/messages.h"
#include "ui/document/graph_paths.h"
#include "ui/main_window/graph_navigation.h"
#include "ui/models/node_details.h"
#include "ui/models/node_json.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QMenu>
#include <QSplitter>

namespace crosswalk::ui {

NavigationController::NavigationController(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_panes(panes)
    , m_navigation(new GraphNavigation(m_document, m_settings, this))
    , m_painting(new JobRunner(tr("Painting the picture"), this))
    , m_bookmarkMenu(new QMenu(tr("Book&marks"), &m_window))
{
    m_bookmarkMenu->setObjectName(QStringLiteral("bookmarkMenu"));
    addCommands();
    addCopyCommands();
    connectNavigation();
    fillBookmarkMenu();
}

void NavigationController::connectNavigation()
{
    connect(m_painting, &JobRunner::failed, this,
            [this](const QString& what) { m_messages.reportInternalError(m_painting->activity(), what); });
    connect(m_navigation, &GraphNavigation::revealRequested, &m_panes, &GraphPanes::revealSelection);
    connect(m_navigation, &GraphNavigation::focusRequested, this, [this](Side side) {
        if (m_panes.isShown(side)) {
            m_panes.setActiveSide(side);
            m_panes.pane(side)->visibleCanvas()->setFocus(Qt::OtherFocusReason);
        }
    });
    connect(m_navigation, &GraphNavigation::nothingFound, this,
            [this](const QString& message) { m_messages.show(message); });
    connect(m_navigation, &GraphNavigation::bookmarksChanged, this, [this] {
        showBookmarks(Side::Source);
        showBookmarks(Side::Target);
        m_commands.refresh();
    });
    connect(&m_panes, &GraphPanes::drawn, this, &NavigationController::showBookmarks);
    for (const auto side : {Side::Source, Side::Target}) {
        connect(m_panes.pane(side), &GraphPane::backRequested, m_navigation, &GraphNavigation::goBack);
        connect(m_panes.pane(side), &GraphPane::forwardRequested, m_navigation, &GraphNavigation::goForward);
    }
}

void NavigationController::addCommands()
{
    const auto isAny = [this] { return hasPicked(); };
    m_commands
        .add("goBack", tr("&Back"), QKeySequence(Qt::ALT | Qt::Key_Left), "back", [this] { m_navigation->goBack(); })
        .enabledIf([this] { return m_navigation->canGoBack(); });
    m_commands
        .add("goForward", tr("&Forward"), QKeySequence(Qt::ALT | Qt::Key_Right), "forward",
             [this] { m_navigation->goForward(); })
        .enabledIf([this] { return m_navigation->canGoForward(); });
    m_commands
        .add("goCounterpart", tr("To the &counterpart"), QKeySequence(Qt::Key_O), nullptr,
             [this] { m_navigation->goToCounterpart(); })
        .enabledIf([this] { return m_panes.frontPage() == nullptr && !m_document.selection().counterparts().empty(); })
        .limitedTo(*m_panes.widget());
    m_commands
        .add("goUpstream", tr("Select everything &upstream"), QKeySequence(Qt::Key_U), "upstream",
             [this] { extendSelection(&upstreamOf, &GraphNavigation::selectUpstream); })
        .enabledIf(isAny)
        .limitedTo(*m_panes.widget());
    m_commands
        .add("goDownstream", tr("Select everything &downstream"), QKeySequence(Qt::Key_D), "downstream",
             [this] { extendSelection(&downstreamOf, &GraphNavigation::selectDownstream); })
        .enabledIf(isAny)
        .limitedTo(*m_panes.widget());
    m_commands
        .add("goPaths", tr("Select the &paths between the nodes"), QKeySequence(Qt::Key_P), "paths",
             [this] { extendSelection(&pathsBetween, &GraphNavigation::selectPaths); })
        .enabledIf([this] {
            const auto now = m_panes.picked();
            return now.graph && now.boxes.size() > 1;
        })
        .limitedTo(*m_panes.widget());
    const auto isBookmarked = [this] {
        return m_panes.frontPage() != nullptr ? std::nullopt : m_navigation->isSelectionBookmarked();
    };
    m_commands
        .add("goBookmark", tr("Book&mark the node"), QKeySequence(Qt::Key_B), "bookmark",
             [this] { m_navigation->toggleBookmark(); })
        .enabledIf([isBookmarked] { return isBookmarked().has_value(); })
        .checkedIf([isBookmarked] { return isBookmarked().value_or(false); })
        .limitedTo(*m_panes.widget());
    m_commands
        .add("goNextBookmark", tr("&Next bookmark"), QKeySequence(Qt::CTRL | Qt::Key_B), nullptr,
             [this] { m_navigation->stepBookmark(1); })
        .enabledIf([this] { return hasBookmarks(); });
    m_commands
        .add("goPreviousBookmark", tr("Pre&vious bookmark"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), nullptr,
             [this] { m_navigation->stepBookmark(-1); })
        .enabledIf([this] { return hasBookmarks(); });
    m_commands
        .add("goClearBookmarks", tr("&Remove all bookmarks"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_B),
             nullptr, [this] { m_navigation->clearBookmarks(); })
        .enabledIf([this] { return hasBookmarks(); });
}

void NavigationController::addCopyCommands()
{
    const auto isAny = [this] { return hasPicked(); };
    m_commands
        .add("editCopyName", tr("&Copy the node's name"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), "copy",
             [this] { copyNames(); })
        .enabledIf(isAny);
    m_commands
        .add("editCopyJson", tr("Copy as &JSON"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_J), "copy",
             [this] { copyJson(); })
        .enabledIf(isAny);
    m_commands
        .add("editCopyPicture", tr("Copy a &picture of the selection"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C),
             "copy", [this] { copyPicture(); })
        .enabledIf(isAny);
}

bool NavigationController::hasBookmarks() const
{
    return !m_navigation->bookmarked(Side::Source).empty() || !m_navigation->bookmarked(Side::Target).empty();
}

bool NavigationController::hasPicked()
{
    const auto now = m_panes.picked();
    return now.graph && !now.boxes.empty();
}

void NavigationController::fillBookmarkMenu()
{
    m_bookmarkMenu->clear();
    for (const auto& place : m_navigation->bookmarks()) {
        auto* action = m_bookmarkMenu->addAction(menuText(
            place.side == Side::Target ? tr("%1 (ONNX)").arg(displayText(place.label)) : displayText(place.label)));
        connect(action, &QAction::triggered, this, [this, place] { m_navigation->goTo(place); });
    }
    m_bookmarkMenu->setEnabled(!m_bookmarkMenu->isEmpty());
}

void NavigationController::showBookmarks(Side side)
{
    // A new graph has bookmarks before its drawing is shown.
    const auto& drawing = m_document.drawing(side);
    if (drawing && drawing->drawn.get() == m_panes.canvas(side)->drawnScene()) {
        m_panes.canvas(side)->setBookmarks(m_panes.drawnBoxes(side, m_navigation->bookmarked(side)));
    }
}

void NavigationController::extendSelection(BoxSearch search, void (GraphNavigation::*command)())
{
    const GraphPanes::Picked now = m_panes.picked();
    if (!now.isBody) {
        (m_navigation->*command)();
    } else if (now.graph && !now.boxes.empty()) {
        auto* view = m_panes.activeCanvas();
        const auto drawn = view->drawnScene()->drawnAs(search(*now.graph->scene, now.boxes));
        view->pick(drawn);
        view->reveal(drawn);
    }
}

void NavigationController::copyNames()
{
    const GraphPanes::Picked now = m_panes.picked();
    QStringList names;
    for (const std::uint32_t box : now.graph ? now.boxes : std::vector<std::uint32_t>()) {
        names.append(displayText(now.graph->label(box)));
    }
    if (!names.isEmpty()) {
        QApplication::clipboard()->setText(names.join(u'\n'));
        m_messages.show(counted(static_cast<int>(names.size()), tr("Copied the name"),
                                tr("Copied %Ln names", nullptr, static_cast<int>(names.size()))));
    }
}

void NavigationController::copyJson()
{
    const GraphPanes::Picked now = m_panes.picked();
    if (!now.graph || now.boxes.empty()) {
        return;
    }
    const bool isSource = now.isBody || m_document.selection().side() == Side::Source;
    KnownTypes types = isSource ? knownTypes(m_document) : KnownTypes();
    std::span<const Verdict> verdicts;
    if (now.isBody) {
        types = types.of(*now.graph->graph);
    } else if (const auto& converted = m_document.converted(); converted && !converted->diff && isSource) {
        verdicts = converted->conversion.verdicts;
    }
    QApplication::clipboard()->setText(QString::fromUtf8(boxesAsJson(*now.graph, types, verdicts, now.boxes)));
    m_messages.show(tr("Copied as JSON"));
}

void NavigationController::copyPicture()
{
    if (m_panes.picked().boxes.empty()) {
        return;
    }
    m_painting->run(
        this,
        [part = m_panes.activeCanvas()->part(CanvasView::Part::Selection)](const std::stop_token&) {
            return pictureOf(part);
        },
        [this](const QImage& image) {
            QApplication::clipboard()->setImage(image);
            m_messages.show(tr("Copied a picture of %1 \u00d7 %2 pixels").arg(image.width()).arg(image.height()));
        });
}

} // namespace crosswalk::ui
