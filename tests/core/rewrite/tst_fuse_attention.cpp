// --optimize=attention on models in ONNX's text form: what becomes Attention, and what stays for which reason.

#include "tests/support/onnx_run.h"

#include <QtTest>
#include <cmath>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

constexpr int opset = 23;

OnnxModel attentionModel(const TemporaryFolder& folder, const QByteArray& text, int version = opset)
{
    OnnxModel model = modelOf(folder, text.toStdString());
    model.proto->mutable_opset_import(0)->set_version(version);
    model.proto->set_ir_version(10);
    return model;
}

/// Dimensions without a size have the size `open`.
std::vector<NamedTensor> run(const OnnxModel& model, const TemporaryFolder& folder, std::int64_t open)
{
    std::vector<NamedTensor> inputs;
    for (const auto& input : model.proto->graph().input()) {
        std::vector<std::int64_t> dims;
        for (const auto& dim : input.type().tensor_type().shape().dim()) {
            dims.push_back(dim.has_dim_value() ? dim.dim_value() : open);
        }
        inputs.push_back({input.name(), variedTensor(dims)});
    }
    return runOnnx(model, folder, inputs);
}

/// The messages of notes with a code, a line each.
QByteArray messages(const Conversion& conversion, std::string_view code)
{
    QByteArrayList list;
    for (const Diagnostic& problem : conversion.problems) {
        if (problem.code.text() == code) {
            list << QByteArray::fromStdString(problem.message);
        }
    }
    return list.join('\n');
}

const ConvertOptions fused{.optimize = true, .fuseAttention = true};

} // namespace

class TestFuseAttention : public QObject {
    Q_OBJECT
private slots:
    void becomesOneNode_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("nodes");
        const QByteArray three = "g (float[2,5,4] q, float[2,7,4] k, float[2,7,6] v";
        const QByteArray four = "g (float[2,3,5,4] q, float[2,3,7,4] k, float[2,3,7,6] v";
        const QByteArray product3 = "t = Transpose <perm = [0, 2, 1]> (k) s = MatMul(q, t) ";
        const QByteArray product4 = "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul(q, t) ";
        const QByteArray end = "w = Softmax(a) y = MatMul(w, v) }";
        QTest::newRow("three dimensions")
            << three + ") => (float[2,5,6] y) {" + product3 + "w = Softmax <axis = 2> (s) y = MatMul(w, v) }"
            << QByteArray("Attention");
        QTest::newRow("four dimensions") << four + ") => (float[2,3,5,6] y) {" + product4 +
                                                "w = Softmax(s) y = MatMul(w, v) }"
                                         << QByteArray("Attention");
        QTest::newRow("scaled scores") << four + ") => (float[2,3,5,6] y) <float c = {0.25}> {" + product4 +
                                              "a = Mul(c, s) " + end
                                       << QByteArray("Attention");
        QTest::newRow("divided scores") << four + ") => (float[2,3,5,6] y) <float[1] c = {4}> {" + product4 +
                                               "a = Div(s, c) " + end
                                        << QByteArray("Attention");
        QTest::newRow("scaled queries and keys")
            << four +
                   ") => (float[2,3,5,6] y) <float c = {0.5}, float d = {0.25}> { p = Mul(q, c) u = Mul(k, d) "
                   "t = Transpose <perm = [0, 1, 3, 2]> (u) a = MatMul(p, t) " +
                   end
            << QByteArray("Mul Attention");
        QTest::newRow("mask of all scores")
            << four + ", float[2,3,5,7] m) => (float[2,3,5,6] y) {" + product4 + "a = Add(s, m) " + end
            << QByteArray("Attention");
        QTest::newRow("mask of queries and keys")
            << four + ", float[5,7] m) => (float[2,3,5,6] y) <float c = {0.5}> {" + product4 +
                   "b = Mul(s, c) a = Add(m, b) " + end
            << QByteArray("Attention");
        QTest::newRow("mask of keys") << four + ", float[2,1,1,7] m) => (float[2,3,5,6] y) {" + product4 +
                                             "a = Add(s, m) " + end
                                      << QByteArray("Expand Attention");
        QTest::newRow("mask of a vector")
            << three + ", float[7] m) => (float[2,5,6] y) {" + product3 + "a = Add(s, m) " + end
            << QByteArray("Expand Attention");
        QTest::newRow("mask of samples, three dimensions")
            << three + ", float[2,1,7] m) => (float[2,5,6] y) {" + product3 + "a = Add(s, m) " + end
            << QByteArray("Expand Unsqueeze Attention");
        QTest::newRow("mask of heads") << four + ", float[3,5,7] m) => (float[2,3,5,6] y) {" + product4 +
                                              "a = Add(s, m) " + end
                                       << QByteArray("Unsqueeze Attention");
        const QByteArray constants = "<float z = {0}, float o = {-1}, float l = {-2.5}>";
        QTest::newRow("scores kept by a condition")
            << four + ", float[2,1,5,7] m) => (float[2,3,5,6] y) " + constants + " {" + product4 +
                   "n = Div(o, z) c = Greater(m, l) a = Where(c, s, n) " + end
            << QByteArray("Greater Where Attention");
        QTest::newRow("scores replaced by a condition")
            << four + ", float[2,1,5,7] m) => (float[2,3,5,6] y) " + constants + " {" + product4 +
                   "n = Div(o, z) c = Less(m, l) a = Where(c, n, s) " + end
            << QByteArray("Less Where Attention");
        const QByteArray guarded = "<float z = {0}, float o = {-1}, float l = {-2.5}, int64[1] i = {-1}>";
        QTest::newRow("0 for queries without keys")
            << four + ", float[2,1,5,7] m) => (float[2,3,5,6] y) " + guarded + " {" + product4 +
                   "n = Div(o, z) c = Greater(m, l) a = Where(c, s, n) p = Softmax(a) h = ReduceMax(a, i) "
                   "e = Equal(h, n) w = Where(e, z, p) y = MatMul(w, v) }"
            << QByteArray("Greater Where Attention");
        QTest::newRow("0 for queries without keys, an added mask")
            << four + ", float[5,7] m) => (float[2,3,5,6] y) " + guarded + " {" + product4 +
                   "n = Div(o, z) a = Add(s, m) p = Softmax(a) h = ReduceMax(a, i) e = Equal(n, h) "
                   "w = Where(e, z, p) y = MatMul(w, v) }"
            << QByteArray("Attention");
        QTest::newRow("Einsum, heads last")
            << QByteArray("g (float[2,5,3,4] q, float[2,7,3,4] k, float[2,7,3,6] v) => (float[2,5,3,6] y) { "
                          "s = Einsum <equation = \"bqhd,bkhd->bhqk\"> (q, k) w = Softmax(s) "
                          "y = Einsum <equation = \"bhqk,bkhd->bqhd\"> (w, v) }")
            << QByteArray("Transpose Transpose Transpose Attention Transpose");
        QTest::newRow("Einsum, keys first")
            << QByteArray("g (float[2,5,3,4] q, float[2,7,3,4] k, float[2,7,3,6] v) => (float[2,3,5,6] y) { "
                          "s = Einsum <equation = \"bkhd,bqhd->bhqk\"> (k, q) w = Softmax(s) "
                          "y = Einsum <equation = \"bkhd,bhqk->bhqd\"> (v, w) }")
            << QByteArray("Transpose Transpose Transpose Attention");
        QTest::newRow("open sizes")
            << QByteArray("g (float[N,3,S,4] q, float[N,3,S,4] k, float[N,3,S,6] v) => (float[N,3,S,6] y) {") +
                   product4 + "w = Softmax(s) y = MatMul(w, v) }"
            << QByteArray("Attention");
        QTest::newRow("open sizes with a mask of keys")
            << QByteArray("g (float[N,3,S,4] q, float[N,3,S,4] k, float[N,3,S,6] v, float[N,1,1,S] m) "
                          "=> (float[N,3,S,6] y) {") +
                   product4 + "a = Add(s, m) " + end
            << QByteArray("Shape Shape Concat Expand Attention");
    }
    void becomesOneNode()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, nodes);
        const TemporaryFolder folder;
        const OnnxModel model = attentionModel(folder, text);
        const Conversion conversion = converted(model, fused);
        QCOMPARE(messages(conversion, "attention-kept"), QByteArray());
        QVERIFY(!messages(conversion, "attention-fused").isEmpty());
        QCOMPARE(operators(conversion.model.whole()), nodes);
        for (const std::int64_t open : {5, 1}) {
            const auto before = run(model, folder, open);
            const auto after = run(conversion.model.whole(), folder, open);
            QCOMPARE(after.size(), before.size());
            QCOMPARE(after[0].tensor.dims(), before[0].tensor.dims());
            const auto wanted = before[0].tensor.toDoubles();
            const auto got = after[0].tensor.toDoubles();
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QVERIFY2(std::abs(got[i] - wanted[i]) < 1e-4, qPrintable(QString::number(got[i] - wanted[i])));
            }
        }
    }

    void staysAsItIs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("reason");
        const QByteArray four = "g (float[2,3,5,4] q, float[2,3,7,4] k, float[2,3,7,6] v";
        const QByteArray product = "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul(q, t) ";
        const QByteArray end = "w = Softmax(a) y = MatMul(w, v) }";
        QTest::newRow("weights of another axis")
            << four + ") => (float[2,3,5,6] y) {" + product + "w = Softmax <axis = 2> (s) y = MatMul(w, v) }"
            << QByteArray("no Softmax between two products was found");
        QTest::newRow("weights that are an output")
            << four + ") => (float[2,3,5,6] y, float[2,3,5,7] w) {" + product + "w = Softmax(s) y = MatMul(w, v) }"
            << QByteArray("w is used elsewhere too");
        QTest::newRow("scores that others read") << four + ") => (float[2,3,5,6] y, float[2,3,5,7] z) {" + product +
                                                        "a = Neg(s) z = Relu(s) " + "w = Softmax(s) y = MatMul(w, v) }"
                                                 << QByteArray("s is used elsewhere too");
        QTest::newRow("scaled scores that others read")
            << four + ") => (float[2,3,5,6] y, float[2,3,5,7] z) <float c = {0.5}> {" + product + "b = Mul(s, c) " +
                   "z = Relu(b) a = Add(b, b) w = Softmax(b) y = MatMul(w, v) }"
            << QByteArray("used elsewhere too");
        QTest::newRow("scale below 0") << four + ") => (float[2,3,5,6] y) <float c = {-0.5}> {" + product +
                                              "a = Mul(s, c) " + end
                                       << QByteArray("its scale is -0.5");
        QTest::newRow("mask that repeats scores")
            << QByteArray("g (float[1,3,5,4] q, float[1,3,7,4] k, float[1,3,7,6] v, float[2,1,5,7] m) "
                          "=> (float[2,3,5,6] y) {") +
                   product + "a = Add(s, m) " + end
            << QByteArray("more elements than the scores");
        QTest::newRow("mask that repeats queries")
            << QByteArray("g (float[2,3,1,4] q, float[2,3,7,4] k, float[2,3,7,6] v, float[5,7] m) "
                          "=> (float[2,3,5,6] y) {") +
                   product + "a = Add(s, m) " + end
            << QByteArray("more elements than the scores");
        QTest::newRow("mask of an open size for one query")
            << QByteArray("g (float[2,3,1,4] q, float[2,3,7,4] k, float[2,3,7,6] v, float[S,7] m) "
                          "=> (float[2,3,S,6] y) {") +
                   product + "a = Add(s, m) " + end
            << QByteArray("more elements than the scores");
        QTest::newRow("keys of one sample")
            << QByteArray("g (float[2,3,5,4] q, float[1,3,7,4] k, float[2,3,7,6] v) => (float[2,3,5,6] y) {") +
                   product + "w = Softmax(s) y = MatMul(w, v) }"
            << QByteArray("its operands are broadcast");
        QTest::newRow("values of one head")
            << QByteArray("g (float[2,3,5,4] q, float[2,3,7,4] k, float[2,1,7,6] v) => (float[2,3,5,6] y) {") +
                   product + "w = Softmax(s) y = MatMul(w, v) }"
            << QByteArray("its operands are broadcast");
        QTest::newRow("scores replaced by a finite number")
            << four + ", float[5,7] m) => (float[2,3,5,6] y) <float n = {-1e9}, float l = {-2}> {" + product +
                   "c = Greater(m, l) a = Where(c, s, n) " + end
            << QByteArray("its mask replaces scores by -1000000000");
        QTest::newRow("product of the weights' other axis")
            << QByteArray("g (float[2,3,5,4] q, float[2,3,5,4] k, float[2,3,5,6] v) => (float[2,3,5,6] y) {") +
                   product + "w = Softmax(s) y = Einsum <equation = \"bhqk,bhqd->bhkd\"> (w, v) }"
            << QByteArray("its products do not have the axes of Attention");
    }
    void staysAsItIs()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, reason);
        const TemporaryFolder folder;
        const OnnxModel model = attentionModel(folder, text);
        const Conversion conversion = converted(model, fused);
        QCOMPARE(messages(conversion, "attention-fused"), QByteArray());
        const QByteArray kept = messages(conversion, "attention-kept");
        QVERIFY2(kept.contains(reason), kept.constData());
        QVERIFY(!kept.contains('\n'));
        QCOMPARE(operators(conversion.model.whole()), operators(converted(model, {.optimize = true}).model.whole()));
    }

    /// The note describes the results of queries without keys.
    void notesThatAGuardIsLost()
    {
        const TemporaryFolder folder;
        const OnnxModel model = attentionModel(
            folder, "g (float[2,5,4] q, float[2,4,7] k, float[2,7,6] v, float[5,7] m) => (float[2,5,6] y) "
                    "<float z = {0}, float o = {-1}, int64[1] i = {2}> { s = MatMul(q, k) n = Div(o, z) a = Add(s, m) "
                    "p = Softmax(a) h = ReduceMax(a, i) e = Equal(h, n) w = Where(e, z, p) y = MatMul(w, v) }");
        const QByteArray note = messages(converted(model, fused), "attention-fused");
        QVERIFY2(note.contains("for a query that a mask leaves no key is the runtime's, not 0"), note.constData());
    }

    /// A selection of 0 under another condition is not part of the pattern.
    void aMaximumOfQueriesIsNoGuard()
    {
        const TemporaryFolder folder;
        const OnnxModel model = attentionModel(
            folder, "g (float[2,5,4] q, float[2,4,5] k, float[2,5,6] v) => (float[2,5,6] y) "
                    "<float z = {0}, float o = {-1}, int64[1] i = {1}> { s = MatMul(q, k) n = Div(o, z) p = Softmax(s) "
                    "h = ReduceMax(s, i) e = Equal(h, n) w = Where(e, z, p) y = MatMul(w, v) }");
        QCOMPARE(messages(converted(model, fused), "attention-fused"), QByteArray());
    }

    /// Attention that the model has is not denied.
    void doesNotDenyAttentionOfTheModel()
    {
        const TemporaryFolder folder;
        const OnnxModel model =
            attentionModel(folder, "g (float[2,3,5,4] q, float[2,3,7,4] k, float[2,3,7,6] v) => (float[2,3,5,6] y) { "
                                   "y = Attention(q, k, v) }");
        QCOMPARE(messages(converted(model, fused), "attention-kept"), QByteArray());
    }

    void olderOpsetsStayWithOneWarning()
    {
        const TemporaryFolder folder;
        const OnnxModel model = attentionModel(
            folder,
            "g (float[2,5,4] q, float[2,4,7] k, float[2,7,6] v) => (float[2,5,6] y, float[2,5,6] z) { s = MatMul(q, k) "
            "w = Softmax(s) y = MatMul(w, v) r = MatMul(q, k) n = Neg(r) u = Softmax(n) z = MatMul(u, v) }",
            22);
        const Conversion conversion = converted(model, fused);
        QCOMPARE(conversion.problems.size(), std::size_t{1});
        const Diagnostic& problem = conversion.problems.front();
        QVERIFY(problem.severity == Severity::Warning && problem.code == Code("attention-kept"));
        QCOMPARE(problem.message, std::string("attention stays as it is: ONNX has Attention from opset 23 on, and the "
                                              "model has opset 22"));
        QCOMPARE(problem.hint, std::string("take --opset 23"));
        QVERIFY(!operators(conversion.model.whole()).contains("Attention"));
    }

    void theNodeHasItsSources()
    {
        const TemporaryFolder folder;
        const OnnxModel model = attentionModel(
            folder, "g (float[2,5,4] q, float[2,4,7] k, float[2,7,6] v) => (float[2,5,6] y) <float c = {0.5}> { "
                    "s = MatMul(q, k) a = Mul(s, c) w = Softmax(a) y = MatMul(w, v) }");
        const Conversion conversion = converted(model, fused);
        const auto& graph = conversion.model.whole().proto->graph();
        QCOMPARE(graph.node(graph.node_size() - 1).op_type(), std::string("Attention"));
        std::vector<std::uint32_t> sources;
        for (const NodeId id : conversion.sources.back()) {
            sources.push_back(id.index);
        }
        std::sort(sources.begin(), sources.end());
        QCOMPARE(sources, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    }
};

QTEST_APPLESS_MAIN(TestFuseAttention)
#include "tst_fuse_attention.moc"
