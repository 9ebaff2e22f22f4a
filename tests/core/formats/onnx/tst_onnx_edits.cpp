// What can be asked of an ONNX source besides other shapes: another opset, other names, a part of it. Each is run.

#include "core/convert/model_part.h"
#include "core/rewrite/extract.h"
#include "core/rewrite/rename_ports.h"
#include "tests/support/onnx_run.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Tensor ramp(std::vector<std::int64_t> dims)
{
    std::vector<float> values;
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>((i * 7) % 11) / 4.0F - 1.0F);
    }
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values);
}

constexpr const char* branching =
    R"(g (float[2,3] x, bool c) => (float[2,3] y, float[2,3] z) <float[3] w = {1, 2, 3}, float[3] v = {4, 5, 6}> {
    [a] a = Add(x, w)
    [b] b = Relu(a)
    [i] y = If (c) <
        then_branch = t () => (float[2,3] p) { p = Mul(b, v) },
        else_branch = e () => (float[2,3] q) { q = Neg(a) }
    >
    [n] z = Neg(b)
})";

} // namespace

class TestOnnxEdits : public QObject {
    Q_OBJECT
private slots:
    void anotherOpsetComputesTheSame_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("opset");
        const auto rows = [](const char* name, const char* text, std::initializer_list<int> opsets) {
            for (const int opset : opsets) {
                QTest::addRow("%s to %d", name, opset) << QString::fromLatin1(text) << opset;
            }
        };
        rows("axes", R"(g (float[2,3] x) => (float[3] y) <int64[1] a = {0}> {
            u = Unsqueeze(x, a)
            s = ReduceSum<keepdims = 0>(u, a)
            m = ReduceMax<axes = [0], keepdims = 0>(s)
            y = Clip(m)
        })",
             {13, 14, 18, 21, 26});
        rows("pieces", R"(g (float[2,6] x) => (float[2,3] y) <int64[2] n = {3, 3}> {
            a, b = Split<axis = 1>(x, n)
            l = Less(a, b)
            c = Where(l, a, b)
            y = Softmax<axis = -1>(c)
        })",
             {13, 18, 26});
        rows("pooling", R"(g (float[1,2,5,5] x) => (float[1,2,2,2] y) {
            a = AveragePool<kernel_shape = [2, 2], strides = [2, 2]>(x)
            b = HardSwish(a)
            y = LeakyRelu<alpha = 0.2>(b)
        })",
             {14, 19, 22, 26});
    }
    void anotherOpsetComputesTheSame()
    {
        QFETCH(QString, text);
        QFETCH(int, opset);
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, text.toStdString());
        const TensorType type = fromProto(model.proto->graph().input(0).type());
        std::vector<std::int64_t> dims;
        for (const Dim& dim : *type.shape) {
            dims.push_back(dim.size);
        }
        const std::vector<NamedTensor> inputs{{"x", ramp(dims)}};
        const auto wanted = runOnnx(model, folder, inputs);
        const Conversion conversion = converted(loadOnnx(folder.path() / "model.onnx"), {.opset = opset});
        QVERIFY2(conversion.problems.empty(),
                 conversion.problems.empty() ? "" : conversion.problems[0].message.c_str());
        QCOMPARE(conversion.opset, opset);
        QCOMPARE(runOnnx(conversion.model.whole(), folder, inputs)[0].tensor.toBytes(), wanted[0].tensor.toBytes());
    }

    void portsAreRenamedWhereverTheyAreRead()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, branching);
        const Tensor x = ramp({2, 3});
        const Tensor yes = Tensor::scalar(ElementType::Bool, 1);
        const auto wanted = runOnnx(model, folder, {{"x", x}, {"c", yes}});
        const Conversion conversion =
            converted(loadOnnx(folder.path() / "model.onnx"), {.renames = {{"x", "image"}, {"y", "z"}, {"z", "y"}}});
        QVERIFY(conversion.problems.empty());
        const auto got = runOnnx(conversion.model.whole(), folder, {{"image", x}, {"c", yes}});
        QCOMPARE(got[0].name, std::string("z"));
        QCOMPARE(got[1].name, std::string("y"));
        QCOMPARE(got[0].tensor.toBytes(), wanted[0].tensor.toBytes());
        QCOMPARE(got[1].tensor.toBytes(), wanted[1].tensor.toBytes());
        const auto& names = conversion.valueNames;
        QVERIFY(std::find(names.begin(), names.end(), "image") != names.end());
        QVERIFY(std::find(names.begin(), names.end(), "x") == names.end());
    }

    void newNamesOfStatesNeedNotBeText()
    {
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, "g (float[2] x, float[2] h) => (float[2] y) { y = Add(x, h) }");
        auto* entry = model.proto->add_metadata_props();
        entry->set_key("crosswalk.states");
        entry->set_value(R"({"h":"y"})");
        const Conversion conversion = converted(model, {.renames = {{"h", "\xff"}}});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.states, (std::map<std::string, std::string>{{"\xff", "y"}}));
    }

    void newNamesOfWhatWasCutAreIgnored()
    {
        const auto named = [](const Renames& renames) {
            const TemporaryFolder folder;
            modelOf(folder, R"(g (float[3] a, float[3] b) => (float[3] c, float[3] d) { c = Relu(a) d = Relu(b) })");
            const Graph graph = graphOfFile(*ModelSource::at(folder.path() / "model.onnx"));
            const auto result = convert(graph, {.renames = renames, .outputs = {"c"}});
            return result ? result.value().model.whole().proto->graph().input(0).name()
                          : std::string(result.problem().code.text());
        };
        QCOMPARE(named({{"b", "other"}, {"d", "more"}, {"a", "image"}}), std::string("image"));
        QCOMPARE(named({{"e", "other"}}), std::string("unknown-value"));
    }

    void anInputThatIsAnOutputKeepsItsShape_data()
    {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<std::optional<int>>("opset");
        QTest::newRow("fixed") << "2" << std::optional<int>(22);
        QTest::newRow("open") << "N" << std::optional<int>(22);
        QTest::newRow("open, the same opset") << "N" << std::optional<int>();
    }
    void anInputThatIsAnOutputKeepsItsShape()
    {
        QFETCH(QString, rows);
        QFETCH(std::optional<int>, opset);
        const TemporaryFolder folder;
        modelOf(folder, "g (float[1,3] x) => (float[1,3] y, float[1,3] x) { y = Relu(x) }");
        const Dim dim = rows == QString("N") ? Dim("N") : Dim(2);
        const Conversion conversion =
            converted(loadOnnx(folder.path() / "model.onnx"), {.opset = opset, .shapes = {{"x", Shape{dim, 3}}}});
        QVERIFY(conversion.problems.empty());
        const auto& graph = conversion.model.whole().proto->graph();
        const std::string wanted = fmt::format("float32 {}x3", rows.toStdString());
        QCOMPARE(toString(fromProto(graph.input(0).type())), wanted);
        QCOMPARE(toString(fromProto(graph.output(0).type())), wanted);
        QCOMPARE(toString(fromProto(graph.output(1).type())), wanted);
    }

    void anInputThatIsAnOutputRunsOnEachSample()
    {
        const TemporaryFolder folder;
        modelOf(folder, "g (float[1,3] x) => (float[1,3] y, float[1,3] x) { y = Relu(x) }");
        const Conversion conversion =
            converted(loadOnnx(folder.path() / "model.onnx"),
                      {.opset = 22, .shapes = {{"x", Shape{Dim("N"), 3}}}, .scanOverBatch = "N"});
        const Tensor x = ramp({4, 3});
        const auto results = runOnnx(conversion.model.whole(), folder, {{"x", x}});
        QCOMPARE(results[0].tensor.dims(), x.dims());
        QCOMPARE(results[1].tensor.toBytes(), x.toBytes());
    }

    void customOperatorsOfBodiesAreNamed()
    {
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, branching);
        auto& function = *model.proto->add_functions();
        function.set_name("f");
        function.set_domain("local");
        function.add_input("a");
        function.add_output("b");
        auto& node = *function.add_node();
        node.set_op_type("Neg");
        node.add_input("a");
        node.add_output("b");
        function.add_opset_import()->set_version(17);
        const Conversion conversion = converted(model, {.customOperators = {{"Neg", {"my.domain", "Minus"}}}});
        const auto& proto = *conversion.model.whole().proto;
        const auto& branch = proto.graph().node(2).attribute(1).g().node(0);
        QCOMPARE(branch.op_type(), std::string("Minus"));
        QCOMPARE(branch.domain(), std::string("my.domain"));
        QCOMPARE(proto.graph().node(3).op_type(), std::string("Minus"));
        QCOMPARE(proto.functions(0).node(0).domain(), std::string("my.domain"));
        QCOMPARE(proto.functions(0).opset_import(1).domain(), std::string("my.domain"));
    }

    void statesFollowTheirPorts()
    {
        OnnxModel model = emptyModel();
        addInput(model, "h", {ElementType::Float32, Shape{3}});
        addNode(model, "Relu", {"h"}, {"k"});
        addOutput(model, "k", {ElementType::Float32, Shape{3}});
        auto* states = model.proto->add_metadata_props();
        states->set_key("crosswalk.states");
        states->set_value("{\"h\":\"k\"}");
        const Conversion conversion = converted(model, {.renames = {{"h", "before"}}});
        QCOMPARE(conversion.states, (std::map<std::string, std::string>{{"before", "k"}}));
        std::string written;
        for (const auto& entry : conversion.model.whole().proto->metadata_props()) {
            written += entry.key() == "crosswalk.states" ? entry.value() : std::string();
        }
        QCOMPARE(written, std::string("{\"before\":\"k\"}"));
    }

    void namesThatDoNotGoAreRefused()
    {
        const auto renamed = [](const Renames& renames) {
            return codeOf([&] {
                OnnxModel model = smallModel();
                renamePorts(model, renames);
            });
        };
        QCOMPARE(renamed({{"q", "r"}}), std::string("unknown-value"));
        QCOMPARE(renamed({{"w", "r"}}), std::string("unknown-value"));
        QCOMPARE(renamed({{"x", "w"}}), std::string("taken-name"));
        QCOMPARE(renamed({{"x", "y"}}), std::string("taken-name"));
        QCOMPARE(renamed({{"x", "a"}, {"y", "a"}}), std::string("taken-name"));
        QCOMPARE(renamed({{"x", ""}}), std::string("taken-name"));
        QCOMPARE(renamed({{"x", "y"}, {"y", "x"}}), std::string());
    }

    void aPartHoldsWhatItsBodiesRead()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, branching);
        const std::vector<std::string> from{"a", "c"};
        const std::vector<std::string> to{"y"};
        const OnnxModel part = extract(model, from, to);
        const auto& graph = part.proto->graph();
        QCOMPARE(graph.node_size(), 2);
        QCOMPARE(graph.initializer_size(), 1);
        QCOMPARE(graph.initializer(0).name(), std::string("v"));
        QCOMPARE(part.weights.size(), std::size_t{1});
        QCOMPARE(toString(fromProto(graph.input(0).type())), std::string("float32 2x3"));
        QCOMPARE(toString(fromProto(graph.output(0).type())), std::string("float32 2x3"));
        QCOMPARE(graph.value_info_size(), 1);

        const Tensor x = ramp({2, 3});
        const std::vector<std::string> input{"x"};
        const std::vector<std::string> inner{"a"};
        const auto a = runOnnx(extract(model, input, inner), folder, {{"x", x}})[0].tensor;
        for (const double branch : {0.0, 1.0}) {
            const Tensor chosen = Tensor::scalar(ElementType::Bool, branch);
            const auto wanted = runOnnx(model, folder, {{"x", x}, {"c", chosen}})[0].tensor;
            QCOMPARE(runOnnx(part, folder, {{"a", a}, {"c", chosen}})[0].tensor.toBytes(), wanted.toBytes());
        }
    }

    void otherOutputsKeepWhatTheyNeed()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, branching);
        const OnnxModel file = loadOnnx(folder.path() / "model.onnx");
        const Tensor x = ramp({2, 3});
        const std::vector<std::string> inputs{"x"};
        const std::vector<std::string> outputs{"a"};
        const auto wanted = runOnnx(extract(model, inputs, outputs), folder, {{"x", x}})[0].tensor;

        // A value or its node; the opset changes what is left.
        for (const char* name : {"a", "a:0"}) {
            const Conversion conversion = converted(file, {.opset = 21, .outputs = {name}});
            QVERIFY(conversion.problems.empty());
            QCOMPARE(conversion.model.whole().proto->graph().node_size(), 1);
            QCOMPARE(conversion.model.whole().proto->graph().input_size(), 1);
            QCOMPARE(conversion.verdicts.size(), std::size_t{4});
            QVERIFY(conversion.verdicts[0] == Verdict::Exact);
            QVERIFY(conversion.verdicts[3] == Verdict::Folded);
            QCOMPARE(conversion.targets[0], std::vector<std::uint32_t>{0});
            const auto got = runOnnx(conversion.model.whole(), folder, {{"x", x}});
            QCOMPARE(got[0].name, std::string("a"));
            QCOMPARE(got[0].tensor.toBytes(), wanted.toBytes());
        }
        QCOMPARE(codeOf([&] { converted(file, {.outputs = {"p"}}); }), std::string("unknown-output"));
    }

    void problemsNameTheNodesOfTheSource()
    {
        // The Reshape has the old batch in it; the nodes before it are not needed for its output.
        const TemporaryFolder folder;
        modelOf(folder, R"(g (float[2,6] x) => (float[2,6] u, float[4,3] y) <int64[2] s = {4, 3}> {
            u = Neg(x)
            v = Abs(u)
            r = Relu(x)
            y = Reshape(r, s)
        })");
        const OnnxModel file = loadOnnx(folder.path() / "model.onnx");
        const ConvertOptions options{.shapes = {{"x", {Dim(3), Dim(5)}}}};
        const Conversion all = converted(file, options);
        ConvertOptions chosen = options;
        chosen.outputs = {"y"};
        const Conversion some = converted(file, chosen);
        QVERIFY(!some.problems.empty());
        QVERIFY(std::ranges::includes(all.problems, some.problems, {}, &Diagnostic::nodeIndex, &Diagnostic::nodeIndex));
        QCOMPARE(some.problems.front().nodeIndex, std::optional<std::uint32_t>(3));
    }

    void aSelectionOfNodesIsAPart()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, branching);
        const Graph graph = graphOf(model);
        const auto cut = [&](std::vector<NodeId> nodes) {
            const auto part = partOf(graph, nodes);
            return part ? fmt::format("{} to {}", fmt::join(part->from, ","), fmt::join(part->to, ",")) : std::string();
        };
        QCOMPARE(cut({NodeId{0}}), std::string("x to a"));
        QCOMPARE(cut({NodeId{0}, NodeId{1}}), std::string("x to a,b"));
        QCOMPARE(cut({NodeId{3}}), std::string("b to z"));
        QCOMPARE(cut({NodeId{2}}).ends_with(" to y"), true);
        QCOMPARE(partOf(graph, std::vector{NodeId{2}})->from.size(), std::size_t{3}); // what its branches read, too
        QCOMPARE(cut({}), std::string());

        const Conversion conversion = converted(model, {.part = partOf(graph, std::vector{NodeId{1}})});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.model.whole().proto->graph().node_size(), 1);
        QCOMPARE(conversion.sources, (std::vector<std::vector<NodeId>>{{NodeId{1}}}));
        QCOMPARE(conversion.targets[1], std::vector<std::uint32_t>{0});
        QVERIFY(conversion.targets[0].empty());
        checkModel(conversion.model.whole());
    }

    void aPartTakesTheShapesAlongThatItsNodesRead()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[2,3] x) => (float[6] y) {
            a = Relu(x)
            six = Constant<value = int64[1] {6}>()
            y = Reshape(a, six)
        })");
        const Graph graph = graphOf(model);
        const auto part = partOf(graph, std::vector{NodeId{2}});
        QCOMPARE(part, (std::optional<ModelPart>{{{"a"}, {"y"}}}));
        const OnnxModel cut = converted(model, {.part = part}).model.whole();
        QCOMPARE(cut.proto->graph().node_size(), 2);
        checkModel(cut);
    }

    void whatIsWrongOutsideAPartIsNotReported()
    {
        const TemporaryFolder folder;
        auto proto = parseModel(R"(g (float[2,3] x) => (float[2,3] y) {
            a = Relu(x)
            b = crosswalk.gap.Correlation(a)
            y = Neg(b)
        })");
        auto* imported = proto.add_opset_import();
        imported->set_domain("crosswalk.gap");
        imported->set_version(1);
        const std::string path = (folder.path() / "gap.onnx").string();
        writeMessage(proto, path);
        const OnnxModel model = loadOnnx(path);
        const Conversion whole = converted(model, {});
        QCOMPARE(whole.verdicts[1], Verdict::Unsupported);
        QVERIFY(whole.hasErrors());
        const Conversion part = converted(model, {.part = ModelPart{{"x"}, {"a"}}});
        QCOMPARE(part.verdicts, (std::vector{Verdict::Exact, Verdict::Folded, Verdict::Folded}));
        QVERIFY(part.problems.empty());
    }

    void sizesThatInferenceDoesNotKnowHaveNoName()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[N,6] x, float[unk__7] z) => (float y, float[unk__7] w)
            <int64[1] flat = {-1}> {
            a = Reshape(x, flat)
            y = ReduceSum<keepdims = 0>(a)
            w = Relu(z)
        })");
        const Graph graph = graphOf(model);
        const Conversion conversion = converted(model, {});
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            const std::string& name = graph.value(ValueId{i}).name;
            const std::string shape = toString(conversion.valueTypes[i]);
            if (name == "a") {
                QCOMPARE(shape, std::string("float32 ?"));
            } else if (name == "w") {
                QCOMPARE(shape, std::string("float32 unk__7")); // the model's own word
            }
        }
    }

    void thePortsOfAPartHaveNoMadeUpSizes()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[N,6] x) => (float y) <int64[1] flat = {-1}> {
            a = Reshape(x, flat)
            b = Relu(a)
            y = ReduceSum<keepdims = 0>(b)
        })");
        const OnnxModel part = extract(model, std::vector<std::string>{"x"}, std::vector<std::string>{"b"});
        const auto& graph = part.proto->graph();
        QCOMPARE(toString(fromProto(graph.input(0).type())), std::string("float32 Nx6"));
        QCOMPARE(toString(fromProto(graph.output(0).type())), std::string("float32 ?"));
        for (const auto& info : graph.value_info()) {
            QCOMPARE(info.DebugString().find("unk__"), std::string::npos);
        }
    }

    /// onnx's inference takes the s of the branch for that after it.
    void thePortsOfAPartHaveNoSizesOfOtherValues()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[2,3] x, int64[2] k, bool c) => (float[A,B] y) {
            a = If(c)<then_branch = t () => (float[2,3] p) { s = Shape(x) p = Reshape(x, s) },
                      else_branch = e () => (float[2,3] q) { q = Neg(x) }>
            s = Abs(k)
            b = Reshape(a, s)
            y = Relu(b)
        })");
        const OnnxModel part = extract(model, std::vector<std::string>{"b"}, std::vector<std::string>{"y"});
        QCOMPARE(toString(fromProto(part.proto->graph().input(0).type())), std::string("float32 ?x?"));
    }

    void aPartBeginsAtOneOfSeveralOutputs()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[4] x) => (float[2] y) {
            a, b = Split<axis = 0>(x)
            y = Sub(a, b)
        })");
        const OnnxModel part = extract(model, std::vector<std::string>{"x", "a"}, std::vector<std::string>{"y"});
        checkModel(part);
        const Tensor a = Tensor::of<float>(ElementType::Float32, {2}, std::vector<float>{5, 7});
        const auto got = runOnnx(part, folder, {{"x", ramp({4})}, {"a", a}})[0].tensor.toDoubles();
        const auto x = ramp({4}).toDoubles();
        QCOMPARE(got, (std::vector<double>{5 - x[2], 7 - x[3]}));
    }

    void aPartOfAnOldModelIsValid()
    {
        OnnxModel model = smallModel();
        model.proto->set_ir_version(3);
        addInput(model, "w", {ElementType::Float32, Shape{1000}}); // as that version requires
        checkModel(model);
        checkModel(extract(model, std::vector<std::string>{"x"}, std::vector<std::string>{"y"}));

        model.proto->set_ir_version(2);
        model.proto->clear_opset_import(); // which came with version 3
        checkModel(extract(model, std::vector<std::string>{"x"}, std::vector<std::string>{"y"}));
    }

    void aPartThatNeedsMoreIsRefused()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, branching);
        const auto code = [&](const std::vector<std::string>& from, const std::vector<std::string>& to) {
            return codeOf([&] { extract(model, from, to); });
        };
        QCOMPARE(code({"a"}, {"y"}), std::string("open-extract")); // the branch is chosen by c
        QCOMPARE(code({"x", "c"}, {"nothing"}), std::string("unknown-value"));
        QCOMPARE(code({"x", "x"}, {"a"}), std::string());
        QCOMPARE(code({"x", "c"}, {"p"}), std::string("unknown-value")); // it lies inside a branch
    }
};

QTEST_APPLESS_MAIN(TestOnnxEdits)
#include "tst_onnx_edits.moc"
