// Which boxes are drawn of a graph that is too long for a page.

#include "core/report/scene_part.h"

#include <QtTest>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace crosswalk;

namespace {

SceneNode box(std::string name)
{
    SceneNode made;
    made.title = "Op";
    made.name = made.fullName = std::move(name);
    measureBox(made);
    return made;
}

/// An unrolled loop as files have it: first what every step reads of the input, then the steps. 0 is the input, i0...
/// stand from 1 on, h0... behind them; each h reads the h before it.
Scene unrolled(std::uint32_t steps)
{
    Scene scene;
    scene.nodes.push_back(box("x"));
    for (std::uint32_t s = 0; s < steps; ++s) {
        scene.nodes.push_back(box(fmt::format("i{}", s)));
        scene.edges.push_back({0, s + 1, {}});
    }
    for (std::uint32_t s = 0; s < steps; ++s) {
        scene.nodes.push_back(box(fmt::format("h{}", s)));
        scene.edges.push_back({s + 1, steps + 1 + s, {}});
        if (s > 0) {
            scene.edges.push_back({steps + s, steps + 1 + s, {}});
        }
    }
    return scene;
}

std::string names(const Scene& scene)
{
    std::vector<std::string> all;
    for (const SceneNode& node : scene.nodes) {
        all.push_back(node.kind == SceneNode::Kind::Group ? node.title : node.name);
    }
    return fmt::format("{}", fmt::join(all, " "));
}

} // namespace

class TestScenePart : public QObject {
    Q_OBJECT
private slots:
    void stepsStandBehindOneAnother_data()
    {
        QTest::addColumn<int>("around");
        QTest::addColumn<QString>("drawn");
        QTest::newRow("the first") << -1 << "x i0 h0 i1 h1 196 behind";
        QTest::newRow("around a step") << 151 << "100 before h49 i50 h50 i51 h51 96 behind";
        QTest::newRow("around the last") << 200 << "196 before h97 i98 h98 i99 h99";
    }

    void stepsStandBehindOneAnother()
    {
        QFETCH(int, around);
        QFETCH(QString, drawn);
        const auto at = around < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(around));
        const Scene part = partOfScene(unrolled(100), at, 5);
        QCOMPARE(QString::fromStdString(names(part)), drawn);
        QCOMPARE(part.layout.positions.size(), part.nodes.size());
    }

    /// Lines to what is left out end at the box that stands for it, one between two boxes.
    void whatIsCutLeadsToTheRest()
    {
        const Scene part = partOfScene(unrolled(100), 151U, 5); // before, h49 i50 h50 i51 h51, behind
        std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;
        for (const SceneEdge& edge : part.edges) {
            lines.emplace_back(edge.from, edge.to);
        }
        std::ranges::sort(lines);
        const decltype(lines) wanted{{0, 1}, {0, 2}, {0, 4}, {1, 3}, {2, 3}, {3, 5}, {4, 5}, {5, 6}};
        QCOMPARE(lines, wanted);
    }

    void aSmallSceneIsDrawnWhole()
    {
        const Scene part = partOfScene(unrolled(2), std::nullopt, 60);
        QCOMPARE(part.nodes.size(), std::size_t{5});
        QCOMPARE(part.edges.size(), std::size_t{5});
        QVERIFY(partOfScene({}, std::nullopt, 60).nodes.empty());
    }

    void aChainMayBeLong() { QCOMPARE(partOfScene(unrolled(200'000), 300'000U, 60).nodes.size(), std::size_t{62}); }
};

QTEST_GUILESS_MAIN(TestScenePart)
#include "tst_scene_part.moc"
