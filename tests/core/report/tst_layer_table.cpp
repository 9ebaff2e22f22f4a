#include "core/report/layer_table.h"

#include <QtTest>

using namespace crosswalk;

namespace {

ValueId addStored(Graph& graph, const std::string& name, std::vector<std::int64_t> dims)
{
    const TensorId tensor = graph.addTensor(Tensor::filled(ElementType::Float32, std::move(dims), 0.5));
    return graph.addValue({.name = name, .tensor = tensor});
}

ValueId addNode(Graph& graph, const char* op, const char* name, std::vector<ValueId> inputs, Shape shape)
{
    const ValueId output = graph.addOutput(graph.addNode({.op = op, .name = name, .inputs = std::move(inputs)}), name);
    graph.value(output).type = {ElementType::Float32, std::move(shape)};
    return output;
}

/// y = Relu(x * Transpose(w)) + sum of something unknown.
Graph model()
{
    Graph graph;
    graph.format = "onnx";
    const ValueId x = graph.addValue({.name = "x", .type = {ElementType::Float32, Shape{Dim("N"), 16}}});
    graph.inputs.push_back(x);
    const ValueId turned = addNode(graph, "Transpose", "turn", {addStored(graph, "w", {8, 16})}, {16, 8});
    const ValueId product = addNode(graph, "MatMul", "product", {x, turned}, {Dim("N"), 8});
    const ValueId unknown = addNode(graph, "Mystery", "say \"a,b\"", {product}, {Dim("unk__3"), 8});
    graph.outputs.push_back(unknown);
    return graph;
}

/// A conversion in which every node became the ONNX node of the same index.
Conversion sameNodes(const Graph& graph)
{
    Conversion conversion;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        conversion.verdicts.push_back(Verdict::Exact);
        conversion.targets.push_back({i});
        conversion.sources.push_back({NodeId{i}});
    }
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        conversion.valueTypes.push_back(graph.value(ValueId{i}).type);
    }
    return conversion;
}

} // namespace

class TestLayerTable : public QObject {
    Q_OBJECT
private slots:
    void aRowHasShapeWeightsWorkAndVerdict()
    {
        const Graph graph = model();
        const LayerTable table = layerTable(graph, sameNodes(graph), graph);
        QCOMPARE(table.rows.size(), std::size_t{2}); // the Transpose of a weight belongs to the product
        const LayerRow& product = table.rows[0];
        QCOMPARE(graph.node(product.node).name, std::string("product"));
        QVERIFY(product.output == (TensorType{ElementType::Float32, Shape{Dim("N"), 8}}));
        QCOMPARE(product.weights.elements, std::uint64_t{128});
        QCOMPARE(product.weights.bytes, std::uint64_t{512});
        QCOMPARE(product.multiplyAdds.value_or(0), std::int64_t{128});
        QVERIFY(product.verdict == Verdict::Exact);
        QVERIFY(!table.rows[1].multiplyAdds); // an unknown operator
        QCOMPARE(table.symbolsAsOne, std::set<std::string>{"N"});
    }

    void sharedWorkIsCountedOnce()
    {
        const Graph graph = model();
        Conversion conversion = sameNodes(graph);
        conversion.sources[1] = {NodeId{1}, NodeId{2}};
        conversion.sources[2] = {};
        conversion.targets[2] = {1};
        const LayerTable table = layerTable(graph, conversion, graph);
        QCOMPARE(table.rows[0].multiplyAdds.value_or(0), std::int64_t{128});
        QVERIFY(!table.rows[1].multiplyAdds);
        QVERIFY(table.rows[1].countedAt == NodeId{1});
        const std::string csv = layersCsv(graph, table);
        QVERIFY2(csv.ends_with(",exact,product\n"), csv.c_str());
    }

    void withoutAConversionThereAreNoVerdicts()
    {
        const Graph graph = model();
        const LayerTable table = layerTable(graph);
        QCOMPARE(table.rows.size(), std::size_t{2});
        QVERIFY(!table.rows[0].verdict);
        QVERIFY(!table.rows[0].multiplyAdds);
        QCOMPARE(table.rows[0].weights.elements, std::uint64_t{128});
    }

    void csvQuotesNamesAndLeavesUnknownValuesEmpty()
    {
        const Graph graph = model();
        QCOMPARE(layersCsv(graph, layerTable(graph, sameNodes(graph), graph)),
                 std::string("name,operator,type,shape,parameters,bytes,multiply_adds,verdict,counted_at\n"
                             "product,MatMul,float32,Nx8,128,512,128,exact,\n"
                             "\"say \"\"a,b\"\"\",Mystery,float32,*x8,0,0,,exact,\n"));
    }

    void csvHasMeasuredTimes()
    {
        const Graph graph = model();
        std::vector<std::optional<double>> latencies(graph.nodeCount());
        latencies[layerTable(graph).rows[0].node.index] = 0.5;
        QCOMPARE(layersCsv(graph, layerTable(graph), nullptr, latencies),
                 std::string("name,operator,type,shape,parameters,bytes,multiply_adds,verdict,latency,counted_at\n"
                             "product,MatMul,float32,Nx8,128,512,,,0.5,\n"
                             "\"say \"\"a,b\"\"\",Mystery,float32,*x8,0,0,,,,\n"));
    }

    void csvHasTheErrorsOfACheck()
    {
        const Graph graph = model();
        NodeCheck check;
        Comparison quarter;
        quarter.maxAbsolute = 0.25;
        check.values.push_back({ValueId(), quarter});
        check.worst = {std::nullopt, std::size_t{0}, std::nullopt};
        QCOMPARE(layersCsv(graph, layerTable(graph), &check),
                 std::string("name,operator,type,shape,parameters,bytes,multiply_adds,verdict,error,counted_at\n"
                             "product,MatMul,float32,Nx8,128,512,,,0.25,\n"
                             "\"say \"\"a,b\"\"\",Mystery,float32,*x8,0,0,,,,\n"));
    }
};

QTEST_APPLESS_MAIN(TestLayerTable)
#include "tst_layer_table.moc"
