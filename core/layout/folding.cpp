#include "core/layout/folding.h"

#include "core/base/visible_text.h"
#include "core/layout/font_metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace crosswalk {
namespace {

constexpr std::size_t maxKinds = 3; // maximum number of operators that a closed group lists

/// By group, the hash of its own and all enclosing names (see keyOf). Blocks have the same key inside and outside a
/// stack.
std::vector<std::uint64_t> keysOf(const SceneGroups& groups)
{
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
    std::vector<std::uint64_t> keys;
    keys.reserve(groups.groups.size());
    for (const SceneGroup& group : groups.groups) {
        std::uint32_t around = group.parent;
        while (around != SceneGroup::none && group.times == 1 && groups.groups[around].times > 1) {
            around = groups.groups[around].parent;
        }
        keys.push_back(((around == SceneGroup::none ? 1 : keys[around]) ^ std::hash<std::string>()(group.name)) *
                       factor);
    }
    return keys;
}

class Folder {
public:
    Folder(const Scene& whole, const SceneGroups& groups, const OpenGroups& open, Flow flow)
        : m_whole(whole)
        , m_groups(groups)
        , m_keys(keysOf(groups))
        , m_closedBy(groups.groups.size(), SceneGroup::none)
        , m_frameOf(groups.groups.size(), SceneGroup::none)
        , m_boxOfGroup(groups.groups.size(), SceneGroup::none)
    {
        assert(open.size() == groups.groups.size());
        m_nested.flow = m_result.flow = flow;
        for (std::uint32_t g = 0; g < groups.groups.size(); ++g) { // parents first
            const std::uint32_t parent = groups.groups[g].parent;
            const bool isSeen = parent == SceneGroup::none || m_closedBy[parent] == SceneGroup::none;
            m_closedBy[g] = !isSeen ? m_closedBy[parent] : open[g] ? SceneGroup::none : g;
            if (m_closedBy[g] == SceneGroup::none) {
                m_frameOf[g] = static_cast<std::uint32_t>(m_nested.frames.size());
                addFrame(g);
            }
        }
    }

    FoldedScene run(const LayoutMemo* previous, std::stop_token stop)
    {
        addBoxes();
        addEdges();
        NestedLayout laidOut = layoutNested(m_nested, previous, std::move(stop));
        if (laidOut.layout.positions.size() != m_result.scene.nodes.size()) {
            return {};
        }
        m_result.scene.layout = std::move(laidOut.layout);
        m_result.memo = std::move(laidOut.memo);
        for (std::size_t f = 0; f < m_result.frames.size(); ++f) {
            m_result.frames[f].at = laidOut.frames[f].at;
            m_result.frames[f].width = laidOut.frames[f].size.width;
            m_result.frames[f].height = laidOut.frames[f].size.height;
        }
        return std::move(m_result);
    }

private:
    static std::string timesText(const SceneGroup& group)
    {
        return group.times > 1 ? fmt::format("  × {}", group.times) : std::string();
    }

    void addFrame(std::uint32_t group)
    {
        const SceneGroup& at = m_groups.groups[group];
        GroupFrame made;
        made.group = group;
        made.title = elideMiddle(visibleLine(at.name), frame::titleSize, box::maxWidth, true) + timesText(at);
        NestedFrame nested;
        nested.key = m_keys[group];
        nested.parent = at.parent == SceneGroup::none ? NestedFrame::none : m_frameOf[at.parent];
        constexpr float roomForSign = 20;
        nested.minWidth = std::ceil(textWidth(made.title, frame::titleSize, true) + 2 * frame::padding + roomForSign);
        m_nested.frames.push_back(nested);
        m_result.frames.push_back(std::move(made));
    }

    void addBoxes()
    {
        m_result.drawnAs.resize(m_whole.nodes.size());
        for (std::uint32_t i = 0; i < m_whole.nodes.size(); ++i) {
            const std::uint32_t group = m_groups.ofNode[i];
            const std::uint32_t closed = group == SceneGroup::none ? SceneGroup::none : m_closedBy[group];
            if (closed == SceneGroup::none) {
                m_result.drawnAs[i] = add(m_whole.nodes[i], i, SceneGroup::none, group);
                continue;
            }
            if (m_boxOfGroup[closed] == SceneGroup::none) {
                m_boxOfGroup[closed] = add(boxFor(closed), SceneGroup::none, closed, m_groups.groups[closed].parent);
            }
            m_result.drawnAs[i] = m_boxOfGroup[closed];
        }
    }

    std::uint32_t add(SceneNode node, std::uint32_t box, std::uint32_t group, std::uint32_t parent)
    {
        m_nested.boxes.push_back(m_nested.flow == Flow::Down ? LayoutBox{node.width, node.height}
                                                             : LayoutBox{node.height, node.width});
        m_nested.frameOf.push_back(parent == SceneGroup::none ? NestedFrame::none : m_frameOf[parent]);
        m_nested.keys.push_back(group == SceneGroup::none ? keyOf(node) : m_keys[group]);
        m_result.scene.nodes.push_back(std::move(node));
        m_result.boxOf.push_back(box);
        m_result.groupOf.push_back(group);
        return static_cast<std::uint32_t>(m_result.scene.nodes.size() - 1);
    }

    /// The rows of a closed group: its size, its repetitions, and its operators.
    SceneNode boxFor(std::uint32_t index) const
    {
        const SceneGroup& group = m_groups.groups[index];
        SceneNode node;
        node.kind = SceneNode::Kind::Group;
        node.fullName = group.name;
        const std::string times = timesText(group);
        const float room = box::maxWidth - 2 * box::padding - box::iconSize;
        node.title =
            elideMiddle(visibleLine(group.name), box::titleSize, room - textWidth(times, box::titleSize, true), true) +
            times;
        node.rows.push_back(group.times > 1 ? fmt::format("operators {} × {}", group.times, group.boxes / group.times)
                                            : fmt::format("operators {}", group.boxes));
        const std::uint32_t parent = group.parent;
        if (parent != SceneGroup::none && m_groups.groups[parent].times > 1) {
            node.rows.push_back(fmt::format("one of {} alike", m_groups.groups[parent].times));
        }
        addKinds(index, node);
        measureBox(node);
        return node;
    }

    /// The most frequent operators.
    void addKinds(std::uint32_t group, SceneNode& node) const
    {
        std::map<std::string_view, std::uint32_t> counts;
        for (const std::uint32_t member : nodesWithin(m_groups, group)) {
            ++counts[m_whole.nodes[member].title];
        }
        std::vector<std::pair<std::string_view, std::uint32_t>> sorted(counts.begin(), counts.end());
        std::ranges::stable_sort(sorted, std::ranges::greater(), &std::pair<std::string_view, std::uint32_t>::second);
        for (std::size_t i = 0; i < std::min(sorted.size(), maxKinds); ++i) {
            node.rows.push_back(fmt::format("{} {}", sorted[i].first, sorted[i].second));
        }
        if (sorted.size() > maxKinds) {
            node.rows.push_back(fmt::format("and {} more", sorted.size() - maxKinds));
        }
    }

    /// If either end is a group, one line represents all values between two boxes.
    void addEdges()
    {
        std::unordered_map<std::uint64_t, std::uint32_t> lines;
        for (const SceneEdge& edge : m_whole.edges) {
            const std::uint32_t from = m_result.drawnAs[edge.from];
            const std::uint32_t to = m_result.drawnAs[edge.to];
            const bool isOfGroup =
                m_result.groupOf[from] != SceneGroup::none || m_result.groupOf[to] != SceneGroup::none;
            if (isOfGroup) {
                if (from == to) {
                    continue;
                }
                const auto next = static_cast<std::uint32_t>(m_result.scene.edges.size());
                const auto [found, isNew] = lines.try_emplace((std::uint64_t{from} << 32U) | to, next);
                if (!isNew) {
                    SceneEdge& line = m_result.scene.edges[found->second];
                    line.value = line.value == edge.value ? line.value : ValueId{};
                    line.isControl = line.isControl && edge.isControl;
                    continue;
                }
            }
            m_result.scene.edges.push_back({from, to, edge.value, edge.isControl, edge.closesLoop});
            // A value leaves a frame once, and enters each frame that reads it once.
            m_nested.edges.push_back({from, to, (std::uint64_t{from} << 32U) | edge.value.index, edge.closesLoop});
        }
    }

    const Scene& m_whole;
    const SceneGroups& m_groups;
    std::vector<std::uint64_t> m_keys;       ///< by group
    std::vector<std::uint32_t> m_closedBy;   ///< by group: the outermost closed group that it is or is in
    std::vector<std::uint32_t> m_frameOf;    ///< by group, if it is visible and open
    std::vector<std::uint32_t> m_boxOfGroup; ///< by group, if it is visible and closed
    NestedGraph m_nested;
    FoldedScene m_result;
};

} // namespace

std::vector<std::uint32_t> FoldedScene::membersOf(const SceneGroups& groups, std::uint32_t drawn) const
{
    return groupOf[drawn] == SceneGroup::none ? std::vector<std::uint32_t>{boxOf[drawn]}
                                              : nodesWithin(groups, groupOf[drawn]);
}

FoldedScene foldScene(const Scene& whole, const SceneGroups& groups, const OpenGroups& open, const LayoutMemo* previous,
                      std::stop_token stop, Flow flow)
{
    return Folder(whole, groups, open, flow).run(previous, std::move(stop));
}

} // namespace crosswalk
