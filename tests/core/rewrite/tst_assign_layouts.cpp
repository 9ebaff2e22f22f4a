// Transposes move through nodes that do not depend on the order of axes, and cancel.

#include "tests/support/onnx_run.h"

#include <QtTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// An initializer in ONNX's text form.
QByteArray weight(const char* name, const std::vector<std::int64_t>& dims)
{
    const Tensor values = variedTensor(dims);
    return QByteArray::fromStdString(
        fmt::format("float[{}] {} = {{{}}}", fmt::join(dims, ","), name, fmt::join(values.toDoubles(), ", ")));
}

std::vector<NamedTensor> run(const OnnxModel& model, const TemporaryFolder& folder)
{
    std::vector<NamedTensor> inputs;
    for (const auto& input : model.proto->graph().input()) {
        std::vector<std::int64_t> dims;
        for (const auto& dim : input.type().tensor_type().shape().dim()) {
            dims.push_back(dim.has_dim_value() ? dim.dim_value() : 3);
        }
        const bool isBool = input.type().tensor_type().elem_type() == ::onnx::TensorProto::BOOL;
        inputs.push_back({input.name(), isBool ? Tensor::scalar(ElementType::Bool, 1) : variedTensor(dims)});
    }
    return runOnnx(model, folder, inputs);
}

} // namespace

class TestAssignLayouts : public QObject {
    Q_OBJECT
private slots:
    void transposesCancel_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("nodes");
        // The operator runs between two Transposes that cancel. `result`: the shape of its result.
        const auto through = [](const char* name, const QByteArray& weights, const QByteArray& op,
                                const QByteArray& result, const QByteArray& nodes) {
            QTest::newRow(name) << "g (float[2,3,4,5] x) => (float" + result + " y) <" + weights +
                                       "> { t = Transpose <perm = [0, 2, 3, 1]> (x) " + op +
                                       " u = Transpose <perm = [0, 3, 1, 2]> (o) y = Neg(u) }"
                                << nodes + " Neg";
        };
        through("constant", "float[3] w = {1, 2, 3}", "o = Mul(t, w)", "[2,3,4,5]", "Mul");
        through("constant of the same rank", "float[1,4,1,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}", "o = Sub(w, t)",
                "[2,3,4,5]", "Sub");
        through("number", "float w = {3}", "s = Max(t, w) r = Clip(s, w) o = Relu(r)", "[2,3,4,5]", "Max Clip Relu");
        through("residual", "", "s = Sigmoid(t) o = Mul(t, s)", "[2,3,4,5]", "Sigmoid Mul");
        through("concatenation", "", "s = Neg(t) o = Concat <axis = -1> (s, t)", "[2,6,4,5]", "Neg Concat");
        through("concatenation with a constant", weight("w", {2, 4, 5, 1}), "o = Concat <axis = 3> (t, w)", "[2,4,4,5]",
                "Concat");
        through("pieces", "int64[2] s = {1, 2}",
                "a, b = Split <axis = 3> (t, s) c = Abs(a) o = Concat <axis = 3> (b, c)", "[2,3,4,5]",
                "Split Abs Concat");
        through("softmax", "", "o = Softmax <axis = 3> (t)", "[2,3,4,5]", "Softmax");
        through("padding", "int64[8] p = {0, 1, 2, 0, 0, 3, 4, 1}", "o = Pad(t, p)", "[2,4,8,11]", "Pad");
        through("slice", "int64[2] b = {1, 1}, int64[2] e = {3, 4}, int64[2] a = {1, -1}", "o = Slice(t, b, e, a)",
                "[2,2,2,5]", "Slice");
        through("slice of the first axes", "int64[2] b = {0, 1}, int64[2] e = {1, 3}", "o = Slice(t, b, e)",
                "[1,3,2,5]", "Slice");
        through("repetition", "int64[4] r = {1, 2, 1, 3}", "o = Tile(t, r)", "[2,9,8,5]", "Tile");
        through("mean", "", "o = ReduceMean <axes = [1, -2]> (t)", "[2,3,1,1]", "ReduceMean");
        through("expansion", "int64[4] r = {2, 4, 5, 3}", "m = ReduceMean <axes = [1, 2]> (t) o = Expand(m, r)",
                "[2,3,4,5]", "ReduceMean Expand");
        through("running sum", "int64 a = {3}", "o = CumSum(t, a)", "[2,3,4,5]", "CumSum");
        through("indices", "int64[2] i = {2, 0}", "o = Gather <axis = 3> (t, i)", "[2,2,4,5]", "Gather");

        QTest::newRow("axes that are dropped")
            << QByteArray("g (float[2,3,4,5] x) => (float[2,3] y) { t = Transpose <perm = [0, 2, 3, 1]> (x)"
                          " y = ReduceMax <axes = [1, 2], keepdims = 0> (t) }")
            << QByteArray("ReduceMax");
        QTest::newRow("axes that are dropped in another order")
            << QByteArray("g (float[2,3,4,5] x) => (float[3,2] y) { t = Transpose <perm = [2, 3, 1, 0]> (x)"
                          " y = ReduceMax <axes = [0, 1], keepdims = 0> (t) }")
            << QByteArray("Transpose ReduceMax");
        QTest::newRow("axes of size one")
            << QByteArray("g (float[2,3,4] x) => (float[2,4,3] y) <int64[1] a = {1}, int64[1] b = {2}> {"
                          " t = Transpose <perm = [0, 2, 1]> (x) u = Unsqueeze(t, a)"
                          " v = Transpose <perm = [0, 3, 1, 2]> (u) w = Neg(v) z = Transpose <perm = [0, 2, 3, 1]> (w)"
                          " y = Squeeze(z, a) }")
            << QByteArray("Transpose Unsqueeze Neg Squeeze");
        QTest::newRow("views of axes of size one")
            << QByteArray("g (float[N,3,1,1] x) => (float[N,3] y) <int64[2] s = {-1, 3}> {"
                          " t = Transpose <perm = [0, 2, 3, 1]> (x) y = Reshape(t, s) }")
            << QByteArray("Reshape");
        QTest::newRow("views of other axes")
            << QByteArray("g (float[N,3,2,1] x) => (float[N,6] y) <int64[2] s = {-1, 6}> {"
                          " t = Transpose <perm = [0, 2, 3, 1]> (x) y = Reshape(t, s) }")
            << QByteArray("Transpose Reshape");
        QTest::newRow("rows of a product") << "g (float[2,3,4] x) => (float[2,3,2] y) <" + weight("w", {4, 2}) +
                                                  "> { t = Transpose <perm = [1, 0, 2]> (x)"
                                                  " m = MatMul(t, w) y = Transpose <perm = [1, 0, 2]> (m) }"
                                           << QByteArray("MatMul");
        QTest::newRow("columns of a product") << "g (float[2,3,4] x) => (float[2,2,4] y) <" + weight("w", {3, 2}) +
                                                     "> { t = Transpose <perm = [0, 2, 1]> (x)"
                                                     " m = MatMul(t, w) y = Transpose <perm = [0, 2, 1]> (m) }"
                                              << QByteArray("Transpose MatMul Transpose");
        const auto normalized = [](const char* name, const QByteArray& scale, const QByteArray& nodes) {
            QTest::newRow(name) << "g (float[3,3,4] x) => (float[3,3,4] y) <" + scale +
                                       "> { t = Transpose <perm = [1, 0, 2]> (x) n = LayerNormalization(t, w)"
                                       " y = Transpose <perm = [1, 0, 2]> (n) }"
                                << nodes;
        };
        normalized("normalization", weight("w", {4}), "LayerNormalization");
        normalized("normalization with a scale for each row", weight("w", {3, 1, 4}),
                   "Transpose LayerNormalization Transpose");
        QTest::newRow("another consumer keeps one Transpose")
            << QByteArray("g (float[2,3,4,5] x) => (float[2,3,4,5] y, float[2,4,5,3] z) {"
                          " t = Transpose <perm = [0, 2, 3, 1]> (x) z = Neg(t) u = Transpose <perm = [0, 3, 1, 2]> (z)"
                          " y = Abs(u) }")
            << QByteArray("Neg Transpose Abs");
        QTest::newRow("no gain")
            << QByteArray("g (float[2,3,4,5] x) => (float[2,4,5,3] y) { t = Transpose <perm = [0, 2, 3, 1]> (x)"
                          " y = Neg(t) }")
            << QByteArray("Transpose Neg");
        QTest::newRow("one Transpose of a sum")
            << QByteArray("g (float[2,3,4,5] x, float[2,3,4,5] z) => (float[2,4,5,3] y) {"
                          " t = Transpose <perm = [0, 2, 3, 1]> (x) u = Transpose <perm = [0, 2, 3, 1]> (z)"
                          " y = Add(t, u) }")
            << QByteArray("Add Transpose");
    }
    void transposesCancel()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, nodes);
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, text.toStdString());
        model.proto->mutable_opset_import(0)->set_version(17);
        const Conversion conversion = converted(model, {.optimize = true});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(operators(conversion.model.whole()), nodes);
        for (const auto& sources : conversion.sources) {
            QVERIFY(!sources.empty());
        }
        const auto before = run(converted(model, {}).model.whole(), folder);
        const auto after = run(conversion.model.whole(), folder);
        QCOMPARE(after.size(), before.size());
        for (std::size_t k = 0; k < before.size(); ++k) {
            QCOMPARE(after[k].tensor.dims(), before[k].tensor.dims());
            const auto wanted = before[k].tensor.toDoubles();
            const auto got = after[k].tensor.toDoubles();
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QVERIFY(std::abs(got[i] - wanted[i]) < 1e-5);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestAssignLayouts)
#include "tst_assign_layouts.moc"
