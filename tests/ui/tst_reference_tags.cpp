// Where the labels of edges that are not drawn as lines stand.

#include "tests/support/drawn_families.h"
#include "ui/canvas/reference_tags.h"
#include "ui/theme/fonts.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

std::unique_ptr<const DrawnScene> drawn(const Graph& graph, bool inGroups, Flow flow)
{
    Scene scene = buildScene(graph);
    if (!inGroups) {
        layOut(scene, LayoutEngine::Ours, {}, flow);
        return std::make_unique<const DrawnScene>(std::move(scene), flow);
    }
    auto groups = std::make_shared<const SceneGroups>(foldableGroups(scene, findGroups(scene)));
    const OpenGroups allOpen(groups->groups.size(), true);
    FoldedScene folded = foldScene(scene, *groups, allOpen, nullptr, {}, flow);
    return std::make_unique<const DrawnScene>(std::move(folded), groups);
}

/// A box whose reader is told by name, far below or right of it.
Graph withLongEdge(const std::string& name)
{
    Graph graph;
    const ValueId start = graph.addValue({.name = "x"});
    graph.inputs.push_back(start);
    const auto relu = [&](ValueId of, const std::string& called) {
        return graph.addOutput(graph.addNode({.op = "Relu", .name = called, .inputs = {of}}), called + "_out");
    };
    const ValueId early = relu(start, name);
    ValueId last = early;
    for (int i = 0; i < 60; ++i) {
        last = relu(last, "r" + std::to_string(i));
    }
    const NodeId add = graph.addNode({.op = "Add", .name = "sum", .inputs = {early, last}});
    graph.outputs.push_back(graph.addOutput(add, "y"));
    return graph;
}

} // namespace

class TestReferenceTags : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { loadFonts(); }

    void noneHidesAnotherOrABox_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("inGroups");
        QTest::addColumn<bool>("isDown");
        for (const auto family : test::FamilyGraph::names) {
            for (const bool inGroups : {false, true}) {
                for (const bool isDown : {false, true}) {
                    QTest::addRow("%s %s %s", family.data(), inGroups ? "in groups" : "flat", isDown ? "down" : "right")
                        << QString::fromUtf8(family.data()) << inGroups << isDown;
                }
            }
        }
    }
    void noneHidesAnotherOrABox()
    {
        QFETCH(QString, family);
        QFETCH(bool, inGroups);
        QFETCH(bool, isDown);
        const auto shown =
            drawn(test::FamilyGraph::make(family.toStdString(), 1'000), inGroups, isDown ? Flow::Down : Flow::Right);
        std::vector<std::pair<QRectF, std::string>> tags;
        for (std::uint32_t node = 0; node < shown->scene.nodes.size(); ++node) {
            for (const auto& tag : referenceTags(*shown, node)) {
                tags.emplace_back(tag.place, tag.text);
            }
        }
        std::vector<std::uint32_t> boxes;
        for (std::size_t i = 0; i < tags.size(); ++i) {
            const auto& [place, text] = tags[i];
            for (std::size_t j = 0; j < i; ++j) {
                QVERIFY2(!place.intersects(tags[j].first), (text + " over " + tags[j].second).c_str());
            }
            shown->index.nodesIn(place, boxes);
            QVERIFY2(boxes.empty(), (text + " over a box").c_str());
        }
    }

    void namesAreShortenedToTheRoomOfTheirBox_data()
    {
        QTest::addColumn<Flow>("flow");
        QTest::newRow("down") << Flow::Down;
        QTest::newRow("right") << Flow::Right;
    }
    void namesAreShortenedToTheRoomOfTheirBox()
    {
        QFETCH(Flow, flow);
        const auto tagAtSum = [flow](const std::string& name) {
            const auto shown = drawn(withLongEdge(name), false, flow);
            for (std::uint32_t node = 0; node < shown->scene.nodes.size(); ++node) {
                if (shown->scene.nodes[node].name == "sum") {
                    const auto tags = referenceTags(*shown, node);
                    return tags.size() == 1 ? tags.front().text : std::string();
                }
            }
            return std::string();
        };
        const std::string arrow = flow == Flow::Down ? "\u2191" : "\u2190";
        QCOMPARE(tagAtSum("early"), arrow + " early");
        const std::string shortened = tagAtSum("encoder_layer_0_attention_output_dense_relu");
        QVERIFY(shortened.starts_with(arrow + " enc"));
        QVERIFY(shortened.ends_with("relu"));
        QVERIFY(shortened.find("\u2026") != std::string::npos);
    }
};

QTEST_MAIN(TestReferenceTags)
#include "tst_reference_tags.moc"
