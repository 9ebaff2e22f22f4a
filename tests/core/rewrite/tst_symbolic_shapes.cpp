#include "core/graph/readable_shape.h"
#include "core/rewrite/symbolic_shapes.h"
#include "tests/support/onnx_text.h"

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

NamedShapes shapesOf(const QByteArray& graph, const std::stop_token& stop = {})
{
    return symbolicShapes({std::make_shared<::onnx::ModelProto>(parseModel(graph.toStdString())), {}}, stop);
}

} // namespace

class TestSymbolicShapes : public QObject {
    Q_OBJECT
private slots:
    void dimensionsAreExpressions_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("shape");
        const QByteArray image = "g (float[N,3,H,W] x, float[8,3,3,3] w) => (float[] y) { ";
        QTest::newRow("the same size") << image + "y = Conv <pads = [1,1,1,1]> (x, w) }" << QByteArray("Nx8xHxW");
        QTest::newRow("half of it") << image + "y = Conv <pads = [1,1,1,1], strides = [2,2]> (x, w) }"
                                    << QByteArray("Nx8xH/2xW/2");
        QTest::newRow("a margin less") << image + "y = Conv(x, w) }" << QByteArray("Nx8x(H-2)x(W-2)");
        QTest::newRow("half of what is less")
            << image + "y = Conv <strides = [2,2]> (x, w) }" << QByteArray("Nx8x(H/2-1)x(W/2-1)");
        QTest::newRow("a product") << image + "y = Flatten(x) }" << QByteArray("Nx3\u00b7H\u00b7W");
        QTest::newRow("a sum") << QByteArray("g (float[S,4] a, float[T,4] b) => (float[] y) "
                                             "{ y = Concat <axis = 0> (a, b, a) }")
                               << QByteArray("(2\u00b7S+T)x4");
        QTest::newRow("no symbol") << QByteArray("g (float[N,4] x) => (float[] y) "
                                                 "{ axes = Constant <value = int64[1] {0}> () "
                                                 "y = ReduceSum(x, axes) }")
                                   << QByteArray("1x4");
        QTest::newRow("depends on values")
            << QByteArray("g (float[N] x) => (int64[] y) { y = NonZero(x) }") << QByteArray();
        // Positions of a sequence limit its length.
        QTest::newRow("a limited size") << QByteArray("g (float[T,4] x, float[512,4] p) => (float[] y) "
                                                      "{ zero = Constant <value = int64[1] {0}> () "
                                                      "n = Shape <end = 1> (x) s = Slice(p, zero, n) "
                                                      "r = Add(s, x) y = Transpose(r) }")
                                        << QByteArray("4xT");
        QTest::newRow("a small limit") << QByteArray("g (float[N,T,4] x, float[1,16,4] p) => (float[] y) "
                                                     "{ zero = Constant <value = int64[1] {0}> () "
                                                     "one = Constant <value = int64[1] {1}> () "
                                                     "n = Shape <start = 1, end = 2> (x) y = Slice(p, zero, n, one) "
                                                     "r = Add(y, x) }")
                                       << QByteArray("1xTx4");
    }
    void dimensionsAreExpressions()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, shape);
        const NamedShapes shapes = shapesOf(graph);
        const auto found = shapes.find("y");
        QCOMPARE(found == shapes.end() ? QByteArray() : QByteArray::fromStdString(readableShape(found->second)), shape);
    }

    void generatedNamesAreNoSymbols()
    {
        QVERIFY(shapesOf("g (float[unk__0,4] x) => (float[] y) { y = Neg(x) }").empty());
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        QVERIFY(shapesOf("g (float[N,4] x) => (float[] y) { y = Neg(x) }", source.get_token()).empty());
    }
};

QTEST_APPLESS_MAIN(TestSymbolicShapes)
#include "tst_symbolic_shapes.moc"
