#include "ui/canvas/reference_tags.h"

#include "core/layout/font_metrics.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr double tagHeight = 15;
constexpr double tagDistance = 4; ///< from the box: the gap between layers has room for one tag below and one above
constexpr double overhang = 12;   ///< beyond the box's sides: less than half of the gaps, and of the padding of a frame
constexpr double padding = 7;     ///< around the text
constexpr double between = 4;     ///< between adjacent tags
constexpr float tagTextSize = 10;
constexpr float longestName = 180;

std::vector<std::uint32_t> endsOfTags(const DrawnScene& drawn, std::span<const std::uint32_t> edges,
                                      std::uint32_t SceneEdge::*end)
{
    std::vector<std::uint32_t> others;
    for (const auto e : edges) {
        if (drawn.scene.layout.routes[e].empty()) {
            others.push_back(drawn.scene.edges[e].*end);
        }
    }
    return others;
}

/// The names of the first ends, elided to fit, and the number of further ends.
std::string textOf(const DrawnScene& drawn, const std::vector<std::uint32_t>& targets, std::string_view arrow,
                   double room)
{
    const auto& node = drawn.scene.nodes[targets.front()];
    const std::string more = targets.size() > 1 ? " +" + std::to_string(targets.size() - 1) : "";
    const std::string sign = std::string(arrow) + ' ';
    const float left = static_cast<float>(room - 2 * padding) - textWidth(sign + more, tagTextSize);
    return sign + elideMiddle(node.name.empty() ? node.title : node.name, tagTextSize, std::min(left, longestName)) +
           more;
}

} // namespace

std::vector<ReferenceTag> referenceTags(const DrawnScene& drawn, std::uint32_t node)
{
    auto read = endsOfTags(drawn, drawn.index.edgesInto(node), &SceneEdge::from);
    auto readers = endsOfTags(drawn, drawn.index.edgesOutOf(node), &SceneEdge::to);
    if (read.empty() && readers.empty()) {
        return {};
    }
    const bool isDown = drawn.flow() == Flow::Down;
    const bool shareRow = !isDown && !read.empty() && !readers.empty();
    const QRectF box = drawn.index.box(node);
    const double left = box.left() + (isDown ? tagDistance : -overhang);
    const double right = box.right() + overhang;
    const double above = box.top() - tagDistance - tagHeight;
    const double room = shareRow ? (right - left - between) / 2 : right - left;
    std::vector<ReferenceTag> tags;
    const auto add = [&](std::vector<std::uint32_t>& targets, std::string_view arrow, double top, bool atRight) {
        if (targets.empty()) {
            return;
        }
        std::string text = textOf(drawn, targets, arrow, room);
        const double width = std::min(room, textWidth(text, tagTextSize) + 2 * padding);
        tags.push_back(
            {QRectF(atRight ? right - width : left, top, width, tagHeight), std::move(text), std::move(targets)});
    };
    add(read, isDown ? "\u2191" : "\u2190", above, false);
    add(readers, isDown ? "\u2193" : "\u2192", isDown ? box.bottom() + tagDistance : above, !isDown);
    return tags;
}

void paintTags(QPainter& painter, const ScenePicture& picture, TextCache& texts, std::uint32_t node)
{
    const double scale = picture.transform.scale;
    for (const auto& tag : referenceTags(*picture.drawn, node)) {
        const QRectF pill = picture.transform.toView(tag.place);
        painter.setPen(Qt::NoPen);
        painter.setBrush(picture.theme->tag);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        const ShapedText text = texts.shaped(tag.text, tagTextSize, false);
        TextCache::draw(painter, text, {pill.left() + padding * scale, pill.center().y()}, scale,
                        picture.theme->tagText);
    }
}

} // namespace crosswalk::ui
