#include "core/graph/attribute_text.h"
#include "core/graph/operator_info.h"
#include "core/onnx/onnx_model.h"

#include <QtTest>

using namespace crosswalk;

namespace {

Graph graphOfFormat(std::string format)
{
    Graph graph;
    graph.format = std::move(format);
    return graph;
}

OperatorCategory categoryOf(const char* format, const char* op)
{
    const Graph graph = graphOfFormat(format);
    const Node node{.op = op};
    return operatorInfo(graph, node).category(node);
}

/// Whether drawings omit the only attribute of a node.
bool isOmitted(const char* format, const char* op, Attribute attribute)
{
    const Graph graph = graphOfFormat(format);
    const Node node{.op = op, .attributes = {std::move(attribute)}};
    const Attribute& only = node.attributes.front();
    return operatorInfo(graph, node).isOmitted(node, only, attributeText(only, graph));
}

} // namespace

class TestOperatorInfo : public QObject {
    Q_OBJECT
private slots:
    void operatorsHaveTheCategoryOfTheirFormat()
    {
        QCOMPARE(categoryOf("mxnet", "Convolution"), OperatorCategory::Convolution);
        QCOMPARE(categoryOf("mxnet", "_contrib_SyncBatchNorm"), OperatorCategory::Normalisation);
        QCOMPARE(categoryOf("mxnet", "_plus_scalar"), OperatorCategory::Arithmetic);
        QCOMPARE(categoryOf("mxnet", "_Minus"), OperatorCategory::Arithmetic);
        QCOMPARE(categoryOf("mxnet", "_npx_relu"), OperatorCategory::Activation);
        QCOMPARE(categoryOf("onnx", "Conv"), OperatorCategory::Convolution);
        QCOMPARE(categoryOf("onnx", "LSTM"), OperatorCategory::Recurrent);
        QCOMPARE(categoryOf("onnx", "Scan"), OperatorCategory::ControlFlow);
        QCOMPARE(categoryOf("tensorflow", "Conv2D"), OperatorCategory::Convolution);
        QCOMPARE(categoryOf("tensorflow", "_FusedConv2D"), OperatorCategory::Convolution);
        QCOMPARE(categoryOf("tensorflow", "_MklFusedBatchNormV3"), OperatorCategory::Normalisation);
        QCOMPARE(categoryOf("tensorflow", "BlockLSTMV2"), OperatorCategory::Recurrent);
        QCOMPARE(categoryOf("tensorflow", "Relu"), OperatorCategory::Activation);
        QCOMPARE(categoryOf("tensorflow", "StatelessWhile"), OperatorCategory::ControlFlow);
        QCOMPARE(categoryOf("tensorflow", "NextIteration"), OperatorCategory::ControlFlow);
        QCOMPARE(categoryOf("tensorflow", "ReadVariableOp"), OperatorCategory::Data);
        QCOMPARE(categoryOf("tensorflow", "StatelessRandomNormalV2"), OperatorCategory::Data);
        QCOMPARE(categoryOf("tensorflow", "TensorListSetItem"), OperatorCategory::Shape);
        for (const char* format : {"mxnet", "onnx", "tensorflow", "none"}) {
            QCOMPARE(categoryOf(format, "NoSuchOperator"), OperatorCategory::Other);
        }
        QCOMPARE(categoryOf("onnx", "Convolution"), OperatorCategory::Other);
    }

    void gapsAreOperatorsOfTheSource()
    {
        Graph graph = graphOfFormat("onnx");
        const Node gap{.op = "Pooling_v1", .domain = std::string(gapDomain)};
        QCOMPARE(operatorInfo(graph, gap).category(gap), OperatorCategory::Pooling); // as in a body, without metadata
        graph.metadata["crosswalk.source_format"] = "tensorflow";
        QCOMPARE(operatorInfo(graph, gap).category(gap), OperatorCategory::Other);
        const Node own{.op = "Conv2D", .domain = "com.example"};
        QCOMPARE(operatorInfo(graph, own).category(own), OperatorCategory::Convolution);
        const Node contrib{.op = "LayerNormalization", .domain = "com.microsoft"};
        QCOMPARE(operatorInfo(graph, contrib).category(contrib), OperatorCategory::Normalisation);
    }

    void defaultsAndBookkeepingAreOmitted()
    {
        QVERIFY(isOmitted("onnx", "Conv", {"group", std::int64_t{1}}));
        QVERIFY(!isOmitted("onnx", "Conv", {"group", std::int64_t{2}}));
        QVERIFY(isOmitted("mxnet", "Convolution", {"stride", std::string("(1L, 1L)")}));
        QVERIFY(!isOmitted("mxnet", "Convolution", {"stride", std::string("(1, 2)")}));
        QVERIFY(isOmitted("mxnet", "Convolution", {"__lr_mult__", std::string("2.0")}));
        QVERIFY(isOmitted("tensorflow", "Conv2D", {"T", ElementType::Float32}));
        QVERIFY(isOmitted("tensorflow", "Conv2D", {"strides", Ints{1, 1, 1, 1}}));
        QVERIFY(!isOmitted("tensorflow", "Conv2D", {"strides", Ints{1, 2, 2, 1}}));
        QVERIFY(isOmitted("tensorflow", "Conv2D", {"data_format", std::string("NHWC")}));
        QVERIFY(!isOmitted("tensorflow", "Conv2D", {"data_format", std::string("NCHW")}));
        QVERIFY(isOmitted("tensorflow", "Conv2D", {"_output_shapes", Ints{1}}));
        QVERIFY(isOmitted("tensorflow", "ConcatV2", {"N", std::int64_t{3}}));
        QVERIFY(!isOmitted("tensorflow", "Cast", {"DstT", ElementType::Int64}));
        QVERIFY(isOmitted("tensorflow", "Cast", {"SrcT", ElementType::Float32}));
    }

    void operandsHaveNames()
    {
        const Graph onnx = graphOfFormat("onnx");
        const Node conv{.op = "Conv"};
        QCOMPARE(operatorInfo(onnx, conv).operandName(conv, 1), std::string_view("weight"));
        const Graph mxnet = graphOfFormat("mxnet");
        const Node dense{.op = "FullyConnected"};
        QCOMPARE(operatorInfo(mxnet, dense).operandName(dense, 1), std::string_view("weight"));
        const Graph tensorflow = graphOfFormat("tensorflow");
        const Node joined{.op = "ConcatV2", .attributes = {{"N", std::int64_t{3}}}};
        QCOMPARE(operatorInfo(tensorflow, joined).operandName(joined, 2), std::string_view("values"));
        QCOMPARE(operatorInfo(tensorflow, joined).operandName(joined, 3), std::string_view("axis"));
        QVERIFY(operatorInfo(tensorflow, joined).operandName(joined, 4).empty());
    }

    void documentationHasDefaults()
    {
        const Graph graph = graphOfFormat("tensorflow");
        const Node conv{.op = "Conv2D"};
        const OperatorDoc doc = operatorInfo(graph, conv).doc(graph, conv);
        QVERIFY(!doc.text.empty());
        QVERIFY(doc.attribute("T") == nullptr);
        QVERIFY(doc.attribute("padding") != nullptr && doc.attribute("padding")->defaultValue.empty());
        QCOMPARE(doc.attribute("data_format")->defaultValue, std::string("NHWC"));
        QCOMPARE(doc.attribute("dilations")->defaultValue, std::string("(1, 1, 1, 1)"));
    }

    void attributesOfRecurrentLayersAreFeatures()
    {
        QCOMPARE(recurrentFeature("lstm_state_clip_max"), RecurrentFeature::CellClip);
        QCOMPARE(recurrentFeature("cell_clip"), RecurrentFeature::CellClip);
        QCOMPARE(recurrentFeature("projection_size"), RecurrentFeature::Projection);
        QCOMPARE(recurrentFeature("kernel"), RecurrentFeature::None);
    }
};

QTEST_APPLESS_MAIN(TestOperatorInfo)
#include "tst_operator_info.moc"
