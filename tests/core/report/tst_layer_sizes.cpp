#include "core/report/layer_sizes.h"

#include "core/layout/constants.h"

#include <QtTest>

using namespace crosswalk;

namespace {

ValueId addStored(Graph& graph, const std::string& name, std::vector<std::int64_t> dims)
{
    const TensorId tensor = graph.addTensor(Tensor::filled(ElementType::Float32, std::move(dims), 0.5));
    return graph.addValue({.name = name, .tensor = tensor});
}

ValueId addNode(Graph& graph, const char* op, std::vector<ValueId> inputs, std::vector<Attribute> attributes = {})
{
    return graph.addOutput(graph.addNode({.op = op, .inputs = std::move(inputs), .attributes = std::move(attributes)}),
                           op);
}

} // namespace

class TestLayerSizes : public QObject {
    Q_OBJECT
private slots:
    void layersAreSortedByTheirWeights()
    {
        Graph graph;
        graph.format = "onnx";
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        const ValueId bias = addNode(graph, "Add", {x, addStored(graph, "bias", {8})});
        // The weight of the product is computed from a stored value.
        const ValueId turned = addNode(graph, "Transpose", {addStored(graph, "weight", {8, 16})});
        const ValueId product = addNode(graph, "MatMul", {bias, turned});
        Graph body;
        body.format = "onnx";
        body.addValue({.name = "inner", .tensor = body.addTensor(Tensor::filled(ElementType::Float32, {32}, 0.5))});
        const SubgraphId branch = graph.addSubgraph(std::make_shared<const Graph>(std::move(body)));
        graph.outputs.push_back(addNode(graph, "If", {product}, {Attribute{.name = "then_branch", .value = branch}}));
        addNode(graph, "Relu", {product});

        const auto layers = layerSizes(graph, storedAlone(graph));
        QCOMPARE(layers.size(), std::size_t{3}); // neither Relu nor the Transpose of a stored value
        QCOMPARE(graph.node(layers[0].node).op, std::string("MatMul"));
        QCOMPARE(layers[0].weights.bytes, std::uint64_t{8 * 16 * 4});
        QCOMPARE(graph.node(layers[1].node).op, std::string("If"));
        QCOMPARE(layers[1].weights.elements, std::uint64_t{32});
        QCOMPARE(graph.node(layers[2].node).op, std::string("Add"));
        QCOMPARE(layers[2].weights.tensors, std::uint64_t{1});
    }

    void aWeightThatOnlyABodyReadsCountsAtTheNodeOfTheBody()
    {
        Graph graph;
        graph.format = "onnx";
        const ValueId condition = graph.addValue({.name = "condition"});
        graph.inputs.push_back(condition);
        const ValueId weight = addStored(graph, "weight", {8, 8});
        Graph body;
        body.format = "onnx";
        body.captures.push_back({.inner = body.addValue({.name = "weight"}), .outer = weight});
        const SubgraphId branch = graph.addSubgraph(std::make_shared<const Graph>(std::move(body)));
        graph.outputs.push_back(addNode(graph, "If", {condition}, {Attribute{.name = "then_branch", .value = branch}}));

        const auto layers = layerSizes(graph, storedAlone(graph));
        QCOMPARE(layers.size(), std::size_t{1});
        QCOMPARE(layers[0].weights.elements, countParameters(graph).elements);
    }

    void sharedWeightsAreCountedOnce()
    {
        Graph graph;
        graph.format = "onnx";
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        const ValueId weight = addStored(graph, "weight", {8, 8});
        const ValueId first = addNode(graph, "MatMul", {x, weight});
        const ValueId turned = addNode(graph, "Transpose", {weight});
        const ValueId second = addNode(graph, "MatMul", {first, turned});
        graph.outputs.push_back(addNode(graph, "Add", {second, addStored(graph, "bias", {8})}));

        const auto layers = layerSizes(graph, storedAlone(graph));
        QCOMPARE(layers.size(), std::size_t{2});
        QVERIFY(layers[0].node == graph.value(first).producer);
        QCOMPARE(layers[0].weights.elements + layers[1].weights.elements, countParameters(graph).elements);
    }
};

QTEST_APPLESS_MAIN(TestLayerSizes)
#include "tst_layer_sizes.moc"
