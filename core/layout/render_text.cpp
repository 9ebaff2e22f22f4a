#include "core/base/markup.h"
#include "core/base/visible_text.h"
#include "core/layout/constants.h"
#include "core/layout/groups.h"
#include "core/layout/render.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace crosswalk {
namespace {

/// A JSON string. Invalid UTF-8 becomes U+FFFD, so that every parser accepts the file.
std::string jsonString(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A line in an HTML label of DOT.
std::string htmlLine(std::string_view text)
{
    return escapeMarkup(visibleLine(text));
}

/// The operator and, smaller, the name, in the sizes for which the box was measured.
std::string dotLabel(const SceneNode& node)
{
    return node.name.empty() ? jsonString(visibleText(node.title))
                             : fmt::format("<{}<BR/><FONT POINT-SIZE=\"{}\">{}</FONT>>", htmlLine(node.title),
                                           box::nameSize, htmlLine(node.name));
}

/// A quarter of a pixel is precise enough, and short.
double rounded(float value)
{
    return std::round(static_cast<double>(value) * 4) / 4;
}

class Separator {
public:
    std::string_view next() { return std::exchange(m_isFirst, false) ? "\n" : ",\n"; }

private:
    bool m_isFirst = true;
};

/// The name of a group, prefixed by the names of its enclosing groups.
std::string pathOf(const SceneGroups& groups, std::uint32_t group)
{
    const SceneGroup& at = groups.groups[group];
    return at.parent == SceneGroup::none ? at.name : pathOf(groups, at.parent) + "/" + at.name;
}

} // namespace

std::string sceneToJson(const Scene& scene, std::string_view side)
{
    std::string out;
    const auto put = [&]<typename... Arguments>(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
    };
    const Layout& layout = scene.layout;
    put("{{\"side\":{},\"width\":{},\"height\":{},\"layout_seconds\":{},\n\"nodes\":[", jsonString(side),
        rounded(layout.width), rounded(layout.height), layout.cpuSeconds);
    Separator betweenNodes;
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        const LayoutPoint at = layout.positions[n];
        put("{}{{\"id\":{},\"name\":{},\"op\":{},\"x\":{},\"y\":{},\"w\":{},\"h\":{}}}", betweenNodes.next(), n,
            jsonString(node.fullName), jsonString(node.title), rounded(at.x), rounded(at.y), rounded(node.width),
            rounded(node.height));
    }
    out += "],\n\"edges\":[";
    Separator betweenEdges;
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        const auto& line = layout.routes[e];
        if (line.empty()) {
            continue;
        }
        put("{}{{\"from\":{},\"to\":{},\"points\":[", betweenEdges.next(), scene.edges[e].from, scene.edges[e].to);
        for (std::size_t p = 0; p < line.size(); ++p) {
            put("{}[{},{}]", p == 0 ? "" : ",", rounded(line[p].x), rounded(line[p].y));
        }
        out += "]}";
    }
    out += "],\n\"tags\":[";
    Separator betweenTags;
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        if (layout.routes[e].empty()) {
            put("{}{{\"from\":{},\"to\":{}}}", betweenTags.next(), scene.edges[e].from, scene.edges[e].to);
        }
    }
    out += "],\n\"groups\":[";
    Separator betweenGroups;
    const SceneGroups groups = findGroups(scene);
    for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
        put("{}{{\"name\":{},\"nodes\":[{}]}}", betweenGroups.next(), jsonString(pathOf(groups, g)),
            fmt::join(nodesWithin(groups, g), ","));
    }
    out += "]}\n";
    return visibleText(out); // as escapes in the strings, which mean the same
}

std::string sceneToDot(const Scene& scene, std::string_view graphName)
{
    constexpr double pixelsPerInch = 72;
    std::string out;
    const auto put = [&]<typename... Arguments>(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
    };
    // A JSON string is also a valid DOT string: both escape the quote and the backslash in the same way.
    put("digraph {} {{\n    node [shape=box, style=rounded, fixedsize=true, fontname=\"Inter\", fontsize={}];\n",
        jsonString(visibleLine(graphName)), box::titleSize);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        put("    n{} [label={}, width={:.4f}, height={:.4f}];\n", n, dotLabel(node), node.width / pixelsPerInch,
            node.height / pixelsPerInch);
    }
    for (const SceneEdge& edge : scene.edges) {
        put("    n{} -> n{}{};\n", edge.from, edge.to, edge.isControl ? " [style=dashed]" : "");
    }
    out += "}\n";
    return out;
}

} // namespace crosswalk
