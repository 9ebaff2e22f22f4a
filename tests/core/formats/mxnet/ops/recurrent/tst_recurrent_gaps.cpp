// What ONNX cannot say of an RNN node: the choices, what is said of them, and what is refused.

#include "core/onnx/proto.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using test::textGraph;

namespace {

/// An LSTM of 4 units on 3 features.
Graph lstm(const std::string& attributes, const std::string& input = "5x2x3", const std::string& weights = "144",
           const std::string& outputs = "4")
{
    return textGraph("x = input " + input + "\np = weight " + weights + "\nh = _zeros() shape=(1,0," + outputs +
                     ")\nc = _zeros() shape=(1,0,4)\ny = RNN(x,p,h,c) mode=lstm state_size=4 num_layers=1 " +
                     attributes + "\noutput y");
}

Graph clipped(const std::string& input = "5x2x3")
{
    return lstm("lstm_state_clip_min=-0.3 lstm_state_clip_max=0.3", input);
}

int count(const Conversion& conversion, std::string_view op)
{
    const auto& nodes = conversion.model.whole().proto->graph().node();
    return static_cast<int>(
        std::count_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.op_type() == op; }));
}

} // namespace

class TestRecurrentGaps : public QObject {
    Q_OBJECT
private slots:
    /// The features that the parameters are for, and the shape that was given as what may be wrong.
    void anInputOfOtherFeaturesIsNamed()
    {
        const Conversion conversion = convert(lstm("", "5x2x3"), {.shapes = {{"x", {Dim(5), Dim(2), Dim(4)}}}}).value();
        QVERIFY(conversion.hasErrors());
        const Diagnostic& problem = conversion.problems.front();
        QVERIFY(problem.code == Code("wrong-weight"));
        QCOMPARE(problem.node, std::string("y"));
        QVERIFY2(problem.message.find("its input has 4 features") == 0, problem.message.c_str());
        QVERIFY2(problem.message.find("(3 features)") != std::string::npos, problem.message.c_str());
        QVERIFY2(problem.hint.find("check the shapes of the inputs") == 0, problem.hint.c_str());
    }

    void aClipIsExactByDefault()
    {
        const Conversion conversion = convert(clipped(), {}).value();
        QCOMPARE(count(conversion, "Scan"), 1);
        QCOMPARE(conversion.problems.size(), 1U);
        const Diagnostic& problem = conversion.problems[0];
        QVERIFY(problem.severity == Severity::Note);
        QVERIFY(problem.code == Code("rnn-clip"));
        QCOMPARE(problem.attribute, std::string("lstm_state_clip_min"));
        std::vector<std::string> choices;
        for (const Choice& choice : problem.choices) {
            choices.push_back(choice.strategy + (choice.exact ? " exact" : ""));
        }
        QCOMPARE(choices, (std::vector<std::string>{"exact exact", "fused", "unrolled exact"}));
    }

    void fusedSaysInOneLineWhatIsLost()
    {
        const Conversion conversion = convert(clipped(), {.strategies = {{"y", Strategy::Fused}}}).value();
        QCOMPARE(count(conversion, "LSTM"), 1);
        QVERIFY(conversion.verdicts.back() == Verdict::Approximate);
        QCOMPARE(conversion.problems.size(), 1U);
        QVERIFY(conversion.problems[0].severity == Severity::Warning);
        QVERIFY(conversion.problems[0].code == Code("approximate"));
        QVERIFY(conversion.problems[0].message.find('\n') == std::string::npos);
    }

    void unrolledNeedsAFixedLength()
    {
        const Conversion fixed = convert(clipped(), {.recurrent = Strategy::Unrolled}).value();
        QVERIFY(!fixed.hasErrors());
        QCOMPARE(count(fixed, "Scan"), 0);
        QCOMPARE(count(fixed, "Clip"), 5);
        const Conversion open = convert(clipped("TxNx3"), {.recurrent = Strategy::Unrolled}).value();
        QVERIFY(open.hasErrors());
        QVERIFY(open.problems[0].code == Code("unsupported-attribute"));
        QCOMPARE(open.problems[0].choices.size(), 3U);
    }

    void aNodesOwnChoiceBeatsTheOneForAll()
    {
        const Conversion conversion =
            convert(clipped(), {.recurrent = Strategy::Fused, .strategies = {{"y", Strategy::Exact}}}).value();
        QCOMPARE(count(conversion, "Scan"), 1);
    }

    void whatOnnxCanSayIsFusedWhateverIsChosen()
    {
        for (const Strategy strategy : {Strategy::Exact, Strategy::Fused, Strategy::Unrolled}) {
            const Conversion conversion = convert(lstm(""), {.recurrent = strategy}).value();
            QCOMPARE(count(conversion, "LSTM"), 1);
            QVERIFY(conversion.problems.empty());
        }
    }

    void aProjectionMultipliedOutIsExact()
    {
        const Graph graph = lstm("projection_size=2", "5x2x3", "120", "2");
        const Conversion conversion = convert(graph, {.recurrent = Strategy::Fused}).value();
        QCOMPARE(count(conversion, "LSTM"), 1);
        QVERIFY(conversion.verdicts.back() != Verdict::Approximate);
        QVERIFY(conversion.problems[0].severity == Severity::Note);
    }

    void whatMxnetRejectsIsRefusedAtTheNode_data()
    {
        QTest::addColumn<QByteArray>("attributes");
        QTest::addColumn<QByteArray>("attribute");
        const auto row = [](const char* name, const char* attributes, const char* attribute) {
            QTest::newRow(name) << QByteArray(attributes) << QByteArray(attribute);
        };
        row("a lower bound alone", "lstm_state_clip_min=-1", "lstm_state_clip_min");
        row("an upper bound alone", "lstm_state_clip_max=1", "lstm_state_clip_max");
        row("bounds in the wrong order", "lstm_state_clip_min=1 lstm_state_clip_max=-1", "lstm_state_clip_min");
        row("a bound that is no number", "lstm_state_clip_min=nan lstm_state_clip_max=1", "lstm_state_clip_min");
        row("bounds of another mode", "mode=gru lstm_state_clip_min=-1 lstm_state_clip_max=1", "lstm_state_clip_min");
        row("a projection of another mode", "mode=rnn_tanh projection_size=2", "projection_size");
    }
    void whatMxnetRejectsIsRefusedAtTheNode()
    {
        QFETCH(QByteArray, attributes);
        QFETCH(QByteArray, attribute);
        const std::string operands = attributes.contains("mode=") ? "x,p,h) " : "x,p,h,h) mode=lstm ";
        const Graph graph =
            textGraph("x = input 5x2x3\np = weight 144\nh = _zeros() shape=(1,0,4)\n"
                      "y = RNN(" +
                      operands + "state_size=4 num_layers=1 " + attributes.toStdString() + "\noutput y");
        for (const Strategy strategy : {Strategy::Exact, Strategy::Fused, Strategy::Unrolled}) {
            const Conversion conversion = convert(graph, {.recurrent = strategy}).value();
            QCOMPARE(conversion.problems.size(), 1U);
            QVERIFY(conversion.problems[0].code == Code("invalid-attribute"));
            QCOMPARE(conversion.problems[0].node, std::string("y"));
            QCOMPARE(QByteArray::fromStdString(conversion.problems[0].attribute), attribute);
        }
    }
};

QTEST_GUILESS_MAIN(TestRecurrentGaps)
#include "tst_recurrent_gaps.moc"
