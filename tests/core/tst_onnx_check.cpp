#include "core/base/diagnostic.h"
#include "core/onnx/model.h"
#include "tests/support/onnx_models.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

class TestOnnxCheck : public QObject {
    Q_OBJECT
private slots:
    void aSoundModelPasses()
    {
        OnnxModel model = smallModel();
        const std::string before = model.proto->SerializeAsString();
        checkModel(model);
        QCOMPARE(model.proto->SerializeAsString(), before);
    }

    void gigabytesOfWeightsAreNotTouched()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{Dim("N"), 50'000}});
        addWeight(model, "w", Tensor::filled(ElementType::Float32, {50'000, 100'000}, 1)); // 20 GB
        addNode(model, "MatMul", {"x", "w"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, Shape{Dim("N"), 100'000}});
        checkModel(model);
    }

    void longListsOfIntegersAreSeenByInference()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{400, 2}});
        addWeight(model, "split", Tensor::ints(std::vector<std::int64_t>(200, 2)));
        std::vector<std::string> outputs;
        for (int i = 0; i < 200; ++i) {
            outputs.push_back("y" + std::to_string(i));
        }
        addNode(model, "Split", {"x", "split"}, outputs);
        addOutput(model, "y0", {ElementType::Float32, Shape{2, 2}});
        checkModel(model);
        model.proto->mutable_graph()->clear_output();
        addOutput(model, "y0", {ElementType::Float32, Shape{3, 2}});
        QCOMPARE(codeOf([&] { checkModel(model); }), std::string("invalid-model"));
    }

    void aRankThatNobodyKnowsIsNoFault()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, std::nullopt});
        addNode(model, "Relu", {"x"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, std::nullopt});
        checkModel(model);
    }

    void metadataOfNodesIsNoFault()
    {
        OnnxModel model = smallModel();
        auto* source = model.proto->mutable_graph()->mutable_node(0)->add_metadata_props();
        source->set_key("crosswalk.source");
        source->set_value("[]");
        checkModel(model);
    }

    void nodesOfOtherDomainsAreLeftAlone()
    {
        OnnxModel model = smallModel();
        addNode(model, "Unknown", {"y"}, {"z"}).set_domain("crosswalk.gap");
        auto* opset = model.proto->add_opset_import();
        opset->set_domain("crosswalk.gap");
        opset->set_version(1);
        checkModel(model);
    }

    void faultsAreFound_data()
    {
        QTest::addColumn<int>("fault");
        QTest::newRow("an operator that is not there") << 0;
        QTest::newRow("an attribute that is not there") << 1;
        QTest::newRow("a value that nothing makes") << 2;
        QTest::newRow("a shape that cannot be") << 3;
        QTest::newRow("an output of another shape") << 4;
    }
    void faultsAreFound()
    {
        QFETCH(int, fault);
        OnnxModel model = smallModel();
        auto* graph = model.proto->mutable_graph();
        switch (fault) {
        case 0:
            graph->mutable_node(0)->set_op_type("Addd");
            break;
        case 1: {
            auto* attribute = graph->mutable_node(0)->add_attribute();
            attribute->set_name("axis");
            attribute->set_type(::onnx::AttributeProto::INT);
            attribute->set_i(1);
            break;
        }
        case 2:
            graph->mutable_node(0)->set_input(0, "nothing");
            break;
        case 3:
            graph->mutable_input(0)
                ->mutable_type()
                ->mutable_tensor_type()
                ->mutable_shape()
                ->mutable_dim(1)
                ->set_dim_value(999);
            break;
        default:
            graph->mutable_output(0)
                ->mutable_type()
                ->mutable_tensor_type()
                ->mutable_shape()
                ->mutable_dim(1)
                ->set_dim_value(999);
        }
        QCOMPARE(codeOf([&] { checkModel(model); }), std::string("invalid-model"));
    }
};

QTEST_APPLESS_MAIN(TestOnnxCheck)
#include "tst_onnx_check.moc"
