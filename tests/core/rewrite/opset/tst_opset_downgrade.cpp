#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/node.h"
#include "core/onnx/opsets.h"
#include "core/onnx/writer.h"
#include "core/rewrite/opset/change_opset.h"
#include "tests/support/computed.h"
#include "tests/support/onnx_models.h"
#include "tests/support/temporary_files.h"

#include <QtTest>
#include <ctime>
#include <fmt/format.h>
#include <stop_token>

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

void setFloat(::onnx::NodeProto& node, const char* name, float value)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::FLOAT);
    attribute->set_f(value);
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

/// Adds y, the value b of a branch.
void addChoice(OnnxModel& model, ::onnx::GraphProto branch)
{
    addWeight(model, "yes", Tensor::scalar(ElementType::Bool, 1));
    branch.set_name("branch");
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
        QTest::newRow("a node whose first output nothing reads") << Model([](OnnxModel& model) {
            addWeight(model, "w", floats({1, 2, 2}, {1, 2, -1, 3}));
            addWeight(model, "r", floats({1, 2, 2}, {0.5F, -1, 2, 1}));
            addWeight(model, "scales", floats({3}, {1, 1, 1}));
            setInt(addNode(model, "RNN", {"x", "w", "r"}, {"", "h"}), "hidden_size", 2);
            addNode(model, "Resize", {"x", "", "scales"}, {"z"});
            addNode(model, "Add", {"z", "h"}, {"y"});
            addPlainOutput(model);
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
            ::onnx::GraphProto branch;
            addNode(branch, "ReduceSum", {"x", "axes"}, {"r"});
            addNode(branch, "Add", {"r", "x"}, {"b"});
            addChoice(model, std::move(branch));
        });
        QTest::newRow("a value captured by a branch") << Model([](OnnxModel& model) {
            addNode(model, "HardSwish", {"x"}, {"h"});
            ::onnx::GraphProto branch;
            addNode(branch, "Add", {"h", "x"}, {"b"});
            addChoice(model, std::move(branch));
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

    void numbersHaveTheTypeOfTheirNode_data()
    {
        QTest::addColumn<ElementType>("type");
        QTest::newRow("float16") << ElementType::Float16;
        QTest::newRow("float32") << ElementType::Float32;
    }
    /// Clip and Pad have attributes up to opset 10, and inputs from 11 on.
    void numbersHaveTheTypeOfTheirNode()
    {
        QFETCH(const ElementType, type);
        OnnxModel model = emptyModel();
        model.proto->mutable_opset_import(0)->set_version(10);
        addInput(model, "x", {ElementType::Float32, Shape{2, 3, 2}});
        setInt(addNode(model, "Cast", {"x"}, {"a"}), "to", static_cast<int>(type));
        setFloat(addNode(model, "Clip", {"a"}, {"b"}), "max", 3);
        setFloat(addNode(model, "Clip", {"b"}, {"c"}), "min", -1.5F);
        auto& pad = addNode(model, "Pad", {"c"}, {"d"});
        setFloat(pad, "value", 0.5F);
        auto* pads = pad.add_attribute();
        pads->set_name("pads");
        pads->set_type(::onnx::AttributeProto::INTS);
        for (const int count : {0, 0, 1, 0, 0, 0}) {
            pads->add_ints(count);
        }
        setInt(addNode(model, "Cast", {"d"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
        addOutput(model, "y", {ElementType::Float32, Shape{2, 3, 3}});
        const TemporaryFiles files;
        const Graph graph = readBack(model, files);
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0.5F, -3, 1, 4, 4, -0.25F, 7, 1, -2});
        for (const int opset : {11, 17}) {
            QCOMPARE(
                computed(graph, std::span(&x, 1), {.opset = opset})[0].toDoubles(),
                (BoundsChecked<double>{0.5, -1, 2, 0.5, 0, 0.5, 0.5, -1.5, 1, 0.5, 3, 3, 0.5, -0.25, 3, 0.5, 1, -1.5}));
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
        QTest::newRow("reductions of no axes") << Model([](OnnxModel& model) {
            addInts(model, "none", {});
            setInt(addNode(model, "ReduceSumSquare", {"x"}, {"a"}), "noop_with_empty_axes", 1);
            setInt(addNode(model, "ReduceL2", {"x", "none"}, {"b"}), "noop_with_empty_axes", 1);
            addNode(model, "Exp", {"b"}, {"p"});
            setInt(addNode(model, "ReduceLogSum", {"p"}, {"c"}), "noop_with_empty_axes", 1);
            setInt(addNode(model, "ReduceSum", {"a"}, {"d"}), "noop_with_empty_axes", 1);
            setInt(addNode(model, "ReduceMean", {"d"}, {"e"}), "noop_with_empty_axes", 0);
            addNode(model, "Sub", {"c", "d"}, {"f"});
            addNode(model, "Sub", {"f", "e"}, {"y"});
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

    void findsEquivalents_data()
    {
        QTest::addColumn<Model>("fill");
        QTest::addColumn<int>("opset"); ///< of the model
        QTest::addColumn<int>("lowest");
        QTest::newRow("axes that are computed from sizes") << Model([](OnnxModel& model) {
            addWeight(model, "s", floats({2}, {2, 3}));
            addNode(model, "RMSNormalization", {"x", "s"}, {"y"});
        }) << 23 << 11;
        QTest::newRow("a function with an omitted input") << Model([](OnnxModel& model) {
            addInts(model, "heads", {1, 2, 3, 2});
            addNode(model, "Reshape", {"x", "heads"}, {"h"});
            addWeight(model, "past", floats({1, 2, 1, 2}, {1, 2, 3, 4}));
            addNode(model, "Attention", {"h", "h", "h", "", "past", "past"}, {"y", "pk", "pv"});
        }) << 23 << 17;
        QTest::newRow("AffineGrid of a stored size") << Model([](OnnxModel& model) {
            addInts(model, "matrices", {2, 2, 3});
            addNode(model, "Reshape", {"x", "matrices"}, {"theta"});
            addInts(model, "size", {2, 1, 2, 3});
            addNode(model, "AffineGrid", {"theta", "size"}, {"y"});
        }) << 20 << 16;
        QTest::newRow("Pad of some axes") << Model([](OnnxModel& model) {
            addInts(model, "pads", {1, 0, 0, 2});
            addInts(model, "axes", {2, -3});
            addNode(model, "Pad", {"x", "pads", "", "axes"}, {"y"});
        }) << 18 << 11;
        QTest::newRow("Split into a number of parts") << Model([](OnnxModel& model) {
            auto& split = addNode(model, "Split", {"x"}, {"a", "y"});
            setInt(split, "axis", 1);
            setInt(split, "num_outputs", 2);
        }) << 18 << 11;
        QTest::newRow("DFT along a computed axis") << Model([](OnnxModel& model) {
            addInts(model, "signals", {2, 6, 1});
            addNode(model, "Reshape", {"x", "signals"}, {"s"});
            addNode(model, "ReduceMax", {"x"}, {"max"}); // 7
            addWeight(model, "six", Tensor::scalar(ElementType::Float32, 6));
            addInts(model, "scalar", {});
            addNode(model, "Sub", {"max", "six"}, {"one"});
            addNode(model, "Reshape", {"one", "scalar"}, {"number"});
            setInt(addNode(model, "Cast", {"number"}, {"axis"}), "to", ::onnx::TensorProto::INT64);
            addNode(model, "DFT", {"s", "", "axis"}, {"y"});
        }) << 20 << 17;
        QTest::newRow("Split of a computed size") << Model([](OnnxModel& model) {
            addNode(model, "NonZero", {"x"}, {"n"});
            auto& split = addNode(model, "Split", {"n"}, {"a", "b", "c"});
            setInt(split, "axis", 1);
            setInt(split, "num_outputs", 3);
            setInt(addNode(model, "Cast", {"c"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
        }) << 18 << 13;
        QTest::newRow("Resize of some axes") << Model([](OnnxModel& model) {
            addInts(model, "sizes", {4, 9});
            auto& resize = addNode(model, "Resize", {"x", "", "", "sizes"}, {"y"});
            setText(resize, "mode", "linear");
            crosswalk::addInts(resize, "axes", std::vector<std::int64_t>{2, 1});
        }) << 18 << 11;
        QTest::newRow("Resize that keeps the ratio") << Model([](OnnxModel& model) {
            addInts(model, "sizes", {6, 6});
            auto& resize = addNode(model, "Resize", {"x", "", "", "sizes"}, {"y"});
            setText(resize, "keep_aspect_ratio_policy", "not_larger");
            crosswalk::addInts(resize, "axes", std::vector<std::int64_t>{1, 2});
        }) << 18 << 11;
        for (const char* op :
             {"ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd"}) {
            for (const int keeps : {0, 1}) {
                QTest::newRow(fmt::format("{} over computed axes, keepdims={}", op, keeps).c_str())
                    << Model(nullptr) << 18 << 11;
            }
        }
        for (const char* op : {"ReduceLogSum", "ReduceSumSquare"}) {
            QTest::newRow(fmt::format("{} over computed axes, keepdims=0", op).c_str()) << Model(nullptr) << 18 << 13;
        }
        QTest::newRow("AveragePool with dilations") << Model([](OnnxModel& model) {
            addInts(model, "image", {1, 2, 2, 3});
            addNode(model, "Reshape", {"x", "image"}, {"i"});
            auto& pool = addNode(model, "AveragePool", {"i"}, {"y"});
            crosswalk::addInts(pool, "kernel_shape", std::vector<std::int64_t>{2, 2});
            crosswalk::addInts(pool, "dilations", std::vector<std::int64_t>{1, 2});
            crosswalk::addInts(pool, "pads", std::vector<std::int64_t>{1, 0, 0, 1});
        }) << 19 << 11;
        QTest::newRow("AveragePool with dilations, rounded up, padding counted") << Model([](OnnxModel& model) {
            addInts(model, "image", {1, 1, 3, 4});
            addNode(model, "Reshape", {"x", "image"}, {"i"});
            auto& pool = addNode(model, "AveragePool", {"i"}, {"y"});
            crosswalk::addInts(pool, "kernel_shape", std::vector<std::int64_t>{2, 2});
            crosswalk::addInts(pool, "dilations", std::vector<std::int64_t>{2, 1});
            crosswalk::addInts(pool, "strides", std::vector<std::int64_t>{2, 2});
            crosswalk::addInts(pool, "pads", std::vector<std::int64_t>{1, 1, 0, 0});
            setInt(pool, "ceil_mode", 1);
            setInt(pool, "count_include_pad", 1);
        }) << 19 << 11;
        QTest::newRow("a type that only newer opsets accept") << Model([](OnnxModel& model) {
            setInt(addNode(model, "Cast", {"x"}, {"b"}), "to", ::onnx::TensorProto::BOOL);
            addInts(model, "axes", {1});
            addNode(model, "ReduceMin", {"b", "axes"}, {"m"});
            setInt(addNode(model, "Cast", {"m"}, {"y"}), "to", ::onnx::TensorProto::FLOAT);
        }) << 20 << 11;
    }

    void findsEquivalentsOfOperatorsWithoutAKernel_data()
    {
        QTest::addColumn<Model>("fill");
        QTest::addColumn<int>("opset"); ///< of the model; ONNX Runtime need not support it
        QTest::addColumn<ElementType>("type");
        QTest::addColumn<std::vector<double>>("wanted");
        QTest::newRow("shift of signed integers to the right")
            << Model([](OnnxModel& model) { addShift(model, ElementType::Int8, "RIGHT"); }) << 28 << ElementType::Int8
            << std::vector<double>{-4, 7, -1, 0, -1, 0};
        QTest::newRow("shift of signed integers to the left")
            << Model([](OnnxModel& model) { addShift(model, ElementType::Int8, "LEFT"); }) << 28 << ElementType::Int8
            << std::vector<double>{-14, 28, 0, 0, -128, 0};
        for (const auto& [op, wanted] : {std::pair("BitwiseAnd", std::vector<double>{1, 6, -8, 0, 0, 8}),
                                         std::pair("BitwiseOr", std::vector<double>{-7, 15, -1, 9, -1, 12}),
                                         std::pair("BitwiseXor", std::vector<double>{-8, 9, 7, 9, -1, 4})}) {
            QTest::newRow(op) << Model(nullptr) << 18 << ElementType::Int32 << wanted;
        }
        QTest::newRow("BitwiseNot") << Model([](OnnxModel& model) {
            addNumbers(model, "a", ElementType::UInt16, {0, 1, 255, 256, 65535, 7});
            addNode(model, "BitwiseNot", {"a"}, {"y"});
        }) << 18 << ElementType::UInt16
                                    << std::vector<double>{65535, 65534, 65280, 65279, 0, 65528};
        QTest::newRow("BitCast") << Model([](OnnxModel& model) {
            addNumbers(model, "a", ElementType::Int8, {0, 1, -1, -128, 127, 7});
            setInt(addNode(model, "BitCast", {"a"}, {"y"}), "to", ::onnx::TensorProto::UINT8);
        }) << 26 << ElementType::UInt8
                                 << std::vector<double>{0, 1, 255, 128, 127, 7};
        QTest::newRow("CumProd, exclusive and reverse") << Model([](OnnxModel& model) {
            addNumbers(model, "a", ElementType::Float32, {1, 2, 3, 4, 5, 6});
            addWeight(model, "axis", Tensor::scalar(ElementType::Int32, 0));
            auto& product = addNode(model, "CumProd", {"a", "axis"}, {"y"});
            setInt(product, "exclusive", 1);
            setInt(product, "reverse", 1);
        }) << 26 << ElementType::Float32 << std::vector<double>{720, 360, 120, 30, 6, 1};
        QTest::newRow("CumProd along a computed axis") << Model([](OnnxModel& model) {
            addNumbers(model, "a", ElementType::Float32, {1, 2, 3, 4, 5, 6});
            addInts(model, "table", {3, 2});
            addNode(model, "Reshape", {"a", "table"}, {"t"});
            addNode(model, "ReduceMax", {"x"}, {"max"}); // 7
            addWeight(model, "six", Tensor::scalar(ElementType::Float32, 6));
            addInts(model, "scalar", {});
            addNode(model, "Sub", {"max", "six"}, {"one"});
            addNode(model, "Reshape", {"one", "scalar"}, {"number"});
            setInt(addNode(model, "Cast", {"number"}, {"axis"}), "to", ::onnx::TensorProto::INT32);
            addNode(model, "CumProd", {"t", "axis"}, {"y"});
        }) << 26 << ElementType::Float32 << std::vector<double>{1, 2, 3, 12, 5, 30};
        QTest::newRow("TensorScatter") << Model([](OnnxModel& model) {
            addWeight(model, "past", floats({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}));
            addWeight(model, "update", floats({1, 1, 2, 2}, {7, 8, 9, 10}));
            addInts(model, "at", {2});
            setText(addNode(model, "TensorScatter", {"past", "update", "at"}, {"y"}), "mode", "circular");
        }) << 24 << ElementType::Float32
                                       << std::vector<double>{9, 10, 3, 4, 7, 8};
        QTest::newRow("SpaceToDepth by columns") << Model([](OnnxModel& model) {
            addWeight(model, "image", floats({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
            auto& node = addNode(model, "SpaceToDepth", {"image"}, {"y"});
            setInt(node, "blocksize", 2);
            setText(node, "mode", "CRD");
        }) << 28 << ElementType::Float32 << std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8};
        QTest::newRow("Pad of computed axes") << Model([](OnnxModel& model) {
            addNumbers(model, "a", ElementType::Float32, {1, 2, 3, 4});
            addInts(model, "table", {2, 2});
            addNode(model, "Reshape", {"a", "table"}, {"t"});
            addInts(model, "pads", {1, 0});
            addInts(model, "list", {1});
            addNode(model, "ReduceMin", {"x"}, {"min"}); // -3
            addWeight(model, "two", Tensor::scalar(ElementType::Float32, 2));
            addNode(model, "Add", {"min", "two"}, {"last"});
            addNode(model, "Reshape", {"last", "list"}, {"vector"});
            setInt(addNode(model, "Cast", {"vector"}, {"axes"}), "to", ::onnx::TensorProto::INT64);
            addNode(model, "Pad", {"t", "pads", "", "axes"}, {"y"});
        }) << 18 << ElementType::Float32 << std::vector<double>{0, 1, 2, 0, 3, 4};
    }

    static void addNumbers(OnnxModel& model, const char* name, ElementType type, const std::vector<double>& values)
    {
        addWeight(model, name,
                  Tensor::of<double>(ElementType::Float64, {static_cast<std::int64_t>(values.size())}, values)
                      .converted(type));
    }

    static void addShift(OnnxModel& model, ElementType type, const char* direction)
    {
        addNumbers(model, "a", type, {-7, 14, -1, 5, -1, 6});
        addNumbers(model, "b", type, {1, 1, 8, 9, 7, 100});
        setText(addNode(model, "BitShift", {"a", "b"}, {"y"}), "direction", direction);
    }

    void findsEquivalentsOfOperatorsWithoutAKernel()
    {
        QFETCH(Model, fill);
        QFETCH(int, opset);
        QFETCH(ElementType, type);
        QFETCH(std::vector<double>, wanted);
        OnnxModel model = modelOf([](OnnxModel&) {});
        if (fill != nullptr) {
            fill(model);
        } else {
            addNumbers(model, "a", ElementType::Int32, {-7, 14, -1, 9, 0, 12});
            addNumbers(model, "b", ElementType::Int32, {1, 7, -8, 0, -1, 8});
            addNode(model, QTest::currentDataTag(), {"a", "b"}, {"y"});
        }
        model.proto->set_ir_version(10);
        model.proto->mutable_opset_import(0)->set_version(opset);
        addOutput(model, "y", {type, std::nullopt});
        const TemporaryFiles files;
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0.5F, -3, 1, 4, 4.5F, -0.25F, 7, 1, -2});
        const Tensor got = computed(readBack(model, files), std::span(&x, 1), {.opset = 17})[0];
        QCOMPARE(got.type(), type);
        QCOMPARE(got.toDoubles(), wanted);
    }

    /// A reduction over the axes that two elements of x are.
    static OnnxModel reductionOverComputedAxes(const std::string& op, int keepsAxes)
    {
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{2, 3, 2}});
        addInts(model, "all", {-1});
        addInts(model, "places", {0, 3});
        addNode(model, "Reshape", {"x", "all"}, {"flat"});
        addNode(model, "Gather", {"flat", "places"}, {"few"});
        setInt(addNode(model, "Cast", {"few"}, {"axes"}), "to", ::onnx::TensorProto::INT64);
        addNode(model, "Abs", {"x"}, {"positive"});
        setInt(addNode(model, op.c_str(), {"positive", "axes"}, {"y"}), "keepdims", keepsAxes);
        return model;
    }

    void findsEquivalents()
    {
        QFETCH(Model, fill);
        QFETCH(int, opset);
        QFETCH(int, lowest);
        const std::string row = QTest::currentDataTag();
        OnnxModel model =
            fill != nullptr ? modelOf(fill) : reductionOverComputedAxes(row.substr(0, row.find(' ')), row.back() - '0');
        model.proto->set_ir_version(10);
        model.proto->mutable_opset_import(0)->set_version(opset);
        addOutput(model, "y", {ElementType::Float32, std::nullopt});
        const TemporaryFiles files;
        const Graph graph = readBack(model, files);
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0.5F, -3, 1, 4, 4.5F, -0.25F, 7, 1, -2}); // axes -1 and 0
        const Tensor wanted = computed(graph, std::span(&x, 1))[0];
        for (const int lower : {17, 13, 11}) {
            if (lower < lowest) {
                continue;
            }
            const Tensor got = computed(graph, std::span(&x, 1), {.opset = lower})[0];
            QCOMPARE(got.dims(), wanted.dims());
            const auto values = got.toDoubles();
            const auto exact = wanted.toDoubles();
            for (std::size_t i = 0; i < values.size(); ++i) {
                QVERIFY2(std::abs(values[i] - exact[i]) < 1e-5,
                         fmt::format("opset {}, {}: {}, not {}", lower, i, values[i], exact[i]).c_str());
            }
        }
    }

    void modulosHaveTheSignOfTheDivisor()
    {
        OnnxModel model = modelOf([](OnnxModel& made) {
            addWeight(made, "d", floats({2}, {3, -2.5F}));
            addNode(made, "Mod", {"x", "d"}, {"y"});
        });
        model.proto->set_ir_version(10);
        model.proto->mutable_opset_import(0)->set_version(28);
        addPlainOutput(model);
        const TemporaryFiles files;
        const Tensor x = floats({2, 3, 2}, {-1, 2, 0, 0, -3, 1, 4, 4.5F, -0.25F, 7, 1, -2});
        const std::vector<double> wanted{2, -0.5, 0, 0, 0, -1.5, 1, -0.5, 2.75, -0.5, 1, -2};
        QCOMPARE(computed(readBack(model, files), std::span(&x, 1), {.opset = 17})[0].toDoubles(), wanted);
    }

    void refusesInputsWithAnAxisOfBatches()
    {
        OnnxModel model = modelOf([](OnnxModel& made) {
            ::onnx::GraphProto body;
            body.set_name("body");
            addNode(body, "Identity", {"in"}, {"out"});
            auto& in = *body.add_input();
            in.set_name("in");
            toProto(TensorType{ElementType::Float32, Shape{2}}, *in.mutable_type());
            auto& out = *body.add_output();
            out.set_name("out");
            toProto(TensorType{ElementType::Float32, Shape{2}}, *out.mutable_type());
            auto& scan = addNode(made, "Scan", {"", "x"}, {"y"});
            scan.set_name("here");
            setInt(scan, "num_scan_inputs", 1);
            auto* attribute = scan.add_attribute();
            attribute->set_name("body");
            attribute->set_type(::onnx::AttributeProto::GRAPH);
            *attribute->mutable_g() = body;
        });
        model.proto->mutable_opset_import(0)->set_version(8);
        addPlainOutput(model);
        const TemporaryFiles files;
        const auto conversion = convert(readBack(model, files), {.opset = 17}).value();
        QVERIFY(conversion.hasErrors());
        QCOMPARE(conversion.problems.front().code.text(), std::string_view("opset-change"));
        QCOMPARE(conversion.problems.front().node, std::string("here"));
    }

    /// onnx's converter makes an attribute of such an input, and drops it unless another node reads it.
    void refusesInputsThatBecomeAttributes_data()
    {
        QTest::addColumn<Model>("readAgain");
        QTest::newRow("once") << Model([](OnnxModel&) {});
        QTest::newRow("twice") << Model([](OnnxModel& model) {
            addNode(model, "Identity", {"axes"}, {"z"});
            addOutput(model, "z", {ElementType::Int64, Shape{1}});
        });
        QTest::newRow("also through another operand") << Model([](OnnxModel& model) {
            auto& nodes = *model.proto->mutable_graph()->mutable_node();
            nodes[0].set_input(0, "sum");
            setInt(addNode(model, "Cast", {"axes"}, {"number"}), "to", ::onnx::TensorProto::FLOAT);
            addNode(model, "Add", {"x", "number"}, {"sum"});
            nodes.SwapElements(0, 2);
            nodes.SwapElements(0, 1);
        });
    }

    void refusesInputsThatBecomeAttributes()
    {
        QFETCH(const Model, readAgain);
        OnnxModel model = modelOf([](OnnxModel& made) {
            addNode(made, "Unsqueeze", {"x", "axes"}, {"y"}).set_name("here");
            addWeight(made, "axes", Tensor::ints(Ints{0}));
            addInput(made, "axes", {ElementType::Int64, Shape{1}});
        });
        readAgain(model);
        addOutput(model, "y", {ElementType::Float32, Shape{1, 2, 3, 2}});
        const TemporaryFiles files;
        const auto conversion = convert(readBack(model, files), {.opset = 12}).value();
        QVERIFY(conversion.hasErrors());
        QCOMPARE(conversion.problems.front().code.text(), std::string_view("opset-change"));
        QCOMPARE(conversion.problems.front().node, std::string("here"));
    }

    void inputsWithDefaultsCanStillBeReplaced()
    {
        OnnxModel model = modelOf([](OnnxModel& made) {
            addNode(made, "Add", {"x", "w"}, {"a"});
            addNode(made, "Mul", {"a", "w"}, {"y"});
            addWeight(made, "w", floats({2}, {3, 4}));
            addInput(made, "w", {ElementType::Float32, Shape{2}});
        });
        addPlainOutput(model);
        const TemporaryFiles files;
        const auto conversion = convert(readBack(model, files), {.opset = 12}).value();
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.opset, 12);
    }

    /// Files before IR version 4 list all weights as inputs. The time is linear in their number.
    void manyInputsWithDefaults()
    {
        constexpr int count = 4000;
        OnnxModel model = emptyModel();
        model.proto->set_ir_version(3);
        model.proto->mutable_opset_import(0)->set_version(8);
        addInput(model, "v0", {ElementType::Float32, Shape{2}});
        for (int i = 0; i < count; ++i) {
            const std::string weight = fmt::format("w{}", i);
            addWeight(model, weight, floats({2}, {3, 4}));
            addInput(model, weight, {ElementType::Float32, Shape{2}});
            addNode(model, "Add", {fmt::format("v{}", i), weight}, {fmt::format("v{}", i + 1)});
        }
        addOutput(model, fmt::format("v{}", count), {ElementType::Float32, Shape{2}});
        const std::clock_t begin = std::clock();
        changeOpset(model, 13);
        constexpr int mostSeconds = 5; // a walk over all nodes for each input takes more
        QVERIFY((std::clock() - begin) / CLOCKS_PER_SEC < mostSeconds);
        QCOMPARE(opsetOf(model), 13);
    }

    void canBeCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        OnnxModel model = smallModel();
        QCOMPARE(codeOf([&] { changeOpset(model, 13, stop.get_token()); }), std::string("cancelled"));
        QCOMPARE(codeOf([&] { InferredModel(model, Declared::All, stop.get_token()); }), std::string("cancelled"));
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
        QTest::newRow("Celu with a negative alpha") << Model([](OnnxModel& model) {
            auto& node = addNode(model, "Celu", {"x"}, {"y"});
            node.set_name("here");
            auto* alpha = node.add_attribute();
            alpha->set_name("alpha");
            alpha->set_type(::onnx::AttributeProto::FLOAT);
            alpha->set_f(-0.5F);
        });
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
