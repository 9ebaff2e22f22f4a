// The layout engine compared with Graphviz's dot on the drawn boxes and edges of the corpus. dot receives only the
// edges that our engine draws as lines. Times are CPU seconds of the layout call, medians of repeats in this process;
// quality metrics are the same for both.
//
//   bench_layout [FAMILY | SIZE]...      all families at all sizes without arguments

#include "core/formats/read_model.h"
#include "core/layout/graphviz.h"
#include "core/layout/scene.h"
#include "tests/bench/corpus.h"
#include "tests/bench/process.h"
#include "tests/support/layout_quality.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

using namespace crosswalk;
using namespace crosswalk::bench;
using crosswalk::test::LayoutQuality;

namespace {

/// Repeats for a size, and the target for the speed-up over dot.
struct Size {
    unsigned nodes;
    int repeats;
    int dotRepeats;     ///< 0: dot would not terminate
    double aimedFactor; ///< 0: no target
    bool judgesQuality;
};
constexpr Size sizes[] = {
    {100, 21, 5, 0, false},    {1'000, 21, 3, 0, true},  {2'000, 11, 3, 100, true},
    {5'000, 7, 1, 500, false}, {10'000, 5, 0, 0, false}, {100'000, 3, 0, 0, false},
};
constexpr double aimedSeconds = 0.5; // at the largest size
constexpr double aimedMegabytes = 100;
constexpr double aimedGrowth = 13; // from 10,000 to 100,000 nodes
constexpr double aimedWidth = 2;   // of 100,000 nodes, in widths of 5,000
constexpr double aimedCrossings = 1.1;
constexpr double aimedExtraCrossings = 2;
constexpr double aimedEdge = 1.25;
constexpr double aimedWidthOfDot = 1.5;

struct Drawing {
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;
};

Drawing drawingOf(const std::string& family, unsigned size)
{
    const auto model = readModel({.model = corpusModel(family, size)});
    if (!model) {
        fmt::print(stderr, "error: {}\n", model.problem().message);
        std::exit(1);
    }
    const Scene scene = buildScene(*model.value().graph);
    Drawing drawing;
    for (const SceneNode& node : scene.nodes) {
        drawing.boxes.push_back({node.width, node.height});
    }
    for (const SceneEdge& edge : scene.edges) {
        drawing.edges.push_back({edge.from, edge.to});
    }
    return drawing;
}

double medianSeconds(int repeats, const std::function<void()>& work)
{
    constexpr double shortest = 0.02; // some machines have a clock resolution of milliseconds
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::clock();
        int runs = 0;
        double passed = 0;
        while (runs == 0 || passed < shortest) {
            work();
            ++runs;
            passed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        }
        seconds.push_back(passed / runs);
    }
    std::ranges::nth_element(seconds, seconds.begin() + repeats / 2);
    return seconds[static_cast<std::size_t>(repeats / 2)];
}

class Verdicts {
public:
    const char* operator()(bool isKept)
    {
        m_missed += isKept ? 0 : 1;
        return isKept ? "" : " MISSED";
    }
    int missed() const { return m_missed; }

private:
    int m_missed = 0;
};

struct Measured {
    double seconds = 0;
    double width = 0;
};

struct DotResult {
    double seconds = 0;
    LayoutQuality quality;
};

std::optional<DotResult> measureDot(const Drawing& drawing, const Layout& ours, int repeats)
{
    std::vector<LayoutEdge> drawn;
    for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
        if (!ours.routes[e].empty()) {
            drawn.push_back(drawing.edges[e]);
        }
    }
    LayoutOptions uncut;
    uncut.cutLongEdges = false;
    std::optional<Layout> layout;
    const double seconds =
        medianSeconds(repeats, [&] { layout = layoutWithGraphviz(drawing.boxes, drawn, uncut, drawing.boxes.size()); });
    if (!layout) {
        return std::nullopt;
    }
    return DotResult{seconds, test::qualityOf(*layout, drawing.boxes, drawn)};
}

/// In a child process: dot fragments the heap, which makes later layouts up to twice as slow.
std::optional<DotResult> runDot(const Drawing& drawing, const Layout& ours, int repeats)
{
    static_assert(std::is_trivially_copyable_v<DotResult>);
    int ends[2];
    std::fflush(stdout);
    if (pipe(ends) != 0) {
        return std::nullopt;
    }
    const pid_t child = fork();
    if (child == 0) {
        const auto result = measureDot(drawing, ours, repeats);
        const bool isSent = result && write(ends[1], &*result, sizeof *result) == sizeof *result;
        _exit(isSent ? 0 : 1);
    }
    close(ends[1]);
    DotResult result;
    const bool isWhole = child > 0 && read(ends[0], &result, sizeof result) == sizeof result;
    close(ends[0]);
    if (child > 0) {
        waitpid(child, nullptr, 0);
    }
    return isWhole ? std::optional(result) : std::nullopt;
}

void compare(const LayoutQuality& ours, const LayoutQuality& dot, bool judges, Verdicts& kept)
{
    const auto ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
    const double crossings = static_cast<double>(ours.crossings);
    const double most = aimedCrossings * static_cast<double>(dot.crossings) + aimedExtraCrossings;
    fmt::print("   crossings {} : {}{}", ours.crossings, dot.crossings, kept(!judges || crossings <= most));
    fmt::print("   mean edge {:.1f} : {:.1f} = {:.2f}{}", ours.meanEdge, dot.meanEdge,
               ratio(ours.meanEdge, dot.meanEdge), kept(!judges || ours.meanEdge <= aimedEdge * dot.meanEdge));
    fmt::print("   width {:.0f} : {:.0f} = {:.2f}{}\n", ours.width, dot.width, ratio(ours.width, dot.width),
               kept(!judges || ours.width <= aimedWidthOfDot * dot.width));
}

Measured measure(const std::string& family, const Size& size, bool isLargest, Verdicts& kept)
{
    const Drawing drawing = drawingOf(family, size.nodes);
    Layout layout;
    const auto layOut = [&] { layout = layoutGraph(drawing.boxes, drawing.edges); };
    const auto memory = static_cast<double>(peakGrowth(layOut)) / 1e6;
    const double seconds = medianSeconds(size.repeats, layOut);
    const LayoutQuality quality = test::qualityOf(layout, drawing.boxes, drawing.edges);
    fmt::print("{} {}: {} boxes, {} lines, {} tags; {:.2f} ms{}, {:.1f} MB{}, overlaps {}{}, through boxes {}{}\n",
               family, size.nodes, drawing.boxes.size(), quality.lines, drawing.edges.size() - quality.lines,
               1e3 * seconds, kept(!isLargest || seconds <= aimedSeconds), memory,
               kept(!isLargest || memory <= aimedMegabytes), quality.overlaps, kept(quality.overlaps == 0),
               quality.through, kept(quality.through == 0));
    const auto dot = size.dotRepeats == 0 ? std::nullopt : runDot(drawing, layout, size.dotRepeats);
    if (dot) {
        const double factor = dot->seconds / seconds;
        fmt::print("   dot {:.0f} ms = {:.0f} x{}", 1e3 * dot->seconds, factor, kept(factor >= size.aimedFactor));
        compare(quality, dot->quality, size.judgesQuality, kept);
    } else {
        fmt::print("   crossings {}   mean edge {:.1f}   width {:.0f}\n", quality.crossings, quality.meanEdge,
                   quality.width);
    }
    std::fflush(stdout);
    return {seconds, quality.width};
}

} // namespace

int main(int argc, char** argv)
{
    const std::set<std::string> asked(argv + 1, argv + argc);
    const auto isAsked = [&](const auto& all, const auto& name, const auto& one) {
        return asked.contains(name(one)) ||
               std::ranges::none_of(all, [&](const auto& other) { return asked.contains(name(other)); });
    };
    Verdicts kept;
    for (const char* family : families) {
        if (!isAsked(
                families, [](const char* f) { return std::string(f); }, family)) {
            continue;
        }
        std::map<unsigned, Measured> measured;
        for (const Size& size : sizes) {
            if (isAsked(
                    sizes, [](const Size& s) { return std::to_string(s.nodes); }, size)) {
                measured[size.nodes] = measure(family, size, size.nodes == std::rbegin(sizes)->nodes, kept);
            }
        }
        if (measured.contains(10'000) && measured.contains(100'000)) {
            const double growth = measured[100'000].seconds / measured[10'000].seconds;
            fmt::print("{}: T(100k) / T(10k) = {:.1f}{}\n", family, growth, kept(growth <= aimedGrowth));
        }
        if (measured.contains(5'000) && measured.contains(100'000)) {
            const double growth = measured[100'000].width / measured[5'000].width;
            fmt::print("{}: width(100k) / width(5k) = {:.2f}{}\n", family, growth, kept(growth <= aimedWidth));
        }
    }
    fmt::print("{} aims missed\n", kept.missed());
    return 0;
}
