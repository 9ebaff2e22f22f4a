#include "core/layout/graphviz.h"
#include "core/layout/layout.h"
#include "tests/support/golden_texts.h"
#include "tests/support/layout_graphs.h"
#include "tests/support/layout_quality.h"
#include "tests/support/paths.h"

#include <QtTest>

#include <chrono>
#include <cmath>
#include <random>
#include <thread>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

void addGraphs()
{
    QTest::addColumn<BoxGraph>("graph");
    QTest::newRow("nothing") << BoxGraph{};
    QTest::newRow("one box") << chain(1);
    QTest::newRow("two boxes without a line") << BoxGraph{{{96, 24}, {120, 40}}, {}};
    QTest::newRow("the same line twice") << BoxGraph{{{96, 24}, {96, 24}}, {{0, 1}, {0, 1}}};
    QTest::newRow("a later box first") << BoxGraph{{{96, 24}, {96, 24}, {96, 24}}, {{2, 0}, {0, 1}, {2, 1}}};
    QTest::newRow("chain") << chain(40);
    QTest::newRow("residual blocks") << residual(30);
    QTest::newRow("recurrent grid") << grid(12, 3);
    QTest::newRow("cells") << cells(12);
    QTest::newRow("two graphs that share nothing") << beside(residual(9), cells(4));
    QTest::newRow("boxes without lines") << BoxGraph{std::vector<LayoutBox>(70, {96, 24}), {}};
    QTest::newRow("a value read everywhere") << fan(300);
    QTest::newRow("branches") << branches(40);
    QTest::newRow("differences of neighbours") << differences(40);
    QTest::newRow("a box as wide as ten")
        << BoxGraph{{{96, 24}, {1200, 24}, {96, 300}, {96, 24}}, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}};
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        QTest::addRow("tangle %u", seed) << tangle(20 * seed, seed);
    }
}

bool isOnSide(float x, float left, float width)
{
    return x >= left - 0.01F && x <= left + width + 0.01F;
}

/// Boxes and routes to whole pixels, one a line.
QByteArray asText(const Layout& layout)
{
    QByteArray text;
    const auto add = [&](const LayoutPoint& point) {
        text += ' ' + QByteArray::number(std::lround(point.x)) + ',' + QByteArray::number(std::lround(point.y));
    };
    for (const LayoutPoint& position : layout.positions) {
        text += "box";
        add(position);
        text += '\n';
    }
    for (const auto& route : layout.routes) {
        text += route.empty() ? "tag" : "line";
        std::ranges::for_each(route, add);
        text += '\n';
    }
    return text;
}

enum class Lines { Downwards, Curved };

void verifyLayout(const BoxGraph& graph, const Layout& layout, Lines lines = Lines::Downwards)
{
    QCOMPARE(layout.positions.size(), graph.boxes.size());
    QCOMPARE(layout.routes.size(), graph.edges.size());
    const auto quality = qualityOf(layout, graph.boxes, graph.edges);
    QCOMPARE(quality.overlaps, std::size_t{0});
    QCOMPARE(quality.through, std::size_t{0});
    for (std::size_t v = 0; v < graph.boxes.size(); ++v) {
        QVERIFY(layout.positions[v].x >= -0.01F && layout.positions[v].y >= -0.01F);
        QVERIFY(layout.positions[v].x + graph.boxes[v].width <= layout.width + 0.5F);
        QVERIFY(layout.positions[v].y + graph.boxes[v].height <= layout.height + 0.5F);
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto& line = layout.routes[e];
        const std::uint32_t from = graph.edges[e].from;
        const std::uint32_t to = graph.edges[e].to;
        if (line.empty()) {
            continue;
        }
        QVERIFY(line.size() >= 2);
        QVERIFY(isOnSide(line.front().x, layout.positions[from].x, graph.boxes[from].width));
        QVERIFY(isOnSide(line.back().x, layout.positions[to].x, graph.boxes[to].width));
        QCOMPARE(line.front().y, layout.positions[from].y + graph.boxes[from].height);
        QCOMPARE(line.back().y, layout.positions[to].y);
        QVERIFY(line.front().y < line.back().y);
        for (std::size_t i = 0; lines == Lines::Downwards && i + 1 < line.size(); ++i) {
            QVERIFY(line[i].y <= line[i + 1].y + 0.01F);
        }
    }
}

} // namespace

Q_DECLARE_METATYPE(BoxGraph)

class TestLayout : public QObject {
    Q_OBJECT
private slots:
    void oursKeepsBoxesApartAndLinesOutsideThem_data() { addGraphs(); }
    void oursKeepsBoxesApartAndLinesOutsideThem()
    {
        QFETCH(BoxGraph, graph);
        verifyLayout(graph, layoutGraph(graph.boxes, graph.edges));
        LayoutOptions all;
        all.cutLongEdges = false;
        const Layout uncut = layoutGraph(graph.boxes, graph.edges, all);
        verifyLayout(graph, uncut);
        QVERIFY(std::ranges::none_of(uncut.routes, [](const auto& line) { return line.empty(); }));
    }

    void anEdgeThatClosesACycleHasNoLine_data()
    {
        QTest::addColumn<BoxGraph>("graph");
        QTest::addColumn<int>("closing"); // at least so many; -1: whatever is needed
        const std::vector<LayoutBox> three(3, {96, 24});
        QTest::newRow("to itself") << BoxGraph{three, {{0, 1}, {1, 1}, {1, 2}}} << 1;
        QTest::newRow("there and back") << BoxGraph{three, {{0, 1}, {1, 0}, {1, 2}}} << 1;
        QTest::newRow("a ring") << BoxGraph{three, {{0, 1}, {1, 2}, {2, 0}}} << 1;
        for (std::uint32_t seed = 1; seed <= 6; ++seed) {
            BoxGraph graph = tangle(60, seed);
            for (std::uint32_t i = 0; i < 20; ++i) {
                graph.edges.push_back({(i * 7 + seed * 13) % 60, (i * 11 + seed) % 60});
            }
            QTest::addRow("tangle %u", seed) << graph << -1;
        }
    }
    void anEdgeThatClosesACycleHasNoLine()
    {
        QFETCH(BoxGraph, graph);
        QFETCH(int, closing);
        LayoutOptions all;
        all.cutLongEdges = false;
        const Layout layout = layoutGraph(graph.boxes, graph.edges, all);
        verifyLayout(graph, layout);
        const auto cut = std::ranges::count_if(layout.routes, [](const auto& line) { return line.empty(); });
        QVERIFY(closing < 0 || cut == closing);
        verifyLayout(graph, layoutGraph(graph.boxes, graph.edges));
    }

    void drawsAsItDid_data()
    {
        QTest::addColumn<BoxGraph>("graph");
        QTest::newRow("residual") << residual(6);
        QTest::newRow("grid") << grid(4, 2);
        QTest::newRow("cells") << cells(3);
        QTest::newRow("fan") << fan(24);
    }
    /// After a change that is meant to draw otherwise: UPDATE_GOLDENS=1, and look at what has changed.
    void drawsAsItDid()
    {
        QFETCH(BoxGraph, graph);
        verifyAsBefore(asText(layoutGraph(graph.boxes, graph.edges)),
                       (dataFolder() + QStringLiteral("/layouts/%1.txt")).arg(QLatin1String(QTest::currentDataTag())));
    }

    void isTheSameEveryTime()
    {
        const BoxGraph graph = cells(20);
        const Layout first = layoutGraph(graph.boxes, graph.edges);
        const Layout second = layoutGraph(graph.boxes, graph.edges);
        QVERIFY(first.positions == second.positions);
        QVERIFY(first.routes == second.routes);
    }

    void aHubAndAVeryLongLineBecomeTags()
    {
        BoxGraph graph = chain(80);
        graph.edges.push_back({0, 60});
        const auto hub = static_cast<std::uint32_t>(5);
        for (std::uint32_t reader = 20; reader < 30; ++reader) {
            graph.edges.push_back({hub, reader});
        }
        const Layout layout = layoutGraph(graph.boxes, graph.edges);
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            QCOMPARE(layout.routes[e].empty(), e >= 79);
        }
    }

    void aChainIsStraight()
    {
        const BoxGraph graph = chain(30);
        const Layout layout = layoutGraph(graph.boxes, graph.edges);
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            QCOMPARE(layout.routes[e].size(), std::size_t{2});
            QCOMPARE(layout.routes[e].front().x, layout.routes[e].back().x);
        }
    }

    void boxesStandInTheOrderOfTheirPorts()
    {
        // Each has a box of its own above, so that whole lines have to change places.
        BoxGraph graph;
        std::vector<std::uint32_t> middle;
        for (int i = 0; i < 3; ++i) {
            middle.push_back(graph.after({graph.box()}));
        }
        const auto whole = graph.after({middle[0], middle[1], middle[2]});
        graph.boxes[whole].width = 400;
        for (LayoutEdge& edge : graph.edges) {
            if (edge.to == whole) {
                edge.enters = edge.from == middle[0] ? 350.0F : edge.from == middle[1] ? 50.0F : 200.0F;
            }
        }
        const auto below = graph.after({whole});
        const auto beside = graph.after({whole});
        for (LayoutEdge& edge : graph.edges) {
            if (edge.from == whole) {
                edge.leaves = edge.to == below ? 300.0F : 100.0F;
            }
        }
        const Layout layout = layoutGraph(graph.boxes, graph.edges);
        const auto x = [&](std::uint32_t box) { return layout.positions[box].x; };
        QVERIFY(x(middle[1]) < x(middle[2]) && x(middle[2]) < x(middle[0]));
        QVERIFY(x(beside) < x(below));
        QCOMPARE(qualityOf(layout, graph.boxes, graph.edges).crossings, std::size_t{0});
    }

    void blocksWithOneSkipDoNotCross()
    {
        const BoxGraph graph = residual(40);
        const Layout layout = layoutGraph(graph.boxes, graph.edges);
        QCOMPARE(qualityOf(layout, graph.boxes, graph.edges).crossings, std::uint64_t{0});
    }

    void stopsOnRequest()
    {
        std::stop_source source;
        source.request_stop();
        const BoxGraph graph = cells(50);
        QVERIFY(layoutGraph(graph.boxes, graph.edges, {}, source.get_token()).positions.empty());
    }

    void stopsWhileItAssignsLayers()
    {
        constexpr double atOnce = 2;
        std::stop_source source;
        source.request_stop();
        const BoxGraph graph = beside(branches(30'000), differences(30'000));
        const Layout layout = layoutGraph(graph.boxes, graph.edges, {}, source.get_token());
        QVERIFY(layout.positions.empty());
        QVERIFY2(layout.cpuSeconds < atOnce, qPrintable(QString::number(layout.cpuSeconds)));
    }

    void stopsWhileItOrdersLayers()
    {
        constexpr std::uint32_t width = 100'000;
        constexpr double atOnce = 3; // seconds: all passes take at least twice as long
        BoxGraph graph{std::vector<LayoutBox>(2 * width, {96, 24}), {}};
        std::mt19937 random;
        for (std::uint32_t i = 0; i < width; ++i) {
            graph.edges.push_back({static_cast<std::uint32_t>(random() % (width / 10)), width + i});
            graph.edges.push_back({static_cast<std::uint32_t>(random() % (width / 10)), width + i});
        }
        std::stop_source source;
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            source.request_stop();
        });
        const Layout layout = layoutGraph(graph.boxes, graph.edges, {}, source.get_token());
        QVERIFY(layout.positions.empty());
        QVERIFY2(layout.cpuSeconds < atOnce, qPrintable(QString::number(layout.cpuSeconds)));
    }

    void manyGroupsTakeLinearTime_data()
    {
        QTest::addColumn<BoxGraph>("graph");
        QTest::newRow("branches") << branches(40'000);
        QTest::newRow("differences of neighbours") << differences(40'000);
    }
    void manyGroupsTakeLinearTime()
    {
        constexpr double most = 4; // seconds: at least ten times as long as necessary, a third of quadratic time
        QFETCH(BoxGraph, graph);
        const Layout layout = layoutGraph(graph.boxes, graph.edges);
        QCOMPARE(layout.positions.size(), graph.boxes.size());
        QVERIFY2(layout.cpuSeconds < most, qPrintable(QString::number(layout.cpuSeconds)));
    }

    /// dot ends lines in the sides of a tall box.
    void linesOfGraphvizComeFromAbove()
    {
        const std::vector<LayoutBox> boxes{{151, 80}, {155, 80}, {153, 80}, {125, 224}, {400, 60}};
        const std::vector<LayoutEdge> edges{{0, 3}, {1, 3}, {2, 3}, {3, 4}};
        const auto layout = layoutWithGraphviz(boxes, edges);
        if (!layout) {
            QSKIP("built without Graphviz");
        }
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const auto& line = layout->routes[e];
            for (std::size_t i = 0; i + 1 < line.size(); ++i) {
                QVERIFY(line[i].y <= line[i + 1].y + 1);
            }
            const float left = layout->positions[edges[e].to].x;
            QVERIFY(line.back().x > left && line.back().x < left + boxes[edges[e].to].width);
        }
    }

    void graphvizKeepsTheSameContract_data() { addGraphs(); }
    void graphvizKeepsTheSameContract()
    {
        QFETCH(BoxGraph, graph);
        if (graph.boxes.empty() || graph.boxes.size() > graphvizLimit) {
            QVERIFY(!layoutWithGraphviz(graph.boxes, graph.edges));
            return;
        }
        const auto layout = layoutWithGraphviz(graph.boxes, graph.edges);
        if (!layout) {
            QSKIP("built without Graphviz");
        }
        verifyLayout(graph, *layout, Lines::Curved);
    }
};

QTEST_APPLESS_MAIN(TestLayout)
#include "tst_layout.moc"
