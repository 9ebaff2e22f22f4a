#include "core/base/diagnostic.h"
#include "core/formats/mxnet/build_graph.h"
#include "core/graph/attributes.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/shared_cases.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::mxnet;
using namespace crosswalk::test;

namespace {

Graph read(const std::string& text)
{
    return buildGraph(parseSymbol(text)).graph;
}

std::string_view codeOfFailure(const std::string& text)
{
    try {
        read(text);
    } catch (const ModelError& error) {
        return error.diagnostic.code.text();
    }
    return {};
}

QStringList names(const Graph& graph, const std::vector<ValueId>& values)
{
    QStringList list;
    for (const ValueId id : values) {
        list << QString::fromStdString(graph.value(id).name);
    }
    return list;
}

/// Everything that a reader fills in, as text.
QString dump(const Graph& graph)
{
    QString text;
    for (const Node& each : graph.nodes()) {
        text += QString::fromStdString(each.op + " " + each.name);
        for (const Attribute& attribute : each.attributes) {
            const std::string* value = textOf(attribute);
            text += QString::fromStdString(" " + attribute.name + "=" + (value != nullptr ? *value : "..."));
        }
        text += QStringLiteral(" (%1) -> %2\n")
                    .arg(names(graph, each.inputs).join(u", "), names(graph, each.outputs).join(u", "));
    }
    for (const ValueId id : graph.inputs) {
        const Value& value = graph.value(id);
        text += QString::fromStdString(fmt::format("{}: {} {}\n", value.name, toString(value.type), int(value.role)));
    }
    return text + names(graph, graph.outputs).join(u", ");
}

Role roleOf(const Graph& graph, std::string_view name)
{
    return graph.value(graph.findInput(name).value()).role;
}

} // namespace

class TestMxnetSymbol : public QObject {
    Q_OBJECT
private slots:
    void everyGenerationGivesTheSameGraph()
    {
        const std::string newest =
            R"j({"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
                {"op": "FullyConnected", "name": "fc", "attrs": {"no_bias": "True", "num_hidden": "4"},
                 "inputs": [[0, 0, 0], [1, 0, 0]]},
                {"op": "Activation", "name": "a", "attrs": {"act_type": "relu"}, "inputs": [[2, 0, 0]]}],
                "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]],
                "attrs": {"mxnet_version": ["int", 10901]}})j";
        const std::string with09 =
            R"j({"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
                {"op": "FullyConnected", "name": "fc", "attr": {"no_bias": "True", "num_hidden": "4"},
                 "inputs": [[0, 0, 0], [1, 0, 0]]},
                {"op": "Activation", "name": "a", "attr": {"act_type": "relu"}, "inputs": [[2, 0, 0]]}],
                "arg_nodes": [0, 1], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 905]}})j";
        const std::string with08 =
            R"j({"nodes": [{"op": "null", "param": {}, "name": "x", "inputs": [], "backward_source_id": -1},
                {"op": "null", "param": {}, "name": "w", "inputs": [], "backward_source_id": -1},
                {"op": "FullyConnected", "param": {"no_bias": "True", "num_hidden": "4"}, "name": "fc",
                 "inputs": [[0, 0], [1, 0]], "backward_source_id": -1, "attr": {"mood": "good", "lr_mult": "2"}},
                {"op": "Activation", "param": {"act_type": "relu"}, "name": "a", "inputs": [[2, 0]],
                 "backward_source_id": -1}],
                "arg_nodes": [0, 1], "heads": [[3, 0]]})j";
        const QString wanted =
            QStringLiteral("FullyConnected fc no_bias=True num_hidden=4 (x, w) -> fc_output\n"
                           "Activation a act_type=relu (fc_output) -> a_output\nx: unknown 0\nw: unknown 1\na_output");
        QCOMPARE(dump(read(newest)), wanted);
        QCOMPARE(dump(read(with09)), wanted);
        QCOMPARE(dump(read(with08)), wanted);
        QCOMPARE(read(newest).version, std::string("1.9.1"));
        QCOMPARE(read(with09).version, std::string("0.9.5"));
        QCOMPARE(read(with08).version, std::string());
        QCOMPARE(read(newest).metadata.at("mxnet_version"), std::string("10901"));
    }

    void operatorsHaveTheirCanonicalNames()
    {
        const Graph graph =
            read(symbolFile({variable("x"), node("_Plus", "p", "[[0, 0], [0, 0]]"), node("concat", "c", "[[1, 0]]"),
                             node("_sparse_stop_gradient", "s", "[[2, 0]]"), node("MyOwn", "m", "[[3, 0]]")}));
        QCOMPARE(graph.node(NodeId{0}).op, std::string("elemwise_add"));
        QCOMPARE(graph.node(NodeId{1}).op, std::string("Concat"));
        QCOMPARE(graph.node(NodeId{2}).op, std::string("BlockGrad"));
        QCOMPARE(graph.node(NodeId{3}).op, std::string("MyOwn"));
    }

    void variablesOfEqualNameAreOne()
    {
        const Graph graph = read(symbolFile({variable("x"), variable("x", R"j({"__shape__": "(2, 0)"})j"),
                                             node("elemwise_add", "s", "[[0, 0], [1, 0]]")}));
        QCOMPARE(names(graph, graph.inputs), QStringList{QStringLiteral("x")});
        QCOMPARE(graph.node(NodeId{0}).inputs[0], graph.node(NodeId{0}).inputs[1]);
        QCOMPARE(toString(graph.value(graph.inputs[0]).type), std::string("2x?"));
    }

    void hintsOfVariablesGiveTypes_data()
    {
        QTest::addColumn<QByteArray>("attributes");
        QTest::addColumn<bool>("numpy");
        QTest::addColumn<QByteArray>("type");
        QTest::newRow("shape and type") << QByteArray(R"j({"__shape__": "(2, 3)", "__dtype__": "2"
})j") << false << QByteArray("float16 2x3");
        QTest::newRow("0 is unknown") << QByteArray(R"j({"__shape__": "(0, 3)"
})j") << false << QByteArray("?x3");
        QTest::newRow("-1 is unknown") << QByteArray(R"j({"__shape__": "[-1,3]"})j") << true << QByteArray("?x3");
        QTest::newRow("0 is empty with NumPy shapes") << QByteArray(R"j({"__shape__": "(0, 3)"
        })j") << true << QByteArray("0x3");
        QTest::newRow("() is unknown") << QByteArray(R"j({"__shape__": "()"
        })j") << false << QByteArray("unknown");
        QTest::newRow("() is a scalar with NumPy shapes") << QByteArray(R"j({"__shape__": "()"
        })j") << true << QByteArray("scalar");
        QTest::newRow("long integers") << QByteArray(R"j({"__shape__": "(2L,)"
        })j") << false << QByteArray("2");
        QTest::newRow("no type") << QByteArray(R"j({"__dtype__": "-1"})j") << false << QByteArray("unknown");
        QTest::newRow("nonsense") << QByteArray(R"j({"__shape__": "(a, b)", "__dtype__": "x"
        })j") << false << QByteArray("unknown");
    }
    void hintsOfVariablesGiveTypes()
    {
        QFETCH(QByteArray, attributes);
        QFETCH(bool, numpy);
        QFETCH(QByteArray, type);
        const auto text =
            fmt::format(R"j({{"nodes": [{}], "heads": [[0, 0]], "attrs": {{"is_np_shape": ["int", {}]}}}})j",
                        variable("x", attributes.toStdString()), numpy ? 1 : 0);
        const Graph graph = read(text);
        QCOMPARE(QByteArray::fromStdString(toString(graph.value(graph.inputs[0]).type)), type);
        QCOMPARE(graph.metadata.at("is_np_shape"), std::string(numpy ? "1" : "0"));
    }

    void operatorsSeeTheirParametersOnly()
    {
        const Graph graph = read(symbolFile(
            {variable("x"), node("Activation", "a", "[[0, 0]]",
                                 R"j({"act_type": "tanh", "__layout__": "NCHW", "__mine__": "1", "lr_mult": "2",
                                     "weight_wd_mult": "0", "ctx_group": "dev1", "force_mirroring": "True"})j")}));
        const Node& activation = graph.node(NodeId{0});
        QCOMPARE(activation.attributes.size(), std::size_t{1});
        QCOMPARE(std::get<std::string>(*activation.attribute("act_type")), std::string("tanh"));
    }

    void aRepeatedKeyHasItsLastValue()
    {
        const Graph graph = read(symbolFile({variable("data"), node("FullyConnected", "fc", "[[0, 0, 0]]",
                                                                    R"({"num_hidden": "3", "no_bias": "True",)"
                                                                    R"( "num_hidden": "4", "num_hidden": "5"})")}));
        QVERIFY(dump(graph).startsWith(QStringLiteral("FullyConnected fc no_bias=True num_hidden=5 (")));
    }

    void auxiliaryStatesAreAddedBefore09Only()
    {
        const auto nodes = {variable("x"), variable("g"), variable("b"),
                            node("BatchNorm", "bn", "[[0, 0], [1, 0], [2, 0]]")};
        const Graph old = read(symbolFile(nodes, {}, "800"));
        QCOMPARE(names(old, old.node(NodeId{0}).inputs).join(u" "),
                 QStringLiteral("x g b bn_moving_mean bn_moving_var"));
        QCOMPARE(roleOf(old, "bn_moving_var"), Role::Parameter);
        QCOMPARE(read(symbolFile(nodes, {}, "900")).node(NodeId{0}).inputs.size(), std::size_t{3});
    }

    void argmaxOverAxisMinusOneMeantAllBefore095()
    {
        const auto nodes = {variable("x"), node("argmax", "a", "[[0, 0]]", R"j({"axis": "-1", "keepdims": "1"})j")};
        QCOMPARE(read(symbolFile(nodes, {}, "904")).node(NodeId{0}).attributes.size(), std::size_t{1});
        QCOMPARE(read(symbolFile(nodes, {}, "905")).node(NodeId{0}).attributes.size(), std::size_t{2});
    }

    void outputsHaveTheNamesThatMxnetGivesThem_data()
    {
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<QByteArray>("attributes");
        QTest::addColumn<QByteArray>("wanted");
        const auto row = [](const char* op, const char* attributes, const char* wanted) {
            QTest::newRow(fmt::format("{} {}", op, attributes).c_str())
                << QByteArray(op) << QByteArray(attributes) << QByteArray(wanted);
        };
        row("relu", "{}", "n_output");
        row("NeverHeardOf", "{}", "n_output");
        row("SliceChannel", R"j({"num_outputs": "2"})j", "n_output0 n_output1");
        row("SliceChannel", R"j({"num_outputs": "1"})j", "n_output0");
        row("_split_v2", R"j({"indices": "(0, 2, 4)", "sections": "0"
        })j",
            "n_output0 n_output1 n_output2");
        row("_split_v2", R"j({"indices": "()", "sections": "2"
        })j",
            "n_output0 n_output1");
        row("topk", R"j({"ret_typ": "both"})j", "n_output0 n_output1");
        row("topk", R"j({"ret_typ": "value"})j", "n_output0");
        row("topk", "{}", "n_output");
        row("RNN", R"j({"mode": "lstm", "state_outputs": "True"})j", "n_output n_state_output n_statecell_output");
        row("RNN", R"j({"mode": "gru", "state_outputs": "1"})j", "n_output n_state_output");
        row("RNN", R"j({"mode": "lstm"})j", "n_output");
        row("BatchNorm", R"j({"output_mean_var": "True"})j", "n_output n_mean n_var");
        row("BatchNorm", "{}", "n_output");
        row("LayerNorm", R"j({"output_mean_var": "True"})j", "n_output n_mean n_std");
        row("_contrib_Proposal", R"j({"output_score": "True"})j", "n_output n_score");
        row("_contrib_MultiBoxTarget", "{}", "n_loc_target n_loc_mask n_cls_target");
        row("CTCLoss", "{}", "n_output0");
        row("Dropout", "{}", "n_output");
    }
    void outputsHaveTheNamesThatMxnetGivesThem()
    {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, attributes);
        QFETCH(QByteArray, wanted);
        const Graph graph =
            read(symbolFile({variable("x"), node(op.toStdString(), "n", "[[0, 0]]", attributes.toStdString())}));
        QCOMPARE(names(graph, graph.node(NodeId{0}).outputs).join(u" "), QString::fromUtf8(wanted));
    }

    void hiddenOutputsExistWhereTheyAreUsed()
    {
        const Graph graph =
            read(symbolFile({variable("x"), node("BatchNorm", "bn", "[[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]"),
                             node("relu", "r", "[[1, 2]]")}));
        QCOMPARE(names(graph, graph.node(NodeId{0}).outputs).join(u" "), QStringLiteral("bn_output bn_mean bn_var"));
        QCOMPARE(graph.node(NodeId{1}).inputs[0], graph.node(NodeId{0}).outputs[2]);
    }

    void headsKeepOrderAndMayRepeat()
    {
        const Graph graph =
            read(symbolFile({variable("x"), node("relu", "r", "[[0, 0]]"), node("tanh", "t", "[[1, 0]]")},
                            "[[2, 0], [0, 0], [1, 0, 0], [2, 0]]"));
        QCOMPARE(names(graph, graph.outputs).join(u" "), QStringLiteral("t_output x r_output t_output"));
    }

    void inputsHaveTheRoleOfTheirSlot()
    {
        const Graph graph = read(symbolFile({
            variable("x"),
            variable("w"),
            variable("b"),
            node("FullyConnected", "fc", "[[0, 0], [1, 0], [2, 0]]"),
            variable("anything"),
            node("Reshape", "flat_label", "[[4, 0]]", R"j({"shape": "(-1,)"})j"),
            node("SoftmaxOutput", "out", "[[3, 0], [5, 0]]"),
        }));
        QCOMPARE(roleOf(graph, "x"), Role::Data);
        QCOMPARE(roleOf(graph, "w"), Role::Parameter);
        QCOMPARE(roleOf(graph, "b"), Role::Parameter);
        QCOMPARE(roleOf(graph, "anything"), Role::Label);
    }

    void aLabelUsedAsDataTooIsData()
    {
        const auto nodes = {variable("x"), variable("l"), node("SoftmaxOutput", "out", "[[0, 0], [1, 0]]"),
                            node("relu", "r", "[[1, 0]]")};
        QCOMPARE(roleOf(read(symbolFile(nodes, "[[2, 0], [3, 0]]")), "l"), Role::Data);
        QCOMPARE(roleOf(read(symbolFile(nodes, "[[2, 0]]")), "l"), Role::Label);
    }

    void aWeightStaysOneThroughTheOperatorsThatPackIt()
    {
        const Graph graph = read(symbolFile({
            variable("x"),
            variable("w"),
            node("Reshape", "flat", "[[1, 0]]", R"j({"shape": "(-1,)"})j"),
            variable("b"),
            node("_rnn_param_concat", "packed", "[[2, 0], [3, 0]]"),
            variable("h"),
            variable("c"),
            node("RNN", "rnn", "[[0, 0], [4, 0], [5, 0], [6, 0]]", R"j({"mode": "lstm"})j"),
        }));
        QCOMPARE(roleOf(graph, "w"), Role::Parameter);
        QCOMPARE(roleOf(graph, "b"), Role::Parameter);
        QCOMPARE(roleOf(graph, "h"), Role::Data);
    }

    void bodiesOfLoopsBecomeSubgraphs()
    {
        const std::string body =
            symbolFile({variable("x-0"), variable("w"), variable("spare"), variable("h-0"),
                        node("FullyConnected", "fc", "[[0, 0], [1, 0]]", R"j({"no_bias": "True"})j"),
                        node("elemwise_add", "s", "[[4, 0], [3, 0]]")},
                       R"j([[5, 0], [5, 0]], "arg_nodes": [0, 1, 2, 3])j");
        const std::string loop = fmt::format(
            R"j({{"op": "_foreach", "name": "f", "inputs": [[0, 0], [1, 0], [2, 0]], "subgraphs": [{}],
                "attrs": {{"in_data_locs": "[0]", "in_state_locs": "[3]", "remain_locs": "[1]", "num_outputs": "2",
                           "num_out_data": "1", "num_args": "4"}}}})j",
            body);
        const Graph graph = read(symbolFile({variable("x"), variable("h"), variable("w"), loop}));
        const auto& ids = std::get<std::vector<SubgraphId>>(*graph.node(NodeId{0}).attribute("subgraphs"));
        QCOMPARE(ids.size(), std::size_t{1});
        const Graph& inner = graph.subgraph(ids[0]);
        QCOMPARE(names(inner, inner.inputs).join(u" "), QStringLiteral("x-0 w spare h-0"));
        QCOMPARE(inner.nodeCount(), std::size_t{2});
        QCOMPARE(names(graph, graph.node(NodeId{0}).outputs).join(u" "), QStringLiteral("f_output0 f_output1"));
        QCOMPARE(roleOf(graph, "w"), Role::Parameter);
        QCOMPARE(roleOf(graph, "h"), Role::Data);
    }

    void nodesInAnyOrderAreSorted()
    {
        const Graph graph =
            read(symbolFile({node("tanh", "t", "[[2, 0]]"), variable("x"), node("relu", "r", "[[1, 0]]")}, "[[0, 0]]"));
        QCOMPARE(dump(graph),
                 QStringLiteral("relu r (x) -> r_output\ntanh t (r_output) -> t_output\nx: unknown 0\nt_output"));
    }

    void nodesThatNoOutputNeedsAreDropped()
    {
        const auto built = buildGraph(parseSymbol(symbolFile(
            {variable("x"), variable("y"), node("relu", "dead", "[[1, 0]]"), node("relu", "r", "[[0, 0]]")})));
        QCOMPARE(built.unusedNodes, std::size_t{2});
        QCOMPARE(built.graph.nodeCount(), std::size_t{1});
        QCOMPARE(names(built.graph, built.graph.inputs), QStringList{QStringLiteral("x")});
    }

    void aLongChainIsNoProblem()
    {
        // Backwards, so that the nodes have to be sorted, too.
        constexpr int length = 200000;
        std::string nodes;
        for (int i = 0; i < length; ++i) {
            nodes += fmt::format(R"j({{"op":"relu","name":"r{}","inputs":[[{},0]]}},)j", i, i + 1);
        }
        const Graph graph = read(R"j({"nodes":[)j" + nodes + variable("x") + R"j(],"heads":[[0,0]]})j");
        QCOMPARE(graph.nodeCount(), std::size_t{length});
        QCOMPARE(graph.node(NodeId{0}).name, fmt::format("r{}", length - 1));
    }

    void refusesWhatIsNoGraph_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const std::string& text, const char* code = "damaged") {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(code);
        };
        const std::string x = variable("x");
        row("a node that reads itself", symbolFile({x, node("relu", "r", "[[1, 0]]")}));
        row("a cycle of two", symbolFile({x, node("relu", "a", "[[2, 0]]"), node("relu", "b", "[[1, 0]]")}));
        row("a cycle with a way in",
            symbolFile({x, node("elemwise_add", "a", "[[0, 0], [2, 0]]"), node("relu", "b", "[[1, 0]]")}));
        row("an input that is no node", symbolFile({x, node("relu", "r", "[[7, 0]]")}));
        row("an output that its node has not",
            symbolFile({x, node("relu", "a", "[[0, 0]]"), node("relu", "b", "[[1, 1]]")}));
        row("an output of a variable", symbolFile({x, node("relu", "a", "[[0, 3]]")}));
        row("an absurd output",
            symbolFile({x, node("Mystery", "a", "[[0, 0]]"), node("relu", "b", "[[1, 4000000000]]")}), "large-file");
        row("a head that is no node", symbolFile({x}, "[[5, 0]]"));
        row("a head that its node has not", symbolFile({x, node("relu", "a", "[[0, 0]]")}, "[[1, 9]]"));
        row("no heads", symbolFile({x}, "[]"));
        row("no nodes", R"j({"nodes": [], "heads": []})j");
        row("a negative index", symbolFile({x, node("relu", "a", "[[-1, 0]]")}));
        row("a fractional index", symbolFile({x, node("relu", "a", "[[0.5, 0]]")}));
        row("an index beyond 64 bits", symbolFile({x, node("relu", "a", "[[99999999999999999999999, 0]]")}));
        row("a text for an index", symbolFile({x, node("relu", "a", R"j([["0", 0]])j")}));
        row("an entry of one number", symbolFile({x, node("relu", "a", "[[0]]")}));
        row("an entry of four numbers", symbolFile({x, node("relu", "a", "[[0, 0, 0, 0]]")}));
        row("inputs that are no list", symbolFile({x, node("relu", "a", "{}")}));
        row("a variable with inputs", symbolFile({x, R"j({"op": "null", "name": "y", "inputs": [[0, 0]]})j"}));
        row("a number for an attribute", symbolFile({x, node("relu", "a", "[[0, 0]]", R"j({"axis": 1})j")}));
        row("attributes that are a list", symbolFile({x, node("relu", "a", "[[0, 0]]", "[]")}));
        row("a node without operator", symbolFile({x, R"j({"name": "a", "inputs": [[0, 0]]})j"}));
        row("a node that is a number", symbolFile({x, "1"}));
        row("an argument that is no node", R"j({"nodes": [)j" + x + R"j(], "arg_nodes": [3], "heads": [[0, 0]]})j");
        row("no nodes at all", R"j({"heads": [[0, 0]]})j");
        row("a list", "[1, 2]");
        row("a number", "12");
        row("no JSON", "{\"nodes\": nothing}");
        row("two values", symbolFile({x}) + symbolFile({x}));
        row("text that is no UTF-8", symbolFile({variable("\xff\xfe")}));
        row("an attack by depth", std::string(100000, '[') + std::string(100000, ']'));
        row("depth without end", std::string(100000, '['), "truncated");
        row("nothing", "", "truncated");
    }
    void refusesWhatIsNoGraph()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        const auto said = codeOfFailure(text.toStdString());
        QCOMPARE(QByteArray(said.data(), static_cast<qsizetype>(said.size())), code);
    }

    void limitsOutputsThatAreOnlyCounted()
    {
        const std::string text =
            symbolFile({variable("x"), node("SliceChannel", "a", "[[0, 0]]", R"j({"num_outputs": "70000"})j")});
        QCOMPARE(codeOfFailure(text), std::string("large-file"));
        QCOMPARE(buildGraph(parseSymbol(text), Budget(text.size(), true)).graph.node(NodeId{0}).outputs.size(),
                 std::size_t{70000});
    }

    void everyTruncationIsSaid()
    {
        const std::string whole =
            symbolFile({variable("x"), variable("w", R"j({"__shape__": "(1, 2)"})j"),
                        node("FullyConnected", "fc", "[[0, 0], [1, 0]]", R"j({"no_bias": "True"})j")});
        QVERIFY(codeOfFailure(whole).empty());
        for (std::size_t size = 0; size < whole.size(); ++size) {
            QVERIFY2(codeOfFailure(whole.substr(0, size)) == "truncated", std::to_string(size).c_str());
        }
    }

    void recordedModelsGiveOutTheirRecordedNames()
    {
        REQUIRE_SHARED_CASES();
        int models = 0;
        for (const auto* family : {"mxnet-ops", "mxnet-extra", "mxnet-legacy", "mxnet-real", "rnn", "zoo"}) {
            for (const auto& entry : std::filesystem::directory_iterator(sharedFolder() / "cases" / family)) {
                const std::string text = readAll(entry.path() / "model-symbol.json");
                const auto record =
                    QJsonDocument::fromJson(QByteArray::fromStdString(readAll(entry.path() / "case.json"))).object();
                QStringList wanted;
                for (const auto& output : record[QStringLiteral("outputs")].toArray()) {
                    wanted << output.toObject()[QStringLiteral("name")].toString();
                }
                const Graph graph = read(text);
                QVERIFY2(names(graph, graph.outputs) == wanted, entry.path().c_str());
                for (const auto& dropped : record[QStringLiteral("dropped_inputs")].toArray()) {
                    QCOMPARE(roleOf(graph, dropped.toString().toStdString()), Role::Label);
                }
                ++models;
            }
        }
        QVERIFY(models > 2500);
    }
};

QTEST_APPLESS_MAIN(TestMxnetSymbol)
#include "tst_mxnet_symbol.moc"
