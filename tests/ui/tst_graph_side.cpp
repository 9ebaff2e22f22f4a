#include "tests/support/text_graph.h"
#include "ui/document/graph_side.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

Graph twoLayers()
{
    return test::textGraph("data = input 2x3\n"
                           "block_first = relu(data)\n"
                           "block_second = relu(block_first)\n"
                           "output block_second");
}

DrawnSide sideOf(Graph graph, const DrawnSide& previous = {})
{
    return DrawnSide::make(std::make_shared<const Graph>(std::move(graph)), {}, previous, {});
}

ValueId outputOf(const Graph& graph, std::uint32_t node)
{
    return graph.node(NodeId{node}).outputs.front();
}

} // namespace

class TestGraphSide : public QObject {
    Q_OBJECT
private slots:
    void newTypesLeaveTheDrawingAsItIs()
    {
        const DrawnSide before = sideOf(twoLayers());
        Graph typed = *before.side->graph;
        typed.value(outputOf(typed, 0)).type.element = ElementType::Float16;
        const DrawnSide after = sideOf(std::move(typed), before);
        QCOMPARE(after.side->scene, before.side->scene);
        QCOMPARE(after.drawing, before.drawing);
        QVERIFY(!after.sameNow);
        QCOMPARE(&after.side->names, &before.side->names);
        QCOMPARE(&after.side->consumers, &before.side->consumers);
        QVERIFY(before.side->outline.find("float16", 9).empty());
        QCOMPARE(after.side->outline.find("float16", 9), std::vector{*after.side->boxOf(NodeId{0})});
        QCOMPARE(after.side->outline.scope(0).boxes, before.side->outline.scope(0).boxes);
    }

    void aNewNameIsFound()
    {
        const DrawnSide before = sideOf(twoLayers());
        Graph renamed = *before.side->graph;
        renamed.node(NodeId{0}).name = "block_other"; // as wide as the old one
        const DrawnSide after = sideOf(std::move(renamed), before);
        QVERIFY(after.side->scene != before.side->scene);
        QVERIFY(after.side->names.find("block_other"));
        QVERIFY(!after.side->names.find("block_first"));
        QCOMPARE(after.side->outline.find("block_other", 9).size(), std::size_t{1});
    }

    void theNamesOutliveTheFirstGraph()
    {
        DrawnSide side = sideOf(twoLayers());
        Graph copy = *side.side->graph;
        side = sideOf(std::move(copy), side);
        QCOMPARE(side.side->names.of(NodeId{1}), std::string("block_second"));
        QCOMPARE(side.side->consumers.of(outputOf(*side.side->graph, 0)).size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestGraphSide)
#include "tst_graph_side.moc"
