// Exported programs: archives that the tests write, converted and run.

#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/graph/attributes.h"
#include "core/graph/source_location.h"
#include "core/onnx/proto.h"
#include "tests/support/onnx_run.h"
#include "tests/support/zip_files.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

QByteArray meta(const QByteArray& sizes, int type = 7)
{
    QByteArrayList items;
    for (const QByteArray& size : sizes.split(',')) {
        const bool isNumber = !size.isEmpty() && size[0] >= '0' && size[0] <= '9';
        items << (isNumber ? "{\"as_int\": " + size + "}" : "{\"as_expr\": {\"expr_str\": \"" + size + "\"}}");
    }
    return "{\"dtype\": " + QByteArray::number(type) + ", \"sizes\": [" + items.join(',') +
           "], \"strides\": [], \"storage_offset\": {\"as_int\": 0}}";
}

QByteArray tensor(const QByteArray& name)
{
    return "{\"as_tensor\": {\"name\": \"" + name + "\"}}";
}

QByteArray tensors(const QByteArray& names)
{
    QByteArrayList items;
    for (const QByteArray& name : names.isEmpty() ? QByteArrayList() : names.split(',')) {
        items << "{\"name\": \"" + name + "\"}";
    }
    return "{\"as_tensors\": [" + items.join(',') + "]}";
}

/// "2+1j"
QByteArray complexNumber(const QByteArray& value)
{
    const QByteArrayList parts = value.chopped(1).split('+');
    return "{\"as_complex\": {\"real\": " + parts[0] + ", \"imag\": " + parts[1] + "}}";
}

/// `arguments`: "self=x other=1.5 tensors=x, dtype=7": a value, a number, a list, or a type. `output`: a name, or those
/// of a list: "a,b".
QByteArray node(const QByteArray& target, const QByteArray& arguments, const QByteArray& output)
{
    QByteArrayList inputs;
    for (const QByteArray& argument : arguments.split(' ')) {
        const QByteArrayList parts = argument.split('=');
        const QByteArray& value = parts[1];
        const bool isInteger = value[0] == '-' || (value[0] >= '0' && value[0] <= '9');
        const bool isComplex = isInteger && value.endsWith('j');
        const QByteArray given = isComplex               ? complexNumber(value)
                                 : value.startsWith('[') ? "{\"as_ints\": " + value + "}"
                                 : parts[0] == "dtype"   ? "{\"as_scalar_type\": " + value + "}"
                                 : value.contains('.')   ? "{\"as_float\": " + value + "}"
                                 : isInteger             ? "{\"as_int\": " + value + "}"
                                 : value.endsWith(',')   ? tensors(value.chopped(1))
                                                         : tensor(value);
        inputs << "{\"name\": \"" + parts[0] + "\", \"arg\": " + given + ", \"kind\": 1}";
    }
    return "{\"target\": \"torch.ops.aten." + target + "\", \"inputs\": [" + inputs.join(',') + "], \"outputs\": [" +
           (output.contains(',') ? tensors(output) : tensor(output)) +
           "], \"metadata\": {\"nn_module_stack\": \"L__self__,,M;L__self__l,block.l,L\"}}";
}

/// A body as an argument, with these inputs. Arguments of control flow have no names.
QByteArray body(const QByteArrayList& inputs, const QByteArrayList& nodes, const QByteArray& output)
{
    QByteArrayList given;
    for (const QByteArray& input : inputs) {
        given << tensor(input);
    }
    return "{\"name\": \"\", \"kind\": 1, \"arg\": {\"as_graph\": {\"name\": \"b\", \"graph\": {\"inputs\": [" +
           given.join(',') + "], \"outputs\": [" + tensor(output) + "], \"nodes\": [" + nodes.join(',') +
           "], \"tensor_values\": {\"a\": " + meta("2,2") + "}}}}}";
}

QByteArray operands(const QByteArrayList& names)
{
    return "{\"name\": \"\", \"kind\": 1, \"arg\": " + tensors(names.join(',')) + "}";
}

QByteArray controlNode(const QByteArray& op, const QByteArrayList& arguments, const QByteArray& output)
{
    return "{\"target\": \"torch.ops.higher_order." + op + "\", \"inputs\": [" + arguments.join(',') +
           "], \"outputs\": [" + tensor(output) + "], \"metadata\": {}}";
}

/// cond(any element of x is above 0, first, second, (given)).
QByteArray branch(const QByteArrayList& first, const QByteArrayList& second, const QByteArray& given,
                  const QByteArray& output)
{
    return node("gt.Scalar", "self=x other=0", "g") + ',' + node("any.default", "self=g", "p") + ',' +
           controlNode("cond",
                       {"{\"name\": \"\", \"kind\": 1, \"arg\": " + tensor("p") + "}", body({"a"}, first, "r"),
                        body({"a"}, second, "r"), operands({given})},
                       output);
}

struct Program {
    QByteArrayList nodes;
    QByteArray output;      ///< a name, or several: "a,b"
    QByteArray values = {}; ///< further "name": meta
    QByteArray weight = "{\"w\": {\"path_name\": \"weight_0\", \"is_param\": true, \"use_pickle\": false, "
                        "\"tensor_meta\": {\"dtype\": 7, \"sizes\": [{\"as_int\": 2}, {\"as_int\": 2}], "
                        "\"strides\": [{\"as_int\": 1}, {\"as_int\": 2}], \"storage_offset\": {\"as_int\": 1}}}}";
    int version = 8;
    QByteArray ranges = "{}";
    bool isBuffer = false;  ///< the weight
    QByteArray second = {}; ///< another weight

    std::string archive() const
    {
        const QByteArray kind = isBuffer ? "buffer" : "parameter";
        QByteArrayList outputs;
        for (const QByteArray& name : output.split(',')) {
            outputs << "{\"user_output\": {\"arg\": " + tensor(name) + "}}";
        }
        QByteArrayList weights;
        for (const QByteArray& name : second.isEmpty() ? QByteArrayList{"w"} : QByteArrayList{"w", second}) {
            weights << "{\"" + kind + "\": {\"arg\": {\"name\": \"p_" + name + "\"}, \"" + kind + "_name\": \"" + name +
                           "\"}}";
        }
        const QByteArray json =
            "{\"graph_module\": {\"graph\": {\"inputs\": [], \"outputs\": [], \"nodes\": [" + nodes.join(',') +
            "], \"tensor_values\": {\"x\": " + meta("s0,2") + ", \"p_w\": " + meta("2,2") + values +
            "}, \"sym_int_values\": {}}, \"signature\": {\"input_specs\": [" + weights.join(',') +
            ", {\"user_input\": {\"arg\": " + tensor("x") + "}}], \"output_specs\": [" + outputs.join(',') +
            "]}}, \"schema_version\": {\"major\": " + QByteArray::number(version) +
            ", \"minor\": 1}, \"range_constraints\": " + ranges + "}";
        const std::array<float, 5> storage{9, 1, 2, 3, 4};
        const std::string bytes(reinterpret_cast<const char*>(storage.data()), sizeof storage); // NOLINT: as bytes
        return zipFile({{"m/models/model.json", json.toStdString()},
                        {"m/data/weights/model_weights_config.json", "{\"config\": " + weight.toStdString() + "}"},
                        {"m/data/weights/weight_0", bytes},
                        {"m/data/weights/weight_1", bytes}});
    }
};

} // namespace

class TestPytorchProgram : public QObject {
    Q_OBJECT
private slots:
    void init() { m_files = std::make_unique<TemporaryFiles>(); }

    /// The program records that the axis remains, for all sizes that it accepts.
    void squeezesAxesAsRecorded()
    {
        for (const QByteArray sizes : {"s0,2", "2"}) {
            const auto model = read({{node("squeeze.dim", "self=x dim=0", "a")}, "a", ", \"a\": " + meta(sizes)});
            QVERIFY(model);
            const auto made = convert(*model.value().graph, {});
            QVERIFY(made);
            QCOMPARE(made.value().hasErrors(), sizes == "2");
        }
    }

    /// A node that ONNX cannot express is exported with its attributes, each of which has another name.
    void argumentsOfUnknownOperatorsMayHaveAnyName()
    {
        const auto model = read({{node("unknown.default", "self=x inputs=2 overload=3", "y")}, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QStringList names;
        for (const auto& attribute : made.value().model.whole().proto->graph().node(0).attribute()) {
            names << QString::fromStdString(attribute.name());
        }
        QVERIFY(names.contains(QStringLiteral("inputs_")) && names.contains(QStringLiteral("overload_")));
        QCOMPARE(names.removeDuplicates(), qsizetype{0});
    }

    void inputsOfNumbersAreNotText()
    {
        const auto model = read({{node("add.Scalar", "self=x other=1", "y")}, "y"});
        QVERIFY(model);
        const auto made = convert(*model.value().graph, {.types = {{"x", ElementType::String}}});
        QVERIFY(!made);
        QCOMPARE(made.problem().message, std::string("--dtype: input x contains numbers, not text"));
    }

    /// ONNX does not infer the shape of Resize from sizes before opset 13.
    void resizedImagesHaveTheGivenSize()
    {
        const auto model = read({{node("unsqueeze.default", "self=x dim=0", "u"),
                                  node("upsample_linear1d.vec", "input=u output_size=[5] align_corners=0", "y")},
                                 "y",
                                 ", \"y\": " + meta("1,s0,9")});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        for (const int opset : {11, 17}) {
            const auto made = convert(*model.value().graph, {.opset = opset});
            QVERIFY(made);
            const auto shape = fromProto(made.value().model.whole().proto->graph().output(0).type()).shape;
            QVERIFY(shape);
            QCOMPARE(toString(*shape), "1xs0x5");
        }
    }

    void resultsHaveTheRecordedSizes_data()
    {
        QTest::addColumn<QByteArray>("recorded");
        QTest::addColumn<Shape>("given");
        QTest::addColumn<Shape>("size");
        QTest::newRow("as exported") << QByteArray("s0,2") << Shape{Dim("s0"), 2} << Shape{Dim("s0"), 2};
        QTest::newRow("another name") << QByteArray("Symbol('s0'),2") << Shape{Dim("n"), 2} << Shape{Dim("n"), 2};
        QTest::newRow("an expression") << QByteArray("s0*2,2") << Shape{Dim("s0"), 2} << Shape{Dim(), 2};
        QTest::newRow("a name of no input") << QByteArray("u0,2") << Shape{Dim("s0"), 2} << Shape{Dim(), 2};
        QTest::newRow("a size") << QByteArray("s0,2") << Shape{3, 2} << Shape{3, 2};
        QTest::newRow("a size that it was not exported for")
            << QByteArray("s0,2") << Shape{Dim("n"), 4} << Shape{Dim(), 2};
        QTest::newRow("a size outside its range") << QByteArray("s0,2") << Shape{9, 2} << Shape{9, 2};
        QTest::newRow("a wrong rank") << QByteArray("1,s0,2") << Shape{Dim("s0"), 2} << Shape{Dim(), 2};
        QTest::newRow("a wrong size") << QByteArray("s0,3") << Shape{Dim("s0"), 2} << Shape{Dim(), 2};
    }
    /// ONNX cannot infer the first size of a view that merges two dimensions and divides them again.
    void resultsHaveTheRecordedSizes()
    {
        QFETCH(const QByteArray, recorded);
        QFETCH(const Shape, given);
        QFETCH(const Shape, size);
        Program program{
            {node("view.default", "self=x size=[-1]", "v"), node("view.default", "self=v size=[-1,2]", "y")},
            "y",
            ", \"y\": " + meta(recorded)};
        program.ranges = R"({"s0": {"min_val": 2, "max_val": 8}})";
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        ConvertOptions options;
        options.shapes["x"] = given;
        const auto made = convert(*model.value().graph, options);
        QVERIFY(made);
        const auto& type = made.value().model.whole().proto->graph().output(0).type();
        const auto shape = fromProto(type).shape;
        QVERIFY(shape);
        QCOMPARE(toString(*shape), toString(size));
    }

    void attentionIsOneNodeFromItsOpset_data()
    {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<int>("opset");
        QTest::addColumn<bool>("isOne");
        QTest::newRow("opset 22") << QByteArray() << 22 << false;
        QTest::newRow("opset 23") << QByteArray() << 23 << true;
        QTest::newRow("scale") << QByteArray(" scale=0.5") << 26 << true;
        QTest::newRow("scale below 0") << QByteArray(" scale=-0.5") << 26 << false;
        QTest::newRow("mask") << QByteArray(" attn_mask=p_w") << 26 << false;
    }
    void attentionIsOneNodeFromItsOpset()
    {
        QFETCH(const QByteArray, settings);
        QFETCH(const int, opset);
        QFETCH(const bool, isOne);
        Program program{{node("unsqueeze.default", "self=x dim=0", "a"), node("unsqueeze.default", "self=a dim=0", "b"),
                         node("scaled_dot_product_attention.default", "query=b key=b value=b" + settings, "y")},
                        "y",
                        ", \"a\": " + meta("1,2,2") + ", \"b\": " + meta("1,1,2,2")};
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const std::array<float, 4> x{1, 2, -3, 0.5F};
        const auto valuesAt = [&](int at, bool& hasOne) {
            ConvertOptions options;
            options.opset = at;
            options.shapes["x"] = {2, 2};
            const auto made = convert(*model.value().graph, options);
            if (!made) {
                return BoundsChecked<double>();
            }
            const auto& nodes = made.value().model.whole().proto->graph().node();
            hasOne =
                std::any_of(nodes.begin(), nodes.end(), [](const auto& one) { return one.op_type() == "Attention"; });
            const TemporaryFolder folder;
            return runOnnx(made.value().model.whole(), folder,
                           {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}})[0]
                .tensor.toDoubles();
        };
        bool hasOne = false;
        const auto wanted = valuesAt(17, hasOne);
        QVERIFY(!hasOne);
        const auto given = valuesAt(opset, hasOne);
        QCOMPARE(hasOne, isOne);
        QCOMPARE(given.size(), wanted.size());
        QCOMPARE(given.size(), std::size_t{4});
        for (std::size_t i = 0; i < given.size(); ++i) {
            QVERIFY(std::abs(given[i] - wanted[i]) < 1e-6);
        }
    }

    void warnsOfOtherSizes_data()
    {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<QStringList>("warnings");
        const QString exported = QStringLiteral("exported for size %1 at axis %2 of x, not for %3");
        QTest::newRow("sizes of the program") << Shape{8, 2} << QStringList();
        QTest::newRow("named size") << Shape{Dim("n"), 2} << QStringList();
        QTest::newRow("above the range") << Shape{9, 2} << QStringList{exported.arg("2 to 8").arg(0).arg(9)};
        QTest::newRow("below the range") << Shape{1, 2} << QStringList{exported.arg("2 to 8").arg(0).arg(1)};
        QTest::newRow("another fixed size") << Shape{3, Dim("n")} << QStringList{exported.arg(2).arg(1).arg("n")};
    }
    void warnsOfOtherSizes()
    {
        QFETCH(const Shape, shape);
        QFETCH(const QStringList, warnings);
        Program program{{node("relu.default", "self=x", "y")}, "y"};
        program.ranges = R"({"s0": {"min_val": 2, "max_val": 8}})";
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        ConvertOptions options;
        options.shapes["x"] = shape;
        const auto made = convert(*model.value().graph, options);
        QVERIFY(made);
        QStringList given;
        for (const Diagnostic& problem : made.value().problems) {
            QCOMPARE(problem.severity, Severity::Warning);
            given.append(QString::fromStdString(problem.message));
        }
        QCOMPARE(given.size(), warnings.size());
        for (qsizetype i = 0; i < given.size(); ++i) {
            QVERIFY2(given[i].contains(warnings[i]), qPrintable(given[i]));
        }
    }

    void refusesAnotherNumberOfDimensions()
    {
        const auto model = read({{node("relu.default", "self=x", "y")}, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        ConvertOptions options;
        options.shapes["x"] = Shape{2};
        const auto made = convert(*model.value().graph, options);
        QVERIFY(made);
        QCOMPARE(made.value().problems.size(), std::size_t{1});
        QCOMPARE(made.value().problems[0].severity, Severity::Error);
        QCOMPARE(made.value().problems[0].message,
                 std::string("the program was exported for 2 dimensions of x (s0x2), not for 1"));
    }

    void refusesValuesThatAreComputedTwice()
    {
        const auto model = read({{node("relu.default", "self=x", "y"), node("neg.default", "self=x", "y")}, "y"});
        QVERIFY(!model);
        QCOMPARE(model.problem().message, std::string("value y is computed twice"));
    }

    void refusesNumbers_data()
    {
        QTest::addColumn<QByteArrayList>("nodes");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const QByteArrayList& nodes, const QByteArray& message) {
            QTest::newRow(name) << nodes << message;
        };
        // 4 times the number of layers is 4 again in 64 bits.
        row("layers",
            {node("gru.input", "input=x hx=p_w params=p_w,p_w,p_w,p_w, num_layers=4611686018427387905", "y,h")},
            "the number of weights does not fit the number of layers");
        row("pads", {node("pad.default", "self=x pad=[-9223372036854775808,0]", "y")},
            "pad has the number -9223372036854775808, which is beyond 2147483647");
        row("padding of a convolution",
            {node("unsqueeze.default", "self=p_w dim=0", "u"),
             node("conv_transpose1d.default", "input=u weight=u padding=[9223372036854775807]", "y")},
            "padding has the number 9223372036854775807, which is beyond 2147483647");
        row("dilation of a window",
            {node("unsqueeze.default", "self=x dim=0", "u"),
             node("max_pool1d.default", "self=u kernel_size=[2] dilation=[9223372036854775807]", "y")},
            "dilation has the number 9223372036854775807, which is beyond 2147483647");
        row("a shape", {node("view.default", "self=x size=[4611686018427387905,4]", "y")},
            "a tensor of shape 4611686018427387905x4 has too many elements");
        row("a type", {node("scalar_tensor.default", "s=1.5 dtype=99", "y")},
            "dtype is a type that ONNX does not have");
        row("a size",
            {node("unsqueeze.default", "self=x dim=0", "u"),
             node("upsample_linear1d.vec", "input=u output_size=[0] align_corners=0", "y")},
            "the sizes are not positive numbers, one per dimension");
        row("parts of a number", {node("sum.default", "self=x", "s"), node("unbind.int", "self=s dim=0", "y,z")},
            "dim = 0 is outside the 0 dimensions of its input");
        row("groups without ends", {node("_grouped_mm.default", "self=x mat2=p_w", "y")},
            "needs the ends of the groups");
        row("more groups than matrices",
            {node("unsqueeze.default", "self=p_w dim=0", "m"), node("arange.start", "start=1 end=3 dtype=4", "o"),
             node("_grouped_mm.default", "self=x mat2=m offs=o", "y")},
            "1 matrices for 2 groups");
        row("more scales than dimensions",
            {node("unsqueeze.default", "self=p_w dim=0", "u"),
             node("upsample_nearest1d.vec", "input=u output_size=[3] scale_factors=[2,2]", "y")},
            "the scales are not positive numbers, one per dimension");
    }
    void refusesNumbers()
    {
        QFETCH(const QByteArrayList, nodes);
        QFETCH(const QByteArray, message);
        const auto model = read({nodes, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QCOMPARE(made.value().problems.size(), std::size_t{1});
        QCOMPARE(made.value().problems[0].severity, Severity::Error);
        QCOMPARE(QByteArray::fromStdString(made.value().problems[0].message), message);
    }

    void readsNamesAndWeights()
    {
        const auto model = read({{node("add.Tensor", "self=x other=p_w", "y")}, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        QCOMPARE(graph.inputs.size(), std::size_t{1});
        QCOMPARE(graph.value(graph.inputs[0]).name, std::string("x"));
        QCOMPARE(toString(*graph.value(graph.inputs[0]).type.shape), std::string("s0x2"));
        const Node& add = graph.node(NodeId{0});
        QCOMPARE(add.op, std::string("aten::add"));
        QCOMPARE(add.name, std::string("block/l/y"));
        QCOMPARE(graph.value(add.inputs[1]).name, std::string("w"));
        // Stride 1 along the first axis, from the second element of the storage.
        QCOMPARE(graph.tensorOf(add.inputs[1])->toDoubles(), (std::vector<double>{1, 3, 2, 4}));
    }

    void computes_data()
    {
        QTest::addColumn<QByteArrayList>("nodes");
        QTest::addColumn<std::vector<double>>("result");
        QTest::newRow("product") << QByteArrayList{node("matmul.default", "self=x other=p_w", "y")}
                                 << std::vector<double>{5, 11, 1, -1};
        QTest::newRow("a number is rounded to the tensor's type")
            << QByteArrayList{node("mul.Tensor", "self=x other=0.5", "y")} << std::vector<double>{0.5, 1, -1.5, 1};
        QTest::newRow("a multiple is added")
            << QByteArrayList{node("add.Tensor", "self=x other=x alpha=2", "y")} << std::vector<double>{3, 6, -9, 6};
        QTest::newRow("in place: what follows reads the result")
            << QByteArrayList{node("mul.Tensor", "self=x other=2", "a"), node("add_.Tensor", "self=a other=1", "b"),
                              node("mul.Tensor", "self=a other=1", "y")}
            << std::vector<double>{3, 5, -5, 5};
        QTest::newRow("in place: what precedes reads the old one")
            << QByteArrayList{node("mul.Tensor", "self=x other=2", "a"), node("neg.default", "self=a", "c"),
                              node("add_.Tensor", "self=a other=1", "b"), node("add.Tensor", "self=c other=a", "y")}
            << std::vector<double>{1, 1, 1, 1};
        QTest::newRow("in place: through the only view that is read")
            << QByteArrayList{node("mul.Tensor", "self=x other=2", "a"),
                              node("transpose.int", "self=a dim0=0 dim1=1", "v"),
                              node("add_.Tensor", "self=v other=1", "b"),
                              node("transpose.int", "self=v dim0=0 dim1=1", "y")}
            << std::vector<double>{3, 5, -5, 5};
        QTest::newRow("in place: an augmented assignment through a view")
            << QByteArrayList{node("gt.Scalar", "self=x other=-9", "m"),
                              node("gt.Scalar", "self=x other=1", "g"),
                              node("select.int", "self=m dim=0 index=0", "v"),
                              node("select.int", "self=g dim=0 index=0", "h"),
                              node("__iand__.Tensor", "self=v other=h", "i"),
                              node("where.ScalarOther", "condition=m self=x other=0.0", "y")}
            << std::vector<double>{0, 2, -3, 2};
        const QByteArray doubled = node("mul.Tensor", "self=x other=2", "a");
        const QByteArray given = node("mul.Tensor", "self=x other=2", "z");
        const QByteArrayList copying{node("clone.default", "self=a", "r")};
        const auto flag = [](const QByteArray& value) {
            return "{\"name\": \"\", \"kind\": 1, \"arg\": {\"as_bool\": " + value + "}}";
        };
        const auto operand = [](const QByteArray& name) {
            return "{\"name\": \"\", \"kind\": 1, \"arg\": " + tensor(name) + "}";
        };
        QTest::newRow("regions without gradients, whose names are their own")
            << QByteArrayList{controlNode("wrap_with_set_grad_enabled",
                                          {flag("false"), body({"a"}, {node("mul.Tensor", "self=a other=2", "r")}, "r"),
                                           operand("x")},
                                          "z"),
                              controlNode("wrap_with_set_grad_enabled",
                                          {flag("true"), body({"a"}, {node("add_.Tensor", "self=a other=1", "r")}, "r"),
                                           operand("z")},
                                          "r"),
                              node("add.Tensor", "self=z other=r", "y")}
            << std::vector<double>{6, 10, -10, 10};
        QTest::newRow("a region without autocast")
            << QByteArrayList{controlNode("wrap_with_autocast",
                                          {flag("true"), flag("true"), flag("false"), flag("true"),
                                           body({"a"}, {node("mul.Tensor", "self=a other=2", "r")}, "r"), operand("x")},
                                          "y")}
            << std::vector<double>{2, 4, -6, 4};
        QTest::newRow("in place: within a branch")
            << QByteArrayList{given, branch({node("clone.default", "self=a", "r"),
                                             node("select.int", "self=r dim=0 index=0", "v"),
                                             node("fill_.Scalar", "self=v value=7", "w")},
                                            copying, "z", "y")}
            << std::vector<double>{7, 7, -6, 4};
        QTest::newRow("in place: a branch writes to what is read after it")
            << QByteArrayList{given,
                              branch({node("add_.Tensor", "self=a other=1", "w"),
                                      node("mul.Tensor", "self=a other=3", "r")},
                                     copying, "z", "c"),
                              node("add.Tensor", "self=c other=z", "y")}
            << std::vector<double>{12, 20, -20, 20};
        QTest::newRow("in place: the other branch writes")
            << QByteArrayList{given,
                              branch(copying,
                                     {node("add_.Tensor", "self=a other=1", "w"),
                                      node("mul.Tensor", "self=a other=3", "r")},
                                     "z", "c"),
                              node("add.Tensor", "self=c other=z", "y")}
            << std::vector<double>{4, 8, -12, 8};
        QTest::newRow("in place: a branch writes to a view of what is read after it")
            << QByteArrayList{given, node("select.int", "self=z dim=0 index=0", "v"),
                              branch({node("add_.Tensor", "self=a other=1", "w"),
                                      node("mul.Tensor", "self=a other=3", "r")},
                                     copying, "v", "c"),
                              node("add.Tensor", "self=c other=z", "y")}
            << std::vector<double>{12, 20, 3, 19};
        QTest::newRow("in place: through a view whose base is read")
            << QByteArrayList{doubled, node("select.int", "self=a dim=0 index=0", "v"),
                              node("fill_.Scalar", "self=v value=7", "b"), node("neg.default", "self=a", "y")}
            << std::vector<double>{-7, -7, 6, -4};
        QTest::newRow("in place: a view sees a later write to its base")
            << QByteArrayList{doubled, node("select.int", "self=a dim=0 index=0", "v"),
                              node("add_.Tensor", "self=a other=1", "b"), node("neg.default", "self=v", "y")}
            << std::vector<double>{-3, -5};
        QTest::newRow("in place: a column that was split off sees a later write to its base")
            << QByteArrayList{doubled, node("hsplit.int", "self=a sections=2", "v,u"),
                              node("add_.Tensor", "self=a other=1", "b"), node("neg.default", "self=u", "y")}
            << std::vector<double>{-5, -5};
        QTest::newRow("in place: through an axis that was moved")
            << QByteArrayList{doubled, node("moveaxis.int", "self=a source=0 destination=1", "m"),
                              node("select.int", "self=m dim=0 index=1", "v"), node("zero_.default", "self=v", "b"),
                              node("alias.default", "self=a", "y")}
            << std::vector<double>{2, 0, -6, 0};
        QTest::newRow("in place: what dropout of another kind returns")
            << QByteArrayList{doubled, node("alpha_dropout.default", "input=a p=0.5 train=0", "d"),
                              node("add_.Tensor", "self=d other=1", "b"), node("neg.default", "self=a", "y")}
            << std::vector<double>{-3, -5, 5, -5};
        QTest::newRow("in place: through a view of a view")
            << QByteArrayList{doubled, node("permute.default", "self=a dims=[1,0]", "t"),
                              node("narrow.default", "self=t dim=0 start=1 length=1", "v"),
                              node("fill_.Scalar", "self=v value=7", "b"), node("alias.default", "self=a", "y")}
            << std::vector<double>{2, 7, -6, 7};
        QTest::newRow("in place: a write to the result of a write")
            << QByteArrayList{doubled, node("add_.Tensor", "self=a other=1", "b"),
                              node("mul_.Tensor", "self=b other=2", "c"), node("neg.default", "self=a", "y")}
            << std::vector<double>{-6, -10, 10, -10};
        QTest::newRow("in place: into a given tensor")
            << QByteArrayList{doubled, node("add.out", "self=x other=1 out=a", "b"), node("neg.default", "self=a", "y")}
            << std::vector<double>{-2, -3, 2, -3};
        QTest::newRow("in place: into a given view, which is an operand")
            << QByteArrayList{doubled, node("select.int", "self=a dim=0 index=0", "v"),
                              node("mul.out", "self=v other=3 out=v", "b"), node("add.Tensor", "self=a other=b", "y")}
            << std::vector<double>{12, 24, 0, 16};
        QTest::newRow("in place: into an integer tensor")
            << QByteArrayList{node("to.dtype", "self=x dtype=5", "a").replace("as_int", "as_scalar_type"),
                              node("mul.out", "self=x other=1.5 out=a", "b"), node("neg.default", "self=a", "y")}
            << std::vector<double>{-1, -3, 4, -3};
        QTest::newRow("in place: an unsafe part sees a later write to its base")
            << QByteArrayList{doubled, node("unsafe_chunk.default", "self=a chunks=2 dim=1", "v,u"),
                              node("add_.Tensor", "self=a other=1", "b"), node("neg.default", "self=u", "y")}
            << std::vector<double>{-5, -5};
        QTest::newRow("in place: another shape of the same memory")
            << QByteArrayList{doubled, node("select.int", "self=a dim=0 index=0", "v"),
                              node("unsqueeze_.default", "self=a dim=0", "u"),
                              node("add_.Tensor", "self=a other=1", "b"), node("sub.Tensor", "self=a other=v", "y")}
            << std::vector<double>{0, 0, -8, 0};
        QTest::newRow("in place: the diagonal")
            << QByteArrayList{node("clone.default", "self=p_w", "a"), node("diagonal.default", "self=a", "v"),
                              node("zero_.default", "self=v", "b"), node("alias.default", "self=a", "y")}
            << std::vector<double>{0, 3, 2, 0};
        QTest::newRow("sums along an axis")
            << QByteArrayList{node("cumsum.default", "self=x dim=1", "y")} << std::vector<double>{1, 3, -3, -1};
        QTest::newRow("a part replaced") << QByteArrayList{node("select.int", "self=p_w dim=0 index=1", "r"),
                                                           node("select_scatter.default", "self=x src=r dim=1 index=-1",
                                                                "y")}
                                         << std::vector<double>{1, 2, -3, 4};
        QTest::newRow("a floor rounds down")
            << QByteArrayList{node("floor_divide.default", "self=x other=2", "y")} << std::vector<double>{0, 1, -2, 1};
        const auto one = [](const char* name, const QByteArray& target, const QByteArray& arguments,
                            const std::vector<double>& result) {
            QTest::newRow(name) << QByteArrayList{node(target, arguments, "y")} << result;
        };
        one("products along an axis", "cumprod.default", "self=x dim=1", {1, 2, -3, -6});
        one("the place of the last maximum", "cummax.default", "self=x dim=1", {1, 2, -3, 2});
        one("differences of neighbours", "diff.default", "self=x", {1, 5});
        one("another sign", "copysign.Scalar", "self=x other=-1.0", {-1, -2, -3, -2});
        one("rounded to tens", "round.decimals", "self=x decimals=-1", {0, 0, 0, 0});
        one("the k-th smallest", "kthvalue.default", "self=x k=1 dim=1", {1, -3});
        one("the lower of two in the middle", "median.dim", "self=x dim=0", {-3, 2});
        one("the most frequent", "mode.default", "self=x dim=0", {-3, 2});
        one("a norm of all elements", "norm.Scalar", "self=x p=1", {8});
        one("a norm of matrices", "linalg_matrix_norm.default", "self=x ord=1", {4});
        one("distances of all rows", "cdist.default", "x1=x x2=p_w p=1.0", {1, 3, 5, 7});
        one("different elements", "_unique2.default", "self=x", {-3, 1, 2});
        one("steps", "heaviside.default", "self=x values=p_w", {1, 1, 0, 1});
        one("a quarter turn", "rot90.default", "self=x", {2, 2, 1, -3});
        one("each element twice", "repeat_interleave.self_int", "self=x repeats=2 dim=1", {1, 1, 2, 2, -3, -3, 2, 2});
        one("elements by strides", "as_strided.default", "self=p_w size=[2] stride=[2] storage_offset=1", {3, 4});
        one("an outer axis summed", "tensordot.default", "self=x other=p_w dims_self=[0] dims_other=[0]",
            {-5, -9, 6, 14});
        one("one value on the diagonal", "fill_diagonal_.default", "self=p_w fill_value=9", {9, 3, 2, 9});
        one("equal steps", "linspace.default", "start=0 end=3 steps=4", {0, 1, 2, 3});
        one("powers as integers", "logspace.default", "start=0.5 end=2.5 steps=3 base=10.0 dtype=5", {1, 10, 100});
        one("one power as an integer", "logspace.default", "start=0.5 end=2.5 steps=1 base=10.0 dtype=5", {3});
        QTest::newRow("powers up to an input, as integers")
            << QByteArrayList{node("max.default", "self=x", "m"), node("add.Tensor", "self=m other=0.5", "e"),
                              node("logspace.Scalar_Tensor", "start=0.5 end=e steps=3 base=10.0 dtype=5", "y")}
            << std::vector<double>{1, 10, 100};
        QTest::newRow("a slope of a scalar")
            << QByteArrayList{node("min.default", "self=x", "m"), node("full.default", "size=[1] fill_value=0.5", "w"),
                              node("prelu.default", "self=m weight=w", "y")}
            << std::vector<double>{-1.5};
        one("a matrix of products", "kron.default", "self=p_w other=p_w",
            {1, 3, 3, 9, 2, 4, 6, 12, 2, 6, 4, 12, 4, 8, 8, 16});
        QTest::newRow("a product of complex numbers")
            << QByteArrayList{node("view_as_complex.default", "self=x", "a"), node("mul.Tensor", "self=a other=a", "b"),
                              node("view_as_real.default", "self=b", "y")}
            << std::vector<double>{-3, 4, 5, -12};
        const auto complex = [](const char* name, const QByteArray& target, const QByteArray& arguments,
                                const std::vector<double>& result) {
            QTest::newRow(name) << QByteArrayList{node("view_as_complex.default", "self=x", "a"),
                                                  node(target, arguments, "b"),
                                                  node("view_as_real.default", "self=b", "y")}
                                << result;
        };
        complex("a product with a complex number of the program", "mul.Tensor", "self=a other=2+1j", {0, 5, -8, 1});
        complex("a complex number of the program added", "add.Tensor", "self=a other=0+1j", {1, 3, -3, 3});
        complex("a quotient by a complex number of the program", "div.Tensor", "self=a other=0+1j", {2, -1, 2, 3});
        complex("a real number minus complex ones", "sub.Tensor", "self=2 other=a", {1, -2, 5, -2});
        complex("a real number minus a multiple of complex ones", "rsub.Scalar", "self=a other=2 alpha=2",
                {0, -4, 8, -4});
        QTest::newRow("a real tensor in the shape of a complex one")
            << QByteArrayList{node("view_as_complex.default", "self=x", "a"),
                              node("select.int", "self=x dim=0 index=0", "r"),
                              node("view_as.default", "self=r other=a", "b"), node("add.Tensor", "self=x other=b", "y")}
            << std::vector<double>{2, 4, -2, 4};
        QTest::newRow("the magnitudes of a spectrum")
            << QByteArrayList{node("fft_rfft.default", "self=x dim=1", "a"), node("abs.default", "self=a", "y")}
            << std::vector<double>{3, 1, 1, 5};
        one("a margin between distances", "triplet_margin_loss.default",
            "anchor=x positive=p_w negative=x p=1.0 eps=0.0", {5});
        QTest::newRow("a loss of cosines")
            << QByteArrayList{node("select.int", "self=p_w dim=0 index=0", "r"), node("neg.default", "self=x", "m"),
                              node("cosine_embedding_loss.default", "input1=x input2=m target=r", "y")}
            << std::vector<double>{1};
        one("a power of an inverse", "linalg_matrix_power.default", "self=p_w n=-1", {-2, 1.5, 1, -0.5});
        one("the mean of squares", "mse_loss.default", "self=x target=p_w", {7.5});
        one("a loss of each element", "l1_loss.default", "self=x target=p_w reduction=0", {0, 1, 5, 2});
        one("rounded to steps", "fake_quantize_per_tensor_affine.default",
            "self=x scale=0.5 zero_point=0 quant_min=-4 quant_max=3", {1, 1.5, -2, 1.5});
        one("the end before the start", "_pad_circular.default", "self=x pad=[1,0]", {2, 1, 2, 2, -3, 2});
        one("edges cropped", "replication_pad1d.default", "self=x padding=[1,-1]", {1, 1, -3, -3});
        one("the mean of random slopes", "rrelu.default", "self=x lower=0.25 upper=0.75", {1, 2, -1.5, 2});
        QTest::newRow("the mean of random slopes, and the noise")
            << QByteArrayList{node("rrelu_with_noise_functional.default", "self=x noise=p_w lower=0.25 upper=0.75",
                                   "r,n"),
                              node("add.Tensor", "self=r other=n", "y")}
            << std::vector<double>{2, 5, 0.5, 6};
        QTest::newRow("rounded to steps, and where they are within the integers")
            << QByteArrayList{node("fake_quantize_per_tensor_affine_cachemask.default",
                                   "self=x scale=0.5 zero_point=0 quant_min=-4 quant_max=3", "q,m"),
                              node("masked_fill.Scalar", "self=q mask=m value=7", "y")}
            << std::vector<double>{7, 1.5, -2, 1.5};
        const auto roundedIf = [](const char* name, int enabled, const std::vector<double>& result) {
            QTest::newRow(name) << QByteArrayList{node("full.default",
                                                       "size=[1] fill_value=" + QByteArray::number(enabled), "e"),
                                                  node("full.default", "size=[1] fill_value=0.5", "s"),
                                                  node("full.default", "size=[1] fill_value=0", "z"),
                                                  node("_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
                                                       "self=x scale=s zero_point=z fake_quant_enabled=e "
                                                       "quant_min=-4 quant_max=3",
                                                       "q,m"),
                                                  node("add.Tensor", "self=q other=m", "y")}
                                << result;
        };
        roundedIf("rounded to steps if enabled", 1, {2, 1.5, -2, 1.5});
        roundedIf("rounded to steps unless disabled", 0, {2, 3, -2, 3});
        one("a sum over an axis of three operands", "_trilinear.default",
            "i1=x i2=p_w i3=x expand1=[1] expand2=[0] expand3=[2] sumdim=[2]", {7, 20, -9, 4});
        QTest::newRow("elements of another type")
            << QByteArrayList{node("mul.Tensor", "self=x other=0.75", "a"),
                              node("convert_element_type.default", "a=a dtype=5", "b").replace("ops.aten", "ops.prims"),
                              node("mul.Tensor", "self=b other=x", "y")}
            << std::vector<double>{0, 2, 6, 2};
        one("a diagonal outside of the matrix", "diagonal.default",
            "self=p_w offset=-9223372036854775808 dim1=0 dim2=1", {});
        QTest::newRow("more chunks than elements")
            << QByteArrayList{node("chunk.default", "self=p_w chunks=9223372036854775807 dim=1", "a,b"),
                              node("sub.Tensor", "self=a other=b", "y")}
            << std::vector<double>{-2, -2};
        QTest::newRow("a check that is ordered by tokens")
            << QByteArrayList{node("linalg_inv_ex.default", "A=p_w", "i,s"),
                              R"({"target": "torch.ops.higher_order.with_effects", "metadata": {}, "inputs": [)"
                              R"({"name": "", "arg": {"as_tensor": {"name": "token"}}, "kind": 1}, )"
                              R"({"name": "", "arg": {"as_operator": "torch.ops.aten._linalg_check_errors.default"}, )"
                              R"("kind": 1}, {"name": "", "arg": {"as_tensor": {"name": "s"}}, "kind": 1}, )"
                              R"({"name": "", "arg": {"as_string": "linalg.inv"}, "kind": 1}], )"
                              R"("outputs": [{"as_tensor": {"name": "next"}}, {"as_none": true}]})",
                              node("matmul.default", "self=i other=p_w", "y")}
            << std::vector<double>{1, 0, 0, 1};
        QTest::newRow("a remainder has the sign of the divisor")
            << QByteArrayList{node("remainder.Scalar", "self=x other=2", "y")} << std::vector<double>{1, 0, 1, 0};
        const QByteArray matrices =
            node("mul.Tensor", "self=p_w other=2", "d") + ',' + node("stack.default", "tensors=p_w,d, dim=0", "m");
        const QByteArray stacked =
            node("mul.Tensor", "self=x other=2", "d") + ',' + node("stack.default", "tensors=x,d, dim=0", "m");
        const QByteArray ends = node("arange.start", "start=1 end=3 dtype=4", "o");
        QTest::newRow("groups of rows multiplied by matrices")
            << QByteArrayList{matrices, ends, node("_grouped_mm.default", "self=x mat2=m offs=o", "y")}
            << std::vector<double>{5, 11, 2, -2};
        QTest::newRow("groups that end before the last row")
            << QByteArrayList{node("unsqueeze.default", "self=p_w dim=0", "m"),
                              node("arange.start", "start=1 end=2 dtype=4", "o"),
                              node("_grouped_mm.default", "self=x mat2=m offs=o", "y")}
            << std::vector<double>{5, 11, 0, 0};
        QTest::newRow("matrices multiplied by groups of columns")
            << QByteArrayList{stacked, ends, node("_grouped_mm.default", "self=m mat2=p_w offs=o", "y")}
            << std::vector<double>{5, 22, 1, -2};
        QTest::newRow("products over groups of the summed axis, one of which is empty")
            << QByteArrayList{node("arange.start", "start=0 end=3 dtype=4", "o"),
                              node("_grouped_mm.default", "self=x mat2=p_w offs=o", "g"),
                              node("sum.dim_IntList", "self=g dim=[0]", "y")}
            << std::vector<double>{5, 11, 1, -1};
        QTest::newRow("as many matrices multiplied by as many")
            << QByteArrayList{stacked, node("stack.default", "tensors=p_w,p_w, dim=0", "n"),
                              node("_grouped_mm.default", "self=m mat2=n", "b"),
                              node("select.int", "self=b dim=0 index=1", "y")}
            << std::vector<double>{10, 22, 2, -2};
    }
    void computes()
    {
        QFETCH(const QByteArrayList, nodes);
        QFETCH(const std::vector<double>, result);
        const auto model = read({nodes, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QVERIFY2(!made.value().hasErrors(),
                 made.value().problems.empty() ? "" : made.value().problems[0].message.c_str());
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        const auto outputs =
            runOnnx(made.value().model.whole(), folder, {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}});
        QCOMPARE(outputs[0].name, std::string("y"));
        QCOMPARE(outputs[0].tensor.toDoubles(), result);
    }

    /// The weight of a linear layer that another node reads too is stored once.
    void sharedWeightsAreStoredOnce()
    {
        const auto model =
            read({{node("unsqueeze.default", "self=x dim=0", "u"), node("linear.default", "input=u weight=p_w", "l"),
                   node("add.Tensor", "self=l other=p_w", "y")},
                  "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made && made.value().problems.empty());
        const auto isMatrix = [](const Tensor& weight) { return isFloating(weight.type()) && weight.elements() == 4; };
        QCOMPARE(std::ranges::count_if(made.value().model.whole().weights, isMatrix), 1);
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        const auto outputs =
            runOnnx(made.value().model.whole(), folder, {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}});
        QCOMPARE(outputs[0].tensor.dims(), (std::vector<std::int64_t>{1, 2, 2}));
        QCOMPARE(outputs[0].tensor.toDoubles(), (std::vector<double>{8, 13, 5, 6}));
    }

    void writesThroughViewsOfContiguousTensors_data()
    {
        QTest::addColumn<QByteArrayList>("views"); ///< of a
        QTest::addColumn<QByteArray>("base");
        QTest::addColumn<std::vector<double>>("wanted");
        QTest::newRow("another shape") << QByteArrayList{node("reshape.default", "self=a shape=[4]", "v")}
                                       << QByteArray("x") << std::vector<double>{7, 14, -21, 14};
        QTest::newRow("by strides") << QByteArrayList{node("as_strided.default",
                                                           "self=a size=[2] stride=[2] storage_offset=1", "v")}
                                    << QByteArray("p_w") << std::vector<double>{2, 14, -12, 14};
    }
    /// Such a view depends on the order of the elements in memory.
    void writesThroughViewsOfContiguousTensors()
    {
        QFETCH(const QByteArrayList, views);
        QFETCH(const QByteArray, base);
        QFETCH(const std::vector<double>, wanted);
        Program program{
            QByteArrayList{node("mul.Tensor", "self=" + base + " other=2", "a")} + views +
                QByteArrayList{node("fill_.Scalar", "self=v value=7", "b"), node("mul.Tensor", "self=a other=x", "y")},
            "y"};
        program.values =
            ", \"a\": " + meta("2,2").replace("\"strides\": []", "\"strides\": [{\"as_int\": 2}, {\"as_int\": 1}]");
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QVERIFY2(!made.value().hasErrors(),
                 made.value().problems.empty() ? "" : made.value().problems[0].message.c_str());
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        const auto outputs =
            runOnnx(made.value().model.whole(), folder, {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}});
        QCOMPARE(outputs[0].tensor.toDoubles(), wanted);
        // Transposed, the elements have another order.
        program.values.replace("{\"as_int\": 2}, {\"as_int\": 1}]", "{\"as_int\": 1}, {\"as_int\": 2}]");
        const auto transposed = read(program);
        QVERIFY(transposed);
        const auto refused = convert(*transposed.value().graph, {});
        QVERIFY(refused && refused.value().hasErrors());
    }

    void writesToConvertedTensors_data()
    {
        QTest::addColumn<int>("type"); ///< of the result
        QTest::addColumn<QByteArray>("copy");
        QTest::addColumn<std::vector<double>>("wanted");
        QTest::newRow("the same type: the same tensor") << 7 << QByteArray() << std::vector<double>{-7, -7, -7, -7};
        QTest::newRow("the same type, copied") << 7 << QByteArray(" copy=1.") << std::vector<double>{-2, -4, 6, -4};
        QTest::newRow("another type") << 8 << QByteArray() << std::vector<double>{-2, -4, 6, -4};
    }
    void writesToConvertedTensors()
    {
        QFETCH(const int, type);
        QFETCH(const QByteArray, copy);
        QFETCH(const std::vector<double>, wanted);
        Program program{{node("mul.Tensor", "self=x other=2", "a"),
                         node("to.dtype", "self=a dtype=" + QByteArray::number(type) + copy, "v")
                             .replace("\"as_float\": 1.", "\"as_bool\": true"),
                         node("fill_.Scalar", "self=v value=7", "b"), node("neg.default", "self=a", "y")},
                        "y"};
        program.values = ", \"a\": " + meta("2,2") + ", \"v\": " + meta("2,2", type);
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QVERIFY2(!made.value().hasErrors(),
                 made.value().problems.empty() ? "" : made.value().problems[0].message.c_str());
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        const auto outputs =
            runOnnx(made.value().model.whole(), folder, {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}});
        QCOMPARE(outputs[0].tensor.toDoubles(), wanted);
    }

    /// The metadata of the model lists the devices of its tensors and its buffers.
    void namesDevicesAndBuffers()
    {
        Program program{{node("mul.Tensor", "self=x other=p_w", "y")}, "y"};
        program.values = ", \"y\": " + meta("s0,2").replace("\"strides\"", "\"device\": {\"type\": \"cuda\", "
                                                                           "\"index\": 0}, \"strides\"");
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const Graph& graph = *model.value().graph;
        QCOMPARE(graph.metadata.at("device"), std::string("cuda:0"));
        const auto* device = attributeOf<std::string>(graph.node(NodeId{0}), "device");
        QVERIFY(device != nullptr);
        QCOMPARE(*device, std::string("cuda:0"));
        QVERIFY(!graph.metadata.contains("buffers"));
        Program buffered = program;
        buffered.isBuffer = true;
        const auto other = read(buffered);
        QVERIFY2(other, other ? "" : other.problem().message.c_str());
        QCOMPARE(other.value().graph->metadata.at("buffers"), std::string("w"));
    }

    /// Outputs that share memory have the same elements after the last write, and each its own name.
    void outputsOfOneMemoryKeepTheirNames()
    {
        const auto model = read({{node("mul.Tensor", "self=x other=2", "a"), node("add_.Tensor", "self=a other=1", "b"),
                                  node("alias.default", "self=b", "c"), node("neg_.default", "self=b", "d"),
                                  node("alias.default", "self=d", "e")},
                                 "d,c,a,e,c"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made && made.value().problems.empty());
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        const auto outputs =
            runOnnx(made.value().model.whole(), folder, {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}});
        std::vector<std::string> names;
        for (const auto& output : outputs) {
            names.push_back(output.name);
            QCOMPARE(output.tensor.toDoubles(), (std::vector<double>{-3, -5, 5, -5}));
        }
        QCOMPARE(names, (std::vector<std::string>{"d", "c", "a", "e", "c#2"}));
    }

    void refusesWritesToMemoryThatMayBeShared_data()
    {
        QTest::addColumn<QByteArray>("view");
        QTest::newRow("another shape") << node("reshape.default", "self=a shape=[4]", "v");
        QTest::newRow("the only one of a list") << node("chain_matmul.default", "matrices=a,", "v");
        QTest::newRow("a conjugate") << node("conj_physical.default", "self=a", "v");
    }
    void refusesWritesToMemoryThatMayBeShared()
    {
        QFETCH(const QByteArray, view);
        const auto model = read({{node("mul.Tensor", "self=x other=2", "a"), view,
                                  node("fill_.Scalar", "self=v value=7", "b"), node("neg.default", "self=a", "y")},
                                 "y"});
        QVERIFY(model);
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QVERIFY(made.value().hasErrors());
        QCOMPARE(made.value().problems[0].code, Code("unsupported-operator"));
        QCOMPARE(made.value().problems[0].nodeIndex, std::optional<std::uint32_t>(2));
    }

    /// A buffer that is a part of another one: 1 row of 2, from the same element on.
    void refusesWritesToMemoryOfAnotherBuffer_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("the same") << QByteArray("weight_0") << true;
        QTest::newRow("another") << QByteArray("weight_1") << false;
    }
    void refusesWritesToMemoryOfAnotherBuffer()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const bool, isRefused);
        Program program{{node("add_.Tensor", "self=p_w other=x", "a"), node("mul.Tensor", "self=p_v other=1.0", "y")},
                        "y"};
        const QByteArray row = QByteArray(program.weight)
                                   .replace("\"w\"", "\"v\"")
                                   .replace("weight_0", file)
                                   .replace("[{\"as_int\": 2}, {\"as_int\": 2}]", "[{\"as_int\": 1}, {\"as_int\": 2}]");
        program.weight = program.weight.chopped(1) + "," + row.sliced(1);
        program.second = "v";
        const auto model = read(program);
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QCOMPARE(made.value().hasErrors(), isRefused);
        if (isRefused) {
            QCOMPARE(made.value().problems[0].nodeIndex, std::optional<std::uint32_t>(0));
            QVERIFY(made.value().problems[0].message.find("memory that v may share") != std::string::npos);
        }
    }

    /// The message names the operator that has no form, besides those that have one.
    void namesOperatorsOfComplexNumbers()
    {
        const auto model = read({{node("view_as_complex.default", "self=x", "a"), node("prod.default", "self=a", "b"),
                                  node("abs.default", "self=b", "y")},
                                 "y"});
        QVERIFY(model);
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QVERIFY(std::ranges::any_of(made.value().problems, [](const Diagnostic& problem) {
            return problem.message == "aten::prod of complex numbers is not supported" &&
                   problem.nodeIndex == std::optional<std::uint32_t>(1);
        }));
    }

    /// Operators whose only effect is a write, or which may write: an operator of another library whose result nothing
    /// reads.
    void refusesWritesOfUnknownOperators_data()
    {
        QTest::addColumn<QByteArray>("writer");
        QTest::newRow("of a list of tensors")
            << node("_foreach_add_.Scalar", "self=a, scalar=1.0", "b").replace(tensor("b"), "");
        QTest::newRow("without a result")
            << node("bump.default", "x=x y=a", "b").replace(tensor("b"), "").replace(".aten.", ".lib.");
        QTest::newRow("with a result that nothing reads")
            << node("bump.default", "x=x y=a", "b").replace(".aten.", ".lib.");
    }
    void refusesWritesOfUnknownOperators()
    {
        QFETCH(const QByteArray, writer);
        const auto model =
            read({{node("mul.Tensor", "self=x other=2", "a"), writer, node("mul.Tensor", "self=a other=1", "y")}, "y"});
        QVERIFY(model);
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        QVERIFY(made.value().hasErrors());
        QCOMPARE(made.value().problems[0].nodeIndex, std::optional<std::uint32_t>(1));
    }

    void refusesWritesToSeveralGivenTensors()
    {
        const auto model = read(
            {{node("mul.Tensor", "self=x other=2", "a"), node("neg.default", "self=x", "b"),
              node("aminmax.out", "self=x dim=1 keepdim=1 min=a max=b", "c,d"), node("neg.default", "self=a", "y")},
             "y"});
        QVERIFY(model);
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made && made.value().hasErrors());
        QCOMPARE(made.value().problems[0].code, Code("unsupported-operator"));
        QCOMPARE(made.value().problems[0].nodeIndex, std::optional<std::uint32_t>(2));
    }

    void refusesWritesOfBodies_data()
    {
        QTest::addColumn<QByteArrayList>("nodes");
        QTest::addColumn<std::uint32_t>("inBody");
        QTest::addColumn<std::uint32_t>("index");
        const QByteArray given = node("mul.Tensor", "self=x other=2", "z");
        const QByteArrayList copying{node("clone.default", "self=a", "r")};
        QTest::newRow("what may be an operand of a branch")
            << QByteArrayList{given, branch({node("reshape.default", "self=a shape=[4]", "v"),
                                             node("fill_.Scalar", "self=v value=7", "w"),
                                             node("clone.default", "self=a", "r")},
                                            copying, "z", "y")}
            << 3U << 1U;
        QTest::newRow("an operand of a loop")
            << QByteArrayList{given,
                              controlNode("map_impl",
                                          {body({"a"}, {node("add_.Tensor", "self=a other=1", "w"), copying[0]}, "r"),
                                           operands({"z"}), operands({})},
                                          "y")}
            << 1U << 0U;
        QTest::newRow("what a branch returns a view of")
            << QByteArrayList{given,
                              branch({node("select.int", "self=a dim=0 index=0", "r")},
                                     {node("select.int", "self=a dim=0 index=1", "r")}, "z", "c"),
                              node("add_.Tensor", "self=z other=1", "w"), node("neg.default", "self=c", "y")}
            << 4U << 0U;
    }
    void refusesWritesOfBodies()
    {
        QFETCH(const QByteArrayList, nodes);
        QFETCH(const std::uint32_t, inBody);
        QFETCH(const std::uint32_t, index);
        const auto model = read({nodes, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made && made.value().hasErrors());
        const Diagnostic& problem = made.value().problems[0];
        QCOMPARE(problem.code, Code("unsupported-operator"));
        QCOMPARE(problem.nodeIndex, std::optional(inBody));
        QCOMPARE(problem.indexInBody, index);
        QCOMPARE(problem.path.empty(), index == 0 && inBody == 4);
    }

    void writtenWeightsAreStates()
    {
        const auto model =
            read({{node("add_.Tensor", "self=p_w other=1", "b"), node("mul.Tensor", "self=x other=p_w", "y")}, "y"});
        QVERIFY(model);
        const auto alone = convert(*model.value().graph, {});
        QVERIFY(alone && !alone.value().hasErrors());
        QCOMPARE(alone.value().problems.size(), std::size_t{1});
        QCOMPARE(alone.value().problems[0].code, Code("state-not-exported"));

        ConvertOptions options;
        options.outputs = {"y", "w"};
        const auto made = convert(*model.value().graph, options);
        QVERIFY(made && made.value().problems.empty());
        QCOMPARE(made.value().states, (std::map<std::string, std::string>{{"w", "w/next"}}));
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        const std::vector<float> w{0, 1, 2, 3};
        const auto outputs = runOnnx(made.value().model.whole(), folder,
                                     {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)},
                                      {"w", Tensor::of<float>(ElementType::Float32, {2, 2}, w)}});
        QCOMPARE(outputs[0].tensor.toDoubles(), (std::vector<double>{1, 4, -9, 8}));
        QCOMPARE(outputs[1].name, std::string("w/next"));
        QCOMPARE(outputs[1].tensor.toDoubles(), (std::vector<double>{1, 2, 3, 4}));
    }

    /// A tensor that the program writes to afterwards: the program returns what it wrote, and an output that the user
    /// names is the value of the node.
    void outputsOfTheUserAreReadWhereTheyAreComputed()
    {
        const TemporaryFolder folder;
        const Tensor x = Tensor::of<float>(ElementType::Float32, {2, 2}, std::vector<float>{1, 2, -3, 2});
        const auto computed = [&](const char* returned) {
            const auto model =
                read({{node("relu.default", "self=x", "a"), node("select.int", "self=a dim=0 index=0", "v"),
                       node("mul_.Tensor", "self=a other=3", "b")},
                      returned});
            ConvertOptions options;
            options.outputs = {"a", "v", "b"};
            std::vector<std::vector<double>> values;
            const Conversion made = convert(*model.value().graph, options).value();
            for (const auto& output : runOnnx(made.model.whole(), folder, {{"x", x}})) {
                values.push_back(output.tensor.toDoubles());
            }
            return values;
        };
        const std::vector<double> before{1, 2, 0, 2};
        const std::vector<double> after{3, 6, 0, 6};
        QCOMPARE(computed("b"), (std::vector<std::vector<double>>{before, {1, 2}, after}));
        QCOMPARE(computed("a"), (std::vector<std::vector<double>>{after, {1, 2}, after}));
        QCOMPARE(computed("v"), (std::vector<std::vector<double>>{before, {3, 6}, after}));
    }

    void nodesHaveThePlaceInTheirProgram()
    {
        const QByteArray file = "  File \\\"";
        const QByteArray calls = file + "/m/net.py\\\", line 15, in forward\\n    return f(x)\\n" + file +
                                 "/v/site-packages/torch/nn/functional.py\\\", line 9, in f\\n    return -x";
        const QByteArray call =
            node("neg.default", "self=x", "y")
                .replace("\"nn_module_stack\"", "\"stack_trace\": \"" + calls + "\", \"nn_module_stack\"");
        const auto model = read({{call}, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto* location = attributeOf<std::string>(model.value().graph->node(NodeId{0}), sourceLocationAttribute);
        QVERIFY(location != nullptr);
        QCOMPARE(*location, std::string("/m/net.py:15"));
        const auto made = convert(*model.value().graph, {});
        QVERIFY(made);
        const auto& entries = made.value().model.whole().proto->graph().node(0).metadata_props();
        QVERIFY(std::ranges::any_of(entries, [](const auto& entry) {
            return entry.key() == sourceLocationKey && entry.value() == "/m/net.py:15";
        }));
    }

    void nodesOfNoModuleHaveNoPath()
    {
        const QByteArray placeholder = "_empty_nn_module_stack_from_metadata_hook";
        const QByteArray call =
            node("neg.default", "self=x", "y")
                .replace("L__self__,,M;L__self__l,block.l,L", placeholder + "," + placeholder + "," + placeholder);
        const auto model = read({{call}, "y"});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        QCOMPARE(model.value().graph->node(NodeId{0}).name, std::string("y"));
    }

    void rejectsDamage_data()
    {
        QTest::addColumn<QByteArrayList>("nodes");
        QTest::addColumn<QByteArray>("weight");
        QTest::addColumn<int>("version");
        QTest::addColumn<QByteArray>("code");
        const Program whole{{node("neg.default", "self=x", "y")}, "y"};
        const auto with = [&](const char* from, const char* to) { return QByteArray(whole.weight).replace(from, to); };
        QTest::newRow("a newer schema") << whole.nodes << whole.weight << 9 << QByteArray("unsupported-version");
        QTest::newRow("a value that nothing computes")
            << QByteArrayList{node("neg.default", "self=z", "y")} << whole.weight << 8 << QByteArray("damaged");
        QTest::newRow("an output that nothing computes")
            << QByteArrayList{node("neg.default", "self=x", "z")} << whole.weight << 8 << QByteArray("damaged");
        QTest::newRow("an argument twice") << QByteArrayList{node("add.Scalar", "self=x other=1 other=2", "y")}
                                           << whole.weight << 8 << QByteArray("damaged");
        QTest::newRow("a view that leaves its storage")
            << whole.nodes << with("\"as_int\": 1}}}", "\"as_int\": 2}}}") << 8 << QByteArray("damaged");
        QTest::newRow("a negative stride")
            << whole.nodes << with("\"strides\": [{\"as_int\": 1}", "\"strides\": [{\"as_int\": -1}") << 8
            << QByteArray("damaged");
        QTest::newRow("huge sizes") << whole.nodes
                                    << with("\"sizes\": [{\"as_int\": 2}",
                                            "\"sizes\": [{\"as_int\": 9223372036854775807}")
                                    << 8 << QByteArray("damaged");
        QTest::newRow("complex numbers of half precision")
            << whole.nodes << with("\"dtype\": 7", "\"dtype\": 9") << 8 << QByteArray("not-convertible");
        QTest::newRow("no such file") << whole.nodes << with("weight_0", "weight_2") << 8 << QByteArray("unreadable");
        QTest::newRow("a path out of the archive")
            << whole.nodes << with("weight_0", "../../../../etc/passwd") << 8 << QByteArray("damaged");
    }
    void rejectsDamage()
    {
        QFETCH(const QByteArrayList, nodes);
        QFETCH(const QByteArray, weight);
        QFETCH(const int, version);
        QFETCH(const QByteArray, code);
        const auto model = read({.nodes = nodes, .output = "y", .values = {}, .weight = weight, .version = version});
        QVERIFY(!model);
        QCOMPARE(QByteArray::fromStdString(std::string(model.problem().code.text())), code);
    }

private:
    Result<LoadedModel> read(const Program& program)
    {
        ReadRequest request;
        request.model = m_files->write("model.pt2", program.archive());
        return readModel(request);
    }

    std::unique_ptr<TemporaryFiles> m_files;
};

QTEST_APPLESS_MAIN(TestPytorchProgram)
#include "tst_pytorch_program.moc"
