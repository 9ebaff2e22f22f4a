#include "core/base/markup.h"
#include "core/base/visible_text.h"
#include "core/layout/font_metrics.h"
#include "core/layout/render.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <vector>

namespace crosswalk {
namespace {

/// Escapes text for XML. Control characters and those that change the direction of text are written as visibleLine()
/// does, and other characters that XML 1.0 does not allow are replaced.
std::string escaped(std::string_view raw)
{
    const std::string text = visibleLine(raw);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = at;
        const char32_t c = nextCharacter(text, at);
        if (c < 0x20 || c == 0xFFFD || c == 0xFFFE || c == 0xFFFF || (c >= 0xD800 && c <= 0xDFFF)) {
            out += "\uFFFD";
        } else {
            out += std::string_view(text).substr(start, at - start);
        }
    }
    return escapeMarkup(out);
}

/// A precision of a tenth of a pixel is sufficient.
std::string number(float value)
{
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    return text == "-0" ? "0" : text;
}

class SvgWriter {
public:
    SvgWriter(const Scene& scene, std::span<const Verdict> verdicts, Theme theme)
        : m_scene(scene)
        , m_verdicts(verdicts)
        , m_theme(theme)
        , m_colours(palette(theme))
    {
    }

    std::string write()
    {
        begin();
        std::vector<std::uint32_t> cut;
        for (std::uint32_t e = 0; e < m_scene.edges.size(); ++e) {
            if (m_scene.layout.routes[e].empty()) {
                cut.push_back(e);
            } else {
                edge(e);
            }
        }
        tags(cut, &SceneEdge::from, &SceneEdge::to, true);
        tags(cut, &SceneEdge::to, &SceneEdge::from, false);
        for (std::size_t n = 0; n < m_scene.nodes.size(); ++n) {
            node(n);
        }
        m_out += "</g>\n</svg>\n";
        return std::move(m_out);
    }

private:
    template <typename... Arguments>
    void put(fmt::format_string<Arguments...> format, Arguments&&... arguments)
    {
        fmt::format_to(std::back_inserter(m_out), format, std::forward<Arguments>(arguments)...);
    }

    void begin()
    {
        constexpr float margin = 24;
        const float width = m_scene.layout.width + 2 * margin;
        const float height = m_scene.layout.height + 2 * margin;
        put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "font-family=\"Inter, sans-serif\" font-kerning=\"none\">\n",
            number(width), number(height));
        put("<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
            "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L8 4L0 7Z\" "
            "fill=\"#{:06X}\"/></marker></defs>\n",
            m_colours.edge);
        if (std::ranges::any_of(m_scene.edges, &SceneEdge::closesLoop)) {
            put("<defs><marker id=\"back\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
                "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L8 4L0 7Z\" "
                "fill=\"#{:06X}\"/></marker></defs>\n",
                m_colours.loop);
        }
        put("<rect width=\"{}\" height=\"{}\" fill=\"#{:06X}\"/>\n", number(width), number(height), m_colours.paper);
        put("<g transform=\"translate({0} {0})\">\n", number(margin));
    }

    void edge(std::size_t index)
    {
        const auto& line = m_scene.layout.routes[index];
        const SceneEdge& drawn = m_scene.edges[index];
        put("<path fill=\"none\" stroke=\"#{:06X}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{} "
            "marker-end=\"url(#{})\" d=\"M",
            drawn.closesLoop ? m_colours.loop : m_colours.edge, drawn.closesLoop ? "1.8" : "1.2",
            drawn.isControl ? " stroke-dasharray=\"4 3\"" : "", drawn.closesLoop ? "back" : "arrow");
        for (std::size_t i = 0; i < line.size(); ++i) {
            put("{}{} {}", i == 0 ? "" : "L", number(line[i].x), number(line[i].y));
        }
        m_out += "\"/>\n";
    }

    /// Cut edges: one stub with a dot at each box for all of them on that side; its title names the other ends.
    void tags(std::vector<std::uint32_t>& cut, std::uint32_t SceneEdge::*end, std::uint32_t SceneEdge::*other,
              bool areBelow)
    {
        const auto boxOf = [&](std::uint32_t e) { return m_scene.edges[e].*end; };
        std::ranges::stable_sort(cut, {}, boxOf);
        for (auto first = cut.begin(); first != cut.end();) {
            const std::uint32_t box = boxOf(*first);
            const auto last = std::find_if(first, cut.end(), [&](std::uint32_t e) { return boxOf(e) != box; });
            std::string title;
            for (; first != last; ++first) {
                title += title.empty() ? "" : "\n";
                title += (areBelow ? "to " : "from ") + escaped(label(m_scene.edges[*first].*other));
            }
            const LayoutPoint corner = m_scene.layout.positions[box];
            const float x = corner.x + m_scene.nodes[box].width - 12;
            const float y = areBelow ? corner.y + m_scene.nodes[box].height : corner.y;
            const float tip = areBelow ? y + 8 : y - 8;
            put("<g><title>{}</title><path stroke=\"#{:06X}\" stroke-width=\"1.2\" d=\"M{} {}V{}\"/>"
                "<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"#{:06X}\"/></g>\n",
                title, m_colours.tag, number(x), number(y), number(tip), number(x), number(tip), m_colours.tag);
        }
    }

    std::string label(std::uint32_t index) const
    {
        const SceneNode& node = m_scene.nodes[index];
        return node.fullName.empty() ? node.title : node.title + " " + node.fullName;
    }

    Verdict verdictOf(const SceneNode& node) const
    {
        return node.kind == SceneNode::Kind::Operator && node.node.index < m_verdicts.size()
                   ? m_verdicts[node.node.index]
                   : Verdict::Exact;
    }

    void node(std::size_t index)
    {
        const SceneNode& node = m_scene.nodes[index];
        const LayoutPoint at = m_scene.layout.positions[index];
        const Verdict verdict = verdictOf(node);
        put("<g transform=\"translate({} {})\"><title>{}{}</title>\n", number(at.x), number(at.y),
            escaped(label(static_cast<std::uint32_t>(index))),
            verdict == Verdict::Exact ? std::string() : fmt::format(": {}", verdictName(verdict)));
        put("<rect width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"#{:06X}\"/>\n", number(node.width), number(node.height),
            number(box::radius), m_colours.box);
        header(node);
        put("<rect width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"none\" stroke=\"#{:06X}\"{}/>\n", number(node.width),
            number(node.height), number(box::radius), verdictColour(verdict, m_theme),
            verdict == Verdict::Folded ? " stroke-dasharray=\"4 3\"" : "");
        if (verdict != Verdict::Exact && verdict != Verdict::Folded) {
            stripe(node, verdict);
        }
        texts(node);
        m_out += "</g>\n";
    }

    /// The tinted header: rounded above, straight below if rows follow.
    void header(const SceneNode& node)
    {
        const bool isWhole = node.height <= box::headerHeight;
        const float r = box::radius;
        const float low = isWhole ? r : 0;
        put("<path fill=\"#{:06X}\" d=\"M{} 0H{}A{} {} 0 0 1 {} {}V{}", headerTint(node.category, m_theme), number(r),
            number(node.width - r), number(r), number(r), number(node.width), number(r),
            number(box::headerHeight - low));
        if (isWhole) {
            put("A{0} {0} 0 0 1 {1} {2}H{0}A{0} {0} 0 0 1 0 {3}", number(r), number(node.width - r),
                number(box::headerHeight), number(box::headerHeight - r));
        } else {
            m_out += "H0";
        }
        put("V{0}A{0} {0} 0 0 1 {0} 0Z\"/>\n", number(r));
    }

    /// The verdict's stripe on the left edge and its icon in the header: colour is never the only cue.
    void stripe(const SceneNode& node, Verdict verdict)
    {
        const Rgb colour = verdictColour(verdict, m_theme);
        const float r = box::radius;
        const float w = box::stripeWidth;
        put("<path fill=\"#{:06X}\" d=\"M{} 0H{}V{}H{}A{} {} 0 0 1 0 {}V{}A{} {} 0 0 1 {} 0Z\"/>\n", colour, number(r),
            number(std::max(r, w)), number(node.height), number(r), number(r), number(r), number(node.height - r),
            number(r), number(r), number(r), number(r));
        const float x = node.width - 14;
        const float y = box::headerHeight / 2;
        put("<path fill=\"none\" stroke=\"#{:06X}\" stroke-width=\"1.8\" stroke-linecap=\"round\" "
            "transform=\"translate({} {})\" d=\"{}\"/>\n",
            colour, number(x), number(y), sign(verdict));
    }

    static std::string_view sign(Verdict verdict)
    {
        switch (verdict) {
        case Verdict::Decomposed:
            return "M-5 0H-1L4 -4M-1 0L4 4";
        case Verdict::Approximate:
            return "M-5 1C-3 -4 -1 -4 0 0S3 4 5 -1";
        default:
            return "M-4 -4L4 4M-4 4L4 -4";
        }
    }

    void texts(const SceneNode& node)
    {
        put("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"600\" fill=\"#{:06X}\">{}</text>\n",
            number(box::padding), number(box::titleBaseline), number(box::titleSize), m_colours.title,
            escaped(node.title));
        std::size_t line = 0;
        const auto text = [&](std::string_view words, Rgb colour) {
            put("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"#{:06X}\">{}</text>\n", number(box::padding),
                number(box::lineBaseline(line++)), number(box::rowSize), colour, escaped(words));
        };
        if (!node.name.empty()) {
            text(node.name, m_colours.faint);
        }
        for (const std::string& row : node.rows) {
            text(row, m_colours.text);
        }
    }

    const Scene& m_scene;
    std::span<const Verdict> m_verdicts;
    Theme m_theme;
    const Palette& m_colours;
    std::string m_out;
};

} // namespace

std::string sceneToSvg(const Scene& scene, std::span<const Verdict> verdicts, Theme theme)
{
    return SvgWriter(scene, verdicts, theme).write();
}

} // namespace crosswalk
