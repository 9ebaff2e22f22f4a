// Other outputs than the model's own: how they are named, and what is converted for them.

#include "core/convert/conversion.h"
#include "core/convert/select_outputs.h"
#include "core/convert/unknown_operator.h"
#include "tests/support/text_graph.h"

#include <QtTest>

#include <algorithm>
#include <array>

using namespace crosswalk;
using test::dump;
using test::textGraph;

namespace {

const char* const network = "x = input Nx8\n"
                            "w = weight 4x8\n"
                            "embedding = FullyConnected(x,w) num_hidden=4 no_bias=True\n"
                            "label = input\n"
                            "hot = one_hot(label) depth=4\n"
                            "margin = no_such_operator(embedding,hot)\n"
                            "a, b = SliceChannel(margin) num_outputs=2\n"
                            "loss = MakeLoss(a)\n"
                            "output loss\n";

QByteArray problemOf(const Graph& graph, const std::vector<std::string>& outputs)
{
    const auto conversion = convert(graph, {.outputs = outputs});
    return conversion ? QByteArray()
                      : QByteArray::fromStdString(std::string(conversion.problem().code.text()) + ": " +
                                                  conversion.problem().message + " | " + conversion.problem().hint);
}

} // namespace

class TestSelectOutputs : public QObject {
    Q_OBJECT
private slots:
    void convertsWhatTheOutputsNeedAlone()
    {
        const Graph graph = textGraph(network);
        QVERIFY(convert(graph, {}).value().hasErrors());
        const auto result = convert(graph, {.outputs = {"embedding"}});
        QVERIFY(result);
        const Conversion& conversion = result.value();
        QVERIFY(conversion.problems.empty());
        QVERIFY(dump(conversion.model.whole()).starts_with("embedding = "));
        QCOMPARE(conversion.verdicts.size(), graph.nodeCount());
        QVERIFY(conversion.verdicts[0] == Verdict::Exact);
        for (std::size_t i = 1; i < conversion.verdicts.size(); ++i) {
            QVERIFY(conversion.verdicts[i] == Verdict::Folded);
        }
        QVERIFY(conversion.valueNames[graph.findInput("label")->index].empty());
    }

    void endsInFrontOfANode()
    {
        const auto namesWithout = [](const Graph& graph, std::uint32_t node) {
            const auto outputs = outputsWithout(graph, std::array{NodeId{node}});
            std::vector<std::string> names(outputs.size());
            std::ranges::transform(outputs, names.begin(), [&](ValueId output) { return graph.value(output).name; });
            return names;
        };
        const Graph graph = textGraph(network);
        QCOMPARE(namesWithout(graph, 2), (std::vector<std::string>{"embedding", "hot"})); // no_such_operator
        const auto result = convert(graph, {.shapes = {{"label", {Dim("N")}}}, .outputs = namesWithout(graph, 2)});
        QVERIFY(result && !result.value().hasErrors());
        // It reads nothing but an input of the model and a weight.
        QCOMPARE(namesWithout(graph, 0), std::vector<std::string>{});
        // Other outputs stay.
        const Graph branches = textGraph("x = input 2x3\n"
                                         "a = relu(x)\n"
                                         "b = no_such_operator(a,a)\n"
                                         "c = tanh(x)\n"
                                         "output b\n"
                                         "output c\n");
        QCOMPARE(namesWithout(branches, 1), (std::vector<std::string>{"c", "a"}));
    }

    void optionsOfInputsThatAreCutAwayDoNotMatter()
    {
        const ConvertOptions options{.shapes = {{"label", {Dim("N")}}}, .outputs = {"embedding"}};
        QVERIFY(convert(textGraph(network), options));
        const auto unknown = convert(textGraph(network), {.shapes = {{"lable", {Dim("N")}}}, .outputs = {"embedding"}});
        QVERIFY(!unknown && unknown.problem().code == Code("unknown-input"));
    }

    void keepsTheOrderAndEachOnce()
    {
        const Graph graph = textGraph("x = input 2\na = relu(x)\nb = tanh(a)\noutput b\n");
        const auto outputs = findOutputs(graph, std::vector<std::string>{"b", "a", "b", "x"});
        QStringList names;
        for (const ValueId output : outputs) {
            names.append(QString::fromStdString(graph.value(output).name));
        }
        QCOMPARE(names.join(u' '), QStringLiteral("b a x"));
    }

    void namesAreOfValuesOrOfNodesWithOneOutput()
    {
        Graph graph = textGraph("x = input 2x4\ny = relu(x)\na, b = SliceChannel(y) num_outputs=2\noutput a\n");
        graph.value(graph.node(NodeId{0}).outputs[0]).name = "y_output";
        graph.node(NodeId{1}).name = "split";
        const auto found = [&](const char* name) { return findOutputs(graph, std::vector<std::string>{name})[0]; };
        QVERIFY(found("y_output") == graph.node(NodeId{0}).outputs[0]);
        QVERIFY(found("y") == graph.node(NodeId{0}).outputs[0]);
        QVERIFY(found("y:0") == graph.node(NodeId{0}).outputs[0]);
        QVERIFY(found("split:0") == graph.node(NodeId{1}).outputs[0]);
        QVERIFY(found("b") == graph.node(NodeId{1}).outputs[1]);
        QCOMPARE(problemOf(graph, {"split"}),
                 QByteArray("unknown-output: node split has several outputs: a, b | name one of them"));
    }

    void anUnknownNameListsSimilarOnes()
    {
        const Graph graph = textGraph(network);
        QCOMPARE(problemOf(graph, {"embeding"}),
                 QByteArray("unknown-output: the model has no value embeding | similar names: embedding"));
        QCOMPARE(problemOf(graph, {"zzz"}),
                 QByteArray("unknown-output: the model has no value zzz | its outputs are loss"));
        QCOMPARE(problemOf(graph, {"loss", ""}),
                 QByteArray("unknown-output: the list of outputs has an empty name | "));
    }

    void aNameOfSeveralValuesIsRefused()
    {
        Graph graph = textGraph("x = input 2\na = relu(x)\nb = tanh(a)\noutput b\n");
        graph.value(graph.node(NodeId{1}).outputs[0]).name = "a";
        QCOMPARE(problemOf(graph, {"a"}),
                 QByteArray("unknown-output: several values have the name a, of a, b | name the node of the value"));
    }

    void aValueInABodyIsRefused()
    {
        Graph graph = textGraph("x = input 2\na = relu(x)\noutput a\n");
        Graph body = textGraph("i = input 2\ninner = tanh(i)\noutput inner\n");
        body.value(body.node(NodeId{0}).outputs[0]).name = "inner_output";
        const SubgraphId id = graph.addSubgraph(std::make_shared<const Graph>(std::move(body)));
        graph.node(NodeId{0}).attributes.push_back({"subgraphs", std::vector<SubgraphId>{id}});
        const QByteArray why(" is in a body of node a; only values outside of bodies can be outputs | ");
        QCOMPARE(problemOf(graph, {"inner_output"}), "unknown-output: inner_output" + why);
        QCOMPARE(problemOf(graph, {"a/inner"}), "unknown-output: a/inner" + why);
    }
};

QTEST_APPLESS_MAIN(TestSelectOutputs)
#include "tst_select_outputs.moc"
