#include "core/graph/architecture_hash.h"
#include "core/graph/graph.h"

#include <QtTest>
#include <functional>

using namespace crosswalk;

namespace {

struct Layer {
    std::string op = "Gemm";
    std::string name = "fc";
    std::int64_t setting = 1;
    std::vector<std::int64_t> weightDims{2, 3};
    float weight = 1;
    bool swapped = false;
    std::int64_t bodyNodes = 0;
};

std::uint64_t hashOf(const Layer& layer)
{
    Graph graph;
    const ValueId x = graph.addValue({.name = layer.name + "_x", .type = {ElementType::Float32, Shape{Dim(2)}}});
    graph.inputs.push_back(x);
    const std::vector<float> content(6, layer.weight);
    const ValueId w =
        graph.addValue({.name = layer.name + "_w",
                        .tensor = graph.addTensor(Tensor::of<float>(ElementType::Float32, layer.weightDims, content))});
    Node node{.op = layer.op, .name = layer.name};
    node.inputs = layer.swapped ? std::vector{w, x} : std::vector{x, w};
    node.attributes.push_back({"axis", layer.setting});
    auto body = std::make_shared<Graph>();
    for (std::int64_t i = 0; i < layer.bodyNodes; ++i) {
        body->addNode({.op = "Relu"});
    }
    node.attributes.push_back({"body", graph.addSubgraph(body)});
    graph.outputs.push_back(graph.addOutput(graph.addNode(std::move(node)), layer.name + "_y"));
    return architectureHash(graph);
}

} // namespace

class TestArchitectureHash : public QObject {
    Q_OBJECT

private slots:
    void ignoresNamesAndWeights() { QCOMPARE(hashOf({.name = "other", .weight = 5}), hashOf({})); }

    void countsStructure_data()
    {
        QTest::addColumn<quint64>("hash");
        QTest::newRow("operator") << quint64{hashOf({.op = "MatMul"})};
        QTest::newRow("attribute") << quint64{hashOf({.setting = 2})};
        QTest::newRow("shape of a weight") << quint64{hashOf({.weightDims = {3, 2}})};
        QTest::newRow("order of the operands") << quint64{hashOf({.swapped = true})};
        QTest::newRow("body") << quint64{hashOf({.bodyNodes = 1})};
    }

    void countsStructure()
    {
        QFETCH(quint64, hash);
        QVERIFY(hash != hashOf({}));
    }
};

QTEST_APPLESS_MAIN(TestArchitectureHash)
#include "tst_architecture_hash.moc"
