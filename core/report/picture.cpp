#include "core/report/picture.h"

#include "core/layout/render.h"

#include <charconv>

namespace crosswalk {
namespace {

OpenGroups openToDepth(const SceneGroups& groups, std::uint32_t depth)
{
    std::vector<std::uint32_t> depths;
    OpenGroups open;
    for (const SceneGroup& group : groups.groups) { // parents first
        depths.push_back(group.parent == SceneGroup::none ? 0 : depths[group.parent] + 1);
        open.push_back(depths.back() < depth);
    }
    return open;
}

} // namespace

std::optional<PictureGroups> PictureGroups::fromName(std::string_view name)
{
    if (name == "auto") {
        return PictureGroups{};
    }
    if (name == "open") {
        return PictureGroups{Kind::Open};
    }
    if (name == "closed") {
        return PictureGroups{Kind::ToDepth, 0};
    }
    PictureGroups groups{Kind::ToDepth};
    const char* end = name.data() + name.size();
    const auto [stopped, error] = std::from_chars(name.data(), end, groups.depth);
    return error == std::errc() && stopped == end ? std::optional(groups) : std::nullopt;
}

FoldedPicture foldForPicture(const Scene& whole, PictureGroups which, std::stop_token stop)
{
    FoldedPicture picture;
    picture.groups = std::make_shared<const SceneGroups>(foldableGroups(whole, findGroups(whole)));
    const OpenGroups open = which.kind == PictureGroups::Kind::ToDepth ? openToDepth(*picture.groups, which.depth)
                                                                       : openAtFirst(whole, *picture.groups);
    picture.folded = foldScene(whole, *picture.groups, open, nullptr, std::move(stop));
    return picture;
}

std::string pictureToSvg(const Scene& whole, const FoldedPicture& picture, std::span<const Verdict> verdicts,
                         Theme theme)
{
    const FoldedScene& folded = picture.folded;
    // A closed group has no node: number the boxes instead, and give each a verdict.
    Scene marked = folded.scene;
    std::vector<Verdict> marks(marked.nodes.size(), Verdict::Exact);
    for (std::uint32_t i = 0; i < whole.nodes.size(); ++i) {
        const SceneNode& node = whole.nodes[i];
        if (node.kind != SceneNode::Kind::Operator || node.node.index >= verdicts.size()) {
            continue;
        }
        const Verdict verdict = verdicts[node.node.index];
        const std::uint32_t box = folded.drawnAs[i];
        const bool isAlarm = verdict == Verdict::Unsupported || verdict == Verdict::Approximate;
        if (folded.groupOf[box] == SceneGroup::none || (isAlarm && marks[box] != Verdict::Unsupported)) {
            marks[box] = verdict;
        }
    }
    for (std::uint32_t box = 0; box < marked.nodes.size(); ++box) {
        if (marked.nodes[box].kind == SceneNode::Kind::Group) {
            marked.nodes[box].kind = SceneNode::Kind::Operator;
        }
        marked.nodes[box].node = NodeId{box};
    }
    return sceneToSvg(marked, marks, theme);
}

} // namespace crosswalk
