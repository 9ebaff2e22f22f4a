#include "ui/main_window/graph_navigation.h"

#include "ui/document/graph_paths.h"
#include "ui/models/shape_text.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {
namespace {

std::optional<std::uint32_t> bookmarkedBox(const GraphSide& side, const QString& label)
{
    const std::string name = label.toStdString();
    if (const auto node = side.names.find(name)) {
        return side.boxOf(*node);
    }
    for (std::uint32_t i = 0; i < side.scene->nodes.size(); ++i) {
        if (side.box(i).kind != SceneNode::Kind::Operator && side.label(i) == name) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace

GraphNavigation::GraphNavigation(Document& document, QSettings* settings, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_bookmarks(settings)
{
    connect(&m_document, &Document::opened, this, [this] {
        m_history.clear();
        m_bookmarks.open(m_document.isOpen() ? QString::fromStdString(m_document.path().string()) : QString());
        resolveBookmarks();
    });
    connect(&m_document, &Document::sideChanged, this, [this](Side side) {
        m_history.follow(side, m_document.sameAsBefore(side));
        resolveBookmarks();
    });
    connect(&m_document.selection(), &Selection::changed, this, &GraphNavigation::takeSelection);
}

void GraphNavigation::takeSelection()
{
    if (!m_isReturning) {
        m_history.add({m_document.selection().side(), m_document.selection().boxes()});
    }
}

void GraphNavigation::show(const SelectionHistory::Entry& entry)
{
    m_isReturning = true;
    m_document.selection().select(entry.side, entry.boxes);
    m_isReturning = false;
    emit focusRequested(entry.side);
    emit revealRequested();
}

void GraphNavigation::goBack()
{
    if (m_history.canGoBack()) {
        show(m_history.goBack());
    }
}

void GraphNavigation::goForward()
{
    if (m_history.canGoForward()) {
        show(m_history.goForward());
    }
}

void GraphNavigation::extend(Search search, const QString& nothing)
{
    const Side side = m_document.selection().side();
    const auto& graphSide = m_document.side(side);
    if (!graphSide || m_document.selection().isEmpty()) {
        return;
    }
    auto found = search(*graphSide->scene, m_document.selection().boxes());
    if (found.size() == m_document.selection().boxes().size()) {
        emit nothingFound(nothing);
        return;
    }
    m_document.selection().select(side, std::move(found));
    emit revealRequested();
}

void GraphNavigation::selectUpstream()
{
    extend(&upstreamOf, tr("Nothing is upstream of the selection."));
}

void GraphNavigation::selectDownstream()
{
    extend(&downstreamOf, tr("Nothing is downstream of the selection."));
}

void GraphNavigation::selectPaths()
{
    extend(&pathsBetween, tr("No other nodes are on paths between the selected ones."));
}

void GraphNavigation::goToCounterpart()
{
    const Side side = m_document.selection().side() == Side::Source ? Side::Target : Side::Source;
    auto boxes = m_document.selection().counterparts();
    if (boxes.empty()) {
        emit nothingFound(tr("The selection has no counterpart."));
        return;
    }
    m_document.selection().select(side, std::move(boxes));
    emit focusRequested(side);
    emit revealRequested();
}

std::vector<GraphNavigation::Place> GraphNavigation::bookmarks() const
{
    std::vector<Place> places;
    for (const auto& [index, label] : m_bookmarks.list()) {
        const Side side = index == 0 ? Side::Source : Side::Target;
        const auto& graphSide = m_document.side(side);
        if (const auto box = graphSide ? bookmarkedBox(*graphSide, label) : std::nullopt) {
            places.push_back({side, *box, label});
        }
    }
    return places;
}

void GraphNavigation::resolveBookmarks()
{
    m_bookmarked = {};
    for (const Place& place : bookmarks()) {
        m_bookmarked[place.side == Side::Source ? 0 : 1].push_back(place.box);
    }
    for (auto& boxes : m_bookmarked) {
        std::ranges::sort(boxes);
    }
    emit bookmarksChanged();
}

std::optional<bool> GraphNavigation::isSelectionBookmarked() const
{
    if (m_document.selection().boxes().size() != 1) {
        return std::nullopt;
    }
    return std::ranges::binary_search(bookmarked(m_document.selection().side()),
                                      m_document.selection().boxes().front());
}

void GraphNavigation::toggleBookmark()
{
    if (m_document.selection().boxes().size() == 1) {
        const Side side = m_document.selection().side();
        m_bookmarks.toggle({side == Side::Source ? std::size_t{0} : std::size_t{1},
                            fromUtf8(m_document.side(side)->label(m_document.selection().boxes().front()))});
        resolveBookmarks();
    }
}

void GraphNavigation::clearBookmarks()
{
    m_bookmarks.clear();
    resolveBookmarks();
}

void GraphNavigation::goTo(const Place& place)
{
    m_document.selection().select(place.side, {place.box});
    emit focusRequested(place.side);
    emit revealRequested();
}

void GraphNavigation::stepBookmark(int direction)
{
    const auto places = bookmarks();
    if (places.empty()) {
        return;
    }
    const auto isHere = [this](const Place& place) {
        return place.side == m_document.selection().side() &&
               m_document.selection().boxes() == std::vector<std::uint32_t>{place.box};
    };
    const auto count = std::ssize(places);
    const auto here = std::ranges::find_if(places, isHere) - places.begin();
    const auto next = here == count ? (direction > 0 ? 0 : count - 1) : (here + direction + count) % count;
    goTo(places[static_cast<std::size_t>(next)]);
}

} // namespace crosswalk::ui
