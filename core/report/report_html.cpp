#include "core/report/report_html.h"

#include "core/base/check_stop.h"
#include "core/base/readable.h"
#include "core/formats/onnx_graph.h"
#include "core/layout/render.h"
#include "core/layout/scene.h"
#include "core/onnx/work.h"
#include "core/report/html_page.h"
#include "core/report/picture.h"
#include "core/report/report_page.h"
#include "core/report/scene_part.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace crosswalk {
namespace {

/// Pictures with more boxes would add megabytes to the page and be illegible.
constexpr std::size_t pictureLimit = 3000;

std::string problemRows(const LoadedModel& loaded, const Conversion& conversion)
{
    std::string rows;
    for (const auto* list : {&loaded.problems, &conversion.problems}) {
        for (const Diagnostic& problem : *list) {
            std::string ways = htmlText(problem.hint);
            for (const Choice& choice : problem.choices) {
                ways += fmt::format("{}<code>{}</code>: {}", ways.empty() ? "" : "<br>", htmlText(choice.strategy),
                                    htmlText(choice.cost));
            }
            rows +=
                fmt::format("<tr><td class=\"{0}\">{0}</td><td><code>{1}</code></td><td>{2}</td><td>{3}</td></tr>\n",
                            severityName(problem.severity), htmlText(problem.node), htmlText(problem.message), ways);
        }
    }
    return rows;
}

std::string tensorRows(const Graph& graph, const Conversion& conversion)
{
    std::string rows;
    const auto add = [&](std::string_view kind, ValueId id) {
        rows += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td>{}</td></tr>\n", kind,
                            htmlText(graph.value(id).name), htmlText(toString(conversion.valueTypes[id.index])));
    };
    for (const ValueId id : graph.inputs) {
        if (graph.value(id).role == Role::Data) {
            add("input", id);
        }
    }
    for (const ValueId id : graph.outputs) {
        add("output", id);
    }
    return rows;
}

std::string operatorRows(const Graph& source, const Graph& onnx)
{
    std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
    for (const Node& node : source.nodes()) {
        ++counts[node.op].first;
    }
    for (const Node& node : onnx.nodes()) {
        ++counts[node.op].second;
    }
    std::string rows;
    for (const auto& [op, count] : counts) {
        rows += fmt::format("<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n", htmlText(op), count.first,
                            count.second);
    }
    return rows;
}

/// The result of verify, one row per output.
std::string numbers(const VerifyReport& report)
{
    std::string rows;
    for (const Comparison& one : report.outputs) {
        rows += fmt::format(
            "<tr><td><code>{}</code></td><td class=\"{}\">{}</td><td>{}</td><td>{:.3g}</td><td>{:.3g}</td></tr>\n",
            htmlText(one.name), one.equal ? "" : "error", one.why.empty() ? "equal" : htmlText(one.why), one.elements,
            one.maxAbsolute, one.maxRelative);
    }
    return fmt::format("<p>Run by ONNX Runtime {} on {} recorded data set{}: the export {}.</p>\n"
                       "<table><tr><th>Output</th><th></th><th>Values</th><th>Largest absolute difference</th>"
                       "<th>Largest relative difference</th></tr>\n{}</table>\n",
                       htmlText(report.runtimeVersion), report.dataSets, report.dataSets == 1 ? "" : "s",
                       report.equal() ? "matches the recorded outputs" : "differs from the recorded outputs", rows);
}

/// A graph to draw.
struct Pictured {
    const Graph& graph;
    std::span<const TensorType> types = {};
    std::span<const Verdict> verdicts = {};
    std::optional<NodeId> problem = {}; ///< the first node with a problem
};

/// The framework with its version, or the format if the file does not store the producer.
std::string producerOf(const Graph& source)
{
    if (source.producer.empty()) {
        return source.format == "onnx" ? "ONNX" : source.format;
    }
    return source.version.empty() ? source.producer : source.producer + " " + source.version;
}

constexpr std::uint32_t notDrawn = std::numeric_limits<std::uint32_t>::max();

/// A picture on the page.
struct Drawing {
    std::string text = {};                  ///< in place of boxes that are not drawn
    std::string svg;                        ///< empty if stopped
    std::vector<std::uint32_t> ofNode = {}; ///< by node: its box among those of the picture, or notDrawn
};

std::string framed(std::string_view title, const Drawing& drawing)
{
    return fmt::format("<section><h3>{0}</h3>\n{1}<div class=\"picture\" tabindex=\"0\" aria-label=\"{0} "
                       "graph\">{2}</div></section>\n",
                       title, drawing.text, drawing.svg);
}

constexpr std::string_view activity = "the report";

/// For a graph that is too large for a page and has no groups: the boxes around the first problem, or the first boxes.
Drawing partPicture(const Scene& whole, const Pictured& pictured, const std::stop_token& stop)
{
    std::optional<std::uint32_t> around;
    if (pictured.problem && whole.ofNode[pictured.problem->index] < whole.nodes.size()) {
        around = whole.ofNode[pictured.problem->index];
    }
    const FoldedPicture part = partForPicture(whole, around, partSize, stop);
    checkStop(stop, activity); // a layout that was stopped has no boxes
    const std::string where = around ? fmt::format("around <code>{}</code>", htmlText(whole.nodes[*around].fullName))
                                     : std::string("the first");
    return {fmt::format("<p>{} of {} boxes are drawn, {}; <code>crosswalk render -o graph.svg</code> draws all of "
                        "them.</p>\n",
                        partSize, whole.nodes.size(), where),
            pictureToSvg(whole, part, pictured.verdicts)};
}

/// Draws a large graph with closed groups, as in the window's initial view.
Drawing picture(const Pictured& pictured, const std::stop_token& stop)
{
    Scene whole = buildScene(pictured.graph, pictured.types);
    const std::size_t boxes = whole.nodes.size();
    if (boxes <= pictureLimit) {
        layOut(whole, LayoutEngine::Automatic, stop);
        return {{}, sceneToSvg(whole, pictured.verdicts), whole.ofNode};
    }
    const FoldedPicture folded = foldForPicture(whole, {}, stop);
    checkStop(stop, activity);
    const std::size_t drawn = folded.folded.scene.nodes.size();
    if (drawn > pictureLimit) {
        return partPicture(whole, pictured, stop);
    }
    std::vector<std::uint32_t> ofNode = whole.ofNode;
    for (std::uint32_t& box : ofNode) {
        box = box < folded.folded.drawnAs.size() ? folded.folded.drawnAs[box] : notDrawn;
    }
    return {fmt::format("<p>{} boxes, drawn as {} with groups closed; <code>crosswalk render -o graph.svg</code> draws "
                        "all of them.</p>\n",
                        boxes, drawn),
            pictureToSvg(whole, folded, pictured.verdicts), std::move(ofNode)};
}

/// The ONNX boxes of each source box, as JSON: numbers only.
std::string linksOf(const Drawing& source, const Drawing& onnx, const Conversion& conversion)
{
    std::vector<std::set<std::uint32_t>> links;
    for (std::size_t node = 0; node < conversion.targets.size() && node < source.ofNode.size(); ++node) {
        const std::uint32_t from = source.ofNode[node];
        if (from == notDrawn) {
            continue;
        }
        links.resize(std::max<std::size_t>(links.size(), from + std::size_t{1}));
        for (const std::uint32_t target : conversion.targets[node]) {
            if (target < onnx.ofNode.size() && onnx.ofNode[target] != notDrawn) {
                links[from].insert(onnx.ofNode[target]);
            }
        }
    }
    std::string text = "[";
    for (std::size_t i = 0; i < links.size(); ++i) {
        text += fmt::format("{}[{}]", i == 0 ? "" : ",", fmt::join(links[i], ","));
    }
    return text + "]";
}

/// "22 of 22 exact (3 as several nodes), 19 folded, 1 unsupported".
std::string verdictLine(const Conversion& conversion)
{
    const auto count = [&](Verdict verdict) { return std::ranges::count(conversion.verdicts, verdict); };
    const auto decomposed = count(Verdict::Decomposed);
    const auto exact = count(Verdict::Exact) + decomposed;
    std::string line = fmt::format("{} of {} exact", exact, std::ssize(conversion.verdicts) - count(Verdict::Folded));
    if (decomposed > 0) {
        line += fmt::format(" ({} as several nodes)", decomposed);
    }
    const std::pair<Verdict, std::string_view> others[] = {
        {Verdict::Approximate, "approximate"}, {Verdict::Unsupported, "unsupported"}, {Verdict::Folded, "folded"}};
    for (const auto& [verdict, word] : others) {
        if (const auto many = count(verdict); many > 0) {
            line += fmt::format(", {} {}", many, word);
        }
        if (verdict == Verdict::Unsupported && !conversion.behindGaps.empty()) {
            line += fmt::format(" ({} of them only because the shape of an input is unknown)",
                                conversion.behindGaps.size());
        }
    }
    return line;
}

constexpr std::string_view tools = R"(<div class="tools"><input id="find" type="search" placeholder="Find a node"
 aria-label="Find a node"><span id="found" aria-live="polite"></span><button data-do="in">Zoom in</button><button
 data-do="out">Zoom out</button><button data-do="fit">Fit</button><button data-do="begin">Start</button><button
 data-do="print">Print or save as PDF</button></div>
)";

/// The first node that is unsupported or approximate, and not only because the shape of an input is unknown.
std::optional<NodeId> firstProblem(const Conversion& conversion)
{
    for (std::uint32_t i = 0; i < conversion.verdicts.size(); ++i) {
        const Verdict verdict = conversion.verdicts[i];
        const auto& waiting = conversion.behindGaps;
        if ((verdict == Verdict::Unsupported || verdict == Verdict::Approximate) &&
            std::find(waiting.begin(), waiting.end(), NodeId{i}) == waiting.end()) {
            return NodeId{i};
        }
    }
    return std::nullopt;
}

/// The first ONNX node to which a source node was converted.
std::optional<NodeId> targetOf(const Conversion& conversion, std::optional<NodeId> node)
{
    const bool hasTarget = node && node->index < conversion.targets.size() && !conversion.targets[node->index].empty();
    return hasTarget ? std::optional(NodeId{conversion.targets[node->index].front()}) : std::nullopt;
}

} // namespace

std::string reportHtml(const LoadedModel& loaded, const Conversion& conversion, const VerifyReport* verified,
                       std::stop_token stop)
{
    const Graph& source = *loaded.graph;
    const Graph onnx = graphOf(conversion);
    std::string page = htmlHead(fmt::format("{} to ONNX", loaded.path.filename().string()));
    page += fmt::format("<style>{}</style>\n", reportStyle);
    page +=
        fmt::format("<p class=\"sum\">{}</p>\n<p class=\"about\">{}, {} &rarr; {}, opset {}; work per run: {}</p>\n",
                    verdictLine(conversion), htmlText(producerOf(source)), counted(source.nodeCount(), "operator"),
                    counted(onnx.nodeCount(), "ONNX node"), conversion.opset, htmlText(toString(workOf(onnx))));
    const std::string problems = problemRows(loaded, conversion);
    page += "<h2>Problems</h2>\n";
    page += problems.empty()
                ? "<p>None: the export is equivalent to the source.</p>\n"
                : "<table><tr><th></th><th>Node</th><th>Problem</th><th>Solution</th></tr>\n" + problems + "</table>\n";
    page += "<h2>Inputs and outputs</h2>\n<table>" + tensorRows(source, conversion) + "</table>\n";
    if (verified != nullptr) {
        page += "<h2>Numbers</h2>\n" + numbers(*verified);
    }
    const auto problem = firstProblem(conversion);
    const Drawing left = picture({source, conversion.valueTypes, conversion.verdicts, problem}, stop);
    const Drawing right = picture({onnx, {}, {}, targetOf(conversion, problem)}, stop);
    page += "<h2>Graphs</h2>\n";
    page += tools;
    page += "<div class=\"graphs\">" + framed("Source", left) + framed("ONNX", right) + "</div>\n";
    page += "<h2>Operators</h2>\n<table><tr><th>Operator</th><th>Source</th><th>ONNX</th></tr>\n" +
            operatorRows(source, onnx) + "</table>\n";
    page += fmt::format("<script type=\"application/json\" id=\"links\">{}</script>\n<script>{}</script>\n",
                        linksOf(left, right, conversion), reportScript);
    page += htmlFoot();
    return page;
}

} // namespace crosswalk
