// --reroll: unrolled cells become one recurrent node, and compute what they computed.

#include "core/onnx/proto.h"
#include "tests/support/computed.h"

#include <QtTest>
#include <fmt/format.h>
#include <random>

using namespace crosswalk;
using test::computed;
using test::textGraph;

namespace {

constexpr int features = 3;
constexpr int units = 4;

/// A cell of its own weights; step() writes its nodes for one step.
struct Cell {
    std::string kind; ///< lstm, gru, rnn_tanh, rnn_relu
    std::string name;
    int inputs = features;
    std::string order = "ifgo"; ///< of an lstm's gates in its matrices

    int gates() const { return kind == "lstm" ? 4 : kind == "gru" ? 3 : 1; }

    std::string weights() const
    {
        return fmt::format("{0}_i2h_weight = weight {1}x{2}\n{0}_i2h_bias = weight {1}\n"
                           "{0}_h2h_weight = weight {1}x{3}\n{0}_h2h_bias = weight {1}\n",
                           name, gates() * units, inputs, units);
    }

    /// The state before is {p}_h and {p}_c, the one after {q}_h and {q}_c.
    std::string step(const std::string& x, const std::string& p, const std::string& q) const
    {
        std::string text = fmt::format("{q}_i2h = FullyConnected({x},{n}_i2h_weight,{n}_i2h_bias) num_hidden={r}\n"
                                       "{q}_h2h = FullyConnected({p}_h,{n}_h2h_weight,{n}_h2h_bias) num_hidden={r}\n",
                                       fmt::arg("q", q), fmt::arg("p", p), fmt::arg("x", x), fmt::arg("n", name),
                                       fmt::arg("r", gates() * units));
        const auto add = [&](std::string_view lines) {
            text += fmt::format(fmt::runtime(lines), fmt::arg("q", q), fmt::arg("p", p));
        };
        if (kind == "lstm") {
            text += fmt::format("{0}_sum = elemwise_add({0}_i2h,{0}_h2h)\n"
                                "{0}_{1}, {0}_{2}, {0}_{3}, {0}_{4} = SliceChannel({0}_sum) num_outputs=4\n",
                                q, order[0], order[1], order[2], order[3]);
            add("{q}_is = sigmoid({q}_i)\n{q}_fs = Activation({q}_f) act_type=sigmoid\n{q}_gt = tanh({q}_g)\n"
                "{q}_os = sigmoid({q}_o)\n{q}_kept = elemwise_mul({q}_fs,{p}_c)\n{q}_new = "
                "elemwise_mul({q}_is,{q}_gt)\n"
                "{q}_c = elemwise_add({q}_kept,{q}_new)\n{q}_ct = Activation({q}_c) act_type=tanh\n"
                "{q}_h = elemwise_mul({q}_os,{q}_ct)\n");
        } else if (kind == "gru") {
            add("{q}_ir, {q}_iz, {q}_in = SliceChannel({q}_i2h) num_outputs=3\n"
                "{q}_hr, {q}_hz, {q}_hn = SliceChannel({q}_h2h) num_outputs=3\n"
                "{q}_rs = elemwise_add({q}_ir,{q}_hr)\n{q}_r = Activation({q}_rs) act_type=sigmoid\n"
                "{q}_zs = elemwise_add({q}_iz,{q}_hz)\n{q}_z = Activation({q}_zs) act_type=sigmoid\n"
                "{q}_rh = elemwise_mul({q}_r,{q}_hn)\n{q}_ns = elemwise_add({q}_in,{q}_rh)\n"
                "{q}_n = Activation({q}_ns) act_type=tanh\n{q}_y = _rminus_scalar({q}_z) scalar=1.0\n"
                "{q}_fresh = elemwise_mul({q}_y,{q}_n)\n{q}_old = elemwise_mul({q}_z,{p}_h)\n"
                "{q}_h = elemwise_add({q}_fresh,{q}_old)\n");
        } else {
            add("{q}_sum = elemwise_add({q}_i2h,{q}_h2h)\n");
            add(kind == "rnn_tanh" ? "{q}_h = tanh({q}_sum)\n" : "{q}_h = relu({q}_sum)\n");
        }
        return text;
    }

    std::string begin() const
    {
        return fmt::format("{0}b_h = _zeros() shape=(0,{1})\n{0}b_c = _zeros() shape=(0,{1})\n", name, units);
    }
};

std::string join(int steps, const std::string& one, bool backward = false)
{
    std::string list;
    for (int t = 0; t < steps; ++t) {
        const int at = backward ? steps - 1 - t : t;
        list += (list.empty() ? "" : ",") + fmt::format(fmt::runtime(one), at);
    }
    return list;
}

std::string sliced(int steps, int axis)
{
    std::string names;
    for (int t = 0; t < steps; ++t) {
        names += (t == 0 ? "" : ", ") + fmt::format("x{}", t);
    }
    return fmt::format("{} = SliceChannel(x) num_outputs={} axis={} squeeze_axis=1\n", names, steps, axis);
}

/// All steps of a cell over inputs x0, x1, ... or others; step t's values are {name}{t}_h and so on.
std::string unrolled(const Cell& cell, int steps, const std::string& input = "x{}", bool backward = false)
{
    std::string text = cell.weights() + cell.begin();
    for (int i = 0; i < steps; ++i) {
        const int t = backward ? steps - 1 - i : i;
        const std::string before = i == 0 ? cell.name + "b" : fmt::format("{}{}", cell.name, backward ? t + 1 : t - 1);
        text += cell.step(fmt::format(fmt::runtime(input), t), before, fmt::format("{}{}", cell.name, t));
    }
    return text;
}

Tensor noise(std::vector<std::int64_t> dims, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) {
        value = uniform(generator);
    }
    return test::floats(std::move(dims), values);
}

Conversion converted(const Graph& graph, bool reroll = true)
{
    return convert(graph, {.reroll = reroll}).value();
}

int count(const Conversion& conversion, std::string_view op)
{
    const auto& nodes = conversion.model.proto->graph().node();
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

/// The largest difference between two results, in rounding steps of float32 that the sums in another order explain.
double difference(const std::vector<Tensor>& a, const std::vector<Tensor>& b)
{
    double worst = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const auto x = a[i].toDoubles();
        const auto y = b[i].toDoubles();
        worst = a[i].dims() == b[i].dims() ? worst : 1;
        for (std::size_t k = 0; k < x.size() && k < y.size(); ++k) {
            worst = std::max(worst, std::abs(x[k] - y[k]) / std::max(1.0, std::abs(y[k])));
        }
    }
    return worst;
}

// A few sums of at most 20 terms a step, over at most 100 steps of contracting cells.
constexpr double roundingOnly = 2e-5;

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
            const auto plain = converted(graph, false).model.proto->graph().node_size();
            const auto rolled = converted(graph).model.proto->graph().node_size();
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
        while (conversion.model.proto->graph().node(static_cast<int>(lstm)).op_type() != "LSTM") {
            ++lstm;
        }
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            const bool isBegin = graph.node(NodeId{i}).op == "_zeros";
            const auto& targets = conversion.targets[i];
            QVERIFY2(isBegin || std::find(targets.begin(), targets.end(), lstm) != targets.end(),
                     graph.node(NodeId{i}).name.c_str());
        }
        QCOMPARE(conversion.verdicts.size(), graph.nodeCount());
        QCOMPARE(conversion.valueTypes.size(), graph.valueCount());
        const auto& said = conversion.model.proto->graph().node(static_cast<int>(lstm)).metadata_props(0).value();
        QVERIFY2(said.find("\"a1_kept\"") != std::string::npos, said.c_str());
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
        QCOMPARE(test::dump(conversion.model), test::dump(converted(graph, false).model));
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
