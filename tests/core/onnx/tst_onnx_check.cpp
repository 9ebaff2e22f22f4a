#include "core/base/diagnostic.h"
#include "core/onnx/check.h"
#include "core/onnx/onnx_model.h"
#include "core/onnx/schemas.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"

#include <QtTest>
#include <iostream>
#include <sstream>

using namespace crosswalk;
using namespace crosswalk::test;

class TestOnnxCheck : public QObject {
    Q_OBJECT
private slots:
    void validModelPasses()
    {
        OnnxModel model = smallModel();
        const std::string before = model.proto->SerializeAsString();
        checkModel(model);
        QCOMPARE(model.proto->SerializeAsString(), before);
    }

    void weightsAreNotRead()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{Dim("N"), 50'000}});
        addWeight(model, "w", Tensor::filled(ElementType::Float32, {50'000, 100'000}, 1)); // 20 GB
        addNode(model, "MatMul", {"x", "w"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, Shape{Dim("N"), 100'000}});
        checkModel(model);
    }

    /// The standard output can be a report in JSON.
    void printsNothingAboutExperimentalOperators_data()
    {
        QTest::addColumn<QString>("text");
        const QString header = QStringLiteral("<ir_version: 8, opset_import: [\"\" : 17, \"own\" : 1]>\n");
        QTest::newRow("graph") << header + QStringLiteral("g (float[2] x) => (float[2] y) { y = Affine(x) }");
        QTest::newRow("body") << header +
                                     QStringLiteral(
                                         "g (float[2] x, bool c) => (float[2] y) { y = If(c)<then_branch = t () => "
                                         "(p) { p = Scale(x) }, else_branch = e () => (q) { q = Abs(x) }> }");
        QTest::newRow("function") << header +
                                         QStringLiteral("g (float[2] x) => (float[2] y) { y = own.f(x) }\n"
                                                        "<domain: \"own\", opset_import: [\"\" : 17]> f (a) => (b) "
                                                        "{ b = ATen(a) }");
    }
    void printsNothingAboutExperimentalOperators()
    {
        QFETCH(QString, text);
        ::onnx::ModelProto proto;
        const std::string written = text.toStdString();
        QVERIFY(::onnx::OnnxParser(written.c_str()).Parse(proto).IsOK());
        const std::string before = proto.SerializeAsString();
        std::ostringstream printed;
        auto* screen = std::cout.rdbuf(printed.rdbuf());
        const auto error = checkerError(proto);
        std::cout.rdbuf(screen);
        QCOMPARE(QString::fromStdString(error.value_or("")), QString());
        QCOMPARE(QString::fromStdString(printed.str()), QString());
        QCOMPARE(proto.SerializeAsString(), before);
    }

    void inferenceReadsLongIntegerLists()
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

    void unknownRankIsNoError()
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, std::nullopt});
        addNode(model, "Relu", {"x"}, {"y"});
        addOutput(model, "y", {ElementType::Float32, std::nullopt});
        checkModel(model);
    }

    void nodeMetadataIsNoError()
    {
        OnnxModel model = smallModel();
        auto* source = model.proto->mutable_graph()->mutable_node(0)->add_metadata_props();
        source->set_key("crosswalk.source");
        source->set_value("[]");
        checkModel(model);
    }

    void nodesOfOtherDomainsAreIgnored()
    {
        OnnxModel model = smallModel();
        addNode(model, "Unknown", {"y"}, {"z"}).set_domain("crosswalk.gap");
        auto* opset = model.proto->add_opset_import();
        opset->set_domain("crosswalk.gap");
        opset->set_version(1);
        checkModel(model);
    }

    /// onnx propagates data as if each vector were a shape. Its errors on other vectors are ignored.
    void propagationErrorsAreIgnored_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("unsqueezed vector and a longer one") << R"(g (int64[5] x) => (int64[5,3] y)
            <int64[3] w = {0, 5, 1}, int64[1] a = {1}> { z = Unsqueeze(x, a) y = Add(z, w) })";
        QTest::newRow("product overflow") << R"(g (int64[2] x) => (int64[2] y)
            <int64[2] w = {4611686018427387904, 5}, int64[2] v = {4, 5}> { z = Mul(v, w) y = Add(z, x) })";
        QTest::newRow("more elements than memory could hold as dimensions") << R"(g (int64[1000000000000] x) => (y)
            <int64[1] a = {1}> { y = Unsqueeze(x, a) })";
    }
    void propagationErrorsAreIgnored()
    {
        QFETCH(QString, text);
        const TemporaryFolder folder;
        checkModel(modelOf(folder, text.toStdString()));
    }

    void sizesAreChecked_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("a negative step") << R"(g (float[1,1,9] x) => (y)
            { y = MaxPool<kernel_shape = [3], strides = [-2]>(x) })";
        QTest::newRow("axes that are not a permutation")
            << R"(g (float[] x) => (y) { y = Transpose<perm = [5, 0]>(x) })";
        QTest::newRow("the length of a window, not a scalar") << R"(g (float[4] x) => (y)
            { n = Shape(x) y = HannWindow(n) })";
        QTest::newRow("a number of elements that is a scalar") << R"(g (float[4] x) => (y, i)
            { n = Size(x) y, i = TopK(x, n) })";
        QTest::newRow("two numbers of elements") << R"(g (float[2,4] x) => (y, i)
            { n = Shape(x) y, i = TopK(x, n) })";
        QTest::newRow("repeats that are a scalar") << R"(g (float[4] x) => (y)
            { n = Size(x) y = Tile(x, n) })";
    }
    void sizesAreChecked()
    {
        QFETCH(QString, text);
        const TemporaryFolder folder;
        QCOMPARE(codeOf([&] { checkModel(modelOf(folder, text.toStdString())); }), std::string("invalid-model"));
    }

    /// They occur in branches that are never taken.
    void negativeSizesOfASplitAreNoError()
    {
        const TemporaryFolder folder;
        checkModel(modelOf(folder, R"(g (float[2,3] x) => (y, z)
            <int64[2] s = {4, -1}> { y, z = Split<axis = 1>(x, s) })"));
    }

    void schemasAreThoseOfOnnx()
    {
        int count = 0;
        for (const auto& each : ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
            for (int version = 0; version <= newestOpset + 1; ++version) {
                const auto* expected = ::onnx::OpSchemaRegistry::Schema(each.Name(), version, each.domain());
                const auto* found = schemas().GetSchema(each.Name(), version, each.domain());
                QCOMPARE(found == nullptr, expected == nullptr);
                if (found == nullptr) {
                    continue;
                }
                ++count;
                QCOMPARE(found->Name(), each.Name());
                QCOMPARE(found->domain(), each.domain());
                QCOMPARE(found->SinceVersion(), expected->SinceVersion());
                QCOMPARE(found->inputs().size(), expected->inputs().size());
                QCOMPARE(found->typeConstraintParams().size(), expected->typeConstraintParams().size());
                QCOMPARE(found->HasFunction(), expected->HasFunction());
                for (std::size_t i = 0; i < found->inputs().size(); ++i) { // types are set when a schema is completed
                    QVERIFY(found->inputs()[i].GetTypes() == expected->inputs()[i].GetTypes());
                }
            }
        }
        QVERIFY(count > 5000);
        QVERIFY(schemas().GetSchema("Abs", 13, "com.example") == nullptr);
        QVERIFY(schemas().GetSchema("Abs", 13, "ai.onnx") == nullptr);
        QVERIFY(schemas().GetSchema("NoSuchOperator", 13, "") == nullptr);
    }

    void onlyShortVectorsArePropagated()
    {
        int count = 0;
        const std::unordered_map<std::string, const ::onnx::TensorProto*> contents;
        for (const auto& each : ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
            const auto* schema = schemas().GetSchema(each.Name(), each.SinceVersion(), each.domain());
            if (!schema->has_data_propagation_function() || each.Name() == "Shape" || each.Name() == "Size") {
                continue; // these two read a type, not elements
            }
            ++count;
            ::onnx::NodeProto node;
            node.set_op_type(each.Name());
            node.add_output("y");
            std::unordered_map<std::string, ::onnx::TypeProto> types;
            for (const char* name : {"a", "b"}) {
                node.add_input(name);
                types[name].mutable_tensor_type()->set_elem_type(::onnx::TensorProto::INT64);
                types[name].mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(1LL << 40U);
            }
            std::unordered_map<std::string, ::onnx::TypeProto*> known;
            for (auto& [name, type] : types) {
                known[name] = &type;
            }
            std::unordered_map<std::string, ::onnx::TensorShapeProto> followed;
            ::onnx::shape_inference::DataPropagationContextImpl context(node, known, contents, followed);
            schema->GetDataPropagationFunction()(context);
            QVERIFY2(followed.empty(), each.Name().c_str());
        }
        QVERIFY(count > 20);
    }

    void callsThatDoNotFitTheirFunctionAreRejected_data()
    {
        QTest::addColumn<int>("fault");
        QTest::newRow("the call fits") << 0;
        QTest::newRow("more inputs") << 1;
        QTest::newRow("more outputs") << 2;
        QTest::newRow("an attribute of another type") << 3;
        QTest::newRow("an output that no node computes") << 4;
    }
    void callsThatDoNotFitTheirFunctionAreRejected()
    {
        QFETCH(int, fault);
        OnnxModel model = emptyModel();
        auto* import = model.proto->add_opset_import();
        import->set_domain("f");
        import->set_version(1);
        auto* function = model.proto->add_functions();
        function->set_name("F");
        function->set_domain("f");
        *function->add_opset_import() = model.proto->opset_import(0);
        function->add_input("a");
        function->add_output("b");
        function->add_attribute("slope");
        auto* node = function->add_node();
        node->set_op_type("LeakyRelu");
        node->add_input("a");
        node->add_output(fault == 4 ? "c" : "b");
        auto* alpha = node->add_attribute();
        alpha->set_name("alpha");
        alpha->set_ref_attr_name("slope");
        alpha->set_type(::onnx::AttributeProto::FLOAT);
        addInput(model, "x", {ElementType::Float32, Shape{2}});
        auto& call = addNode(model, "F", {"x"}, {"y"});
        call.set_domain("f");
        auto* slope = call.add_attribute();
        slope->set_name("slope");
        slope->set_type(fault == 3 ? ::onnx::AttributeProto::INT : ::onnx::AttributeProto::FLOAT);
        if (fault == 1) {
            call.add_input("x");
        } else if (fault == 2) {
            call.add_output("z");
        }
        addOutput(model, "y", {ElementType::Float32, Shape{2}});
        QCOMPARE(codeOf([&] { checkModel(model); }), std::string(fault == 0 ? "" : "invalid-model"));
    }

    void invalidModelsAreRejected_data()
    {
        QTest::addColumn<int>("fault");
        QTest::newRow("unknown operator") << 0;
        QTest::newRow("unknown attribute") << 1;
        QTest::newRow("value without a producer") << 2;
        QTest::newRow("impossible shape") << 3;
        QTest::newRow("output with another shape") << 4;
    }
    void invalidModelsAreRejected()
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
