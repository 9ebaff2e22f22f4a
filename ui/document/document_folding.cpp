// Opening and closing groups on both sides.

#include "ui/document/document.h"

#include <algorithm>
#include <cassert>

namespace crosswalk::ui {

void Document::show(Side side, DrawnSide next, const DrawnSide& before)
{
    // Layouts of the previous graph are useless.
    folding(side).cancel();
    auto& shown = m_shown[static_cast<std::size_t>(side)];
    auto& wanted = m_wantedOpen[static_cast<std::size_t>(side)];
    std::optional<OpenGroups> toggled;
    if (next && shown && before && wanted != before.drawing->open) {
        toggled = carryOpen(*shown.side->groups, wanted, *next.side->groups, next.drawing->open);
    }
    const bool follows = next && shown && shown.side == before.side;
    m_same[static_cast<std::size_t>(side)] = follows ? SameBoxes(next.sameNow) : SameBoxes::nothing();
    shown = std::move(next);
    wanted = shown ? shown.drawing->open : OpenGroups();
    if (shown && (shown.drawing->flow() != m_flow || (toggled && *toggled != wanted))) {
        fold(side, toggled ? std::move(*toggled) : wanted, std::nullopt);
    }
}

void Document::fold(Side side, OpenGroups open, std::optional<std::uint32_t> toggled,
                    std::vector<std::uint32_t> selected)
{
    m_wantedOpen[static_cast<std::size_t>(side)] = open;
    folding(side).run(
        this,
        [shown = shown(side), open = std::move(open), flow = m_flow](std::stop_token stop) {
            return SideDrawing::make(*shown.side, open, shown.drawing.get(), stop, flow);
        },
        [this, side, toggled, selected = std::move(selected)](std::shared_ptr<const SideDrawing> drawing) {
            if (!drawing) {
                return;
            }
            drawing.swap(m_shown[static_cast<std::size_t>(side)].drawing);
            if (!selected.empty()) {
                setSelection(side, selected);
            }
            emit foldingChanged(side, toggled);
            if (!selected.empty()) {
                emit selectionChanged();
            }
            retire(std::move(drawing));
        });
}

void Document::toggleGroup(Side side, std::uint32_t group)
{
    if (!shown(side)) {
        return;
    }
    OpenGroups open = m_wantedOpen[static_cast<std::size_t>(side)];
    assert(group < open.size());
    open[group] = !open[group];
    const SceneGroups& groups = *this->side(side)->groups;
    auto members = nodesWithin(groups, group);
    if (open[group]) {
        // Keyboard navigation continues at the first visible item of the group: a node or a closed group.
        const auto first = members.front();
        std::uint32_t closed = SceneGroup::none;
        for (auto g = groups.ofNode[first]; g != group; g = groups.groups[g].parent) {
            closed = open[g] ? closed : g;
        }
        members = closed != SceneGroup::none ? nodesWithin(groups, closed) : std::vector<std::uint32_t>{first};
    }
    fold(side, std::move(open), group, std::move(members));
}

void Document::setAllOpen(Side side, bool open)
{
    if (shown(side)) {
        OpenGroups all(this->side(side)->groups->groups.size(), open);
        if (all != m_wantedOpen[static_cast<std::size_t>(side)]) {
            fold(side, std::move(all), std::nullopt);
        }
    }
}

void Document::setFlow(Flow flow)
{
    m_flow = flow;
    for (const auto side : {Side::Source, Side::Target}) {
        if (shown(side) && shown(side).drawing->flow() != flow) {
            fold(side, m_wantedOpen[static_cast<std::size_t>(side)], std::nullopt);
        }
    }
}

bool Document::uncover(Side side, const std::vector<std::uint32_t>& boxes)
{
    if (!shown(side)) {
        return false;
    }
    const SceneGroups& groups = *this->side(side)->groups;
    OpenGroups open = m_wantedOpen[static_cast<std::size_t>(side)];
    std::optional<std::uint32_t> outermost;
    for (const auto box : boxes) {
        for (auto group = groups.ofNode[box]; group != SceneGroup::none; group = groups.groups[group].parent) {
            if (!open[group]) {
                open[group] = true;
                outermost = group;
            }
        }
    }
    if (outermost) {
        fold(side, std::move(open), *outermost);
    }
    return outermost.has_value();
}

std::optional<std::uint32_t> Document::groupAroundSelection() const
{
    if (!shown(m_selectedSide) || m_selection.empty()) {
        return std::nullopt;
    }
    const SceneGroups& groups = *side(m_selectedSide)->groups;
    const OpenGroups& open = m_wantedOpen[static_cast<std::size_t>(m_selectedSide)];
    const auto holdsAll = [&](std::uint32_t group) {
        const auto members = nodesWithin(groups, group);
        return std::includes(members.begin(), members.end(), m_selection.begin(), m_selection.end());
    };
    // A closed group, or one inside a closed group, does not enclose visible boxes.
    std::uint32_t seen = groups.ofNode[m_selection.front()];
    for (auto group = seen; group != SceneGroup::none; group = groups.groups[group].parent) {
        seen = open[group] ? seen : groups.groups[group].parent;
    }
    while (seen != SceneGroup::none && !holdsAll(seen)) {
        seen = groups.groups[seen].parent;
    }
    return seen != SceneGroup::none ? std::optional(seen) : std::nullopt;
}

std::optional<std::uint32_t> Document::selectedGroup() const
{
    if (!shown(m_selectedSide) || m_selection.empty()) {
        return std::nullopt;
    }
    const DrawnScene& drawn = *drawing(m_selectedSide)->drawn;
    const auto as = drawn.drawnAs(m_selection);
    return as.size() == 1 ? drawn.groupOf(as.front()) : std::nullopt;
}

} // namespace crosswalk::ui
