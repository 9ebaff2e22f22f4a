// Selection of the boxes to draw for a graph that is too long for a page.

#include "core/report/scene_part.h"

#include <QtTest>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

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

/// An unrolled loop in the order of real files: first the input of every step, then the steps. Box 0 is the input,
/// followed by i0... and h0...; each h reads the previous h.
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

std::string nameOf(const SceneNode& node)
{
    return node.kind == SceneNode::Kind::Group ? node.title : node.name;
}

/// The names of the drawn boxes; groups with the number of their boxes.
QString names(const Scene& scene)
{
    QStringList all;
    for (const SceneNode& node : scene.nodes) {
        const bool isGroup = node.kind == SceneNode::Kind::Group;
        all.append(QString::fromStdString(nameOf(node) + (isGroup ? " " + node.rows.front() : std::string())));
    }
    all.sort();
    return all.join(QLatin1String(", "));
}

} // namespace

class TestScenePart : public QObject {
    Q_OBJECT
private slots:
    void stepsAreInSequence_data()
    {
        QTest::addColumn<int>("around");
        QTest::addColumn<QString>("drawn");
        QTest::newRow("the first") << -1 << "h0, h1, i0, i1, not drawn, behind operators 196, x";
        QTest::newRow("around a step") << 151
                                       << "h49, h50, h51, i50, i51, not drawn, before operators 100, "
                                          "not drawn, behind operators 96";
        QTest::newRow("around the last") << 200 << "h97, h98, h99, i98, i99, not drawn, before operators 196";
    }

    void stepsAreInSequence()
    {
        QFETCH(int, around);
        QFETCH(QString, drawn);
        const auto at = around < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(around));
        const Scene part = partForPicture(unrolled(100), at, 5).folded.scene;
        QCOMPARE(names(part), drawn);
        QCOMPARE(part.layout.positions.size(), part.nodes.size());
    }

    /// Edges to omitted boxes end at the closed group, with at most one edge between two boxes.
    void edgesToOmittedBoxesEndAtTheGroups()
    {
        const Scene part = partForPicture(unrolled(100), 151U, 5).folded.scene;
        std::vector<std::string> lines;
        for (const SceneEdge& edge : part.edges) {
            lines.push_back(nameOf(part.nodes[edge.from]) + " > " + nameOf(part.nodes[edge.to]));
        }
        std::ranges::sort(lines);
        const std::vector<std::string> wanted{"h49 > h50",
                                              "h50 > h51",
                                              "h51 > not drawn, behind",
                                              "i50 > h50",
                                              "i51 > h51",
                                              "not drawn, before > h49",
                                              "not drawn, before > i50",
                                              "not drawn, before > i51",
                                              "not drawn, before > not drawn, behind"};
        QCOMPARE(lines, wanted);
    }

    void smallScenesAreDrawnCompletely()
    {
        const Scene part = partForPicture(unrolled(2), std::nullopt).folded.scene;
        QCOMPARE(part.nodes.size(), std::size_t{5});
        QCOMPARE(part.edges.size(), std::size_t{5});
        QVERIFY(partForPicture({}, std::nullopt).folded.scene.nodes.empty());
    }

    void longChainsAreHandled()
    {
        QCOMPARE(partForPicture(unrolled(200'000), 300'000U, 60).folded.scene.nodes.size(), std::size_t{62});
    }
};

QTEST_GUILESS_MAIN(TestScenePart)
#include "tst_scene_part.moc"
