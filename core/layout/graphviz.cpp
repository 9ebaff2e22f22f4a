#include "core/layout/graphviz.h"

#include "core/base/cpu_time.h"
#include "core/base/program_folder.h"
#include "core/layout/layered.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <graphviz/gvc.h>
#include <memory>
#include <mutex>

namespace crosswalk {
namespace {

constexpr double pointsPerInch = 72; // a pixel at scale 1 is a point of Graphviz
constexpr int curveSteps = 4;        // line segments that approximate a Bezier curve

struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using GraphPointer = std::unique_ptr<Agraph_t, CloseGraph>;

/// Graphviz takes texts as char* but does not modify them.
char* text(const char* constant)
{
    return const_cast<char*>(constant);
}

void setDefault(Agraph_t* graph, int kind, const char* name, const std::string& value)
{
    agattr(graph, kind, text(name), text(value.c_str()));
}

void set(Agnode_t* node, const char* name, const std::string& value)
{
    agsafeset(node, text(name), text(value.c_str()), text(""));
}

struct DotGraph {
    GraphPointer graph;
    std::vector<Agnode_t*> nodes;
    std::vector<Agedge_t*> edges; ///< null if the edge is cut
};

DotGraph describe(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                  const std::vector<bool>& isCut, const LayoutOptions& options)
{
    DotGraph dot{GraphPointer(agopen(text("model"), Agdirected, nullptr)), {}, {}};
    Agraph_t* graph = dot.graph.get();
    setDefault(graph, AGRAPH, "nodesep", fmt::format("{}", options.nodeGap / pointsPerInch));
    setDefault(graph, AGRAPH, "ranksep", fmt::format("{}", options.layerGap / pointsPerInch));
    setDefault(graph, AGNODE, "shape", "box");
    setDefault(graph, AGNODE, "label", "");
    setDefault(graph, AGNODE, "fixedsize", "true");
    setDefault(graph, AGEDGE, "arrowhead", "none");
    for (const LayoutBox& box : boxes) {
        Agnode_t* node = agnode(graph, nullptr, 1);
        set(node, "width", fmt::format("{}", box.width / pointsPerInch));
        set(node, "height", fmt::format("{}", box.height / pointsPerInch));
        dot.nodes.push_back(node);
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
        dot.edges.push_back(isCut[e] ? nullptr
                                     : agedge(graph, dot.nodes[edges[e].from], dot.nodes[edges[e].to], nullptr, 1));
    }
    return dot;
}

/// The y axis of dot points up, ours points down.
struct Frame {
    double left;
    double top;
    LayoutPoint place(double x, double y) const { return {static_cast<float>(x - left), static_cast<float>(top - y)}; }
};

std::vector<LayoutPoint> straightened(const splines* curves, const Frame& frame)
{
    std::vector<LayoutPoint> line;
    if (curves == nullptr) {
        return line;
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(curves->size); ++c) {
        const bezier& curve = curves->list[c];
        for (std::size_t i = 0; i + 3 < static_cast<std::size_t>(curve.size); i += 3) {
            const pointf* p = curve.list + i;
            for (int step = line.empty() ? 0 : 1; step <= curveSteps; ++step) {
                const double t = static_cast<double>(step) / curveSteps;
                const double s = 1 - t;
                const double a = s * s * s;
                const double b = 3 * s * s * t;
                const double d = 3 * s * t * t;
                const double f = t * t * t;
                line.push_back(frame.place(a * p[0].x + b * p[1].x + d * p[2].x + f * p[3].x,
                                           a * p[0].y + b * p[1].y + d * p[2].y + f * p[3].y));
            }
        }
    }
    return line;
}

/// In dot, lines may start or end at the side of a tall box. Ours leave downwards and arrive from above, so a segment
/// beside the box is replaced by a curve that does.
void landFromAbove(std::vector<LayoutPoint>& line, LayoutPoint corner, float width, float room)
{
    constexpr float inset = 12;
    const auto isBeside = [&](const LayoutPoint& point) { return point.y > corner.y + 1; };
    if (std::none_of(line.begin(), line.end(), isBeside)) {
        return;
    }
    const LayoutPoint end{
        std::clamp(line.back().x, corner.x + std::min(inset, width / 2), corner.x + width - std::min(inset, width / 2)),
        corner.y};
    while (line.size() > 1 && line.back().y > corner.y - room) {
        line.pop_back();
    }
    const LayoutPoint start = line.back();
    for (int step = 1; step <= curveSteps; ++step) {
        const float t = static_cast<float>(step) / curveSteps;
        const float turned = t * t * (3 - 2 * t); // vertical at both ends
        line.push_back({start.x + turned * (end.x - start.x), start.y + t * (end.y - start.y)});
    }
}

void turnOver(std::vector<LayoutPoint>& line)
{
    std::reverse(line.begin(), line.end());
    for (LayoutPoint& point : line) {
        point.y = -point.y;
    }
}

bool runsThroughABox(const std::vector<LayoutPoint>& line, const std::vector<LayoutBox>& boxes,
                     const std::vector<LayoutPoint>& positions)
{
    constexpr float step = 4;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const auto [x, y] = line[i];
        const float dx = line[i + 1].x - x;
        const float dy = line[i + 1].y - y;
        const int pieces = 1 + static_cast<int>(std::hypot(dx, dy) / step);
        for (int piece = 0; piece <= pieces; ++piece) {
            const float t = static_cast<float>(piece) / static_cast<float>(pieces);
            for (std::size_t b = 0; b < boxes.size(); ++b) {
                const LayoutPoint inside{x + t * dx - positions[b].x, y + t * dy - positions[b].y};
                if (inside.x > 0 && inside.x < boxes[b].width && inside.y > 0 && inside.y < boxes[b].height) {
                    return true;
                }
            }
        }
    }
    return false;
}

Layout read(const DotGraph& dot, const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
            float layerGap)
{
    Layout layout;
    const boxf bounds = GD_bb(dot.graph.get());
    const Frame frame{bounds.LL.x, bounds.UR.y};
    layout.width = static_cast<float>(bounds.UR.x - bounds.LL.x);
    layout.height = static_cast<float>(bounds.UR.y - bounds.LL.y);
    layout.positions.reserve(boxes.size());
    for (std::size_t v = 0; v < boxes.size(); ++v) {
        const pointf centre = ND_coord(dot.nodes[v]);
        const LayoutPoint middle = frame.place(centre.x, centre.y);
        layout.positions.push_back({middle.x - boxes[v].width / 2, middle.y - boxes[v].height / 2});
    }
    layout.routes.resize(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (dot.edges[e] == nullptr) {
            continue;
        }
        auto& line = layout.routes[e];
        line = straightened(ED_spl(dot.edges[e]), frame);
        const std::uint32_t from = edges[e].from;
        const std::uint32_t to = edges[e].to;
        const LayoutPoint start = layout.positions[from];
        const LayoutPoint end = layout.positions[to];
        if (line.size() < 2) {
            line = {{start.x + boxes[from].width / 2, 0}, {end.x + boxes[to].width / 2, 0}};
        }
        const bool leadsDown = start.y + boxes[from].height < end.y;
        if (leadsDown) {
            auto upright = line;
            landFromAbove(upright, end, boxes[to].width, layerGap);
            turnOver(upright);
            landFromAbove(upright, {start.x, -(start.y + boxes[from].height)}, boxes[from].width, layerGap);
            turnOver(upright);
            if (!runsThroughABox(upright, boxes, layout.positions)) {
                line = std::move(upright);
            }
        }
        // dot clips its curves only to within a fraction of a point.
        line.front().y = start.y + boxes[from].height;
        line.front().x = std::clamp(line.front().x, start.x, start.x + boxes[from].width);
        line.back().y = end.y;
        line.back().x = std::clamp(line.back().x, end.x, end.x + boxes[to].width);
    }
    return layout;
}

std::vector<bool> tagsOfAcyclic(std::size_t boxes, const std::vector<LayoutEdge>& edges)
{
    const auto isOfHub = layered::findHubEdges(boxes, edges);
    return layered::findTags(edges, isOfHub, layered::assignRanks(boxes, edges, isOfHub));
}

/// The edges without a line, those that close a cycle among them.
std::vector<bool> tagsOf(std::size_t boxes, const std::vector<LayoutEdge>& edges)
{
    std::vector<bool> hasNoLine = layered::findCycleEdges(boxes, edges);
    std::vector<LayoutEdge> others;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (!hasNoLine[e]) {
            others.push_back(edges[e]);
        }
    }
    const std::vector<bool> isTag = tagsOfAcyclic(boxes, others);
    std::size_t next = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        hasNoLine[e] = hasNoLine[e] || isTag[next++];
    }
    return hasNoLine;
}

/// A portable installation carries Graphviz and the plugin of its layout: those of the system belong to another
/// version.
GVC_t* createContext()
{
    const auto plugins = programFolder() / "../lib/crosswalk/graphviz";
    std::error_code failed;
    if (std::filesystem::exists(plugins / "config6a", failed)) {
        ::setenv("GVBINDIR", plugins.c_str(), 0);
    }
    return gvContext();
}

int ignoreMessage(char*)
{
    return 0;
}

} // namespace

std::optional<Layout> layoutWithGraphviz(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                                         const LayoutOptions& options, std::size_t limit)
{
    if (boxes.size() > limit || boxes.empty()) {
        return std::nullopt;
    }
    // Graphviz keeps the state of its algorithms in global variables.
    static std::mutex oneAtATime;
    const std::lock_guard lock(oneAtATime);
    static GVC_t* const context = createContext();
    agseterrf(ignoreMessage);

    const double start = threadCpuSeconds();
    const auto isCut = options.cutLongEdges ? tagsOf(boxes.size(), edges) : std::vector<bool>(edges.size(), false);
    const DotGraph dot = describe(boxes, edges, isCut, options);
    if (gvLayout(context, dot.graph.get(), "dot") != 0) {
        return std::nullopt;
    }
    Layout layout = read(dot, boxes, edges, options.layerGap);
    gvFreeLayout(context, dot.graph.get());
    layout.cpuSeconds = threadCpuSeconds() - start;
    return layout;
}

} // namespace crosswalk
