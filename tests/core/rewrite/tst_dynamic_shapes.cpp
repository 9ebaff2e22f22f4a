#include "core/rewrite/axis_factors.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"
#include "tests/support/sample_runs.h"

#include <QtTest>
#include <algorithm>
#include <set>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Conversion reshaped(const OnnxModel& model, const std::map<std::string, Shape>& shapes)
{
    ConvertOptions options;
    options.shapes = {shapes.begin(), shapes.end()};
    return converted(model, options);
}

std::string diagnosed(const Conversion& conversion, Severity severity)
{
    std::string all;
    for (const Diagnostic& problem : conversion.problems) {
        if (problem.severity == severity) {
            all += (all.empty() ? "" : " ") + std::string(problem.code.text()) + ":" + problem.node;
        }
    }
    return all;
}

} // namespace

class TestDynamicShapes : public QObject {
    Q_OBJECT
private slots:
    /// Models of one sample [1, ...] along axis 0. With three samples each must have the same result as alone.
    void batchOfOneBecomesDynamic_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromLatin1(text); };
        row("reshape", "g (float[1,6,4] x) => (float[1,24] y) <int64[2] s = {1, 24}> { [r] y = Reshape(x, s) }");
        row("reshape by -1", "g (float[1,6,4] x) => (float[1,24] y) <int64[2] s = {1, -1}> { [r] y = Reshape(x, s) }");
        row("reshape and back",
            R"(g (float[1,6,4] x) => (float[1,6,4] y) <int64[2] s = {6, 4}, int64[3] t = {1, 6, 4}> {
            [r] a = Reshape(x, s)
            b = Relu(a)
            [u] y = Reshape(b, t)
        })");
        row("heads after the batch axis", R"(g (float[1,6,4] x) => (float[1,6,4] y)
            <int64[3] s = {0, -1, 2}, int64[3] u = {6, 1, 4}> {
            t = Transpose<perm = [1, 0, 2]>(x)
            [h] h = Reshape(t, s)
            r = Relu(h)
            [u] b = Reshape(r, u)
            y = Transpose<perm = [1, 0, 2]>(b)
        })");
        row("attention of heads that share an axis with the batch", R"(g (float[1,6,4] x) => (float[1,6,4] y)
            <int64[3] s = {6, 2, 2}, int64[2] u = {6, 4}, int64[3] v = {6, 1, 4}> {
            t = Transpose<perm = [1, 0, 2]>(x)
            [h] h = Reshape(t, s)
            q = Transpose<perm = [1, 0, 2]>(h)
            k = Transpose<perm = [1, 2, 0]>(h)
            m = MatMul(q, k)
            p = Softmax<axis = 2>(m)
            a = MatMul(p, q)
            b = Transpose<perm = [1, 0, 2]>(a)
            [f] f = Reshape(b, u)
            [u] c = Reshape(f, v)
            y = Transpose<perm = [1, 0, 2]>(c)
        })");
        row("inserted axes", R"(g (float[1,6,4] x) => (float[1,2,3,2,2] y) <int64[5] s = {1, 2, 3, 2, 2}> {
            [r] y = Reshape(x, s)
        })");
        row("expand", R"(g (float[1,6,4] x) => (float[1,6,4] y) <int64[3] s = {1, 6, 4}> {
            m = ReduceMean<axes = [1, 2]>(x)
            [e] e = Expand(m, s)
            y = Mul(x, e)
        })");
        row("slice",
            R"(g (float[1,6,4] x) => (float[1,6,2] y) <int64[2] b = {0, 1}, int64[2] e = {1, 3}, int64[2] a = {0, 2}> {
            [s] y = Slice(x, b, e, a)
        })");
        row("concatenated constant", R"(g (float[1,6,4] x) => (float[1,7,4] y) <float[1,1,4] c = {1, 2, 3, 4}> {
            [c] y = Concat<axis = 1>(x, c)
        })");
        row("resize", R"(g (float[1,1,2,3] x) => (float[1,1,4,6] y) <float[0] n = {}, int64[4] s = {1, 1, 4, 6}> {
            [r] y = Resize<coordinate_transformation_mode = "asymmetric">(x, n, n, s)
        })");
        row("indices within the sample", R"(g (float[1,4] x) => (float[1,2] y) <int64[1,2] i = {2, 0}> {
            [p] y = GatherElements<axis = 1>(x, i)
        })");
        row("scatter to indices within the sample",
            R"(g (float[1,4] x) => (float[1,4] y) <int64[1,1] i = {2}, float[1,1] u = {9}> {
            [p] y = ScatterElements<axis = 1>(x, i, u)
        })");
        row("one index per sample", R"(g (float[1,4] x) => (float[1] y) <int64[1,1] i = {2}> {
            [p] y = GatherND<batch_dims = 1>(x, i)
        })");
        row("reversed sequence", R"(g (float[1,5,2] x) => (float[1,5,2] y) <int64[1] l = {3}> {
            [l] y = ReverseSequence<batch_axis = 0, time_axis = 1>(x, l)
        })");
        row("sampling grid", R"(g (float[1,1,2,2] x) => (float[1,1,1,2] y) <float[1,1,2,2] c = {-1, 0, 1, 0.5}> {
            [s] y = GridSample(x, c)
        })");
        row("initial states of a Scan", R"(g (float[1,5,2] x) => (float[1,5,3] y)
            <float[1,3] s0 = {0.5, -1, 2}, float[2,3] w = {1, 2, 3, 4, 5, 6}, float[3,3] r = {1, 0, 2, 0, 1, 0, 1, 1, 0}> {
            t = Transpose<perm = [1, 0, 2]>(x)
            [scan] last, all = Scan<num_scan_inputs = 1,
                body = step (float[1,3] s, float[1,2] now) => (float[1,3] next, float[1,3] out) {
                    fed = MatMul(now, w)
                    sum = Gemm(s, r, fed)
                    next = Tanh(sum)
                    out = Identity(next)
                }>(s0, t)
            y = Transpose<perm = [1, 0, 2]>(all)
        })");
    }
    void batchOfOneBecomesDynamic()
    {
        QFETCH(QString, text);
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, text.toStdString());
        const auto closed = folder.path() / "model.onnx";
        TensorType type = fromProto(model.proto->graph().input(0).type());
        std::vector<std::int64_t> dims;
        for (const Dim& dim : *type.shape) {
            dims.push_back(dim.size);
        }
        (*type.shape)[0] = Dim("N");
        const Conversion conversion = reshaped(model, {{"x", *type.shape}});
        QCOMPARE(diagnosed(conversion, Severity::Error), std::string());
        checkModel(conversion.model.whole());
        const auto opened = folder.path() / "open.onnx";
        writeOnnx(conversion.model, opened);
        const auto& output = conversion.model.whole().proto->graph().output(0).type().tensor_type().shape();
        QVERIFY(output.dim_size() > 0);
        QCOMPARE(output.dim(0).dim_param(), std::string("N"));

        std::vector<Tensor> samples;
        std::vector<Tensor> wanted;
        for (int i = 0; i < 3; ++i) {
            samples.push_back(numbers(dims, i));
            wanted.push_back(run(closed, "x", samples.back())[0].tensor);
        }
        QCOMPARE(run(opened, "x", Tensor::joined(samples))[0].tensor.toBytes(), Tensor::joined(wanted).toBytes());
        QCOMPARE(run(opened, "x", samples[1])[0].tensor.toBytes(), wanted[1].toBytes());
    }

    void mergedTimeAndBatchAxesAreSplitAgain()
    {
        const TemporaryFolder folder;
        const char* text = R"(g (float[5,1,4] x) => (float[5,1,3] y)
            <int64[2] s = {5, 4}, int64[3] t = {5, 1, 3}, float[4,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
            [r] a = Reshape(x, s)
            b = MatMul(a, w)
            [u] y = Reshape(b, t)
        })";
        const Conversion conversion = reshaped(modelOf(folder, text), {{"x", {5, Dim("N"), 4}}});
        QCOMPARE(diagnosed(conversion, Severity::Error), std::string());
        QCOMPARE(diagnosed(conversion, Severity::Note), std::string("mended-size:r mended-size:u"));
        const auto opened = folder.path() / "open.onnx";
        writeOnnx(conversion.model, opened);
        const Tensor x = numbers({5, 3, 4}, 1);
        const auto got = run(opened, "x", x)[0].tensor;
        QCOMPARE(got.dims(), (std::vector<std::int64_t>{5, 3, 3}));
        for (std::int64_t sample = 0; sample < 3; ++sample) { // batch is the faster index
            std::vector<Tensor> parts;
            std::vector<Tensor> wanted;
            for (std::int64_t t = 0; t < 5; ++t) {
                parts.push_back(x.range((t * 3 + sample) * 4, {1, 1, 4}));
                wanted.push_back(got.range((t * 3 + sample) * 3, {1, 1, 3}));
            }
            QCOMPARE(run(folder.path() / "model.onnx", "x", Tensor::joined(parts))[0].tensor.toBytes(),
                     Tensor::joined(wanted).toBytes());
        }
    }

    void zeroStatesAreRemovedAndOthersExpanded()
    {
        const TemporaryFolder folder;
        OnnxModel model = emptyModel();
        addInput(model, "x", {ElementType::Float32, Shape{4, 2, 3}});
        addWeight(model, "w", numbers({1, 8, 3}, 1));
        addWeight(model, "r", numbers({1, 8, 2}, 2));
        addWeight(model, "h", Tensor::filled(ElementType::Float32, {1, 2, 2}, 0));
        addWeight(model, "c", Tensor::filled(ElementType::Float32, {1, 2, 2}, 0.5));
        auto* hidden = addNode(model, "LSTM", {"x", "w", "r", "", "", "h", "c"}, {"y"}).add_attribute();
        hidden->set_name("hidden_size");
        hidden->set_type(::onnx::AttributeProto::INT);
        hidden->set_i(2);
        addOutput(model, "y", {ElementType::Float32, Shape{4, 1, 2, 2}});
        const auto closed = folder.path() / "closed.onnx";
        writeOnnx(model, closed);
        const Conversion conversion = reshaped(model, {{"x", {4, Dim("N"), 3}}});
        QCOMPARE(diagnosed(conversion, Severity::Error), std::string());
        const auto opened = folder.path() / "open.onnx";
        writeOnnx(conversion.model, opened);
        const Tensor two = numbers({4, 2, 3}, 3);
        QCOMPARE(run(opened, "x", two)[0].tensor.toBytes(), run(closed, "x", two)[0].tensor.toBytes());
        QCOMPARE(run(opened, "x", numbers({4, 5, 3}, 3))[0].tensor.dims(), (std::vector<std::int64_t>{4, 1, 5, 2}));
    }

    /// States that are inputs of the model match the batch only if they have the same symbol.
    void stateInputsMustHaveTheBatchSymbol()
    {
        const TemporaryFolder folder;
        const OnnxModel model =
            modelOf(folder, R"(g (float[4,2,3] x, float[2,2,2] h) => (float[4,1,2,2] y, float[1,2,2] z)
            <float[1,2,3] w = {1, 2, 3, 4, 5, 6}, float[1,2,2] r = {1, 2, 3, 4}> {
            first, second = Split<axis = 0>(h)
            [rnn] y, last = RNN<hidden_size = 2>(x, w, r, , , first)
            z = Add(last, second)
        })");
        const Conversion open = reshaped(model, {{"x", {4, Dim("N"), 3}}, {"h", {2, Dim("N"), 2}}});
        QCOMPARE(diagnosed(open, Severity::Error), std::string());
        const Conversion apart = reshaped(model, {{"x", {4, Dim("N"), 3}}, {"h", {2, Dim("M"), 2}}});
        QVERIFY(diagnosed(apart, Severity::Error).starts_with("baked-size:rnn"));
    }

    void branchesMayRepeatNames()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[1,6] x, bool c) => (float[1,6] y) {
            y = If(c)<then_branch = t () => (float[1,6] p) { s = Shape(x) r = Reshape(x, s) p = Relu(r) },
                      else_branch = e () => (float[1,6] p) { s = Shape(x) r = Reshape(x, s) p = Neg(r) }>
        })");
        const Conversion conversion = reshaped(model, {{"x", Shape{Dim("N"), 6}}});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(toString(conversion.valueTypes.back()), std::string("float32 Nx6"));
    }

    void mismatchesInBodiesNameTheReader_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reader");
        QTest::newRow("named") << "[r] "
                               << "r (Reshape)";
        QTest::newRow("unnamed") << ""
                                 << "Reshape";
    }
    void mismatchesInBodiesNameTheReader()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, reader);
        const TemporaryFolder folder;
        const QString text = QStringLiteral(R"(g (float[1,12] x, bool c) => (float[1,4] y) {
            [i] y = If(c)<then_branch = t () => (float[1,4] p) <int64[3] s = {1, 3, 4}, int64[2] u = {1, 4}>
                              { %1a = Reshape(x, s) m = ReduceMax<axes = [1], keepdims = 0>(a) p = Reshape(m, u) },
                          else_branch = e () => (float[1,4] q) <int64[3] s = {1, 4, 3}, int64[2] u = {1, 4}>
                              { a = Reshape(x, s) m = ReduceMax<axes = [2], keepdims = 0>(a) q = Reshape(m, u) }>
        })");
        const Conversion conversion =
            reshaped(modelOf(folder, text.arg(name).toStdString()), {{"x", Shape{Dim("N"), 12}}});
        QString messages;
        for (const Diagnostic& problem : conversion.problems) {
            messages += QString::fromStdString(problem.message) + QLatin1Char('\n');
        }
        QVERIFY2(messages.contains(QStringLiteral("the other operands of %1").arg(reader)), qPrintable(messages));
    }

    void hardcodedBatchIsReportedAtItsNode_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const char* problem, const char* text) {
            QTest::newRow(name) << QString::fromLatin1(text) << QString::fromLatin1(problem);
        };
        row("selected sample", "baked-size:p",
            "g (float[1,4] x) => (float[4] y) <int64 i = {0}> { [p] y = Gather<axis = 0>(x, i) }");
        row("split into samples", "baked-size:p",
            "g (float[2,4] x) => (float[1,4] y, float[1,4] z) { [p] y, z = Split<axis = 0>(x) }");
        row("dropped axis", "baked-size:p",
            "g (float[1,4] x) => (float[4] y) <int64[1] a = {0}> { [p] y = Squeeze(x, a) }");
        row("weights per sample", "baked-size:p",
            "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3, 4}> { [p] y = Add(x, w) }");
        row("split batch", "baked-size:p",
            "g (float[8,3] x) => (float[2,4,3] y) <int64[3] s = {2, 4, 3}> { [p] y = Reshape(x, s) }");
        row("samples in different orders", "baked-size:p",
            R"(g (float[1,5,4] x) => (float[5,4] y) <int64[2] s = {5, 4}> {
            t = Transpose<perm = [1, 0, 2]>(x)
            a = Reshape(x, s)
            b = Reshape(t, s)
            [p] y = Add(a, b)
        })");
        row("a count per sample", "baked-size:p",
            "g (int64[1,4] x) => (int64[1,k] y, int64[1,k] i) {"
            "c = ReduceMax<axes = [1], keepdims = 0>(x) [p] y, i = TopK(x, c) }");
        row("a bias per sample", "baked-size:p",
            "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3, 4}, float[2,2] c = {1, 2, 3, 4}> {"
            "[p] y = Gemm(x, w, c) }");
        row("constant with one row per sample", "baked-size:p",
            "g (float[1,2] x) => (float[1,2] y) <float[1,2] a = {1, 2}, float[2,2] w = {1, 2, 3, 4}> {"
            "r = Relu(x) [p] y = Gemm(a, w, r) }");
        row("Einsum index with two lengths", "baked-size:p",
            R"(g (float[2,4] x) => (float[2,4,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}> {
            [p] y = Einsum<equation = "bi,bj->bij">(x, w)
        })");
        row("lengths of two sequences in a constant", "baked-size:p",
            R"(g (float[2,5,3] x) => (float[2,5,3] y) <int64[2] l = {3, 5}> {
            [p] y = ReverseSequence<batch_axis = 0, time_axis = 1>(x, l)
        })");
        row("indices of two samples", "baked-size:p",
            R"(g (float[2,4] x) => (float[2] y) <int64[2,1] i = {1, 2}> {
            [p] y = GatherND<batch_dims = 1>(x, i)
        })");
        row("indices of one of two samples", "baked-size:p",
            R"(g (float[2,4] x) => (float[1,2] y) <int64[1,2] i = {1, 2}> {
            [p] y = GatherElements<axis = 1>(x, i)
        })");
        row("omitted samples", "baked-size:p",
            "g (float[2,4] x) => (float[1,4] y) <bool[2] c = {1, 0}> { [p] y = Compress<axis = 0>(x, c) }");
        row("slopes of two samples", "baked-size:p",
            "g (float[2,2] x) => (float[2,2] y) <float[2,1] s = {1, 2}> { [p] y = PRelu(x, s) }");
        row("concatenated with indices", "baked-size:p",
            "g (int64[1,4] x) => (int64[1,5] y) <int64[1,1] c = {0}> { [p] y = Concat<axis = 1>(x, c) }");
        row("last sample", "baked-size:p",
            "g (float[1,4] x) => (y) <int64[1] s = {-1}, int64[1] e = {9}, int64[1] a = {0}> {"
            "[p] y = Slice(x, s, e, a) }");
        row("every second sample", "baked-size:p",
            "g (float[1,4] x) => (y) <int64[1] s = {0}, int64[1] e = {9}, int64[1] a = {0}, int64[1] t = {2}> {"
            "[p] y = Slice(x, s, e, a, t) }");
        row("dropped axes of length 1", "baked-size:p", "g (float[1,4] x) => (float[4] y) { [p] y = Squeeze(x) }");
        row("triangle of samples", "baked-size:p", "g (float[1,4] x) => (float[1,4] y) { [p] y = Trilu(x) }");
        row("samples as channels", "baked-size:p",
            R"(g (float[1,3,4] x) => (float[3,2,4] y) <float[2,1,1] w = {1, 2}> {
            t = Transpose<perm = [1, 0, 2]>(x)
            [p] y = Conv<kernel_shape = [1]>(t, w)
        })");
        row("weights per sample in a loop", "baked-size:p", R"(g (float[2,2] x, int64 n, bool c) => (y)
            <float[2,2] w = {1, 2, 3, 4}> {
            [p] y = Loop(n, c, x)<body = b (int64 i, bool go, float[2,2] s) => (bool go2, float[2,2] t) {
                go2 = Identity(go)
                t = Add(s, w)
            }>
        })");
        row("slice along an axis out of range", "baked-size:p",
            "g (float[2,4] x) => (y) <int64[1] s = {0}, int64[1] e = {2}, int64[1] a = {7}> {"
            "[p] y = Slice(x, s, e, a) }");
        row("slice along a negative axis out of range", "baked-size:p",
            "g (float[2,4] x) => (y) <int64[1] s = {0}, int64[1] e = {2}, int64[1] a = {-3}> {"
            "[p] y = Slice(x, s, e, a) }");
    }
    void hardcodedBatchIsReportedAtItsNode()
    {
        QFETCH(QString, text);
        QFETCH(QString, problem);
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, text.toStdString());
        Shape shape = *fromProto(model.proto->graph().input(0).type()).shape;
        shape[0] = Dim("N");
        const Conversion conversion = reshaped(model, {{"x", shape}});
        QVERIFY2(diagnosed(conversion, Severity::Error).find(problem.toStdString()) == 0,
                 diagnosed(conversion, Severity::Error).c_str());
        QVERIFY(!conversion.inputIsBad());
        for (const Diagnostic& found : conversion.problems) {
            QVERIFY(found.severity != Severity::Error || conversion.verdicts[*found.nodeIndex] == Verdict::Unsupported);
        }
    }

    /// The message names the values and their sizes in terms of the inputs' symbols.
    void errorNamesTheFixedSize_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* name, const char* text, const QStringList& expected) {
            QTest::newRow(name) << QString::fromLatin1(text) << expected;
        };
        const auto words = [](const char* text) { return QString::fromLatin1(text); };
        row("indices across all samples", R"(g (int64[2,3] x) => (int64[2,6] y)
            <int64[2] s = {1, 6}, int64[1,6] c = {0, 0, 0, 1, 1, 1}> {
            a = Reshape(x, s)
            [p] y = Concat<axis = 0>(c, a)
        })",
            {words("axis 1 of the constant c stays 6"), words("axis 1 of a is now 3*N")});
        row("weights per sample",
            "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3, 4}> { [p] y = Add(x, w) }",
            {words("axis 0 of the constant w stays 2"), words("axis 0 of x is now N")});
        row("matrix of weights per sample", R"(g (float[2,3] x) => (float[3,1] y) <float[2,1] w = {1, 2}> {
            t = Transpose<perm = [1, 0]>(x)
            [p] y = MatMul(t, w)
        })",
            {words("axis 0 of the constant w stays 2"), words("axis 1 of t is now N")});
        row("only shapes", R"(g (float[2,3] x) => (float[3,1] y) <float[2,1] w = {1, 2}> {
            t = Transpose<perm = [1, 0]>(x)
            [p] y = Gemm(t, w)
        })",
            {words("t had the shape [3, 2] and now has [3, N]")});
        row("a bias per sample",
            "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3, 4}, float[2,2] c = {1, 2, 3, 4}> {"
            "[p] y = Gemm(x, w, c) }",
            {words("the constant c stays [2, 2], but x had the shape [2, 2] and now has [N, 2]")});
        row("weights per remaining position", R"(g (float[6,1] x) => (float[1,1,3,1] y)
            <int64[2] front = {0, 1}, float[1,1,3,1] w = {1, 2, 3}> {
            a = Unsqueeze(x, front)
            half = MaxPool<kernel_shape = [2, 1], strides = [2, 1]>(a)
            [p] y = Add(half, w)
        })",
            {words("axis 2 of the constant w stays 3"), words("axis 2 of half is now")});
        row("split batch", "g (float[8,3] x) => (float[2,4,3] y) <int64[3] s = {2, 4, 3}> { [p] y = Reshape(x, s) }",
            {words("its output shape is [2, 4, 3]"), words("x had the shape [8, 3] and now has [N, 3]")});
    }
    void errorNamesTheFixedSize()
    {
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, text.toStdString());
        const Shape was = *fromProto(model.proto->graph().input(0).type()).shape;
        Shape shape = was;
        shape[0] = Dim("N");
        const Conversion conversion = reshaped(model, {{"x", shape}});
        const auto first = std::ranges::find(conversion.problems, Severity::Error, &Diagnostic::severity);
        QVERIFY(first != conversion.problems.end());
        const QString message = QString::fromStdString(first->message);
        for (const QString& words : expected) {
            QVERIFY2(message.contains(words), qPrintable(message));
        }
        QVERIFY2(!message.contains(QLatin1String("dimension"), Qt::CaseInsensitive), qPrintable(message));
        QVERIFY(first->hint.find(std::to_string(was[0].size) + " are samples") != std::string::npos);

        // A new fixed size is reported as a number, and each node is reported once.
        shape[0] = Dim(was[0].size + 3);
        std::set<std::uint32_t> nodes;
        for (const Diagnostic& problem : reshaped(model, {{"x", shape}}).problems) {
            if (problem.severity == Severity::Error) {
                QVERIFY2(problem.nodeIndex && nodes.insert(*problem.nodeIndex).second, problem.message.c_str());
                QVERIFY2(problem.message.find('N') == std::string::npos, problem.message.c_str());
            }
        }
        QVERIFY(!nodes.empty());
    }

    void mixedSamplesAreReported_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QString::fromLatin1(text); };
        row("a mean", "g (float[1,4] x) => (float[1,4] y) { [m] y = ReduceMean<axes = [0]>(x) }");
        row("cumulative sum", "g (float[1,4] x) => (float[1,4] y) <int64 a = {0}> { [m] y = CumSum(x, a) }");
        row("maximum", "g (float[1,4] x) => (float[1,4] y, int64[1,4] i) <int64[1] k = {1}> {"
                       "[m] y, i = TopK<axis = 0>(x, k) }");
        row("moments", "g (float[1,2,3,3] x) => (float[1,2,3,3] y) { [m] y = MeanVarianceNormalization(x) }");
        row("padding row", "g (float[1,4] x) => (float[2,4] y) <int64[4] p = {0, 0, 1, 0}> { [m] y = Pad(x, p) }");
        row("concatenated row",
            "g (float[1,4] x) => (float[2,4] y) <float[1,4] c = {1, 2, 3, 4}> { [m] y = Concat<axis = 0>(x, c) }");
        row("concatenated with a row before it",
            "g (float[1,4] x) => (float[2,4] y) <float[1,4] c = {1, 2, 3, 4}> { [m] y = Concat<axis = 0>(c, x) }");
        row("recurrence over the samples", R"(g (float[1,1,2] x) => (float[1,1,1,1] y, float[1,1,1] l)
            <float[1,1,2] w = {1, 2}, float[1,1,1] r = {1}> { [m] y, l = RNN<hidden_size = 1>(x, w, r) })");
        row("scan over the samples", R"(g (float[1,2] x) => (float[2] l, float[1,2] y) <float[2] z = {0, 0}> {
            [m] l, y = Scan<num_scan_inputs = 1, body = b (float[2] s, float[2] v) => (float[2] t, float[2] u) {
                t = Add(s, v)
                u = Neg(t)
            }>(z, x)
        })");
        row("a mean in a branch", R"(g (float[1,4] x, bool c) => (float[1,4] y) {
            [m] y = If(c)<then_branch = t () => (float[1,4] p) { p = ReduceMean<axes = [0]>(x) },
                          else_branch = e () => (float[1,4] q) { q = Neg(x) }>
        })");
        row("a mean of the result of a branch", R"(g (float[1,4] x, bool c) => (float[1,1] y) {
            v = Flatten<axis = 0>(x)
            w = If(c)<then_branch = t () => (float[1,4] p) { p = Relu(v) },
                      else_branch = e () => (float[1,4] q) { q = Neg(v) }>
            [m] y = ReduceMean<axes = [1]>(w)
        })");
        row("a mean in a scan", R"(g (float[1,3,2] x) => (float[1,3,2] y) {
            [m] y = Scan<num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [1], body = b
                (float[1,2] v) => (float[1,2] u) { u = ReduceMean<axes = [0]>(v) }>(x)
        })");
        row("normalization over the samples", R"(g (float[1,4] x) => (float[1,4] y) <float[1,1] c = {2}> {
            [m] y = LayerNormalization<axis = 0>(x, c)
        })");
        row("enlarged between the samples", R"(g (float[1,2,3] x) => (float[2,3,2] y) <float[3] f = {1, 1, 2}> {
            t = Transpose<perm = [1, 2, 0]>(x)
            [m] y = Resize(t, , f)
        })");
        row("enlarged between the samples by a constant", R"(g (float[1,2,3] x) => (float[2,3,2] y) {
            f = Constant<value = float[3] {1, 1, 2}>()
            t = Transpose<perm = [1, 2, 0]>(x)
            [m] y = Resize(t, , f)
        })");
        row("enlarged between the samples by a list", R"(g (float[1,2,3] x) => (float[2,3,2] y)
            <float[2] a = {1, 1}, float[1] b = {2}> {
            f = Concat<axis = 0>(a, b)
            t = Transpose<perm = [1, 2, 0]>(x)
            [m] y = Resize(t, , f)
        })");
        row("enlarged between the samples by unknown factors", R"(g (float[1,2,3] x, float[3] f) => (float[2,3,2] y) {
            t = Transpose<perm = [1, 2, 0]>(x)
            [m] y = Resize(t, , f)
        })");
        row("pool over the samples", R"(g (float[1,2,3] x) => (float[2,3,1] y) {
            t = Transpose<perm = [1, 2, 0]>(x)
            [m] y = GlobalAveragePool(t)
        })");
        row("mean of repeated samples", R"(g (float[1,4] x) => (float[1,4] y) <int64[2] r = {3, 1}> {
            t = Tile(x, r)
            [m] y = ReduceMean<axes = [0]>(t)
        })");
        row("mean of a vector with all samples", R"(g (float[1,4] x) => (float[1,1] y) {
            f = Flatten<axis = 0>(x)
            [m] y = ReduceMean<axes = [1]>(f)
        })");
        row("rows across the samples", R"(g (float[1,3,4] x) => (float[4,3] y)
            <int64[1] i = {0}, int64[1] three = {3}, int64[1] rest = {-1}> {
            s = Shape(x)
            n = Gather(s, i)
            c = Mul(n, three)
            t = Concat<axis = 0>(rest, c)
            [m] y = Reshape(x, t)
        })");
        row("products of pairs", "g (float[1,4] x) => (float[1,1] y) { t = Transpose(x) [m] y = MatMul(x, t) }");
        row("products of pairs, by broadcast", R"(g (float[1,2] x) => (float[1,1,2] y) <int64[1] a = {0}> {
            t = Unsqueeze(x, a)
            u = Transpose<perm = [1, 0, 2]>(t)
            z = Concat<axis = 1>(u, u)
            [m] y = MatMul(x, z)
        })");
        row("sums of pairs", "g (float[1,4] x) => (float[4,4] y) { t = Transpose(x) [m] y = Add(x, t) }");
        row("product over the samples", "g (float[1,4] x) => (float[4,4] y) { t = Transpose(x) [m] y = MatMul(t, x) }");
        row("product over the samples, transposed",
            "g (float[1,4] x) => (float[4,4] y) { [m] y = Gemm<transA = 1>(x, x) }");
        row("Einsum over the samples",
            R"(g (float[1,4] x) => (float[4,4] y) { [m] y = Einsum<equation = "bi,bj->ij">(x, x) })");
        row("Einsum over the samples without a result in its equation",
            R"(g (float[1,4] x) => (float[4,4] y) { [m] y = Einsum<equation = "bi, bj">(x, x) })");
        row("Einsum over the samples of its second operand",
            R"(g (float[1,4] x) => (float[3] y) <float[3] d = {1, 2, 3}, float[1,4] e = {1, 2, 3, 4},
            int64[1] a = {1}> {
            f = Unsqueeze(d, a)
            c = Mul(f, e)
            [m] y = Einsum<equation = "ij,bj->i">(c, x)
        })");
        row("indices of every sample", R"(g (float[1,4,3] x) => (float[1,1,1,3] y) {
            s = ReduceMax<axes = [2], keepdims = 0>(x)
            i = ArgMax<axis = 1>(s)
            [m] y = Gather<axis = 1>(x, i)
        })");
        row("one scale for all samples", R"(g (float[1,4] x) => (uint8[1,4] y, float s, uint8 z) {
            [m] y, s, z = DynamicQuantizeLinear(x)
        })");
        row("integer product over the samples", R"(g (float[1,4] x) => (int32[4,4] y) {
            q = Cast<to = 3>(x)
            t = Transpose(q)
            [m] y = MatMulInteger(t, q)
        })");
        row("statistics of the samples", R"(g (float[1,2] x) => (float[1,2] y, float[2] n, float[2] w)
            <float[2] a = {1, 1}, float[2] b = {0, 0}> {
            [m] y, n, w = BatchNormalization<training_mode = 1>(x, a, b, b, a)
        })");
        row("a loss of all samples", R"(g (float[1,4] x) => (float y) {
            t = ArgMax<axis = 1, keepdims = 0>(x)
            [m] y = SoftmaxCrossEntropyLoss(x, t)
        })");
        row("a transform over the samples", R"(g (float[1,4] x) => (float[1,4,2] y) <int64[1] a = {2}> {
            u = Unsqueeze(x, a)
            [m] y = DFT<axis = 0>(u)
        })");
        row("samples behind other elements", R"(g (float[1,3,4] x) => (float[1,3,4] y)
            <int64[2] s = {3, 4}, int64[3] r = {1, 3, 4}> {
            t = Transpose<perm = [1, 0, 2]>(x)
            u = Reshape(t, s)
            v = Neg(u)
            [m] y = Reshape(v, r)
        })");
    }
    void mixedSamplesAreReported()
    {
        QFETCH(QString, text);
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, text.toStdString());
        Shape shape = *fromProto(model.proto->graph().input(0).type()).shape;
        shape[0] = Dim("N");
        QCOMPARE(diagnosed(reshaped(model, {{"x", shape}}), Severity::Warning), std::string("mixed-samples:m"));
    }

    void unknownSizesAreReported()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[1,4] x, int64 n, bool c) => (y) {
            [l] z = Loop(n, c, x)<body = b (int64 i, bool go, float[1,4] s) => (bool go2, float[1,4] t) {
                go2 = Identity(go)
                t = Neg(s)
            }>
            y = Softmax<axis = 0>(z)
        })");
        QCOMPARE(diagnosed(reshaped(model, {{"x", {Dim("N"), 4}}}), Severity::Warning), std::string("unknown-size:l"));
    }

    /// A Squeeze without axes would remove the axis of a batch that has one sample in a run.
    void squeezeKeepsTheBatch()
    {
        const TemporaryFolder folder;
        const char* text = "g (float[2,1,4] x) => (float[2,4] y) { [s] y = Squeeze(x) }";
        const Conversion conversion = reshaped(modelOf(folder, text), {{"x", {Dim("N"), 1, 4}}});
        QCOMPARE(diagnosed(conversion, Severity::Error), std::string());
        const auto opened = folder.path() / "open.onnx";
        writeOnnx(conversion.model, opened);
        QCOMPARE(run(opened, "x", numbers({1, 1, 4}, 1))[0].tensor.dims(), (Ints{1, 4}));
    }

    void factorsWithinTheSampleAreNotReported()
    {
        const TemporaryFolder folder;
        const char* text =
            R"(g (float[1,2,3] x) => (float[1,2,6] y) <float[1] a = {1}, float[1] b = {1}, int64[1] c = {2}> {
            two = Cast<to = 1>(c)
            one = Identity(b)
            f = Concat<axis = 0>(a, one, two)
            y = Resize(x, , f)
        })";
        QVERIFY(reshaped(modelOf(folder, text), {{"x", {Dim("N"), 2, 3}}}).problems.empty());
    }

    void factorsOfAnAttributeAreReported()
    {
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, R"(g (float[1,1,2,3] x) => (float[1,1,4,3] y) {
            t = Transpose<perm = [2, 1, 0, 3]>(x)
            [m] y = Upsample<mode = "linear", scales = [1.0, 1.0, 2.0, 1.0]>(t)
        })");
        model.proto->mutable_opset_import(0)->set_version(7);
        const Conversion conversion = reshaped(model, {{"x", {Dim("N"), 1, 2, 3}}});
        QCOMPARE(diagnosed(conversion, Severity::Warning), std::string("mixed-samples:m"));
    }

    void matchingNodesAreUnchanged()
    {
        const TemporaryFolder folder;
        const char* text = "g (float[1,6,4] x) => (float[1,24] y) <int64[2] s = {0, -1}> { [r] y = Reshape(x, s) }";
        const Conversion conversion = reshaped(modelOf(folder, text), {{"x", {Dim("N"), 6, 4}}});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(conversion.model.whole().proto->graph().node_size(), 1);
        QCOMPARE(conversion.model.whole().weights.size(), std::size_t{1});
    }

    void dynamicModelCanBeFixedAndMadeDynamicAgain()
    {
        const Conversion fixed = reshaped(smallModel(), {{"x", {4, 1000}}});
        QVERIFY(fixed.problems.empty());
        QCOMPARE(toString(fromProto(fixed.model.whole().proto->graph().output(0).type())),
                 std::string("float32 4x1000"));
        OnnxModel again{std::make_shared<::onnx::ModelProto>(*fixed.model.whole().proto), fixed.model.whole().weights};
        const Conversion open = reshaped(again, {{"x", {Dim("N"), 1000}}});
        QVERIFY(open.problems.empty());
        QCOMPARE(toString(fromProto(open.model.whole().proto->graph().output(0).type())),
                 std::string("float32 Nx1000"));
    }

    /// No size in a file causes a division by zero, an overflow or an endless loop: the model is rejected or unchanged.
    void extremeSizesAreHandled_data()
    {
        QTest::addColumn<bool>("isRefused");
        QTest::addColumn<QString>("text");
        QTest::newRow("expand an empty tensor") << true << R"(g (float[0, 3] x) => (float[0, 3] y)
            <float[0, 3] w = {}> { y = Add(x, w) })";
        QTest::newRow("reshape an empty tensor") << true << R"(g (float[0, 3] x) => (float[2, 3] y)
            <int64[2] s = {2, 3}> { y = Reshape(x, s) })";
        QTest::newRow("too many elements") << false << R"(g (float[4611686018427387904, 8] x) => (float[a] y)
            <int64[1] s = {-1}> { y = Reshape(x, s) })";
        QTest::newRow("too many elements after a reshape")
            << true << R"(g (float[8, 4611686018427387904] x) => (float[a, b] y)
            <int64[2] s = {4611686018427387904, 8}> { y = Reshape(x, s) })";
    }
    void extremeSizesAreHandled()
    {
        QFETCH(const bool, isRefused);
        QFETCH(const QString, text);
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, text.toStdString());
        Shape shape = *fromProto(model.proto->graph().input(0).type()).shape;
        shape[0] = Dim("N");
        QCOMPARE(reshaped(model, {{"x", shape}}).hasErrors(), isRefused);
    }

    void factorsAreDistributedOverAxes()
    {
        const AxisFactor n{1, 0};
        const AxisFactor eight{8, 0};
        const auto text = [](const std::optional<std::vector<AxisFactors>>& axes) {
            std::string all = axes ? "" : "none";
            for (const AxisFactors& axis : axes.value_or(std::vector<AxisFactors>())) {
                all += "[";
                for (const AxisFactor& factor : axis) {
                    all += factor.isLiteral() ? std::to_string(factor.size) : "N";
                    all += "*";
                }
                all += "]";
            }
            return all;
        };
        QCOMPARE(text(regrouped({{n}, {{6}}, {{4}}}, {1, 24})), std::string("[N*][24*]"));
        QCOMPARE(text(regrouped({{{10}}, {n}, {{4}}}, {10, 4})), std::string("[10*N*][4*]"));
        QCOMPARE(text(regrouped({{{10}}, {n}, {{4}}}, {10, 4}, 1)), std::string("[10*][N*4*]"));
        QCOMPARE(text(regrouped({{AxisFactor{10}, n}, {{4}}}, {10, 1, 4})), std::string("[10*][N*][4*]"));
        QCOMPARE(text(regrouped({{n}, {{10}}, {{4}}}, {10, 4})), std::string("[N*10*][4*]"));
        QCOMPARE(text(regrouped({{{1}}, {n}, {{4}}}, {1, 1, 4})), std::string("[][N*][4*]"));
        QCOMPARE(text(regrouped({{eight}, {{6}}}, {2, 4, 6})), std::string("none"));
        QCOMPARE(text(regrouped({{{6}}, {eight}}, {2, 24})), std::string("[2*][3*N*]"));
        QCOMPARE(text(regrouped({{eight}, {{6}}}, {6, 8})), std::string("none"));
        QCOMPARE(text(regrouped({{n}, {{4}}}, {1, 0})), std::string("none"));
        QCOMPARE(text(regrouped({{AxisFactor{0, 0}}, {{3}}}, {2, 3})), std::string("none"));
    }
};

QTEST_APPLESS_MAIN(TestDynamicShapes)
#include "tst_dynamic_shapes.moc"
