#include "core/convert/conversion.h"
#include "core/onnx/proto.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using test::dump;
using test::textGraph;

namespace {

Conversion converted(const Graph& graph, const ConvertOptions& options = {})
{
    auto result = convert(graph, options);
    if (!result) {
        throw std::runtime_error(result.problem().message);
    }
    return std::move(result.value());
}

std::vector<std::string> codes(const Conversion& conversion)
{
    std::vector<std::string> list;
    for (const Diagnostic& problem : conversion.problems) {
        list.push_back(problem.node + " " + std::string(problem.code.text()));
    }
    return list;
}

std::string metadata(const ::onnx::NodeProto& node)
{
    return node.metadata_props_size() == 1 ? node.metadata_props(0).value() : std::string();
}

} // namespace

class TestConvert : public QObject {
    Q_OBJECT
private slots:
    void keepsNamesAndShapes()
    {
        const auto result = converted(textGraph("x = input Nx3\n"
                                                "y = Activation(x) act_type=tanh\n"
                                                "output y"));
        QCOMPARE(dump(result.model.whole()), std::string("y = Tanh(x)\n"));
        QCOMPARE(toString(result.valueTypes[1]), std::string("float32 Nx3"));
        QVERIFY(result.verdicts == std::vector{Verdict::Exact});
        QVERIFY(!result.hasErrors());
    }

    void writesProvenanceIntoEveryNode()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "a = rsqrt(x)\n"
                                                "output a"));
        QCOMPARE(metadata(result.model.whole().proto->graph().node(0)), std::string("[\"a\"]"));
        QCOMPARE(metadata(result.model.whole().proto->graph().node(1)), std::string("[\"a\"]"));
        QVERIFY(result.verdicts == std::vector{Verdict::Decomposed});
        QCOMPARE(result.targets[0].size(), std::size_t{2});
    }

    void namesOperatorsThatAnUnknownOneMayStandFor()
    {
        const auto messageOf = [](const std::string& op) {
            return QString::fromStdString(
                converted(textGraph("x = input 2x3\na = " + op + "(x)\noutput a")).problems.at(0).message);
        };
        QVERIFY(messageOf("Convolutoin").endsWith(QStringLiteral("; similar operators: Convolution")));
        QVERIFY(messageOf("MyFastSoftmaxActivation").contains(QStringLiteral("similar operators: SoftmaxActivation")));
        QVERIFY(!messageOf("Mystery").contains(QStringLiteral("similar")));
    }

    void reportsEveryGapAndContinues()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "a = Mystery(x)\n"
                                                "b = relu(a)\n"
                                                "c = Enigma(b)\n"
                                                "output c"));
        QCOMPARE(codes(result), (std::vector<std::string>{"a unsupported-operator", "c unsupported-operator"}));
        QVERIFY(result.verdicts[0] == Verdict::Unsupported);
        QCOMPARE(result.model.whole().proto->graph().node(0).domain(), std::string(gapDomain));
        QVERIFY(result.hasErrors());
        QVERIFY(!result.inputIsBad());
    }

    /// A small file can ask for tensors of any size, and attributes are in the model's message.
    void leavesOutLargeAttributesOfGaps()
    {
        Graph graph = textGraph("x = input 2x3\n"
                                "a = Mystery(x)\n"
                                "output a");
        const auto add = [&](std::string name, std::int64_t bytes) {
            const TensorId tensor = graph.addTensor(Tensor::filled(ElementType::UInt8, {bytes}, 1));
            graph.node(NodeId{0}).attributes.push_back({std::move(name), tensor});
        };
        add("first", 200 << 20);
        add("second", 200 << 20);
        add("small", 3);
        const auto result = converted(graph);
        QVERIFY(result.problems.at(0).message.ends_with(
            "a partial export leaves out its attribute second, which ONNX cannot store"));
        const auto& attributes = result.model.whole().proto->graph().node(0).attribute();
        QCOMPARE(attributes.size(), 2);
        QCOMPARE(attributes[1].name(), std::string("small"));
    }

    /// What lacks a rank only because of a gap is counted apart from the gap.
    void distinguishesGapsFromTheirConsequences()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "a = Mystery(x)\n"
                                                "b = Flatten(a)\n"
                                                "c = batch_dot(a,a)\n"
                                                "d = Enigma(x)\n"
                                                "output c\noutput b\noutput d"));
        QCOMPARE(codes(result), (std::vector<std::string>{"a unsupported-operator", "d unsupported-operator"}));
        const auto gaps = std::ranges::count(result.verdicts, Verdict::Unsupported);
        QVERIFY(!result.behindGaps.empty());
        QCOMPARE(static_cast<std::size_t>(gaps), result.behindGaps.size() + 2);
        for (const NodeId node : result.behindGaps) {
            QVERIFY(result.verdicts[node.index] == Verdict::Unsupported);
        }
    }

    void showsNoNamesOfUnknownSizes()
    {
        QCOMPARE(toString(Shape{Dim("N"), 528, Dim("?608"), Dim("?609")}), std::string("Nx528x?x?"));
        QCOMPARE(toString(Shape{Dim("N"), 528, Dim("?608"), Dim("?609")}),
                 toString(Shape{Dim("N"), 528, Dim(), Dim()}));
    }

    void saysWhyAnOperatorHasNoTranslation()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "a = sgd_update(x,x)\n"
                                                "b = _backward_relu(x,x)\n"
                                                "c = _cvimdecode(x)\n"
                                                "output a\noutput b\noutput c"));
        QCOMPARE(codes(result),
                 (std::vector<std::string>{"a training-only", "b training-only", "c unsupported-operator"}));
    }

    void namesMissingWeights()
    {
        Graph graph = textGraph("x = input 1x3x8x8\n"
                                "w = input\n"
                                "y = Convolution(x,w) kernel=(3,3) num_filter=4 no_bias=True\n"
                                "output y");
        graph.value(graph.inputs[1]).role = Role::Parameter;
        const auto result = converted(graph);
        QCOMPARE(result.problems.front().code.text(), std::string_view("missing-weight"));
        QVERIFY(result.problems.front().message.find("w") != std::string::npos);
        QVERIFY(result.inputIsBad());
        QVERIFY(!converted(graph, {.shapes = {{"w", shapeOf({4, 3, 3, 3})}}}).inputIsBad());
    }

    /// A node that depends on the size of a missing weight is not reported itself; neither is the input.
    void nodesThatNeedTheSizeOfAMissingWeightAreBlocked()
    {
        Graph graph = textGraph("x = input\n"
                                "w = input\n"
                                "s = _zeros() shape=(1,0,4)\n"
                                "p = Reshape(w) shape=(-1,)\n"
                                "y = RNN(x,p,s) mode=rnn_tanh state_size=4 num_layers=1\n"
                                "output y");
        graph.value(graph.inputs[1]).role = Role::Parameter;
        graph.value(graph.inputs[1]).type.shape = Shape{Dim(4), Dim()}; // the file states one of its sizes
        const auto result = converted(graph);
        for (const Diagnostic& problem : result.problems) {
            QVERIFY(problem.code == Code("missing-weight") || problem.severity != Severity::Error);
        }
        QVERIFY(!result.behindGaps.empty());
    }

    void saysWhichWeightHasAnotherShape()
    {
        const auto result = converted(textGraph("x = input 1x3x8x8\n"
                                                "w = weight 4x3x5x5\n"
                                                "y = Convolution(x,w) kernel=(3,3) num_filter=4 no_bias=True\n"
                                                "output y"));
        QCOMPARE(codes(result), (std::vector<std::string>{"y wrong-weight"}));
        QVERIFY(result.inputIsBad());
    }

    void reportsAConflictAtItsNode()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "w = input 4x3\n"
                                                "a = relu(x)\n"
                                                "y = elemwise_add(a,w)\n"
                                                "z = relu(y)\n"
                                                "output z"));
        QCOMPARE(codes(result), (std::vector<std::string>{"y shape-conflict"}));
    }

    void namesTheInputWithoutAShape()
    {
        const auto result = converted(textGraph("x = input\n"
                                                "y = relu(x)\n"
                                                "output y"));
        QCOMPARE(result.problems.size(), std::size_t{1});
        QCOMPARE(result.problems[0].code.text(), std::string_view("unknown-shape"));
        QVERIFY(result.problems[0].hint.find("--shape x=") != std::string::npos);
        QCOMPARE(result.problems[0].message, std::string("the shape of x is unknown; output y depends on it"));
    }

    void nodesThatNeedAShapeAreBlockedByOneProblem()
    {
        const auto result = converted(textGraph("x = input\n"
                                                "idle = input\n"
                                                "y = relu(x)\n"
                                                "a = softmax(y) axis=-1\n"
                                                "b = softmax(a) axis=-1\n"
                                                "c = softmax(y) axis=-1\n"
                                                "d = Mystery(x)\n"
                                                "output b\n"
                                                "output c\n"
                                                "output d\n"));
        QCOMPARE(codes(result), (std::vector<std::string>{" unknown-shape", "d unsupported-operator"}));
        QCOMPARE(result.problems[0].message, std::string("the shape of x is unknown"));
        QCOMPARE(result.problems[0].hint, std::string("use --shape x=..."));
        QVERIFY(result.behindGaps == (std::vector{NodeId{1}, NodeId{2}, NodeId{3}})); // b because of a
        QVERIFY(result.verdicts[0] == Verdict::Exact && result.verdicts[1] == Verdict::Unsupported);
    }

    void inputsHaveTheTypeOfTheWeightsTheyMeet()
    {
        for (const std::string use : {"z = tanh(x)\ny = broadcast_add(z,w)", "y = batch_dot(x,w)",
                                      "z = Reshape(x) shape=(2,2)\nv = Reshape(w) shape=(2,2)\ny = dot(z,v)"}) {
            Graph graph = textGraph("x = input 1x2x2\nw = weight 1x2x2\n" + use + "\noutput y");
            for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
                Value& value = graph.value(ValueId{i});
                if (value.name == "x") {
                    value.type.element = ElementType::Undefined;
                }
                if (value.name == "w") {
                    const Tensor wide = graph.tensorOf(ValueId{i})->converted(ElementType::Float64);
                    value.type.element = ElementType::Float64;
                    value.tensor = graph.addTensor(wide);
                }
            }
            const auto inferred = converted(graph);
            QVERIFY(!inferred.hasErrors());
            QCOMPARE(toString(inferred.valueTypes[0]), std::string("float64 1x2x2"));
            // A type that the user gives stays.
            const auto given = converted(graph, {.types = {{"x", ElementType::Float32}}});
            QVERIFY(given.problems.front().message.find("of float32 and float64") != std::string::npos);
        }
    }

    void infersInputsFromTheWeightsTheyMeet()
    {
        const auto result = converted(textGraph("x = input\n"
                                                "w = weight 4x3x3x3\n"
                                                "y = Convolution(x,w) kernel=(3,3) num_filter=4 no_bias=True\n"
                                                "output y"));
        QVERIFY(!result.hasErrors());
        QCOMPARE(toString(result.valueTypes[0]), std::string("float32 Nx3xHxW"));
    }

    void anInitialStateHasTheBatchOfItsInput()
    {
        // The state stands before anything that is of its batch, and a batch is no first dimension where time is.
        for (const std::string batch : {"2", "N"}) {
            const Graph graph =
                textGraph("x = input 5x" + batch +
                          "x3\nw = weight 4x3\nu = weight 4x4\nb = weight 4\n"
                          "s, t = SliceChannel(x) num_outputs=2 axis=2\n"
                          "h = _zeros() shape=(0,4)\nc = FullyConnected(h,u,b) num_hidden=4\n"
                          "a0, a1, a2, a3, a4 = SliceChannel(x) num_outputs=5 axis=0 squeeze_axis=True\n"
                          "d = FullyConnected(a0,w,b) num_hidden=4\ny = elemwise_add(d,c)\noutput y\n");
            const Conversion conversion = converted(graph);
            const auto shape = [&](const char* name) {
                for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
                    if (graph.value(ValueId{i}).name == name && conversion.valueTypes[i].shape) {
                        return toString(*conversion.valueTypes[i].shape);
                    }
                }
                return std::string();
            };
            QCOMPARE(shape("h"), batch + "x4");
            QCOMPARE(shape("c"), batch + "x4");
        }
    }

    void outputsKeepOrderAndRepeatedNamesAreNumbered()
    {
        Graph graph = textGraph("x = input 2x3\n"
                                "y = relu(x)\n"
                                "output y\noutput x\noutput y");
        const auto result = converted(graph);
        const auto& outputs = result.model.whole().proto->graph().output();
        QCOMPARE(outputs.size(), 3);
        QCOMPARE(outputs[0].name(), std::string("y"));
        QCOMPARE(outputs[1].name(), std::string("x"));
        QCOMPARE(outputs[2].name(), std::string("y#2"));
        checkModel(result.model.whole());
    }

    void unusedWeightsAreNotWritten()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "w = weight 4\n"
                                                "v = relu(w)\n"
                                                "y = relu(x)\n"
                                                "output y"));
        QCOMPARE(result.model.whole().proto->graph().initializer_size(), 0);
        QCOMPARE(result.model.whole().proto->graph().node_size(), 1);
        QVERIFY(result.verdicts[0] == Verdict::Folded);
    }

    void aCustomOperatorTakesTheUsersName()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "y = Mystery(x) knob=3\n"
                                                "output y"),
                                      {.customOperators = {{"Mystery", {"acme", "Riddle"}}}});
        const auto& node = result.model.whole().proto->graph().node(0);
        QCOMPARE(node.domain(), std::string("acme"));
        QCOMPARE(node.op_type(), std::string("Riddle"));
        QVERIFY(result.problems.empty()); // the runtime knows the shape of the output
    }

    void customOperatorsMayHaveNamesOfOnnx()
    {
        for (const char* name : {"Transpose", "Split", "Div", "Einsum"}) {
            const auto result = converted(textGraph("x = input 2x3\n"
                                                    "y = Mystery(x) equation=none knob=3,3\n"
                                                    "output y"),
                                          {.customOperators = {{"Mystery", {"acme", name}}}});
            QVERIFY2(result.problems.empty(), name);
            QCOMPARE(result.model.whole().proto->graph().node(0).op_type(), std::string(name));
        }
    }

    void whatNeedsTheShapeBehindACustomOperatorAsksForIt()
    {
        const auto graph = textGraph("x = input 2x3\n"
                                     "y = Mystery(x)\n"
                                     "z = softmax(y) axis=-1\n"
                                     "output z");
        ConvertOptions options{.customOperators = {{"Mystery", {"acme", "Riddle"}}}};
        const auto open = converted(graph, options);
        QCOMPARE(codes(open), (std::vector<std::string>{" unknown-shape"}));
        QCOMPARE(open.problems[0].message, std::string("the shape of y is unknown"));
        QVERIFY(open.problems[0].hint.find("--shape y=") != std::string::npos);
        options.shapes["y"] = shapeOf({2, 5});
        const auto given = converted(graph, options);
        QVERIFY(!given.hasErrors());
        QCOMPARE(toString(given.valueTypes.back()), std::string("float32 2x5"));
    }

    void whatNeedsNoShapeConvertsBehindAGap()
    {
        const auto result = converted(textGraph("x = input 2x3\n"
                                                "a = Mystery(x)\n"
                                                "b = exp(a)\n"
                                                "c = softmax(b) axis=-1\n"
                                                "output c"));
        QCOMPARE(codes(result), (std::vector<std::string>{"a unsupported-operator"}));
        QVERIFY(result.verdicts[1] == Verdict::Exact);
    }

    void notesAnUnusedCustomOperator()
    {
        const Graph graph = textGraph("x = input 2x3\ny = Mystery(x)\noutput y\n");
        const auto codes = [&](const std::string& type) {
            int count = 0;
            for (const Diagnostic& problem :
                 converted(graph, {.customOperators = {{type, {"acme", "Riddle"}}}}).problems) {
                count += problem.code == Code("unused-operator") ? 1 : 0;
            }
            return count;
        };
        QCOMPARE(codes("Mystery"), 0);
        QCOMPARE(codes("Nope"), 1);
    }

    void rejectsOptionsWithUnknownNames()
    {
        const Graph graph = textGraph("x = input 2x3\ny = relu(x)\noutput y");
        QCOMPARE(convert(graph, {.shapes = {{"q", {}}}}).problem().code.text(), std::string_view("unknown-input"));
        QCOMPARE(convert(graph, {.strategies = {{"q", Strategy::Fused}}}).problem().code.text(),
                 std::string_view("unknown-node"));
    }

    void stopsOnRequest()
    {
        std::stop_source source;
        source.request_stop();
        const Graph graph = textGraph("x = input 2x3\ny = relu(x)\noutput y");
        QCOMPARE(convert(graph, {}, source.get_token()).problem().code.text(), std::string_view("cancelled"));
    }

    void everyOpsetGivesAValidModel()
    {
        const Graph graph = textGraph("x = input Nx3x8x8\n"
                                      "w = weight 4x3x3x3\n"
                                      "y = Convolution(x,w) kernel=(3,3) num_filter=4 no_bias=True\n"
                                      "z = Activation(y) act_type=softrelu\n"
                                      "output z");
        for (int opset = oldestOpset; opset <= newestOpset; ++opset) {
            const auto result = converted(graph, {.opset = opset});
            QVERIFY(!result.hasErrors());
            checkModel(result.model.whole());
        }
    }

    void splitsBackendFusedSubgraphs()
    {
        const auto fused = [](const char* attribute) {
            Graph graph =
                textGraph(std::string("x = input 2x3\ny = _sg_mkldnn_fully_connected(x)") + attribute + "\noutput y");
            const auto body = graph.addSubgraph(std::make_shared<Graph>(textGraph("a = input\n"
                                                                                  "b = Activation(a) act_type=relu\n"
                                                                                  "output b")));
            graph.node(NodeId{0}).attributes.push_back({"subgraphs", std::vector<SubgraphId>{body}});
            return converted(graph);
        };
        QCOMPARE(dump(fused("").model.whole()), std::string("y = Relu(x)\n"));
        QCOMPARE(codes(fused(" quantized=true")), (std::vector<std::string>{"y unsupported-attribute"}));
    }

    void computesLongSequencesWhenTheModelRuns()
    {
        const auto result = converted(textGraph("x = input 2\ny = _arange() start=3 stop=10000000 step=2\noutput y"));
        QVERIFY(result.problems.empty());
        const std::string text = dump(result.model.whole());
        QVERIFY2(text.find("Range(") != std::string::npos && text.find("Mul(") != std::string::npos, text.c_str());
        QCOMPARE(result.valueTypes.back().shape, std::optional<Shape>(Shape{4999999}));
    }

    void refusesAKernelWithANodeForEachElement()
    {
        const auto result = converted(textGraph("x = input 1x3x400x400\ny = im2col(x) kernel=(300,300)\noutput y"));
        QCOMPARE(codes(result), (std::vector<std::string>{"y unsupported-attribute"}));
    }

    void refusesOperandsOfAnotherRank()
    {
        const auto result = converted(textGraph("x = input 8\ni = input 6x6\ny = batch_take(x, i)\noutput y"));
        QCOMPARE(codes(result), (std::vector<std::string>{"y wrong-operands"}));
        QVERIFY(result.problems[0].message.find("float32 8, float32 6x6") != std::string::npos);
    }

    void namesACustomOperatorByItsType()
    {
        const auto result = converted(textGraph("x = input 2x3\ny = Custom(x) op_type=mine\noutput y"));
        QCOMPARE(codes(result), (std::vector<std::string>{"y unsupported-operator"}));
        QVERIFY(result.problems[0].hint.find("mine=") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestConvert)
#include "tst_convert.moc"
