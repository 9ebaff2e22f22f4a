#include "core/graph/parameters.h"

#include <QtTest>

using namespace crosswalk;

namespace {

NodeId addConstant(Graph& graph, const std::string& name, Tensor content)
{
    const TensorId tensor = graph.addTensor(std::move(content));
    const NodeId node =
        graph.addNode({.op = "Constant", .name = name, .attributes = {Attribute{.name = "value", .value = tensor}}});
    graph.addOutput(node, name);
    return node;
}

Graph onnxGraph()
{
    Graph graph;
    graph.format = "onnx";
    return graph;
}

} // namespace

class TestParameters : public QObject {
    Q_OBJECT
private slots:
    void countsConstantNodesThatAreWeights()
    {
        Graph graph = onnxGraph();
        addConstant(graph, "weight", Tensor::filled(ElementType::Float32, {3, 4}, 0.5));
        addConstant(graph, "quantized", Tensor::filled(ElementType::Int8, {5}, 1));
        addConstant(graph, "shape", Tensor::filled(ElementType::Int64, {4}, 1));
        addConstant(graph, "epsilon", Tensor::filled(ElementType::Float32, {}, 1e-5));
        const ParameterCount count = countParameters(graph);
        QCOMPARE(count.tensors, std::uint64_t{2});
        QCOMPARE(count.elements, std::uint64_t{12 + 5});
        QCOMPARE(count.bytes, std::uint64_t{12 * 4 + 5});
    }

    void countsEachBodyOnce()
    {
        Graph inner = onnxGraph();
        addConstant(inner, "weight", Tensor::filled(ElementType::Float32, {7}, 0.5));
        Graph body = onnxGraph();
        body.addValue({.name = "stored", .tensor = body.addTensor(Tensor::filled(ElementType::Int64, {2}, 3))});
        const SubgraphId nested = body.addSubgraph(std::make_shared<const Graph>(std::move(inner)));
        for (const char* name : {"loop", "loop again"}) {
            const NodeId node =
                body.addNode({.op = "Loop", .name = name, .attributes = {Attribute{.name = "body", .value = nested}}});
            body.addOutput(node, name);
        }
        Graph graph = onnxGraph();
        const SubgraphId branch = graph.addSubgraph(std::make_shared<const Graph>(std::move(body)));
        const NodeId node = graph.addNode({.op = "If",
                                           .attributes = {Attribute{.name = "then_branch", .value = branch},
                                                          Attribute{.name = "else_branch", .value = branch}}});
        const ValueId result = graph.addOutput(node, "result");
        QCOMPARE(countParameters(graph).elements, std::uint64_t{7 + 2});
        std::vector<bool> needed(graph.valueCount(), true);
        needed[result.index] = false;
        QCOMPARE(countParameters(graph, needed).elements, std::uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(TestParameters)
#include "tst_parameters.moc"
