// --reroll: unrolled cells become one recurrent node, and compute what they computed.

#include "core/onnx/proto.h"
#include "tests/support/unrolled_cells.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Conversion converted(const Graph& graph, bool reroll = true)
{
    return convert(graph, {.reroll = reroll}).value();
}

int count(const Conversion& conversion, std::string_view op)
{
    const auto& nodes = conversion.model.whole().proto->graph().node();
    return static_cast<int>(
        std::count_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.op_type() == op; }));
}

std::vector<std::string> codes(const Conversion& conversion)
{
    std::vector<std::string> list;
    for (const Diagnostic& problem : conversion.problems) {
        list.push_back(std::string(problem.code.text()));
    }
    return list;
}

} // namespace

class TestReroll : public QObject {
    Q_OBJECT
private slots:
    void aRunBecomesOneNode_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<int>("axis");
        QTest::addColumn<QByteArray>("result");
        for (const char* kind : {"lstm", "gru", "rnn_tanh", "rnn_relu"}) {
            const auto row = [&](const char* name, int axis, const std::string& result) {
                QTest::addRow("%s, %s", kind, name) << QByteArray(kind) << axis << QByteArray::fromStdString(result);
            };
            row("time first, stacked", 0, "y = stack(" + join(4, "a{}_h") + ") axis=0\noutput y\noutput a3_h\n");
            row("batch first, stacked", 1, "y = stack(" + join(4, "a{}_h") + ") axis=1\noutput y\n");
            row("the last step alone", 1, "output a3_h\n");
            std::string widened;
            for (int t = 0; t < 4; ++t) {
                widened += fmt::format("e{0} = expand_dims(a{0}_h) axis=1\n", t);
            }
            row("joined", 1, widened + "y = Concat(" + join(4, "e{}") + ") dim=1\noutput y\n");
            row("joined as rows", 0, "y = Concat(" + join(4, "a{}_h") + ") dim=0\noutput y\n");
            row("each by itself", 0, "output a0_h\noutput a1_h\noutput a2_h\noutput a3_h\n");
        }
    }
    void aRunBecomesOneNode()
    {
        QFETCH(QByteArray, kind);
        QFETCH(int, axis);
        QFETCH(QByteArray, result);
        const Cell cell{.kind = kind.toStdString(), .name = "a"};
        const Graph graph = textGraph((axis == 0 ? "x = input 4x2x3\n" : "x = input 2x4x3\n") + sliced(4, axis) +
                                      unrolled(cell, 4) + result.toStdString());
        const Conversion conversion = converted(graph);
        QCOMPARE(codes(conversion), std::vector<std::string>{"rerolled"});
        QCOMPARE(count(conversion, kind == "lstm" ? "LSTM" : kind == "gru" ? "GRU" : "RNN"), 1);
        QCOMPARE(count(conversion, "Gemm"), 0);
        const std::vector<Tensor> inputs{axis == 0 ? noise({4, 2, 3}, 1) : noise({2, 4, 3}, 1)};
        const double worst = difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs));
        QVERIFY2(worst < roundingOnly, QByteArray::number(worst).constData());
    }

    /// Flatten drops the axis of a slice of a sequence of vectors, but merges the features of other slices.
    void flattenedSlicesAreTheSequenceOnlyOfVectors_data()
    {
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<QByteArray>("drop");
        for (const char* shape : {"2x3x3", "2x3x3x1", "2x3"}) {
            for (const char* drop : {"Flatten(s{0})", "Reshape(s{0}) shape=(0,-1)"}) {
                QTest::addRow("%s, %s", shape, drop) << QByteArray(shape) << QByteArray(drop);
            }
        }
    }
    void flattenedSlicesAreTheSequenceOnlyOfVectors()
    {
        QFETCH(QByteArray, shape);
        QFETCH(QByteArray, drop);
        const int inputs = shape == "2x3" ? 1 : features;
        const Cell cell{.kind = "gru", .name = "a", .inputs = inputs};
        std::string slices;
        for (int t = 0; t < 3; ++t) {
            slices += fmt::format("s{0} = slice_axis(x) axis=1 begin={0} end={1}\n", t, t + 1) +
                      fmt::format(fmt::runtime("x{0} = " + drop.toStdString() + "\n"), t);
        }
        const Graph graph = textGraph("x = input " + shape.toStdString() + "\n" + slices + unrolled(cell, 3) +
                                      "y = stack(" + join(3, "x{}") + ") axis=1\noutput a2_h\noutput y\n");
        QCOMPARE(count(converted(graph), "GRU"), 1);
        const std::vector<Tensor> values{noise(shape == "2x3"     ? std::vector<std::int64_t>{2, 3}
                                               : shape == "2x3x3" ? std::vector<std::int64_t>{2, 3, 3}
                                                                  : std::vector<std::int64_t>{2, 3, 3, 1},
                                               1)};
        const double worst = difference(computed(graph, values, {.reroll = true}), computed(graph, values));
        QVERIFY2(worst < roundingOnly, QByteArray::number(worst).constData());
    }

    void gatesMayStandInAnyOrder()
    {
        for (const char* order : {"igfo", "ofig", "gifo"}) {
            const Cell cell{.kind = "lstm", .name = "a", .order = order};
            const Graph graph =
                textGraph("x = input 3x2x3\n" + sliced(3, 0) + unrolled(cell, 3) + "output a2_h\noutput a2_c\n");
            QCOMPARE(count(converted(graph), "LSTM"), 1);
            const std::vector<Tensor> inputs{noise({3, 2, 3}, 2)};
            QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
        }
    }

    void bothDirectionsBecomeOneNode()
    {
        const Cell ahead{.kind = "gru", .name = "a"};
        const Cell back{.kind = "gru", .name = "b"};
        std::string sides;
        for (int t = 0; t < 3; ++t) {
            sides += fmt::format("s{0} = Concat(a{0}_h,b{0}_h) dim=1\n", t);
        }
        const Graph graph =
            textGraph("x = input 3x2x3\n" + sliced(3, 0) + unrolled(ahead, 3) + unrolled(back, 3, "x{}", true) + sides +
                      "y = stack(" + join(3, "s{}") + ") axis=0\noutput y\noutput b0_h\noutput a2_h\n");
        const Conversion conversion = converted(graph);
        QCOMPARE(count(conversion, "GRU"), 1);
        const std::vector<Tensor> inputs{noise({3, 2, 3}, 3)};
        QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
    }

    void aDirectionThatStartsWhereTheOtherEndsIsANodeOfItsOwn()
    {
        const Cell ahead{.kind = "gru", .name = "a"};
        const Cell back{.kind = "gru", .name = "b"};
        std::string second = unrolled(back, 3, "x{}", true);
        const std::string zero = fmt::format("bb_h = _zeros() shape=(0,{})\n", units);
        second.replace(second.find(zero), zero.size(), "bb_h = exp(a2_h)\n");
        const Graph graph =
            textGraph("x = input 3x2x3\n" + sliced(3, 0) + unrolled(ahead, 3) + second + "output b0_h\n");
        const Conversion conversion = converted(graph);
        QCOMPARE(count(conversion, "GRU"), 2);
        const std::vector<Tensor> inputs{noise({3, 2, 3}, 8)};
        QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
    }

    void layersAndWhatStandsBetweenThemFollow()
    {
        const Cell lower{.kind = "lstm", .name = "a"};
        const Cell upper{.kind = "rnn_relu", .name = "b", .inputs = units};
        std::string between = "w = weight 4x4\n";
        for (int t = 0; t < 3; ++t) {
            between +=
                fmt::format("d{0} = Dropout(a{0}_h) p=0.5\nf{0} = FullyConnected(d{0},w) num_hidden=4 no_bias=True\n"
                            "u{0} = elemwise_add(f{0},d{0})\n",
                            t);
        }
        const Graph graph =
            textGraph("x = input 2x3x3\n" + sliced(3, 1) + unrolled(lower, 3) + between + unrolled(upper, 3, "u{}") +
                      "y = stack(" + join(3, "b{}_h") + ") axis=1\noutput y\noutput a2_c\n");
        const Conversion conversion = converted(graph);
        QCOMPARE(count(conversion, "LSTM"), 1);
        QCOMPARE(count(conversion, "RNN"), 1);
        QCOMPARE(count(conversion, "Split"), 0);
        const std::vector<Tensor> inputs{noise({2, 3, 3}, 4)};
        QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
    }

    void validLengthsBecomeLengthsOfTheNode()
    {
        const std::string cells = "x = input 4x3x3\nlengths = input 3\n" + sliced(4, 0) +
                                  unrolled({.kind = "lstm", .name = "a"}, 4) + "hs = stack(" + join(4, "a{}_h") +
                                  ") axis=0\nht = stack(" + join(4, "a{}_h") + ") axis=1\ncs = stack(" +
                                  join(4, "a{}_c") + ") axis=0\n" +
                                  "y = SequenceMask(ht,lengths) use_sequence_length=True axis=1\n"
                                  "h = SequenceLast(hs,lengths) use_sequence_length=True\n"
                                  "c = SequenceLast(cs,lengths) use_sequence_length=True\n"
                                  "output y\noutput h\noutput c\n";
        const Graph graph = textGraph(cells);
        const Conversion conversion = converted(graph);
        QCOMPARE(codes(conversion), std::vector<std::string>{"rerolled"});
        QCOMPARE(count(conversion, "LSTM"), 1);
        QCOMPARE(count(conversion, "Gemm"), 0);
        const std::vector<Tensor> inputs{noise({4, 3, 3}, 7), test::floats({3}, {4, 1, 2})};
        QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);

        // Behind its length a sample's h is not zero where it is not masked.
        const Conversion unmasked = converted(textGraph(cells + "output hs\n"));
        QCOMPARE(codes(unmasked), std::vector<std::string>{"not-rerolled"});
        QCOMPARE(count(unmasked, "LSTM"), 0);
    }

    void aProjectedCellBecomesAProjectedNode()
    {
        for (const bool both : {false, true}) {
            const Cell cell{.kind = "lstm", .name = "a", .projection = 2};
            const Cell back{.kind = "lstm", .name = "b", .projection = 2};
            const Graph graph = textGraph("x = input 4x2x3\n" + sliced(4, 0) + unrolled(cell, 4) +
                                          (both ? unrolled(back, 4, "x{}", true) + "output b0_h\n" : "") +
                                          "y = stack(" + join(4, "a{}_h") + ") axis=0\noutput y\noutput a3_c\n");
            const Conversion conversion = converted(graph);
            QCOMPARE(codes(conversion), (std::vector<std::string>{"rnn-projection", "rerolled"}));
            QCOMPARE(count(conversion, "Scan"), 1);
            QCOMPARE(count(conversion, "Gemm"), 0);
            const std::vector<Tensor> inputs{noise({4, 2, 3}, 11)};
            QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
        }
    }

    void anOutputLayerIsNoProjection()
    {
        std::string layers = "w = weight 4x4\n";
        for (int t = 0; t < 3; ++t) {
            layers += fmt::format("o{0} = FullyConnected(a{0}_h,w) num_hidden=4 no_bias=True\n", t);
        }
        const Graph graph = textGraph("x = input 3x2x3\n" + sliced(3, 0) + unrolled({.kind = "lstm", .name = "a"}, 3) +
                                      layers + "y = stack(" + join(3, "o{}") + ") axis=0\noutput y\n");
        const Conversion conversion = converted(graph);
        QCOMPARE(codes(conversion), std::vector<std::string>{"rerolled"});
        QCOMPARE(count(conversion, "LSTM"), 1);
        const std::vector<Tensor> inputs{noise({3, 2, 3}, 12)};
        QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
    }

    void theLengthIsFree()
    {
        const auto graphOf = [](int steps) {
            return textGraph("x = input TxNx3\n" + sliced(steps, 0) + unrolled({.kind = "lstm", .name = "a"}, steps) +
                             "y = stack(" + join(steps, "a{}_h") + ") axis=0\noutput y\n");
        };
        const std::vector<Tensor> inputs{noise({7, 5, 3}, 5)};
        const auto seven = computed(graphOf(7), inputs, {.shapes = {{"x", {Dim(7), Dim(5), Dim(3)}}}});
        QVERIFY(difference(computed(graphOf(3), inputs, {.reroll = true}), seven) < roundingOnly);
    }

    void aHundredStepsAreAFewNodes()
    {
        for (const char* kind : {"lstm", "gru", "rnn_tanh"}) {
            const Graph graph =
                textGraph("x = input 100x2x3\n" + sliced(100, 0) + unrolled({.kind = kind, .name = "a"}, 100) +
                          "y = stack(" + join(100, "a{}_h") + ") axis=0\noutput y\noutput a99_h\n");
            const auto plain = converted(graph, false).model.whole().proto->graph().node_size();
            const auto rolled = converted(graph).model.whole().proto->graph().node_size();
            QVERIFY2(rolled * 20 < plain, QByteArray::number(rolled).constData());
            const std::vector<Tensor> inputs{noise({100, 2, 3}, 6)};
            QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
        }
    }

    void everyStepIsWhereTheNodeComesFrom()
    {
        const Graph graph = textGraph("x = input 3x2x3\n" + sliced(3, 0) + unrolled({.kind = "lstm", .name = "a"}, 3) +
                                      "output a2_h\n");
        const Conversion conversion = converted(graph);
        std::size_t lstm = 0;
        while (conversion.model.whole().proto->graph().node(static_cast<int>(lstm)).op_type() != "LSTM") {
            ++lstm;
        }
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            const std::string& op = graph.node(NodeId{i}).op;
            const auto& targets = conversion.targets[i];
            const bool isPassive = op == "_zeros" || op == "_copy";
            QVERIFY2(isPassive || std::find(targets.begin(), targets.end(), lstm) != targets.end(),
                     graph.node(NodeId{i}).name.c_str());
            QVERIFY2(op != "_copy" || !targets.empty(), graph.node(NodeId{i}).name.c_str());
        }
        QCOMPARE(conversion.verdicts.size(), graph.nodeCount());
        QCOMPARE(conversion.valueTypes.size(), graph.valueCount());
        const auto& recorded =
            conversion.model.whole().proto->graph().node(static_cast<int>(lstm)).metadata_props(0).value();
        QVERIFY2(recorded.find("\"a1_kept\"") != std::string::npos, recorded.c_str());
    }

    void whatIsNoSuchRunStaysAndSaysSo_data()
    {
        const Cell lstm{.kind = "lstm", .name = "a"};
        const Cell plain{.kind = "rnn_tanh", .name = "a", .inputs = units};
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QByteArray::fromStdString(text);
        };
        row("the cell state of a step is read",
            "x = input 3x2x3\n" + sliced(3, 0) + unrolled(lstm, 3) + "output a2_h\noutput a1_c\n");
        row("a step reads what the one before gives", "x = input 2x4\n" + plain.weights() + plain.begin() +
                                                          plain.step("x", "ab", "a0") + "q = elemwise_mul(x,a0_h)\n" +
                                                          plain.step("q", "a0", "a1") + "output a1_h\n");
        std::string other = unrolled({.kind = "rnn_tanh", .name = "a"}, 3);
        for (std::size_t at = 0; (at = other.find("= tanh", at)) != std::string::npos;) {
            other.replace(at, 6, "= softsign");
        }
        row("another activation", "x = input 3x2x3\n" + sliced(3, 0) + other + "output a2_h\n");
        row("no recurrence at all", "x = input 2x3\ny = relu(x)\noutput y\n");
    }
    void whatIsNoSuchRunStaysAndSaysSo()
    {
        QFETCH(QByteArray, text);
        const Graph graph = textGraph(text.toStdString());
        const Conversion conversion = converted(graph);
        QCOMPARE(codes(conversion), std::vector<std::string>{"not-rerolled"});
        QVERIFY(conversion.problems[0].severity == Severity::Warning);
        QCOMPARE(test::dump(conversion.model.whole()), test::dump(converted(graph, false).model.whole()));
    }

    void weightsOfTheWrongShapeAreTakenByNoNode()
    {
        std::string text =
            "x = input 2x2x3\n" + sliced(2, 0) + unrolled({.kind = "lstm", .name = "a"}, 2) + "output a1_h\n";
        const std::string weight = "a_i2h_weight = weight 16x3";
        text.replace(text.find(weight), weight.size(), "a_i2h_weight = weight 32x3");
        const Conversion conversion = converted(textGraph(text));
        QCOMPARE(count(conversion, "LSTM"), 0);
        QVERIFY(conversion.hasErrors());
    }

    void weightsMayBeComputed()
    {
        std::string text = "x = input 3x2x3\nu = input 4x4\n" + sliced(3, 0) +
                           unrolled({.kind = "rnn_tanh", .name = "a"}, 3) + "output a2_h\n";
        const std::string weight = "a_h2h_weight = weight 4x4\n";
        text.replace(text.find(weight), weight.size(), "a_h2h_weight = tanh(u)\n");
        const Graph graph = textGraph(text);
        QCOMPARE(count(converted(graph), "RNN"), 1);
        const std::vector<Tensor> inputs{noise({3, 2, 3}, 9), noise({4, 4}, 10)};
        QVERIFY(difference(computed(graph, inputs, {.reroll = true}), computed(graph, inputs)) < roundingOnly);
    }

    void aTowerOfSumsIsReadOnce()
    {
        std::string tower;
        for (int t = 0; t < 2; ++t) {
            tower += fmt::format("s{0}_0 = tanh(a{0}_h)\n", t);
            for (int level = 1; level <= 60; ++level) {
                tower += fmt::format("s{0}_{1} = elemwise_add(s{0}_{2},s{0}_{2})\n", t, level, level - 1);
            }
        }
        const Conversion conversion =
            converted(textGraph("x = input 2x2x3\n" + sliced(2, 0) + unrolled({.kind = "gru", .name = "a"}, 2) + tower +
                                "y = stack(s0_60,s1_60) axis=0\noutput y\n"));
        QCOMPARE(count(conversion, "Add"), 60);
    }

    void nodesWithoutInputsAreSurvived()
    {
        const std::string cells = "x = input 2x2x3\n" + sliced(2, 0) + unrolled({.kind = "gru", .name = "a"}, 2);
        for (const char* op :
             {"_copy", "ones_like", "reverse", "stack", "Concat", "SliceChannel", "expand_dims", "SwapAxis",
              "FullyConnected", "elemwise_mul", "where", "tanh", "squeeze", "SequenceLast"}) {
            const Graph graph = textGraph(cells + fmt::format("p = {0}()\nq = {0}()\nr = stack(p,q)\noutput r\n", op) +
                                          "output a1_h\n");
            QVERIFY2(converted(graph).hasErrors(), op);
        }
    }

    void stepsOfDifferentWeightsAreNoRun()
    {
        const Cell first{.kind = "rnn_tanh", .name = "a"};
        const Cell second{.kind = "rnn_tanh", .name = "b"};
        const Graph graph =
            textGraph("x = input 2x2x3\n" + sliced(2, 0) + first.weights() + second.weights() + first.begin() +
                      first.step("x0", "ab", "a0") + second.step("x1", "a0", "a1") + "output a1_h\n");
        QCOMPARE(count(converted(graph), "RNN"), 0);
    }

    void aGruThatResetsBeforeItMultipliesIsNoRun()
    {
        // n = tanh(W x + R (r * h)): the other kind of GRU, which MXNet's RNN is not.
        std::string text = unrolled({.kind = "gru", .name = "a"}, 2);
        for (int t = 0; t < 2; ++t) {
            const std::string was = fmt::format("a{0}_rh = elemwise_mul(a{0}_r,a{0}_hn)\n", t);
            const std::string before = t == 0 ? "ab_h" : "a0_h";
            text.replace(text.find(was), was.size(),
                         fmt::format("a{0}_m = elemwise_mul(a{0}_r,{1})\n"
                                     "a{0}_rh = FullyConnected(a{0}_m,v) num_hidden=4 no_bias=True\n",
                                     t, before));
        }
        const Graph graph = textGraph("x = input 2x2x3\nv = weight 4x4\n" + sliced(2, 0) + text + "output a1_h\n");
        QCOMPARE(count(converted(graph), "GRU"), 0);
    }

    void aChoiceForANodeThatIsNotThereIsRefused()
    {
        const Graph graph = textGraph("x = input 2x2x3\n" + sliced(2, 0) +
                                      unrolled({.kind = "rnn_tanh", .name = "a"}, 2) + "output a1_h\n");
        QVERIFY(convert(graph, {.strategies = {{"a1_sum", Strategy::Unrolled}}, .reroll = true}));
        const auto unknown = convert(graph, {.strategies = {{"nowhere", Strategy::Unrolled}}, .reroll = true});
        QVERIFY(!unknown);
        QVERIFY(unknown.problem().code == Code("unknown-node"));
    }
};

QTEST_GUILESS_MAIN(TestReroll)
#include "tst_reroll.moc"
