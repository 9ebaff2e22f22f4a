#include "core/onnx/inferred_model.h"
#include "tests/support/inference_reference.h"
#include "tests/support/onnx_files.h"
#include "tests/support/onnx_models.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

QString textOf(const std::optional<TensorType>& type)
{
    return type ? QString::fromStdString(toString(*type)) : "unknown";
}

} // namespace

class TestInferredModel : public QObject {
    Q_OBJECT
private slots:
    void infersAsInferShapes_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::newRow("symbols") << "g (float[N,3] x) => (y) { a = Transpose(x) y = MatMul(x, a) }";
        QTest::newRow("invented symbols") << "g (float[N] x, bool[N] c) => (y) { a = Compress(x, c) b = Compress(x, c) "
                                             "y = Concat<axis = 0>(a, b) }";
        QTest::newRow("a declared type")
            << "g (float[2,3] x) => (float[N,3] y) <float[2,M] a> { a = Relu(x) y = Neg(a) }";
        QTest::newRow("a declared type that conflicts") << "g (float[2,3] x) => (float[2,4] y) { y = Neg(x) }";
        QTest::newRow("a declared element type that conflicts")
            << "g (float[2,3] x) => (y) <int64[2,3] a> { a = Neg(x) y = Neg(a) }";
        QTest::newRow("two conflicts")
            << "g (float[2,3] x, float[5,7] w) => (y) { a = MatMul(x, w) b = Add(x, w) y = Neg(b) }";
        QTest::newRow("an unsupported type") << "g (bool[2] x) => (y) { y = Neg(x) }";
        QTest::newRow("sizes from a shape")
            << "g (float[N,3,4] x) => (y) { s = Shape(x) i = Constant<value_ints = [0]>() "
               "n = Gather(s, i) m = Constant<value_ints = [12]>() "
               "t = Concat<axis = 0>(n, m) y = Reshape(x, t) }";
        QTest::newRow("constants of all attributes")
            << "g (float[6] x) => (a, b, c, d, e) { i = Constant<value_ints = [2, 3]>() a = Reshape(x, i) "
               "n = Constant<value_int = 4>() b = Mul(n, n) f = Constant<value_float = 0.5>() c = Add(x, f) "
               "v = Constant<value_floats = [1.0, 2.0]>() d = Neg(v) t = Constant<value = int64[1] {6}>() "
               "e = Expand(f, t) }";
        QTest::newRow("an initializer as a size")
            << "g (float[N,6] x) => (y) <int64[3] s = {0, 2, 3}> { y = Reshape(x, s) }";
        QTest::newRow("an initializer that is an input")
            << "g (float[2,3] x, float[3] w) => (y) <float[3] w = {1, 2, 3}> "
               "{ y = Add(x, w) }";
        QTest::newRow("an initializer that is an input of another size")
            << "g (float[2,3] x, float[2] w) => (y) <float[3] w = {1, 2, 3}> { y = Add(x, w) }";
        QTest::newRow("branches that read around them")
            << "g (float[N,2] x, bool c) => (y) { a = Relu(x) y = If(c)<then_branch = t () => (p) { p = Neg(a) }, "
               "else_branch = e () => (q) { q = Concat<axis = 0>(a, x) }> }";
        QTest::newRow("a branch that conflicts")
            << "g (float[2,3] x, float[5,7] w, bool c) => (y) { y = If(c)<then_branch = t () => (p) { p = Add(x, w) }, "
               "else_branch = e () => (q) { q = Neg(x) }> }";
        QTest::newRow("branches inside a branch")
            << "g (float[2] x, bool c) => (y) { a = Neg(x) y = If(c)<then_branch = t () => (p) { "
               "b = Neg(a) p = If(c)<then_branch = u () => (r) { r = Add(a, b) }, else_branch = v () => (s) "
               "{ s = Neg(b) }> }, else_branch = e () => (q) { q = Neg(x) }> }";
        QTest::newRow("a loop")
            << "g (float[2] x, int64 n, bool c) => (y, z) { y, z = Loop(n, c, x)<body = b (int64 i, "
               "bool go, float[2] s) => (go2, t, u) { go2 = Identity(go) t = Add(s, x) "
               "u = Neg(t) }> }";
        QTest::newRow("a scan")
            << "g (float[2] x, float[T,2] xs) => (y, z) { y, z = Scan<num_scan_inputs = 1, body = b "
               "(float[2] s, float[2] v) => (t, u) { t = Add(s, v) u = Neg(t) }>(x, xs) }";
        QTest::newRow("a function of a schema")
            << "g (float[2,3] x) => (y, z) { y = Celu(x) z = MeanVarianceNormalization(x) }";
        QTest::newRow("a default that the function lacks")
            << "g (float[2,3,4,5] x) => (y) { y = MeanVarianceNormalization(x) }";
        QTest::newRow("a type that the function lacks")
            << "g (float16[2,3] x) => (y) { y = MeanVarianceNormalization<axes = [-1]>(x) }";
        QTest::newRow("sequences")
            << "g (float[2,3] x) => (y) { s = SequenceConstruct(x, x) i = Constant<value_int = 0>() "
               "y = SequenceAt(s, i) }";
        QTest::newRow("an optional") << "g (float[2,3] x) => (y) { o = Optional(x) y = OptionalGetElement(o) }";
        QTest::newRow("an absent operand and output")
            << "g (float[1,1,4,4] x) => (y) { r = Constant<value_floats = [1.0, 1.0, 2.0, 2.0]>() y = Resize(x, , r) }";
        QTest::newRow("the other name of the domain") << "g (float[2,3] x) => (y) { y = ai.onnx.Neg(x) }";
        QTest::newRow("negative sizes")
            << "g (float[1,1,2,2] x) => (y) { a = MaxPool<kernel_shape = [5, 5]>(x) y = Neg(a) }";
        QTest::newRow("unknown rank") << "g (float[] x, float y) => (z) { z = Add(x, y) }";
    }
    void infersAsInferShapes()
    {
        QFETCH(const QString, graph);
        const TemporaryFolder folder;
        const OnnxModel model = test::modelOf(folder, graph.toStdString());
        const std::string before = model.proto->SerializeAsString();
        QCOMPARE(QString::fromStdString(differenceFromInferShapes(model)), QString());
        QCOMPARE(model.proto->SerializeAsString(), before);
    }

    /// What an operator without a schema computes is unknown, and conflicts after it are not reported.
    void unknownOperators()
    {
        OnnxModel model = smallModel();
        addNode(model, "Own", {"y"}, {"z"}).set_domain("own");
        addNode(model, "Relu", {"z"}, {"r"});
        addNode(model, "MatMul", {"y", "y"}, {"m"});
        auto* import = model.proto->add_opset_import();
        import->set_domain("own");
        import->set_version(1);
        QCOMPARE(QString::fromStdString(differenceFromInferShapes(model)), QString());
        const InferredModel inferred(model);
        QVERIFY(!inferred.error());
        QCOMPARE(textOf(inferred.typeOf("y")), "float32 Nx1000");
        QVERIFY(inferred.find("z") == nullptr);
    }

    void domainsWithoutImport()
    {
        OnnxModel model = smallModel();
        addNode(model, "Own", {"y"}, {"z"}).set_domain("own");
        QCOMPARE(QString::fromStdString(differenceFromInferShapes(model)), QString());
        QVERIFY(InferredModel(model).error());
    }

    /// Functions of the model, called twice with other types, and by each other.
    void functions()
    {
        ::onnx::ModelProto proto;
        ::onnx::OnnxParser parser(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            g (float[N,3] x, float[2] v) => (y, z, w) { y = own.twice(x) z = own.twice(v) w = own.rows(x) }
            <domain: "own", opset_import: ["" : 17]> twice (a) => (b) { b = Concat<axis = 0>(a, a) }
            <domain: "own", opset_import: ["" : 17, "own" : 1]> rows (a) => (b) { c = own.twice(a) b = Shape(c) })");
        QVERIFY(parser.Parse(proto).IsOK());
        const TemporaryFolder folder;
        writeMessage(proto, (folder.path() / "m.onnx").string());
        const OnnxModel model = loadOnnx(folder.path() / "m.onnx");
        QCOMPARE(QString::fromStdString(differenceFromInferShapes(model)), QString());
        QCOMPARE(textOf(InferredModel(model).typeOf("z")), "float32 4");
    }

    /// InferShapes takes what it propagates in one body for a value of the same name elsewhere.
    void bodiesMayRepeatNames_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("type"); // of y
        const QString head = "g (float[2,3] x, int64[2] k, bool c) => (y) ";
        const QString known = "b () => (r) { s = Shape(x) r = Reshape(x, s) }";
        const QString unknown = "b () => (r) { s = Abs(k) r = Reshape(x, s) }";
        const QString other = "b () => (q) { q = Neg(x) }";
        const auto branches = [](const QString& first, const QString& second) {
            return "If(c)<then_branch = " + first + ", else_branch = " + second + ">";
        };
        QTest::newRow("equal") << head + "{ y = " + branches(known, known) + " }"
                               << "float32 2x3";
        QTest::newRow("known and unknown") << head + "{ y = " + branches(known, unknown) + " }"
                                           << "float32 ?x?";
        QTest::newRow("unknown and known") << head + "{ y = " + branches(unknown, known) + " }"
                                           << "float32 ?x?";
        QTest::newRow("of two nodes") << head + "{ a = " + branches(known, other) + " b = " + branches(known, other) +
                                             " y = Add(a, b) }"
                                      << "float32 2x3";
        QTest::newRow("of a body and a later value")
            << head + "{ a = " + branches(known, other) + " s = Abs(k) y = Reshape(a, s) }"
            << "float32 ?x?";
        QTest::newRow("of a body and a later value of another type")
            << head + "{ a = " + branches(known, other) + " s = Neg(a) y = Abs(s) }"
            << "float32 2x3";
        QTest::newRow("of nested bodies")
            << head + "{ y = " +
                   branches("t () => (o) { o = " + branches(known, unknown) + " }",
                            "e () => (o) { s = Shape(x) p = Reshape(x, s) o = " +
                                branches("b () => (r) { r = Expand(p, s) }", other) + " }") +
                   " }"
            << "float32 ?x?";
        QTest::newRow("a value that an inner body captures")
            << head + "{ y = " +
                   branches(known, "e () => (o) { s = Shape(x) o = " +
                                       branches("b () => (r) { r = Reshape(x, s) }", other) + " }") +
                   " }"
            << "float32 2x3";
        QTest::newRow("stored values") << head + "{ y = " +
                                              branches("b () => (r) <int64[2] s = {3, 2}> { r = Reshape(x, s) }",
                                                       "b () => (r) <int64[3] s = {1, 3, 2}> { r = Reshape(x, s) }") +
                                              " }"
                                       << "float32";
        QTest::newRow("a propagated value around both")
            << head + "{ s = Shape(x) y = " +
                   branches("b () => (r) { r = Reshape(x, s) }", "b () => (r) { r = Expand(x, s) }") + " }"
            << "float32 2x3";
    }
    void bodiesMayRepeatNames()
    {
        QFETCH(const QString, graph);
        const TemporaryFolder folder;
        const OnnxModel model = test::modelOf(folder, graph.toStdString());
        const std::string before = model.proto->SerializeAsString();
        const InferredModel inferred(model);
        QCOMPARE(QString::fromStdString(inferred.error().value_or("")), QString());
        QTEST(textOf(inferred.typeOf("y")), "type");
        QCOMPARE(model.proto->SerializeAsString(), before);
    }

    void bodiesOfFunctionsMayRepeatNames()
    {
        ::onnx::ModelProto proto;
        ::onnx::OnnxParser parser(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
            g (float[2,3] x, int64[2] k, bool c) => (y, z) { y = own.same(x, k, c) z = own.other(x, k, c) }
            <domain: "own", opset_import: ["" : 17]> same (x, k, c) => (y) {
                y = If(c)<then_branch = t () => (r) { s = Shape(x) r = Reshape(x, s) },
                          else_branch = e () => (r) { s = Shape(x) r = Reshape(x, s) }> }
            <domain: "own", opset_import: ["" : 17]> other (x, k, c) => (y) {
                p = If(c)<then_branch = t () => (r) { s = Shape(x) r = Reshape(x, s) },
                          else_branch = e () => (r) { s = Abs(k) r = Reshape(x, s) }>
                s = Abs(k) y = Reshape(p, s) })");
        QVERIFY(parser.Parse(proto).IsOK());
        const TemporaryFolder folder;
        writeMessage(proto, (folder.path() / "m.onnx").string());
        const OnnxModel model = loadOnnx(folder.path() / "m.onnx");
        const InferredModel inferred(model);
        QCOMPARE(QString::fromStdString(inferred.error().value_or("")), QString());
        QCOMPARE(textOf(inferred.typeOf("y")), "float32 2x3");
        QCOMPARE(textOf(inferred.typeOf("z")), "float32 ?x?");
    }

    void weightsAreListedAsInputsInOldFiles()
    {
        OnnxModel model = smallModel();
        model.proto->set_ir_version(3);
        QCOMPARE(QString::fromStdString(differenceFromInferShapes(model)), QString());
        addInput(model, "w", {ElementType::Float32, Shape{1000}});
        QCOMPARE(QString::fromStdString(differenceFromInferShapes(model)), QString());
    }

    void inventedSymbolsAreUnknown()
    {
        const TemporaryFolder folder;
        const OnnxModel model = test::modelOf(folder, "g (float[N,unk__7] x, bool[N] c) => (y, z) "
                                                      "{ y = Neg(x) z = Compress(x, c) }");
        const InferredModel inferred(model);
        QCOMPARE(textOf(inferred.typeOf("y")), "float32 Nxunk__7");
        QCOMPARE(textOf(inferred.typeOf("z")), "float32 ?");
    }

    /// onnx's propagation takes unknown numbers for 0.
    void slicesOfShapesNeedKnownNumbers_data()
    {
        QTest::addColumn<QString>("slice");
        QTest::addColumn<QString>("type");
        QTest::newRow("known") << "Slice(s, one, most)"
                               << "float32 3x4";
        QTest::newRow("starts") << "Slice(s, n, most)"
                                << "float32";
        QTest::newRow("ends") << "Slice(s, most, n, zero, back)"
                              << "float32";
        QTest::newRow("axes") << "Slice(s, one, most, n)"
                              << "float32";
    }
    void slicesOfShapesNeedKnownNumbers()
    {
        QFETCH(const QString, slice);
        QFETCH(const QString, type);
        const TemporaryFolder folder;
        const QString text = "g (float[2,3,4] x, int64[1] n, float z) => (y) <int64[1] zero = {0}, int64[1] one = {1}, "
                             "int64[1] back = {-1}, int64[1] most = {9}> "
                             "{ s = Shape(x) t = %1 y = Expand(z, t) }";
        const OnnxModel model = test::modelOf(folder, text.arg(slice).toStdString());
        const InferredModel inferred(model);
        QCOMPARE(textOf(inferred.typeOf("y")), type);
    }

    void declaredShapesCanBeLeftOut()
    {
        const TemporaryFolder folder;
        const OnnxModel model = test::modelOf(folder, "g (float[2,3] x) => (float[7,7] y) <float[5] a> "
                                                      "{ a = Neg(x) y = Neg(a) }");
        QVERIFY(InferredModel(model).error());
        const InferredModel inferred(model, Declared::Inputs);
        QVERIFY(!inferred.error());
        QCOMPARE(textOf(inferred.typeOf("a")), "float32 2x3");
        QCOMPARE(textOf(inferred.typeOf("y")), "float32 2x3");
    }
};

QTEST_APPLESS_MAIN(TestInferredModel)
#include "tst_inferred_model.moc"
