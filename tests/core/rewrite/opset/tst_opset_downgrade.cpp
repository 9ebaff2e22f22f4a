#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/writer.h"
#include "tests/support/computed.h"
#include "tests/support/onnx_models.h"
#include "tests/support/temporary_files.h"

#include <QtTest>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

using Model = void (*)(OnnxModel&);

OnnxModel modelOf(Model fill)
{
    OnnxModel model = emptyModel();
    addInput(model, "x", {ElementType::Float32, Shape{2, 3, 2}});
    fill(model);
    return model;
}

void setInt(::onnx::NodeProto& node, const char* name, std::int64_t value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::INT);
    attribute->set_i(value);
}

void setText(::onnx::NodeProto& node, const char* name, const char* value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::STRING);
    attribute->set_s(value);
}

void addInts(OnnxModel& model, const char* name, const std::vector<std::int64_t>& values)
{
    addWeight(model, name,
              Tensor::of<std::int64_t>(ElementType::Int64, {static_cast<std::int64_t>(values.size())}, values));
}

/// Writes the model to a file and reads it back. `files` must outlive the graph, because weights are mapped.
Graph readBack(const OnnxModel& model, const TemporaryFiles& files)
{
    const auto path = files.write("m.onnx", "");
    writeOnnx(model, path);
    return graphOfFile(*ModelSource::at(path));
}

/// Adds the output y with type float32 2x3x2.
void addPlainOutput(OnnxModel& model)
{
    addOutput(model, "y", {ElementType::Float32, Shape{2, 3, 2}});
}

} // namespace

/// Models of opset 17 that compute the same at opset 11.
class TestOpsetDowngrade : public QObject {
    Q_OBJECT
private slots:
    void computesTheSame_data()
    {
        QTest::addColumn<Model>("fill");
        QTest::newRow("only types") << Model([](OnnxModel& model) {
            addNode(model, "Sigmoid", {"x"}, {"a"});
            addNode(model, "Transpose", {"a"}, {"b"});
            addNode(model, "Mul", {"b", "b"}, {"c"});
            addNode(model, "Transpose", {"c"}, {"y"});
            addPlainOutput(model);
        });
        QTest::newRow("Cast with saturate") << Model([](OnnxModel& model) {
            model.proto->mutable_opset_import(0)->set_version(19);
            auto& cast = addNode(model, "Cast", {"x"}, {"i"});
            setInt(cast, "to", ::onnx::TensorProto::INT32);
            setInt(cast, "saturate", 1);
            setInt(addNode(model, "Cast", {"i"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
            addPlainOutput(model);
        });
        QTest::newRow("slice of a Shape") << Model([](OnnxModel& model) {
            setInt(addNode(model, "Shape", {"x"}, {"first"}), "end", -1);
            setInt(addNode(model, "Shape", {"x"}, {"last"}), "start", 2);
            setInt(addNode(model, "Concat", {"first", "last"}, {"s"}), "axis", 0);
            addNode(model, "Reshape", {"x", "s"}, {"y"});
            addPlainOutput(model);
        });
        QTest::newRow("axis that is not the last") << Model([](OnnxModel& model) {
            setInt(addNode(model, "Softmax", {"x"}, {"s"}), "axis", 1);
            setInt(addNode(model, "LogSoftmax", {"s"}, {"y"}), "axis", -3);
            addPlainOutput(model);
        });
        QTest::newRow("Flatten and Reshape around a Softmax") << Model([](OnnxModel& model) {
            addInts(model, "shape", {2, 3, 2});
            addNode(model, "Flatten", {"x"}, {"f"});
            addNode(model, "Softmax", {"f"}, {"s"});
            addNode(model, "Reshape", {"s", "shape"}, {"y"});
            addPlainOutput(model);
        });
        QTest::newRow("NaN is not greater") << Model([](OnnxModel& model) {
            addNode(model, "Sqrt", {"x"}, {"a"});
            addNode(model, "GreaterOrEqual", {"a", "x"}, {"b"});
            addNode(model, "LessOrEqual", {"a", "x"}, {"c"});
            addNode(model, "Xor", {"b", "c"}, {"d"});
            setInt(addNode(model, "Cast", {"d"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
            addPlainOutput(model);
        });
        QTest::newRow("HardSwish") << Model([](OnnxModel& model) {
            addNode(model, "HardSwish", {"x"}, {"y"});
            addPlainOutput(model);
        });
        QTest::newRow("sizes of a Resize") << Model([](OnnxModel& model) {
            addInts(model, "sizes", {2, 6, 2});
            setText(addNode(model, "Resize", {"x", "", "", "sizes"}, {"y"}), "mode", "nearest");
            addOutput(model, "y", {ElementType::Float32, Shape{2, 6, 2}});
        });
        QTest::newRow("axes, sizes and constants") << Model([](OnnxModel& model) {
            addInts(model, "axes", {1});
            addInts(model, "parts", {1, 2});
            setInt(addNode(model, "Split", {"x", "parts"}, {"p", "q"}), "axis", 1);
            addNode(model, "ReduceSum", {"q", "axes"}, {"r"});
            addNode(model, "Squeeze", {"r", "axes"}, {"s"});
            addNode(model, "Unsqueeze", {"s", "axes"}, {"u"});
            auto& two = addNode(model, "Constant", {}, {"two"});
            auto* value = two.add_attribute();
            value->set_name("value_float");
            value->set_type(::onnx::AttributeProto::FLOAT);
            value->set_f(2);
            addNode(model, "Sub", {"x", "u"}, {"d"});
            addNode(model, "Mul", {"d", "two"}, {"m"});
            addNode(model, "Dropout", {"m"}, {"y"});
            addPlainOutput(model);
        });
        QTest::newRow("axes captured by a branch") << Model([](OnnxModel& model) {
            addInts(model, "axes", {2});
            addWeight(model, "yes", Tensor::scalar(ElementType::Bool, 1));
            ::onnx::GraphProto branch;
            branch.set_name("branch");
            addNode(branch, "ReduceSum", {"x", "axes"}, {"r"});
            addNode(branch, "Add", {"r", "x"}, {"b"});
            toProto(TensorType{ElementType::Float32, Shape{2, 3, 2}}, *branch.add_output()->mutable_type());
            branch.mutable_output(0)->set_name("b");
            auto& choice = addNode(model, "If", {"yes"}, {"y"});
            for (const char* name : {"then_branch", "else_branch"}) {
                auto* attribute = choice.add_attribute();
                attribute->set_name(name);
                attribute->set_type(::onnx::AttributeProto::GRAPH);
                *attribute->mutable_g() = branch;
            }
            addPlainOutput(model);
        });
    }

    void computesTheSame()
    {
        QFETCH(Model, fill);
        const TemporaryFiles files; // must outlive the mapped weights
        const Graph graph = readBack(modelOf(fill), files);
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0.5F, -3, 1, 4, 4, -0.25F, 7, 1, -2});
        const Tensor before = computed(graph, std::span(&x, 1))[0];
        const Tensor after = computed(graph, std::span(&x, 1), {.opset = 11})[0];
        const std::vector<double> wanted = before.toDoubles();
        const std::vector<double> got = after.toDoubles();
        QCOMPARE(got.size(), wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QVERIFY2(std::abs(got[i] - wanted[i]) < 1e-5, fmt::format("{}: {}, not {}", i, got[i], wanted[i]).c_str());
        }
    }

    void expandsNewerOperators_data()
    {
        QTest::addColumn<Model>("fill");
        QTest::newRow("LayerNormalization") << Model([](OnnxModel& model) {
            addWeight(model, "s", floats({2}, {2, 3}));
            addWeight(model, "b", floats({2}, {-1, 1}));
            addNode(model, "LayerNormalization", {"x", "s", "b"}, {"y"});
        });
        QTest::newRow("LayerNormalization of two axes") << Model([](OnnxModel& model) {
            addWeight(model, "s", floats({3, 2}, {2, 3, 4, 5, 6, 7}));
            setInt(addNode(model, "LayerNormalization", {"x", "s"}, {"y"}), "axis", 1);
        });
        QTest::newRow("GroupNormalization") << Model([](OnnxModel& model) {
            addWeight(model, "s", floats({3}, {2, 3, 4}));
            addWeight(model, "b", floats({3}, {-1, 1, 2}));
            setInt(addNode(model, "GroupNormalization", {"x", "s", "b"}, {"y"}), "num_groups", 3);
        });
        QTest::newRow("Gelu") << Model([](OnnxModel& model) { addNode(model, "Gelu", {"x"}, {"y"}); });
        QTest::newRow("Gelu by tanh") << Model(
            [](OnnxModel& model) { setText(addNode(model, "Gelu", {"x"}, {"y"}), "approximate", "tanh"); });
        QTest::newRow("Mish") << Model([](OnnxModel& model) { addNode(model, "Mish", {"x"}, {"y"}); });
        QTest::newRow("Swish") << Model([](OnnxModel& model) { addNode(model, "Swish", {"x"}, {"y"}); });
        QTest::newRow("HardSwish and Celu") << Model([](OnnxModel& model) {
            addNode(model, "HardSwish", {"x"}, {"h"});
            addNode(model, "Celu", {"h"}, {"y"});
        });
    }
    void expandsNewerOperators()
    {
        QFETCH(Model, fill);
        OnnxModel model = modelOf(fill);
        model.proto->set_ir_version(10);
        model.proto->mutable_opset_import(0)->set_version(24);
        addPlainOutput(model);
        const TemporaryFiles files;
        const Graph graph = readBack(model, files);
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0.5F, -3, 1, 4, 4.5F, -0.25F, 7, 1, -2});
        const std::vector<double> wanted = computed(graph, std::span(&x, 1))[0].toDoubles();
        for (const int opset : {20, 17, 16, 13, 11}) {
            const std::vector<double> got = computed(graph, std::span(&x, 1), {.opset = opset})[0].toDoubles();
            QCOMPARE(got.size(), wanted.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                QVERIFY2(std::abs(got[i] - wanted[i]) < 1e-5,
                         fmt::format("opset {}, {}: {}, not {}", opset, i, got[i], wanted[i]).c_str());
            }
        }
    }

    void computedAxesAreRejected()
    {
        OnnxModel model = modelOf([](OnnxModel& made) {
            addWeight(made, "s", floats({2}, {2, 3}));
            addNode(made, "RMSNormalization", {"x", "s"}, {"y"});
        });
        model.proto->set_ir_version(10);
        model.proto->mutable_opset_import(0)->set_version(23);
        addPlainOutput(model);
        const TemporaryFiles files;
        const Graph graph = readBack(model, files);
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0.5F, -3, 1, 4, 4.5F, -0.25F, 7, 1, -2});
        const auto wanted = computed(graph, std::span(&x, 1))[0].toDoubles();
        const auto got = computed(graph, std::span(&x, 1), {.opset = 18})[0].toDoubles();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QVERIFY(std::abs(got[i] - wanted[i]) < 1e-5);
        }
        const auto conversion = convert(graph, {.opset = 17}).value();
        QCOMPARE(conversion.problems.front().code.text(), std::string_view("opset-change"));
        QCOMPARE(conversion.problems.front().node, std::string("RMSNormalization_y"));
    }

    void expandedNodesKeepTheProvenance()
    {
        OnnxModel model = modelOf([](OnnxModel& made) {
            addNode(made, "Relu", {"x"}, {"r"});
            addNode(made, "Gelu", {"r"}, {"y"});
        });
        model.proto->set_ir_version(10);
        model.proto->mutable_opset_import(0)->set_version(20);
        addPlainOutput(model);
        const TemporaryFiles files;
        const auto conversion = convert(readBack(model, files), {.opset = 19}).value();
        QVERIFY(!conversion.hasErrors());
        QCOMPARE(conversion.sources[0], std::vector<NodeId>{NodeId{0}});
        QVERIFY(conversion.sources.size() > 2);
        for (std::size_t i = 1; i < conversion.sources.size(); ++i) {
            QCOMPARE(conversion.sources[i], std::vector<NodeId>{NodeId{1}});
        }
        QCOMPARE(conversion.verdicts[1], Verdict::Decomposed);
    }

    void rejectsWhatTheOpsetCannotExpress_data()
    {
        QTest::addColumn<Model>("fill");
        QTest::newRow("ScatterElements with min") << Model([](OnnxModel& model) {
            model.proto->mutable_opset_import(0)->set_version(18);
            addInts(model, "i", {0});
            addWeight(model, "u", floats({1, 3, 2}, {1, 2, 3, 4, 5, 6}));
            setText(addNode(model, "ScatterND", {"x", "i", "u"}, {"y"}), "reduction", "min");
            model.proto->mutable_graph()->mutable_node(0)->set_name("here");
        });
        QTest::newRow("Cast that overflows") << Model([](OnnxModel& model) {
            model.proto->mutable_opset_import(0)->set_version(19);
            auto& cast = addNode(model, "Cast", {"x"}, {"i"});
            setInt(cast, "to", ::onnx::TensorProto::INT32);
            setInt(cast, "saturate", 0);
            setInt(addNode(model, "Cast", {"i"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
            model.proto->mutable_graph()->mutable_node(0)->set_name("here");
        });
        QTest::newRow("zeros of a Reshape") << Model([](OnnxModel& model) {
            addInts(model, "shape", {2, 6});
            setInt(addNode(model, "Reshape", {"x", "shape"}, {"y"}), "allowzero", 1);
            model.proto->mutable_graph()->mutable_node(0)->set_name("here");
        });
        QTest::newRow("type that an older Softmax does not support") << Model([](OnnxModel& model) {
            addInput(model, "b", {ElementType::BFloat16, Shape{2, 3}});
            addNode(model, "Softmax", {"b"}, {"s"});
            addNode(model, "Shape", {"s"}, {"t"});
            addNode(model, "ConstantOfShape", {"t"}, {"y"});
            model.proto->mutable_graph()->mutable_node(0)->set_name("here");
        });
        QTest::newRow("type that an older Greater does not support") << Model([](OnnxModel& model) {
            setInt(addNode(model, "Cast", {"x"}, {"b"}), "to", ::onnx::TensorProto::BFLOAT16);
            addNode(model, "GreaterOrEqual", {"b", "b"}, {"g"});
            setInt(addNode(model, "Cast", {"g"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
            model.proto->mutable_graph()->mutable_node(1)->set_name("here");
        });
        QTest::newRow("newer operator") << Model([](OnnxModel& model) {
            addNode(model, "Trilu", {"x"}, {"y"});
            model.proto->mutable_graph()->mutable_node(0)->set_name("here");
        });
    }

    void rejectsWhatTheOpsetCannotExpress()
    {
        QFETCH(Model, fill);
        OnnxModel model = modelOf(fill);
        addOutput(model, "y", {ElementType::Float32, std::nullopt});
        const TemporaryFiles files;
        const auto result = convert(readBack(model, files), {.opset = 11});
        QVERIFY(result);
        const auto& problems = result.value().problems;
        const auto problem = std::ranges::find(problems, Code("opset-change"), &Diagnostic::code);
        QVERIFY(problem != problems.end());
        QCOMPARE(problem->node, std::string("here"));
        QVERIFY(!problem->hint.empty());
    }
};

QTEST_APPLESS_MAIN(TestOpsetDowngrade)
#include "tst_opset_downgrade.moc"
