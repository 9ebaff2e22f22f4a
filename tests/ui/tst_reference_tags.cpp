// Where the labels of edges that are not drawn as lines stand.

#include "tests/support/drawn_families.h"
#include "ui/canvas/reference_tags.h"
#include "ui/theme/fonts.h"

#include <QtTest>

#include <algorithm>

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

class ChainGraph {
public:
    ChainGraph()
    {
        m_last = graph.addValue({.name = "x"});
        graph.inputs.push_back(m_last);
    }
    ValueId last() const { return m_last; }
    ValueId add(const char* op, const std::string& name, std::vector<ValueId> inputs)
    {
        return graph.addOutput(graph.addNode({.op = op, .name = name, .inputs = std::move(inputs)}), name + "_out");
    }
    ValueId relu(const std::string& name) { return m_last = add("Relu", name, {m_last}); }
    /// More than an edge may pass and be a line.
    void leadOn(const std::string& prefix)
    {
        for (int i = 0; i < 60; ++i) {
            relu(prefix + std::to_string(i));
        }
    }

    Graph graph;

private:
    ValueId m_last;
};

/// A box whose reader is far below or right of it.
Graph withLongEdge(const std::string& name)
{
    ChainGraph chain;
    const ValueId early = chain.relu(name);
    chain.leadOn("r");
    chain.graph.outputs.push_back(chain.add("Add", "sum", {early, chain.last()}));
    return std::move(chain.graph);
}

Graph withTaggedNeighbours()
{
    ChainGraph chain;
    const ValueId early = chain.relu("early");
    chain.leadOn("r");
    std::vector<ValueId> ends;
    for (const char* name : {"one", "two", "three"}) {
        ends.push_back(chain.add("Mul", name, {early, chain.last()}));
    }
    chain.leadOn("s");
    ends.push_back(chain.last());
    chain.graph.outputs.push_back(chain.add("Sum", "sum", ends));
    return std::move(chain.graph);
}

/// The first tag that covers another or a box; empty where none does.
std::string hiddenIn(const DrawnScene& drawn)
{
    std::vector<ReferenceTag> tags;
    for (std::uint32_t node = 0; node < drawn.scene.nodes.size(); ++node) {
        std::ranges::move(referenceTags(drawn, node), std::back_inserter(tags));
    }
    std::vector<std::uint32_t> boxes;
    for (auto tag = tags.begin(); tag != tags.end(); ++tag) {
        const auto isMet = [&](const ReferenceTag& other) { return other.place.intersects(tag->place); };
        if (const auto met = std::find_if(tags.begin(), tag, isMet); met != tag) {
            return tag->text + " over " + met->text;
        }
        drawn.index.nodesIn(tag->place, boxes);
        if (!boxes.empty()) {
            return tag->text + " over " + drawn.scene.nodes[boxes.front()].name;
        }
    }
    return {};
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
        QCOMPARE(hiddenIn(*shown), std::string());
    }

    /// Several boxes in one layer, each of which has tags of both kinds.
    void neighboursHideNoneOfEachOther_data()
    {
        QTest::addColumn<Flow>("flow");
        QTest::newRow("down") << Flow::Down;
        QTest::newRow("right") << Flow::Right;
    }
    void neighboursHideNoneOfEachOther()
    {
        QFETCH(Flow, flow);
        const auto shown = drawn(withTaggedNeighbours(), false, flow);
        int withBoth = 0;
        for (std::uint32_t node = 0; node < shown->scene.nodes.size(); ++node) {
            withBoth += referenceTags(*shown, node).size() == 2 ? 1 : 0;
        }
        QCOMPARE(withBoth, 3);
        QCOMPARE(hiddenIn(*shown), std::string());
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
