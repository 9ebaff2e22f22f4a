// Loops whose condition only counts get a trip count.

#include "core/formats/onnx_graph.h"
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
        OnnxModel after = modelOf(folder, text.toStdString());
        const Graph graph = graphOf(after);
        std::vector<std::vector<NodeId>> sources;
        for (int i = 0; i < after.proto->graph().node_size(); ++i) {
            sources.push_back({NodeId{static_cast<std::uint32_t>(i)}});
        }
        ValueTypes types = statedTypes(after.proto->graph());
        optimizeWithBodies({after, sources, types}, NodeNames(graph));
        const auto& nodes = after.proto->graph().node();
        const auto found =
            std::find_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.op_type() == "Loop"; });
        QVERIFY(found != nodes.end());
        QCOMPARE(!found->input(0).empty(), isCounted);
        QCOMPARE(found->input(1).empty(), isCounted);
        QCOMPARE(found->input_size() - 2, states);
        QCOMPARE(sources.size(), static_cast<std::size_t>(nodes.size()));
        for (const int n : {-1, 0, 1, 2, 3}) {
            QCOMPARE(run(after, folder, n), run(before, folder, n));
        }
    }
};

QTEST_APPLESS_MAIN(TestCountLoops)
#include "tst_count_loops.moc"
