// The model card: what the node panel shows while no node is selected.

#include "core/base/diagnostic.h"
#include "tests/support/onnx_models.h"
#include "tests/ui/driven_window.h"

#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

class TestWindowCard : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void theModelIsShownWhileNothingIsSelected()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QCOMPARE(driven.text("nodeOperator").remove(QChar(0x200B)), QStringLiteral("model-symbol.json"));
        QVERIFY(driven.text("nodeName").startsWith(QStringLiteral("Apache MXNet 1.9.1, 32 nodes, ")));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("data")),
                 QStringLiteral("float32 N\u00d71\u00d7H\u00d7W"));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("Convolution")), QStringLiteral("2"));
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("digits_lstm_rnn0")).contains(u'%'));
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("Multiply-adds")).startsWith(QStringLiteral("at least ")));
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("File size")).endsWith(QStringLiteral("kB")));
        driven.keepPicture(QStringLiteral("model-card"));
        driven.clickNode(Side::Source, "digits_mean0");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("mean"));
        QTest::mouseClick(driven.window.canvas(Side::Source), Qt::LeftButton, {}, QPoint(5, 5));
        QCOMPARE(driven.text("nodeOperator").remove(QChar(0x200B)), QStringLiteral("model-symbol.json"));
    }

    void operatorsAndLayersAreSelectedByMouse()
    {
        DrivenWindow driven;
        driven.window.resize(1440, 1200);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickDetail("nodeDetails", QStringLiteral("digits_lstm_rnn0"));
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_lstm_rnn0"});
        driven.document().selection().select(Side::Source, {});
        driven.clickDetail("nodeDetails", QStringLiteral("Convolution"));
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 (std::vector<std::string>{"digits_features_conv0_fwd", "digits_features_conv1_fwd"}));
    }

    void attributesHaveExactNumbers()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{Dim(1), Dim(3), Dim("N")}});
        for (const char* name : {"scale", "bias", "mean", "var"}) {
            addWeight(model, name, Tensor::filled(ElementType::Float32, {3}, 1));
        }
        const auto add = [](::onnx::NodeProto& node, const char* name, ::onnx::AttributeProto::AttributeType type) {
            auto* attribute = node.add_attribute();
            attribute->set_name(name);
            attribute->set_type(type);
            return attribute;
        };
        auto& norm = addNode(model, "BatchNormalization", {"x", "scale", "bias", "mean", "var"}, {"y"});
        add(norm, "epsilon", ::onnx::AttributeProto::FLOAT)->set_f(1e-5F);
        const auto constant = [&](const char* name, ::onnx::TensorProto::DataType type, const std::string& bytes) {
            auto* tensor =
                add(addNode(model, "ConstantOfShape", {"shape"}, {name}), "value", ::onnx::AttributeProto::TENSOR)
                    ->mutable_t();
            tensor->set_data_type(type);
            tensor->add_dims(1);
            tensor->set_raw_data(bytes);
        };
        const std::array<std::int64_t, 1> size{2};
        addWeight(model, "shape", Tensor::ints(size));
        const std::int64_t large = 1234567890123;
        constant("small", ::onnx::TensorProto::FLOAT8E4M3FN, "\x38");
        constant("whole", ::onnx::TensorProto::INT64, std::string(reinterpret_cast<const char*>(&large), sizeof large));
        for (const char* name : {"y", "small", "whole"}) {
            model.proto->mutable_graph()->add_output()->set_name(name);
        }
        const TemporaryFiles files;
        const QString path = QString::fromStdString(files.write("m.onnx", model.proto->SerializeAsString()).string());
        DrivenWindow driven;
        QVERIFY(driven.open(path));
        driven.clickNode(Side::Source, "BatchNormalization_y");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("epsilon")), QStringLiteral("1e-05"));
        driven.clickNode(Side::Source, "ConstantOfShape_whole");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("value")), QStringLiteral("int64 1 = 1234567890123"));
        driven.clickNode(Side::Source, "ConstantOfShape_small");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("value")), QStringLiteral("float8_e4m3fn 1"));
    }

    void nodesOfAVerdictAreSelectedByMouse()
    {
        DrivenWindow driven;
        driven.window.resize(1440, 1200);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        const auto& verdicts = driven.document().converted()->conversion.verdicts;
        const auto decomposed = std::ranges::count(verdicts, Verdict::Decomposed);
        QVERIFY(decomposed > 0);
        driven.clickDetail("nodeDetails", QStringLiteral("Exact, as several nodes"));
        QVERIFY(driven.settle());
        QCOMPARE(std::ssize(driven.document().selection().boxes()), decomposed);
    }

    void operatorsAreSelectedByKeysOnBothSides()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* tree = driven.find<QTreeView>("nodeDetails");
        QTest::keyClick(&driven.window, Qt::Key_2, Qt::AltModifier);
        QVERIFY(tree->hasFocus());
        tree->setCurrentIndex(driven.detailIndex("nodeDetails", QStringLiteral("MaxPool")));
        QTest::keyClick(tree, Qt::Key_Return);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().selection().side(), Side::Target);
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{1});
        QCOMPARE(driven.operatorOf(Side::Target, driven.document().selection().boxes().front()),
                 std::string("MaxPool"));
    }

    void weightsInBodiesAndConstantsCount()
    {
        const TemporaryFiles files;
        OnnxModel model = emptyModel();
        addInput(model, "condition", {ElementType::Bool, Shape{}});
        addOutput(model, "y", {ElementType::Float32, Shape{Dim("n")}});
        auto& graph = *model.proto->mutable_graph();
        const auto branch = [](const char* output, int size) {
            ::onnx::GraphProto body;
            body.set_name(output);
            auto* constant = body.add_node();
            constant->set_op_type("Constant");
            constant->set_name(output);
            constant->add_output(output);
            auto* value = constant->add_attribute();
            value->set_name("value");
            value->set_type(::onnx::AttributeProto::TENSOR);
            value->mutable_t()->set_data_type(1);
            value->mutable_t()->add_dims(size);
            for (int i = 0; i < size; ++i) {
                value->mutable_t()->add_float_data(1);
            }
            body.add_output()->set_name(output);
            toProto({ElementType::Float32, Shape{size}}, *body.mutable_output(0)->mutable_type());
            return body;
        };
        auto* node = graph.add_node();
        node->set_op_type("If");
        node->set_name("choice");
        node->add_input("condition");
        node->add_output("y");
        for (const auto& [name, size] : {std::pair("then_branch", 300), std::pair("else_branch", 200)}) {
            auto* attribute = node->add_attribute();
            attribute->set_name(name);
            attribute->set_type(::onnx::AttributeProto::GRAPH);
            *attribute->mutable_g() = branch(name, size);
        }
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("if.onnx", model.proto->SerializeAsString()).string())));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("Elements")), QStringLiteral("500"));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("choice")), QStringLiteral("2.00 kB, 100 %"));
    }
};

QTEST_MAIN(TestWindowCard)
#include "tst_window_card.moc"
