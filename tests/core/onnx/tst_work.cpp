#include "core/onnx/work.h"

#include "core/base/cpu_time.h"
#include "core/convert/conversion.h"
#include "core/formats/onnx/onnx_reader.h"
#include "tests/support/onnx_text.h"
#include "tests/support/temporary_files.h"
#include "tests/support/text_graph.h"

#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Work workOfText(const std::string& graph)
{
    return workOf(graphOf(OnnxModel{std::make_shared<::onnx::ModelProto>(parseModel(graph)), {}}));
}

} // namespace

class TestWork : public QObject {
    Q_OBJECT
private slots:
    void operatorsCountByTheirShapes_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<qint64>("multiplyAdds");
        const auto row = [](const char* name, const char* graph, qint64 count) {
            QTest::newRow(name) << QString::fromLatin1(graph) << count;
        };
        row("Conv: 4*6*6 outputs of 3*3*3",
            "g (float[1,3,8,8] x, float[4,3,3,3] w) => (float[1,4,6,6] y) { y = Conv(x, w) }", 144 * 27);
        row("grouped Conv: 4*6*6 outputs of 1*3*3",
            "g (float[1,4,8,8] x, float[4,1,3,3] w) => (float[1,4,6,6] y) { y = Conv <group = 4> (x, w) }", 144 * 9);
        row("ConvTranspose: 3*4*4 inputs to 5*2*2",
            "g (float[1,3,4,4] x, float[3,5,2,2] w) => (float[1,5,5,5] y) { y = ConvTranspose(x, w) }", 48 * 20);
        row("Gemm: 2*5 outputs of 7",
            "g (float[7,2] x, float[7,5] w) => (float[2,5] y) { y = Gemm <transA = 1> (x, w) }", 70);
        row("MatMul: 2*3*5 outputs of 7", "g (float[2,3,7] x, float[2,7,5] w) => (float[2,3,5] y) { y = MatMul(x, w) }",
            210);
        row("Einsum: b2 i3 j4 k5",
            "g (float[2,3,4] x, float[2,4,5] w) => (float[2,3,5] y) { y = Einsum <equation = \"bij, bjk -> bik\"> (x, "
            "w) }",
            120);
        row("LSTM: 6 steps of 2 rows, 4 gates of 3 from 5 and 3",
            "g (float[6,2,5] x, float[1,12,5] w, float[1,12,3] r) => (float[6,1,2,3] y) "
            "{ y = LSTM <hidden_size = 3> (x, w, r) }",
            6 * 2 * (60 + 36));
        row("MaxPool: 3*2*2 outputs of 2*2",
            "g (float[1,3,4,4] x) => (float[1,3,2,2] y) { y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x) }",
            48);
        row("GlobalAveragePool: its inputs", "g (float[1,3,4,4] x) => (float[1,3,1,1] y) { y = GlobalAveragePool(x) }",
            48);
        row("elementwise and data movement",
            "g (float[2,3] x) => (float[3,2] y) <float[2,3] a> { a = Relu(x) y = Transpose(a) }", 6);
        row("Scan: 4 steps of 3 additions",
            "g (float[3] h, float[4,3] x) => (float[3] last, float[4,3] all) { last, all = Scan <num_scan_inputs = 1, "
            "body = step (float[3] s, float[3] i) => (float[3] t, float[3] o) { t = Add(s, i) o = Identity(t) }> (h, "
            "x) }",
            12);
        row("If: the more expensive branch",
            "g (bool c, float[3] x, float[3,3] w) => (float[3] y) { y = If <"
            "then_branch = one () => (float[3] a) { a = Neg(x) }, "
            "else_branch = two () => (float[3] b) { b = MatMul(x, w) }> (c) }",
            9);
    }
    void operatorsCountByTheirShapes()
    {
        QFETCH(QString, graph);
        const Work work = workOfText(graph.toStdString());
        QCOMPARE(work.unknownNodes, std::size_t{0});
        QVERIFY(work.symbolsAsOne.empty());
        QTEST(static_cast<qint64>(work.multiplyAdds), "multiplyAdds");
    }

    void symbolicDimensionsCountAsOne()
    {
        const Work work = workOfText("g (float[N,T,7] x, float[7,5] w) => (float[N,T,5] y) { y = MatMul(x, w) }");
        QCOMPARE(work.multiplyAdds, std::int64_t{35});
        QCOMPARE(toString(work), std::string("35 multiply-adds at N = 1, T = 1"));
        Work generated = work;
        generated.symbolsAsOne = {"N", "T", "unk__0", "unk__12"};
        QCOMPARE(toString(generated), std::string("35 multiply-adds at N = 1, T = 1, 2 more sizes = 1"));
        generated.symbolsAsOne = {"unk__0"};
        QCOMPARE(toString(generated), std::string("35 multiply-adds at 1 unknown size = 1"));
    }

    void constantExpressionsAreNotCounted()
    {
        const Work work =
            workOfText("g (float[2,3] x) => (float[2,5] y, float[3,5] z) <float[3,5] w, float[3,5] t, float[3,5] r> "
                       "{ w = Constant <value_float = 1.0> () t = Tanh(w) y = MatMul(x, t) "
                       "r = RandomUniformLike(w) z = Add(w, r) }");
        QCOMPARE(work.multiplyAdds, std::int64_t{2 * 5 * 3 + 15 + 15}); // random values are not constant
    }

    void unknownWorkIsReported()
    {
        const Work some = workOfText("g (float[3] x) => (float[3] y, float[] z) { y = Neg(x) z = OneOfAKind(x) }");
        QCOMPARE(toString(some), std::string("at least 3 multiply-adds, 1 node not counted"));
        QCOMPARE(toString(workOfText("g (float x) => (float y) { y = OneOfAKind(x) }")), std::string("unknown"));
    }

    /// No runtime accepts such a file, but it can be inspected.
    void nodesWithoutOutputsAreNotCounted()
    {
        for (const char* node : {"Conv(x)", "Gemm(x)", "MatMul(x)", "MaxPool<kernel_shape = [2]>(x)"}) {
            const std::string text = fmt::format("g (float[3] x) => (float[3] y) {{ y = Neg(x) z = {} }}", node);
            auto model = std::make_shared<::onnx::ModelProto>(parseModel(text));
            model->mutable_graph()->mutable_node(1)->clear_output();
            QCOMPARE(workOf(graphOf(OnnxModel{model, {}})).unknownNodes, std::size_t{1});
        }
    }

    void countsAConversion()
    {
        // 10 channels of 3*3*3 at 30*30, ReLU of the same size, 2*2 pooling to 15*15, dense 2250 to 10.
        const Graph graph = textGraph("x = input 1x3x32x32\n"
                                      "w = weight 10x3x3x3\n"
                                      "b = weight 10\n"
                                      "conv = Convolution(x,w,b) kernel=(3,3) num_filter=10\n"
                                      "relu = Activation(conv) act_type=relu\n"
                                      "pool = Pooling(relu) kernel=(2,2) stride=(2,2) pool_type=max\n"
                                      "v = weight 10x2250\n"
                                      "c = weight 10\n"
                                      "out = FullyConnected(pool,v,c) num_hidden=10\n"
                                      "output out");
        const Work work = workOf(graphOf(convert(graph, {}).value().model.whole()));
        QCOMPARE(work.unknownNodes, std::size_t{0});
        QCOMPARE(work.multiplyAdds, std::int64_t{9000 * 27 + 9000 + 2250 * 4 + 2250 * 10});
    }

    void manyCapturedValuesTakeLinearTime()
    {
        constexpr std::size_t count = 100'000;
        Graph graph;
        auto body = std::make_shared<Graph>();
        for (std::size_t i = 0; i < count; ++i) {
            const ValueId outer = graph.addValue({.name = "x", .type = {ElementType::Float32, Shape{Dim{1}, Dim{2}}}});
            const ValueId inner = body->addValue({});
            body->captures.push_back({inner, outer});
            body->addOutput(body->addNode({.op = "MatMul", .inputs = {inner, inner}}), "");
        }
        const SubgraphId id = graph.addSubgraph(body);
        graph.addNode({.op = "If", .attributes = {{"then_branch", id}, {"else_branch", id}}});
        constexpr double most = 2; // seconds: a third of quadratic time
        const double start = threadCpuSeconds();
        QCOMPARE(workOf(graph).multiplyAdds, std::int64_t{0});
        QVERIFY(threadCpuSeconds() - start < most);
    }

    /// An ONNX file without shapes of intermediate values: they are inferred from its inputs.
    void fileWithoutInnerShapesIsCounted()
    {
        const TemporaryFiles files;
        const auto path = files.write("m.onnx", "");
        writeMessage(parseModel("g (float[2,6] x, float[6,3] w, float[3,3] v) => (float[2,3] y) {"
                                "a = MatMul(x, w) y = MatMul(a, v) }"),
                     path.string());
        const Graph graph = graphOfFile(*ModelSource::at(path));
        const Work work = workOf(graphOf(convert(graph, {}).value()));
        QCOMPARE(work.unknownNodes, std::size_t{0});
        QCOMPARE(work.multiplyAdds, std::int64_t{2 * 6 * 3 + 2 * 3 * 3});
    }
};

QTEST_MAIN(TestWork)
#include "tst_work.moc"
