// Loops whose condition only counts get a trip count.

#include "core/formats/onnx_graph.h"
#include "core/onnx/node.h"
#include "core/rewrite/optimize.h"
#include "tests/support/onnx_run.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// A loop over `i` and `j` that multiplies x by its row x[i] in each iteration, with conditions in front of the loop
/// and in it.
QByteArray loop(const QByteArray& initializers, const QByteArray& before, const QByteArray& inside,
                const QByteArray& outputs = "float[2] y")
{
    return "g (float[3,2] x, int32 n) => (" + outputs + ") <int32 zero = {0}, int32 one = {1}, int32 four = {4}" +
           initializers + "> { first = Gather <axis = 0> (x, zero) " + before +
           " i, j, y = Loop (, c, zero, one, first) <body = b (int64 k, bool keep, int32 i0, int32 j0, float[2] v0) => "
           "(bool c1, int32 i1, int32 j1, float[2] v1) { i1 = Add(i0, one) j1 = Add(one, j0) "
           "row = Gather <axis = 0> (x, i0) v1 = Mul(v0, row) " +
           inside + " }> }";
}

std::vector<double> run(const OnnxModel& model, const TemporaryFolder& folder, int n)
{
    std::vector<double> values;
    for (const NamedTensor& output :
         runOnnx(model, folder, {{"x", variedTensor({3, 2})}, {"n", Tensor::scalar(ElementType::Int32, n)}})) {
        const auto part = output.tensor.toDoubles();
        values.insert(values.end(), part.begin(), part.end());
    }
    return values;
}

OnnxModel optimized(const TemporaryFolder& folder, const QByteArray& text, int opset = 17)
{
    OnnxModel model = modelOf(folder, text.toStdString());
    model.proto->mutable_opset_import(0)->set_version(opset);
    const Graph graph = graphOf(model);
    std::vector<std::vector<NodeId>> sources;
    for (int i = 0; i < model.proto->graph().node_size(); ++i) {
        sources.push_back({NodeId{static_cast<std::uint32_t>(i)}});
    }
    ValueTypes types = statedTypes(model.proto->graph());
    optimizeWithBodies({model, sources, types}, NodeNames(graph));
    if (sources.size() != static_cast<std::size_t>(model.proto->graph().node_size())) {
        qFatal("a node has no source nodes");
    }
    return model;
}

const ::onnx::NodeProto& loopOf(const OnnxModel& model)
{
    const auto& nodes = model.proto->graph().node();
    const auto found = std::find_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.op_type() == "Loop"; });
    if (found == nodes.end()) {
        qFatal("the model has no Loop");
    }
    return *found;
}

} // namespace

class TestCountLoops : public QObject {
    Q_OBJECT
private slots:
    void computesTheSame_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isCounted");
        QTest::addColumn<int>("states");
        QTest::newRow("one bound") << loop("", "c = Less(zero, n)", "c1 = Less(i1, n)") << true << 2;
        QTest::newRow("greater") << loop("", "c = Greater(n, zero)", "c1 = Greater(n, i1)") << true << 2;
        QTest::newRow("another start") << loop("", "c = Less(one, n)", "c1 = Less(j1, n)") << true << 2;
        QTest::newRow("two bounds") << loop("", "a = Less(zero, n) b = Less(one, four) c = And(a, b)",
                                            "a1 = Less(i1, n) b1 = Less(j1, four) c1 = And(b1, a1)")
                                    << true << 2;
        QTest::newRow("a number") << loop(", int32 three = {3}", "c = Less(zero, three)", "c1 = Less(i1, three)")
                                  << true << 2;
        QTest::newRow("a minimum of a maximum")
            << loop("", "m = Max(one, n) s = Min(n, m) a = Less(zero, n) b = Less(zero, s) c = And(a, b)",
                    "a1 = Less(i1, n) b1 = Less(i1, s) c1 = And(a1, b1)")
            << true << 2;
        QTest::newRow("the last count is used")
            << loop("", "c = Less(zero, n)", "c1 = Less(i1, n)", "float[2] y, int32 i") << true << 3;
        QTest::newRow("the first condition differs") << loop("", "c = Less(one, n)", "c1 = Less(i1, n)") << false << 3;
        QTest::newRow("the first condition has one more")
            << loop("", "a = Less(zero, n) b = Less(zero, one) c = And(a, b)", "c1 = Less(i1, n)") << false << 3;
        QTest::newRow("the bound changes")
            << loop("", "c = Less(zero, n)", "m = Sub(n, j0) c1 = Less(i1, m)") << false << 3;
        QTest::newRow("the count before the step")
            << loop("", "c = Less(zero, n)", "c1 = Less(i0, n)")
                   .replace("Gather <axis = 0> (x, i0)", "Gather <axis = 0> (x, zero)")
            << false << 3;
        QTest::newRow("another condition")
            << loop("", "c = Less(zero, n)", "a1 = Less(i1, n) c1 = Or(a1, a1)") << false << 3;
    }
    void computesTheSame()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const bool, isCounted);
        QFETCH(const int, states);
        const TemporaryFolder folder;
        const OnnxModel before = modelOf(folder, text.toStdString());
        const OnnxModel after = optimized(folder, text);
        const auto& found = loopOf(after);
        QCOMPARE(!found.input(0).empty(), isCounted);
        QCOMPARE(found.input(1).empty(), isCounted);
        QCOMPARE(found.input_size() - 2, states);
        for (const int n : {-1, 0, 1, 2, 3}) {
            QCOMPARE(run(after, folder, n), run(before, folder, n));
        }
    }

    void takesTheSmallestBoundWithoutMinOfIntegers()
    {
        const QByteArray text = loop(", int32 two = {2}", "a = Less(zero, n) b = Less(zero, two) c = And(a, b)",
                                     "a1 = Less(i1, n) b1 = Less(i1, two) c1 = And(a1, b1)");
        const TemporaryFolder folder;
        const OnnxModel after = optimized(folder, text, 11);
        QVERIFY(!loopOf(after).input(0).empty());
        for (const int n : {-1, 0, 1, 2, 3}) {
            QCOMPARE(run(after, folder, n), run(modelOf(folder, text.toStdString()), folder, n));
        }
    }

    void dropsLowerBoundsThatTheStartHas_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("inside");
        QTest::addColumn<bool>("isDropped");
        const QByteArray first = "a = Less(n, three) b = GreaterOrEqual(n, zero) c = And(a, b)";
        QTest::newRow("the same bound") << first
                                        << QByteArray(
                                               "a1 = Less(i1, three) b1 = GreaterOrEqual(i1, zero) c1 = And(a1, b1)")
                                        << true;
        QTest::newRow("another bound") << first
                                       << QByteArray(
                                              "a1 = Less(i1, three) b1 = GreaterOrEqual(i1, one) c1 = And(a1, b1)")
                                       << false;
        QTest::newRow("another counter") << first
                                         << QByteArray(
                                                "a1 = Less(i1, three) b1 = GreaterOrEqual(j1, zero) c1 = And(a1, b1)")
                                         << false;
        QTest::newRow("no upper bound of the start")
            << QByteArray("a = Less(one, three) b = GreaterOrEqual(n, zero) c = And(a, b)")
            << QByteArray("a1 = Less(i1, three) b1 = GreaterOrEqual(i1, zero) c1 = And(a1, b1)") << false;
    }
    void dropsLowerBoundsThatTheStartHas()
    {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, inside);
        QFETCH(const bool, isDropped);
        QByteArray text = loop(", int32 three = {3}", before, inside);
        text.replace("c, zero, one, first", "c, n, one, first");
        const TemporaryFolder folder;
        const OnnxModel after = optimized(folder, text);
        const auto& nodes = findAttribute(loopOf(after), "body")->g().node();
        QCOMPARE(std::none_of(nodes.begin(), nodes.end(),
                              [](const auto& node) { return node.op_type() == "GreaterOrEqual"; }),
                 isDropped);
        for (const int n : {-1, 0, 1, 2}) {
            QCOMPARE(run(after, folder, n), run(modelOf(folder, text.toStdString()), folder, n));
        }
    }
};

QTEST_APPLESS_MAIN(TestCountLoops)
#include "tst_count_loops.moc"
