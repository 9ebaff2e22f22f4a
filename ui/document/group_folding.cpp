#include "ui/document/group_folding.h"

#include "ui/document/graph_selection.h"
#include "ui/jobs/retire.h"

#include <algorithm>
#include <cassert>

namespace crosswalk::ui {

GroupFolding::GroupFolding(Selection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_sourceJob(tr("Laying out the graph"), this)
    , m_targetJob(tr("Laying out the ONNX graph"), this)
    , m_retiring(QString(), this)
{
}

void GroupFolding::forgetPending()
{
    for (std::size_t side = 0; side < m_shown.size(); ++side) {
        m_wantedOpen[side] = m_shown[side] ? m_shown[side].drawing->open : OpenGroups();
    }
}

void GroupFolding::show(Side side, DrawnSide next, const DrawnSide& before)
{
    // Layouts of the previous graph are useless.
    job(side).cancel();
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

void GroupFolding::fold(Side side, OpenGroups open, std::optional<std::uint32_t> toggled,
                        std::vector<std::uint32_t> selected)
{
    m_wantedOpen[static_cast<std::size_t>(side)] = open;
    job(side).run(
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
                m_selection.set(side, selected);
            }
            emit changed(side, toggled);
            if (!selected.empty()) {
                emit m_selection.changed();
            }
            retire(m_retiring, *this, std::move(drawing));
        });
}

void GroupFolding::toggleGroup(Side side, std::uint32_t group)
{
    if (!shown(side)) {
        return;
    }
    OpenGroups open = m_wantedOpen[static_cast<std::size_t>(side)];
    assert(group < open.size());
    open[group] = !open[group];
    const SceneGroups& groups = *shown(side).side->groups;
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

void GroupFolding::setAllOpen(Side side, bool open)
{
    if (shown(side)) {
        OpenGroups all(shown(side).side->groups->groups.size(), open);
        if (all != m_wantedOpen[static_cast<std::size_t>(side)]) {
            fold(side, std::move(all), std::nullopt);
        }
    }
}

void GroupFolding::setFlow(Flow flow)
{
    m_flow = flow;
    for (const auto side : {Side::Source, Side::Target}) {
        if (shown(side) && shown(side).drawing->flow() != flow) {
            fold(side, m_wantedOpen[static_cast<std::size_t>(side)], std::nullopt);
        }
    }
}

bool GroupFolding::uncover(Side side, const std::vector<std::uint32_t>& boxes)
{
    if (!shown(side)) {
        return false;
    }
    const SceneGroups& groups = *shown(side).side->groups;
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

std::optional<std::uint32_t> GroupFolding::groupAroundSelection() const
{
    if (!shown(m_selection.side()) || m_selection.isEmpty()) {
        return std::nullopt;
    }
    const SceneGroups& groups = *shown(m_selection.side()).side->groups;
    const OpenGroups& open = m_wantedOpen[static_cast<std::size_t>(m_selection.side())];
    const auto holdsAll = [&](std::uint32_t group) {
        const auto members = nodesWithin(groups, group);
        return std::includes(members.begin(), members.end(), m_selection.boxes().begin(), m_selection.boxes().end());
    };
    // A closed group, or one inside a closed group, does not enclose visible boxes.
    std::uint32_t seen = groups.ofNode[m_selection.boxes().front()];
    for (auto group = seen; group != SceneGroup::none; group = groups.groups[group].parent) {
        seen = open[group] ? seen : groups.groups[group].parent;
    }
    while (seen != SceneGroup::none && !holdsAll(seen)) {
        seen = groups.groups[seen].parent;
    }
    return seen != SceneGroup::none ? std::optional(seen) : std::nullopt;
}

std::optional<std::uint32_t> GroupFolding::selectedGroup() const
{
    if (!shown(m_selection.side()) || m_selection.isEmpty()) {
        return std::nullopt;
    }
    const DrawnScene& drawn = *shown(m_selection.side()).drawing->drawn;
    const auto as = drawn.drawnAs(m_selection.boxes());
    return as.size() == 1 ? drawn.groupOf(as.front()) : std::nullopt;
}

} // namespace crosswalk::ui
