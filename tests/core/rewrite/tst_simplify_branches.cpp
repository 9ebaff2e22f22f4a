// Ifs of converted models: unread outputs, equal conditions, constant conditions.

#include "core/formats/onnx_graph.h"
#include "core/rewrite/optimize.h"
#include "tests/support/onnx_run.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// "If{Neg|Abs} Add": the nodes' operators, with those of the branches.
QByteArray operators(const ::onnx::GraphProto& graph)
{
    QByteArrayList list;
    for (const auto& node : graph.node()) {
        QByteArrayList branches;
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) {
                branches << operators(attribute.g());
            }
        }
        list << QByteArray::fromStdString(node.op_type()) +
                    (branches.isEmpty() ? QByteArray() : '{' + branches.join('|') + '}');
    }
    return list.join(' ');
}

std::vector<NamedTensor> run(const OnnxModel& model, const TemporaryFolder& folder, bool condition)
{
    const std::vector<float> values{-1, 2, 3};
    std::vector<NamedTensor> inputs{{"x", Tensor::of<float>(ElementType::Float32, {3}, values)}};
    if (model.proto->graph().input_size() > 1) {
        inputs.push_back({"c", Tensor::scalar(ElementType::Bool, condition ? 1 : 0)});
    }
    return runOnnx(model, folder, inputs);
}

} // namespace

class TestSimplifyBranches : public QObject {
    Q_OBJECT
private slots:
    void computesTheSame_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("nodes");
        const QByteArray first = "a, u = If (c) <then_branch = t1 () => (float[3] a1, float[3] u1) "
                                 "{ a1 = Neg(x) u1 = Sin(x) }, else_branch = e1 () => (float[3] a2, float[3] u2) "
                                 "{ a2 = Abs(x) u2 = Cos(x) }> ";
        const QByteArray second = "b = If (c) <then_branch = t2 () => (float[3] b1) { b1 = Exp(z) }, "
                                  "else_branch = e2 () => (float[3] b2) { b2 = Floor(z) }> ";
        const QByteArray head = "g (float[3] x, bool c) => (float[3] y) ";
        QTest::newRow("outputs that nothing reads")
            << head + "{ " + first + " y = Relu(a) }" << QByteArray("If{Neg|Abs} Relu");
        QTest::newRow("equal conditions")
            << head + "{ " + first + " z = Relu(x) " + second + " s = Add(a, b) y = Add(s, u) }"
            << QByteArray("Relu If{Exp Neg Sin|Floor Abs Cos} Add Add");
        QTest::newRow("a result that the other reads")
            << head + "{ " + first + " z = Relu(a) " + second + " y = Add(a, b) }"
            << QByteArray("If{Neg|Abs} Relu If{Exp|Floor} Add");
        QTest::newRow("a constant condition")
            << QByteArray("g (float[3] x) => (float[3] y) <bool c = {1}> { ") + first + " y = Add(a, u) }"
            << QByteArray("Neg Sin Add");
        QTest::newRow("a constant condition, and the result is an output")
            << QByteArray("g (float[3] x) => (float[3] a) <bool c = {0}> { ") + first + " }" << QByteArray("Abs");
        QTest::newRow("a branch that returns a value from outside")
            << QByteArray(
                   "g (float[3] x) => (float[3] y) <bool c = {0}> { z = Neg(x) a = If (c) <then_branch = t () => "
                   "(float[3] p) { p = Abs(z) }, else_branch = e () => (float[3] q) { q = Identity(z) }> "
                   "y = Relu(a) }")
            << QByteArray("Neg Relu");
    }
    void computesTheSame()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, nodes);
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
        QCOMPARE(operators(after.proto->graph()), nodes);
        QCOMPARE(sources.size(), static_cast<std::size_t>(after.proto->graph().node_size()));
        for (const bool condition : {true, false}) {
            QCOMPARE(run(after, folder, condition)[0].tensor.toDoubles(),
                     run(before, folder, condition)[0].tensor.toDoubles());
        }
    }
};

QTEST_APPLESS_MAIN(TestSimplifyBranches)
#include "tst_simplify_branches.moc"
