#include "ui/canvas/drawn_scene.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
void makeUnique(std::vector<std::uint32_t>& indices)
{
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

DrawnScene::DrawnScene(Scene laidOut, Flow flow)
    : DrawnScene(std::make_shared<const Scene>(std::move(laidOut)), flow)
{
}

DrawnScene::DrawnScene(std::shared_ptr<const Scene> laidOut, Flow flow)
    : m_scene(std::move(laidOut))
    , m_flow(flow)
    , scene(*m_scene)
    , index(scene)
    , occupancy(scene, index)
{
}

DrawnScene::DrawnScene(FoldedScene laidOut, std::shared_ptr<const SceneGroups> groupsOfWhole)
    : m_folded(std::make_shared<const FoldedScene>(std::move(laidOut)))
    , m_groups(std::move(groupsOfWhole))
    , m_scene(m_folded, &m_folded->scene)
    , m_flow(m_folded->flow)
    , scene(*m_scene)
    , index(scene)
    , occupancy(scene, index)
{
}

std::vector<std::uint32_t> DrawnScene::drawnAs(const std::vector<std::uint32_t>& boxes) const
{
    std::vector<std::uint32_t> drawn;
    drawn.reserve(boxes.size());
    for (const auto box : boxes) {
        drawn.push_back(drawnAs(box));
    }
    makeUnique(drawn);
    return drawn;
}

std::vector<std::uint32_t> DrawnScene::membersOf(const std::vector<std::uint32_t>& drawn) const
{
    if (!m_folded) {
        return drawn;
    }
    std::vector<std::uint32_t> boxes;
    for (const auto i : drawn) {
        const auto members = m_folded->membersOf(*m_groups, i);
        boxes.insert(boxes.end(), members.begin(), members.end());
    }
    makeUnique(boxes);
    return boxes;
}

std::uint32_t DrawnScene::firstMember(std::uint32_t drawn) const
{
    return m_folded ? m_folded->membersOf(*m_groups, drawn).front() : drawn;
}

std::optional<std::uint32_t> DrawnScene::groupOf(std::uint32_t drawn) const
{
    if (!m_folded || m_folded->groupOf[drawn] == SceneGroup::none) {
        return std::nullopt;
    }
    return m_folded->groupOf[drawn];
}

std::span<const GroupFrame> DrawnScene::frames() const
{
    return m_folded ? std::span<const GroupFrame>(m_folded->frames) : std::span<const GroupFrame>();
}

std::optional<QRectF> DrawnScene::placeOf(std::uint32_t group) const
{
    for (const auto& frame : frames()) {
        if (frame.group == group) {
            return QRectF(frame.at.x, frame.at.y, frame.width, frame.height);
        }
    }
    if (m_folded) {
        const auto& groups = m_folded->groupOf;
        const auto found = std::find(groups.begin(), groups.end(), group);
        if (found != groups.end()) {
            return index.box(static_cast<std::uint32_t>(found - groups.begin()));
        }
    }
    return std::nullopt;
}

void addBadges(QStringList& list, const QStringList& badges)
{
    for (const QString& badge : badges) {
        const auto place = std::lower_bound(list.cbegin(), list.cend(), badge);
        if (place == list.cend() || *place != badge) {
            list.insert(static_cast<int>(place - list.cbegin()), badge);
        }
    }
}

Tint tintOfAmount(double amount, std::span<const double> steps)
{
    if (std::isnan(amount)) {
        return Tint::Blocked;
    }
    if (amount <= 0 || steps.empty()) {
        return Tint::None;
    }
    const auto above = std::upper_bound(steps.begin(), steps.end(), amount) - steps.begin();
    return static_cast<Tint>(static_cast<std::ptrdiff_t>(Tint::Least) + std::max<std::ptrdiff_t>(above - 1, 0));
}

std::shared_ptr<const Occupancy> cellsOf(const DrawnScene& drawn, const SceneMarks* marks)
{
    if (marks == nullptr || (marks->tints.empty() && marks->dimmed.empty())) {
        return nullptr;
    }
    const auto& nodes = drawn.scene.nodes;
    std::vector<ColourNumber> colours(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        colours[i] = marks->isDimmed(i)        ? colourOf(Tint::None)
                     : i < marks->tints.size() ? colourOf(marks->tints[i])
                                               : colourOf(nodes[i].category);
    }
    return std::make_shared<const Occupancy>(drawn.index, colours);
}

namespace {

bool isKind(Tint tint)
{
    return tint >= Tint::Kind1 && tint <= Tint::Kind8;
}

/// The tints of drawn boxes: of a closed group, that of its total amount, or the most frequent kind in it, or the last
/// in the order of tints.
std::vector<Tint> tintsAsDrawn(const SceneMarks& marks, const DrawnScene& drawn)
{
    const auto count = drawn.scene.nodes.size();
    std::vector<Tint> tints(count, Tint::None);
    if (!marks.amounts.empty()) {
        std::vector<double> amounts(count);
        std::vector<bool> hasUnknown(count);
        for (std::uint32_t box = 0; box < marks.amounts.size(); ++box) {
            const double amount = marks.amounts[box];
            const auto as = drawn.drawnAs(box);
            hasUnknown[as] = hasUnknown[as] || std::isnan(amount);
            amounts[as] += std::isnan(amount) ? 0 : amount;
        }
        for (std::uint32_t as = 0; as < count; ++as) { // a group in which no amount is known
            amounts[as] = hasUnknown[as] && amounts[as] <= 0 ? std::nan("") : amounts[as];
        }
        std::ranges::transform(amounts, tints.begin(),
                               [&marks](double amount) { return tintOfAmount(amount, marks.steps); });
        return tints;
    }
    std::unordered_map<std::uint32_t, std::array<std::uint32_t, tintCount>> kinds; // by closed group
    for (std::uint32_t box = 0; box < marks.tints.size(); ++box) {
        const auto as = drawn.drawnAs(box);
        const Tint tint = marks.tints[box];
        if (isKind(tint) && drawn.groupOf(as)) {
            auto& counts = kinds[as];
            ++counts[static_cast<std::size_t>(tint)];
            tints[as] = static_cast<Tint>(std::ranges::max_element(counts) - counts.begin());
        } else {
            tints[as] = std::max(tints[as], tint);
        }
    }
    return tints;
}

} // namespace

std::shared_ptr<const SceneMarks> marksAsDrawn(const std::shared_ptr<const SceneMarks>& marks, const DrawnScene& drawn)
{
    if (!marks || drawn.memo() == nullptr) {
        return marks;
    }
    auto result = std::make_shared<SceneMarks>();
    result->areChanges = marks->areChanges;
    const auto isAlarm = [&](std::uint32_t box) {
        return std::binary_search(marks->alarms.begin(), marks->alarms.end(), box);
    };
    result->verdicts.assign(drawn.scene.nodes.size(), Verdict::Exact);
    result->dimmed.assign(marks->dimmed.empty() ? 0 : drawn.scene.nodes.size(), true);
    result->blocked.assign(marks->blocked.empty() ? 0 : drawn.scene.nodes.size(), false);
    result->errors.assign(marks->errors.empty() ? 0 : drawn.scene.nodes.size(), ErrorLevel::NotCompared);
    for (std::uint32_t box = 0; box < marks->verdicts.size(); ++box) {
        const auto as = drawn.drawnAs(box);
        const Verdict verdict = marks->verdicts[box];
        if (box < marks->dimmed.size() && !marks->dimmed[box]) {
            result->dimmed[as] = false;
        }
        if (!marks->errors.empty()) {
            result->errors[as] = std::max(result->errors[as], marks->errors[box]);
        }
        if (marks->isBlocked(box) && !drawn.groupOf(as)) {
            result->blocked[as] = true;
        }
        Verdict& worst = result->verdicts[as];
        if (!drawn.groupOf(as) || (worst != Verdict::Unsupported && isAlarm(box))) {
            worst = verdict;
        }
    }
    for (const auto& [box, badges] : marks->badges) {
        addBadges(result->badges[drawn.drawnAs(box)], badges);
    }
    for (const auto box : marks->alarms) {
        result->alarms.push_back(drawn.drawnAs(box));
    }
    makeUnique(result->alarms);
    if (!marks->tints.empty()) {
        result->tints = tintsAsDrawn(*marks, drawn);
    }
    return result;
}

QRectF titlePlace(const GroupFrame& frame)
{
    return {frame.at.x, frame.at.y, frame.width, frame::titleHeight};
}

} // namespace crosswalk::ui
