#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/formats/tensorflow/message_sniffer.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/graph/attribute_text.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_files.h"

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

QByteArray text(std::string_view view)
{
    return {view.data(), static_cast<qsizetype>(view.size())};
}

/// Separated by spaces.
QByteArray namesOf(const Graph& graph, std::span<const ValueId> values)
{
    QByteArray names;
    for (const ValueId id : values) {
        names += (names.isEmpty() ? "" : " ") + text(graph.value(id).name);
    }
    return names;
}

QByteArray nodesOf(const Graph& graph)
{
    QByteArray names;
    for (const Node& node : graph.nodes()) {
        names += (names.isEmpty() ? "" : " ") + text(node.name);
    }
    return names;
}

/// The node of this name, which must be there.
const Node& nodeOf(const Graph& graph, std::string_view name)
{
    const auto id = NodeNames(graph).find(name);
    assert(id);
    return graph.node(*id);
}

QByteArray attribute(const Graph& graph, std::string_view node, std::string_view name)
{
    const AttributeValue* value = nodeOf(graph, node).attribute(name);
    return value != nullptr ? text(attributeText(*value, graph)) : QByteArray();
}

Result<LoadedModel> read(const TemporaryFiles& files, const Message& graph)
{
    return readModel({.model = files.write("model.pb", graph.content())});
}

std::shared_ptr<const Graph> graphOf(const TemporaryFiles& files, const Message& graph)
{
    const auto model = read(files, graph);
    if (!model) {
        qWarning("%s", model.problem().message.c_str());
        return nullptr;
    }
    return model.value().graph;
}

/// Code and node of what reading finds; "ok" where it finds nothing.
QByteArray problemOf(const TemporaryFiles& files, std::string_view content, bool allowLarge = false)
{
    const auto model = readModel({.model = files.write("model.pb", content), .allowLarge = allowLarge});
    return model ? QByteArray("ok") : text(model.problem().code.text()) + " " + text(model.problem().node);
}

/// x (2 floats) -> Relu -> output.
Message smallGraph()
{
    return graphDef({placeholder("x", {-1, 2}), constant("w", floatTensor({2, 2}, {1, 2, 3, 4})),
                     binary("product", "MatMul", "x", "w"), unary("output", "Relu", "product")});
}

} // namespace

class TestTensorflowGraph : public QObject {
    Q_OBJECT
private slots:
    void readsNodesWithTypedAttributes();
    void mapsTensorContent();
    void sortsNodesThatComeTooEarly();
    void keepsTheFilesOrder();
    void keepsLoops();
    void keepsControlEdges();
    void resolvesNamedOutputsInFunctions();
    void countsOutputsByAttributes();
    void findsOutputsAndInputs_data();
    void findsOutputsAndInputs();
    void readsUnknownOperators();
    void refusesDamage_data();
    void refusesDamage();
    void refusesWhatIsTooLargeForItsFile_data();
    void refusesWhatIsTooLargeForItsFile();
    void refusesFunctionsThatDouble();
    void survivesEveryCut();
    void recognizesEveryBeginning();
};

void TestTensorflowGraph::readsNodesWithTypedAttributes()
{
    const TemporaryFiles files;
    const auto graph =
        graphOf(files, graphDef({placeholder("x", {-1, 4, 4, 3}),
                                 nodeDef("pool", "MaxPool", {"x"},
                                         {{"T", typeAttr(1)},
                                          {"ksize", Message().message(1, Message().bytes(3, "\x01\x02\x02\x01"))},
                                          {"padding", textAttr("SAME")},
                                          {"explicit_paddings", Message().message(1, Message())},
                                          {"config", textAttr(std::string_view("\x0a\x00\xff", 3))},
                                          {"scale", Message().number(4, 0.5F)},
                                          {"flag", Message().number(5, std::uint64_t{1})},
                                          {"then_branch", functionAttr("missing")},
                                          {"handle", typeAttr(20)},
                                          {"quantized", typeAttr(12)},
                                          {"_output_shapes",
                                           Message().message(1, Message().message(7, shapeProto({-1, 2, 2, 3})))}})}));
    QVERIFY(graph);
    QCOMPARE(attribute(*graph, "pool", "T"), "float32");
    QCOMPARE(attribute(*graph, "pool", "ksize"), "(1, 2, 2, 1)");
    QCOMPARE(attribute(*graph, "pool", "padding"), "SAME");
    QCOMPARE(attribute(*graph, "pool", "scale"), "0.5");
    QCOMPARE(attribute(*graph, "pool", "handle"), "resource");
    const Node& pool = nodeOf(*graph, "pool");
    QVERIFY(std::holds_alternative<Ints>(*pool.attribute("explicit_paddings")));
    QCOMPARE(std::get<RawBytes>(*pool.attribute("config")).bytes.size(), 3);
    QCOMPARE(std::get<bool>(*pool.attribute("flag")), true);
    QCOMPARE(text(std::get<Boxed<FunctionReference>>(*pool.attribute("then_branch"))->name), "missing");
    QVERIFY(std::get<ElementType>(*pool.attribute("quantized")) == ElementType::UInt8);
    QCOMPARE(text(toString(graph->value(pool.outputs.at(0)).type)), "float32 ?x2x2x3");
    QCOMPARE(text(toString(graph->value(graph->inputs.at(0)).type)), "float32 ?x4x4x3");
}

void TestTensorflowGraph::mapsTensorContent()
{
    const TemporaryFiles files;
    const auto graph = graphOf(files, smallGraph());
    QVERIFY(graph);
    const Node& constant = nodeOf(*graph, "w");
    const Tensor& tensor = graph->tensor(std::get<TensorId>(*constant.attribute("value")));
    QCOMPARE(tensor.toDoubles(), (std::vector<double>{1, 2, 3, 4}));
    QVERIFY(dynamic_cast<const SourceFile*>(tensor.pieces().at(0).source.get()) != nullptr);
    QCOMPARE(text(toString(graph->value(constant.outputs[0]).type)), "float32 2x2");
}

void TestTensorflowGraph::sortsNodesThatComeTooEarly()
{
    const TemporaryFiles files;
    const auto graph = graphOf(files, graphDef({unary("c", "Relu", "b"), unary("b", "Relu", "a"), placeholder("a", {1}),
                                                unary("d", "Abs", "a")}));
    QVERIFY(graph);
    QCOMPARE(nodesOf(*graph), "a b c d");
    QVERIFY(!graph->hasCycles);
}

void TestTensorflowGraph::keepsTheFilesOrder()
{
    const TemporaryFiles files;
    const auto graph = graphOf(files, graphDef({placeholder("z", {1}), placeholder("a", {1}), unary("m", "Relu", "a"),
                                                unary("b", "Relu", "z"), binary("sum", "AddV2", "b", "m")}));
    QVERIFY(graph);
    QCOMPARE(nodesOf(*graph), "z a m b sum");
}

void TestTensorflowGraph::keepsLoops()
{
    const TemporaryFiles files;
    const auto graph =
        graphOf(files, graphDef({placeholder("x", {}), nodeDef("enter", "Enter", {"x"}, {{"T", typeAttr(1)}}),
                                 nodeDef("merge", "Merge", {"enter", "next"}, {{"T", typeAttr(1)}, {"N", intAttr(2)}}),
                                 unary("next", "NextIteration", "merge"), unary("output", "Exit", "merge")}));
    QVERIFY(graph);
    QVERIFY(graph->hasCycles);
    QCOMPARE(nodesOf(*graph), "x enter merge next output");
    QCOMPARE(namesOf(*graph, nodeOf(*graph, "merge").inputs), "enter:0 next:0");
}

void TestTensorflowGraph::keepsControlEdges()
{
    const TemporaryFiles files;
    const auto graph =
        graphOf(files, graphDef({placeholder("x", {1}), nodeDef("first", "NoOp"),
                                 nodeDef("output", "Relu", {"x", "^first", "^first"}, {{"T", typeAttr(1)}})}));
    QVERIFY(graph);
    const Node& output = nodeOf(*graph, "output");
    QCOMPARE(output.inputs.size(), 1);
    QCOMPARE(output.controlInputs.size(), 1);
    QCOMPARE(text(graph->node(output.controlInputs[0]).name), "first");
}

void TestTensorflowGraph::resolvesNamedOutputsInFunctions()
{
    const TemporaryFiles files;
    const Message function = functionDef(
        {.name = "halves",
         .arguments = {"v"},
         .results = {{"second", "s:output:1"}, {"first", "s:output:0"}, {"same", "v"}},
         .nodes = {constant("axis", Message().number(1, std::uint64_t{3}).message(2, Message()), 3),
                   nodeDef("s", "Split", {"axis:output:0", "v"}, {{"T", typeAttr(1)}, {"num_split", intAttr(2)}})}});
    const auto graph = graphOf(files, graphDef({placeholder("x", {4}), nodeDef("call", "halves", {"x"})}, {function}));
    QVERIFY(graph);
    const Graph* body = graph->findFunction("halves");
    QVERIFY(body);
    QCOMPARE(namesOf(*body, body->inputs), "v");
    QCOMPARE(namesOf(*body, body->outputs), "s:1 s:0 v");
    QCOMPARE(namesOf(*body, nodeOf(*body, "s").inputs), "axis:0 v");
    QCOMPARE(tensorflow::functionInfoOf(*body).resultNames, (std::vector<std::string>{"second", "first", "same"}));
    QCOMPARE(nodeOf(*graph, "call").outputs.size(), 3);
}

void TestTensorflowGraph::countsOutputsByAttributes()
{
    const TemporaryFiles files;
    const auto graph =
        graphOf(files, graphDef({placeholder("x", {4}),
                                 nodeDef("parts", "Unpack", {"x"}, {{"T", typeAttr(1)}, {"num", intAttr(4)}}),
                                 nodeDef("many", "IdentityN", {"parts:3", "parts"},
                                         {{"T", Message().message(1, Message().bytes(6, "\x01\x01"))}}),
                                 nodeDef("group", "NoOp", {"^many"})}));
    QVERIFY(graph);
    QCOMPARE(namesOf(*graph, nodeOf(*graph, "parts").outputs), "parts:0 parts:1 parts:2 parts:3");
    QCOMPARE(namesOf(*graph, nodeOf(*graph, "many").inputs), "parts:3 parts:0");
    QCOMPARE(nodeOf(*graph, "many").outputs.size(), 2);
    QCOMPARE(nodeOf(*graph, "group").outputs.size(), 0);
}

void TestTensorflowGraph::findsOutputsAndInputs_data()
{
    QTest::addColumn<QList<Message>>("nodes");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("outputs");

    const Message x = placeholder("x", {1});
    const Message number = constant("number", floatTensor({}, {1}));
    QTest::newRow("what nothing reads") << QList<Message>{x, unary("a", "Relu", "x"), unary("b", "Abs", "x")} << "x:0"
                                        << "a:0 b:0";
    QTest::newRow("neither checks nor summaries")
        << QList<Message>{x, unary("a", "Relu", "x"), nodeDef("check", "Assert", {"x"}),
                          nodeDef("s", "ScalarSummary", {"x", "a"}, {{"T", typeAttr(1)}}),
                          nodeDef("out", "Neg", {"a"}, {{"T", typeAttr(1)}})}
        << "x:0"
        << "out:0";
    QTest::newRow("the name of the author, not of freezing")
        << QList<Message>{x, unary("logits", "Relu", "x"), unary("Identity", "Identity", "logits")} << "x:0"
        << "logits:0";
    QTest::newRow("freezing's own name where there is no other")
        << QList<Message>{x, unary("Relu", "Relu", "x"), unary("Identity", "Identity", "Relu")} << "x:0"
        << "Identity:0";
    QTest::newRow("a default value is no input")
        << QList<Message>{x, number, nodeDef("d", "PlaceholderWithDefault", {"number"}, {{"dtype", typeAttr(1)}}),
                          binary("out", "AddV2", "x", "d")}
        << "x:0"
        << "out:0";
    QTest::newRow("a default value is the only input")
        << QList<Message>{number, nodeDef("d", "PlaceholderWithDefault", {"number"}, {{"dtype", typeAttr(1)}}),
                          unary("out", "Relu", "d")}
        << "d:0"
        << "out:0";
    QTest::newRow("outputs of inference alone")
        << QList<Message>{x, nodeDef("norm", "FusedBatchNormV3", {"x", "x", "x", "x", "x"}, {{"T", typeAttr(1)}})}
        << "x:0"
        << "norm:0";
    QTest::newRow("every output") << QList<Message>{x, number,
                                                    nodeDef("top", "TopKV2", {"x", "number"}, {{"T", typeAttr(1)}})}
                                  << "x:0"
                                  << "top:0 top:1";
}

void TestTensorflowGraph::findsOutputsAndInputs()
{
    QFETCH(QList<Message>, nodes);
    QFETCH(QString, inputs);
    QFETCH(QString, outputs);

    const TemporaryFiles files;
    const auto graph = graphOf(files, graphDef({nodes.begin(), nodes.end()}));

    QVERIFY(graph);
    QCOMPARE(namesOf(*graph, graph->inputs), inputs.toUtf8());
    QCOMPARE(namesOf(*graph, graph->outputs), outputs.toUtf8());
}

void TestTensorflowGraph::readsUnknownOperators()
{
    const TemporaryFiles files;
    const Message function = functionDef({.name = "f",
                                          .arguments = {"v"},
                                          .results = {{"y", "mine:right:1"}},
                                          .nodes = {nodeDef("mine", "MyOp", {"v"}), unary("n", "Neg", "mine:left:0")}});
    const auto graph = graphOf(
        files, graphDef({placeholder("x", {1}), nodeDef("other", "MyOp", {"x"}), unary("output", "Neg", "other:2")},
                        {function}));
    QVERIFY(graph);
    QCOMPARE(nodeOf(*graph, "other").outputs.size(), 3);
    const Graph* body = graph->findFunction("f");
    QCOMPARE(nodeOf(*body, "mine").outputs.size(), 3); // left:0, right:0 and right:1
    QCOMPARE(namesOf(*body, nodeOf(*body, "n").inputs), "mine:0");
    QCOMPARE(namesOf(*body, body->outputs), "mine:2");
}

void TestTensorflowGraph::refusesDamage_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("problem");
    const auto row = [](const char* name, const Message& graph, const char* problem) {
        QTest::newRow(name) << QByteArray::fromStdString(graph.content()) << problem;
    };
    const Message x = placeholder("x", {1});
    const auto tensorNode = [&](const Message& tensor) { return graphDef({x, constant("c", tensor)}); };

    row("input of no node", graphDef({x, unary("a", "Relu", "y")}), "damaged a");
    row("output that is not there", graphDef({x, unary("b", "Neg", "x:1")}), "damaged b");
    row("control edge from no node", graphDef({x, nodeDef("b", "NoOp", {"^c"})}), "damaged b");
    row("two nodes of a name", graphDef({x, unary("x", "Neg", "x")}), "damaged x");
    row("absurd number of outputs",
        graphDef({x, nodeDef("s", "Unpack", {"x"}, {{"T", typeAttr(1)}, {"num", intAttr(1 << 30)}})}), "damaged s");
    row("name that is not UTF-8", graphDef({x, nodeDef("a", "NoOp"), nodeDef("b", "NoOp"), nodeDef("\xc3(", "NoOp")}),
        "damaged ");
    row("type that is not there", graphDef({x, nodeDef("a", "Relu", {"x"}, {{"T", typeAttr(77)}})}), "damaged a");
    row("tensor of another type",
        graphDef({nodeDef("c", "Const", {},
                          {{"dtype", typeAttr(3)}, {"value", Message().message(8, floatTensor({1}, {1}))}})}),
        "damaged c");
    row("bytes that do not fit the shape", tensorNode(floatTensor({3}, {1, 2})), "damaged c");
    row("negative dimension", tensorNode(floatTensor({-2}, {1})), "damaged c");
    row("more elements than memory",
        tensorNode(Message().number(1, std::uint64_t{1}).message(2, shapeProto({1LL << 40, 1LL << 40}))), "damaged c");
    row("tensor of half a byte", tensorNode(Message().number(1, std::uint64_t{29}).message(2, shapeProto({2}))),
        "unsupported-type c");
    row("attribute in another form", graphDef({x, nodeDef("a", "Relu", {"x"}, {{"T", Message().bytes(6, "ab")}})}),
        "damaged a");
    Message nested = functionAttr("f");
    for (int i = 0; i < 200; ++i) {
        nested = Message().message(10, Message().bytes(1, "f").message(2, Message().bytes(1, "g").message(2, nested)));
    }
    row("functions nested without end", graphDef({x, nodeDef("a", "Relu", {"x"}, {{"f", nested}})}), "damaged a");
    const Message function = functionDef({.name = "f", .arguments = {"v"}, .results = {{"y", "v"}}, .nodes = {}});
    row("two functions of a name", graphDef({x}, {function, function}), "damaged ");
    row("function that returns nothing",
        graphDef({x}, {functionDef({.name = "f", .arguments = {}, .results = {{"y", "a:output:0"}}, .nodes = {}})}),
        "damaged f");
    const std::string whole = smallGraph().content();
    QTest::newRow("end of the file missing")
        << QByteArray::fromStdString(whole.substr(0, whole.size() - 4)) << "truncated ";
}

void TestTensorflowGraph::refusesDamage()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, problem);
    const TemporaryFiles files;
    QCOMPARE(problemOf(files, content.toStdString()), problem.toUtf8());
}

void TestTensorflowGraph::refusesWhatIsTooLargeForItsFile_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("withoutLimits");
    const auto row = [](const char* name, const std::string& content, const char* withoutLimits) {
        QTest::newRow(name) << QByteArray::fromStdString(content) << QByteArray(withoutLimits);
    };
    const Message x = placeholder("x", {1});
    const auto unpack = [](const char* name) {
        return nodeDef(name, "Unpack", {"x"}, {{"T", typeAttr(1)}, {"num", intAttr(40000)}});
    };
    row("outputs", graphDef({x, unpack("a"), unpack("b")}).content(), "ok");
    std::string small;
    for (int i = 0; i < 310'000; ++i) {
        small += "\x0a\x06\x0a\x01x\x12\x01X";
    }
    row("nodes of eight bytes", graphDef({x}).content() + small, "damaged x");
}

void TestTensorflowGraph::refusesWhatIsTooLargeForItsFile()
{
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, withoutLimits);
    const TemporaryFiles files;
    QCOMPARE(problemOf(files, content.toStdString()), QByteArray("large-file "));
    QCOMPARE(problemOf(files, content.toStdString(), true), withoutLimits);
}

/// Function i calls function i + 1 twice.
void TestTensorflowGraph::refusesFunctionsThatDouble()
{
    constexpr int levels = 15;
    std::vector<Message> functions;
    for (int i = 0; i < levels; ++i) {
        const std::string name = "f" + std::to_string(i);
        const std::string op = i + 1 < levels ? "f" + std::to_string(i + 1) : "Relu";
        const std::string_view output = i + 1 < levels ? "y" : "activations";
        const std::string a = fmt::format("a:{}:0", output);
        const std::string b = fmt::format("b:{}:0", output);
        functions.push_back(functionDef({.name = name,
                                         .arguments = {"v"},
                                         .results = {{"y", b}},
                                         .nodes = {unary("a", op, "v"), unary("b", op, a)}}));
    }
    const TemporaryFiles files;
    const auto path =
        files.write("model.pb", graphDef({placeholder("x", {1}), unary("c", "f0", "x")}, functions).content());
    for (const bool allowLarge : {false, true}) {
        const auto model = readModel({.model = path, .allowLarge = allowLarge});
        QVERIFY(model);
        const auto conversion = convert(*model.value().graph, {});
        QCOMPARE(bool(conversion), allowLarge);
        QVERIFY(conversion || conversion.problem().code == Code("too-large"));
    }
}

void TestTensorflowGraph::survivesEveryCut()
{
    const TemporaryFiles files;
    const std::string whole = smallGraph().content();
    for (std::size_t size = 1; size < whole.size(); ++size) {
        const QByteArray problem = problemOf(files, std::string_view(whole).substr(0, size));
        QVERIFY2(!problem.startsWith("internal"), problem.constData());
    }
}

/// Only the beginning of a file is read to recognize it, which can end at any byte.
void TestTensorflowGraph::recognizesEveryBeginning()
{
    const Message graph = smallGraph();
    Message ops;
    for (const char* name : {"Add", "MatMul"}) {
        ops.message(1, Message().bytes(1, name));
    }
    const std::string metaGraph = Message().message(1, Message().message(2, ops)).message(2, graph).content();
    constexpr std::size_t least = 40; // bytes that contain the beginning of the second node
    for (const auto& [content, expected] : {std::pair(graph.content(), tensorflow::FileMessage::GraphDef),
                                            std::pair(metaGraph, tensorflow::FileMessage::MetaGraphDef)}) {
        const auto bytes = std::as_bytes(std::span(content));
        for (std::size_t size = least; size <= bytes.size(); ++size) {
            QVERIFY2(tensorflow::messageOfFile(bytes.first(size)) == expected, QByteArray::number(size).constData());
        }
    }
}

QTEST_APPLESS_MAIN(TestTensorflowGraph)
#include "tst_tensorflow_graph.moc"
