// What a change leaves alone stays where it was.

#include "core/layout/nested_layout.h"
#include "tests/support/layout_graphs.h"
#include "tests/support/layout_quality.h"

#include <QtTest>

#include <map>
#include <numeric>
#include <set>

using namespace crosswalk;
using namespace crosswalk::test;

Q_DECLARE_METATYPE(BoxGraph)

namespace {

/// A graph whose boxes have keys, and how it is drawn.
struct Keyed {
    LayoutTask task;
    std::vector<std::uint64_t> keys;
    Layout layout;

    explicit Keyed(const BoxGraph& graph)
        : task{graph.boxes, graph.edges, {}, {}}
        , keys(graph.boxes.size())
        , layout(layoutGraph(graph.boxes, graph.edges))
    {
        std::iota(keys.begin(), keys.end(), 100U);
    }
    LaidOutTask laidOut() const { return {task, keys, layout}; }

    void removeBox(std::uint32_t box)
    {
        task.boxes.erase(task.boxes.begin() + box);
        keys.erase(keys.begin() + box);
        std::erase_if(task.edges, [&](const LayoutEdge& edge) { return edge.from == box || edge.to == box; });
        for (LayoutEdge& edge : task.edges) {
            edge.from -= edge.from > box ? 1 : 0;
            edge.to -= edge.to > box ? 1 : 0;
        }
    }
    std::uint32_t addBox(std::uint64_t key)
    {
        // In the middle, so that the numbers of others change too.
        const auto at = static_cast<std::uint32_t>(task.boxes.size() / 2);
        task.boxes.insert(task.boxes.begin() + at, {130, 56});
        keys.insert(keys.begin() + at, key);
        for (LayoutEdge& edge : task.edges) {
            edge.from += edge.from >= at ? 1 : 0;
            edge.to += edge.to >= at ? 1 : 0;
        }
        return at;
    }
    std::uint32_t numbered(std::uint64_t key) const
    {
        return static_cast<std::uint32_t>(std::ranges::find(keys, key) - keys.begin());
    }
    /// Three boxes in a row in the place of one, the way one operator becomes several.
    void expand(std::uint64_t key)
    {
        const std::uint64_t parts[] = {key + 1'000'000, key + 2'000'000, key + 3'000'000};
        for (const std::uint64_t part : parts) {
            addBox(part);
        }
        const std::uint32_t old = numbered(key);
        for (LayoutEdge& edge : task.edges) {
            edge.to = edge.to == old ? numbered(parts[0]) : edge.to;
            edge.from = edge.from == old ? numbered(parts[2]) : edge.from;
        }
        task.edges.push_back({numbered(parts[0]), numbered(parts[1])});
        task.edges.push_back({numbered(parts[1]), numbered(parts[2])});
        removeBox(old);
    }
};

/// Every line begins and ends on its boxes and never leads up; nothing overlaps.
void verifyDrawing(const LayoutTask& task, const Layout& layout)
{
    QCOMPARE(layout.positions.size(), task.boxes.size());
    QCOMPARE(layout.routes.size(), task.edges.size());
    const auto quality = qualityOf(layout, task.boxes, task.edges);
    QCOMPARE(quality.overlaps, std::size_t{0});
    QCOMPARE(quality.through, std::size_t{0});
    for (std::size_t e = 0; e < task.edges.size(); ++e) {
        const auto& line = layout.routes[e];
        if (line.empty()) {
            continue;
        }
        const auto isOn = [&](std::uint32_t box, LayoutPoint end, float y) {
            const LayoutPoint at = layout.positions[box];
            return end.x > at.x - 0.5F && end.x < at.x + task.boxes[box].width + 0.5F && std::abs(end.y - y) < 0.5F;
        };
        const auto [from, to] = std::pair(task.edges[e].from, task.edges[e].to);
        QVERIFY(isOn(from, line.front(), layout.positions[from].y + task.boxes[from].height));
        QVERIFY(isOn(to, line.back(), layout.positions[to].y));
        for (std::size_t i = 1; i < line.size(); ++i) {
            QVERIFY(line[i].y >= line[i - 1].y - 0.5F);
        }
    }
}

/// How far boxes moved, and how many of them by as much: from `before` to `after`, by key.
std::map<std::pair<long, long>, std::size_t> movesOf(const Keyed& before, const Keyed& after)
{
    std::map<std::pair<long, long>, std::size_t> moves;
    for (std::uint32_t v = 0; v < after.keys.size(); ++v) {
        const std::uint32_t then = before.numbered(after.keys[v]);
        if (then < before.keys.size()) {
            const LayoutPoint a = before.layout.positions[then];
            const LayoutPoint b = after.layout.positions[v];
            ++moves[{std::lround(b.x - a.x), std::lround(b.y - a.y)}];
        }
    }
    return moves;
}

void addGraphs()
{
    QTest::addColumn<BoxGraph>("graph");
    QTest::newRow("chain") << chain(40);
    QTest::newRow("residual blocks") << residual(30);
    QTest::newRow("recurrent grid") << grid(40, 2);
    QTest::newRow("cells") << cells(20);
    QTest::newRow("a value read everywhere") << fan(120);
    QTest::newRow("tangle") << tangle(200, 3);
}

} // namespace

class TestIncremental : public QObject {
    Q_OBJECT
private slots:
    void oneNodeBecomesSeveral_data() { addGraphs(); }
    void oneNodeBecomesSeveral()
    {
        QFETCH(BoxGraph, graph);
        const Keyed before(graph);
        std::size_t kept = 0;
        for (std::size_t v = 1; v < graph.boxes.size(); v += 1 + graph.boxes.size() / 12) {
            Keyed after = before;
            after.expand(before.keys[v]);
            const auto layout = layoutChanges(after.task, after.keys, before.laidOut());
            if (!layout) {
                continue;
            }
            ++kept;
            after.layout = *layout;
            verifyDrawing(after.task, after.layout);
            // What is above has moved one way, what is below another, but only down or up; the rest was near.
            const auto moves = movesOf(before, after);
            std::vector<std::pair<std::size_t, std::pair<long, long>>> most;
            for (const auto& [move, count] : moves) {
                most.emplace_back(count, move);
            }
            std::ranges::sort(most, std::greater());
            std::size_t still = most.front().first;
            if (most.size() > 1 && most[0].second.first == most[1].second.first) {
                still += most[1].first;
            }
            QVERIFY2(2 * still >= after.keys.size(), qPrintable(QString::number(still)));
        }
        QVERIFY(kept >= 6);
    }

    void aLineMoreOrLess_data() { addGraphs(); }
    void aLineMoreOrLess()
    {
        QFETCH(BoxGraph, graph);
        const Keyed before(graph);
        for (std::size_t e = 0; e < graph.edges.size(); e += 1 + graph.edges.size() / 9) {
            Keyed after = before;
            after.task.edges.erase(after.task.edges.begin() + static_cast<std::ptrdiff_t>(e));
            if (const auto layout = layoutChanges(after.task, after.keys, before.laidOut())) {
                verifyDrawing(after.task, *layout);
                // And back again, drawn into what the first change left.
                after.layout = *layout;
                if (const auto again = layoutChanges(before.task, before.keys, after.laidOut())) {
                    verifyDrawing(before.task, *again);
                }
            }
        }
    }

    void changesPileUp()
    {
        Keyed now(residual(40));
        for (std::uint64_t key = 110; key < 320; key += 23) {
            const Keyed before = now;
            now.expand(key);
            const auto layout = layoutChanges(now.task, now.keys, before.laidOut());
            QVERIFY(layout.has_value());
            now.layout = *layout;
            verifyDrawing(now.task, now.layout);
        }
        // It is not much wider than what is drawn at once.
        const auto fresh = layoutGraph(now.task.boxes, now.task.edges);
        QVERIFY(now.layout.width <= 1.5F * fresh.width);
    }

    void aResizedNodeMovesTheNodesBelow()
    {
        const Keyed before(residual(20));
        Keyed after = before;
        const std::uint32_t grown = 70;
        after.task.boxes[grown].height += 64;
        const auto layout = layoutChanges(after.task, after.keys, before.laidOut());
        QVERIFY(layout.has_value());
        after.layout = *layout;
        std::set<long> down;
        std::size_t sideways = 0;
        for (std::size_t v = 0; v < after.keys.size(); ++v) {
            down.insert(std::lround(after.layout.positions[v].y - before.layout.positions[v].y));
            sideways += std::abs(after.layout.positions[v].x - before.layout.positions[v].x) > 0.5F ? 1 : 0;
        }
        QVERIFY(down.contains(0) && down.size() <= 4);
        QVERIFY(sideways <= 3); // itself, and what stands beside it
    }

    void flatGraphsKeepTheirPositions()
    {
        const Keyed before(residual(9'000));
        QVERIFY(before.keys.size() > 25'000);
        Keyed after = before;
        after.expand(before.keys[before.keys.size() / 3]);
        constexpr std::uint64_t frame = 7;
        LayoutMemo then;
        QVERIFY(then.layOut({before.task, frame, before.keys}, nullptr, {}) != nullptr);
        LayoutMemo now;
        const auto layout = now.layOut({after.task, frame, after.keys}, &then, {});
        QVERIFY(layout != nullptr);
        after.layout = *layout;
        const auto moves = movesOf(before, after);
        QVERIFY2(moves.size() <= 8, qPrintable(QString::number(moves.size())));
    }

    void unrelatedGraphsAreLaidOutAnew()
    {
        const Keyed before(residual(10));
        Keyed after(cells(4));
        for (std::uint64_t& key : after.keys) {
            key += 5'000;
        }
        QVERIFY(!layoutChanges(after.task, after.keys, before.laidOut()));
        QVERIFY(!layoutChanges(before.task, {}, before.laidOut())); // without keys nothing is the same
    }
};

QTEST_APPLESS_MAIN(TestIncremental)
#include "tst_incremental.moc"
