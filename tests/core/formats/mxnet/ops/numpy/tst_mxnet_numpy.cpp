// MXNet's numpy operators: what they become, as text.

#include "core/convert/conversion.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using test::dump;
using test::textGraph;

namespace {

Conversion converted(const std::string& text, int opset = 17)
{
    auto result = convert(textGraph(text, true), {.opset = opset});
    if (!result) {
        throw std::runtime_error(result.problem().message);
    }
    return std::move(result.value());
}

/// Type and shape of the last value.
std::string typeOf(const std::string& text)
{
    const auto result = converted(text);
    return result.hasErrors() ? std::string(result.problems.front().code.text()) : toString(result.valueTypes.back());
}

} // namespace

class TestMxnetNumpy : public QObject {
    Q_OBJECT
private slots:
    void promotesTypes_data()
    {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("result");
        QTest::newRow("half and float") << "float16"
                                        << "float32"
                                        << "float32 2";
        QTest::newRow("an integer and a half") << "int64"
                                               << "float16"
                                               << "float16 2";
        QTest::newRow("two integers") << "int32"
                                      << "int64"
                                      << "int64 2";
        QTest::newRow("bool and byte") << "bool"
                                       << "uint8"
                                       << "uint8 2";
        QTest::newRow("bytes of either sign") << "uint8"
                                              << "int8"
                                              << "int32 2";
    }
    void promotesTypes()
    {
        QFETCH(QString, left);
        QFETCH(QString, right);
        QFETCH(QString, result);
        const auto text = QStringLiteral("a = input %1 2\nb = input %2 2\ny = _npi_add(a,b)\noutput y");
        QCOMPARE(typeOf(text.arg(left, right).toStdString()), result.toStdString());
        QCOMPARE(typeOf(text.arg(right, left).toStdString()), result.toStdString());
    }

    void dividesIntegersAsFloats()
    {
        QCOMPARE(typeOf("a = input int64 2\nb = input int64 2\ny = _npi_true_divide(a,b)\noutput y"),
                 std::string("float32 2"));
        QCOMPARE(typeOf("a = input float64 2\ny = _npi_rtrue_divide_scalar(a) scalar=2\noutput y"),
                 std::string("float64 2"));
    }

    void answersWithBool()
    {
        QCOMPARE(dump(converted("a = input 2\nb = input 2\ny = _npi_less(a,b)\noutput y").model.whole()),
                 std::string("y = Less(a, b)\n"));
        QCOMPARE(typeOf("a = input int32 2\ny = _npi_isnan(a)\noutput y"), std::string("bool 2"));
    }

    void reducesToScalars()
    {
        QCOMPARE(typeOf("a = input 2x3\ny = _np_sum(a)\noutput y"), std::string("float32 scalar"));
        QCOMPARE(typeOf("a = input 2x3\ny = _np_sum(a) axis=()\noutput y"), std::string("float32 2x3"));
        QCOMPARE(typeOf("a = input bool 2x3\ny = _np_sum(a) axis=1\noutput y"), std::string("int64 2"));
        QCOMPARE(typeOf("a = input int32 Nx3\ny = _npi_mean(a) axis=-1 keepdims=True\noutput y"),
                 std::string("float32 Nx1"));
        QCOMPARE(typeOf("a = input 2x3\ny = _npi_argmax(a)\noutput y"), std::string("int64 scalar"));
    }

    void followsTheRulesOfVersion2()
    {
        const auto typeIn = [](const std::string& version, const std::string& text) {
            Graph graph = textGraph(text, true);
            graph.metadata["mxnet_version"] = version;
            const auto result = convert(graph, {});
            return toString(result.value().valueTypes.back());
        };
        const std::string exponential = "a = input int32 2\ny = _npi_exp(a)\noutput y";
        QCOMPARE(typeIn("10901", exponential), std::string("int32 2"));
        QCOMPARE(typeIn("20000", exponential), std::string("float32 2"));
        const std::string sum = "a = input int8 2\nb = input uint8 2\ny = _npi_add(a,b)\noutput y";
        QCOMPARE(typeIn("20000", sum), std::string("int16 2"));
        QCOMPARE(typeIn("20000", "a = input 2x2\ny = _npx_nonzero(a)\noutput y"), std::string("int64 ?x2"));
        QCOMPARE(typeIn("20000", "a = input int64 2\ny = _npi_floor_divide_scalar(a) scalar=2 is_int=1\noutput y"),
                 std::string("int64 2"));
    }

    void readsTheCodesOfReshape_data()
    {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("attributes");
        QTest::addColumn<QString>("result");
        QTest::newRow("copy and infer") << "Nx3x4"
                                        << "newshape=(-2,-1)"
                                        << "Nx12";
        QTest::newRow("merge") << "2x3x4"
                               << "newshape=(-5,-2)"
                               << "6x4";
        QTest::newRow("split") << "Nx6x4"
                               << "newshape=(-2,-6,2,-1,-4)"
                               << "Nx2x3x4";
        QTest::newRow("skip") << "1x3x4"
                              << "newshape=(-3,-4)"
                              << "3x4";
        QTest::newRow("from the back") << "2x3x4"
                                       << "newshape=(-1,-2) reverse=True"
                                       << "6x4";
        QTest::newRow("to a scalar") << "1x1"
                                     << "newshape=()"
                                     << "scalar";
        QTest::newRow("skips only ones") << "2x3"
                                         << "newshape=(-3,-2)"
                                         << "invalid-attribute";
    }
    void readsTheCodesOfReshape()
    {
        QFETCH(QString, shape);
        QFETCH(QString, attributes);
        QFETCH(QString, result);
        const auto text = QStringLiteral("a = input %1\ny = _npx_reshape(a) %2\noutput y").arg(shape, attributes);
        const std::string found = typeOf(text.toStdString());
        QCOMPARE(QString::fromStdString(found).remove(QStringLiteral("float32 ")), result);
    }

    void keepsOpenDimensions()
    {
        QCOMPARE(typeOf("a = input Nx3\ny = _np_roll(a) shift=1 axis=0\noutput y"), std::string("float32 Nx3"));
        QCOMPARE(typeOf("a = input Nx3\ny = _npi_vstack(a) num_args=1\noutput y"), std::string("float32 Nx3"));
        QCOMPARE(typeOf("a = input Nx3\ny = _np_moveaxis(a) source=0 destination=-1\noutput y"),
                 std::string("float32 3xN"));
        QCOMPARE(typeOf("a = input Nx2x3\nb = input 3x4\ny = _npi_matmul(a,b)\noutput y"),
                 std::string("float32 Nx2x4"));
    }

    void padsByNumpysModes()
    {
        const std::string text = "a = input 3x4\ny = _npi_pad(a) pad_width=((1,1),(2,0)) mode=";
        QVERIFY(dump(converted(text + "edge\noutput y").model.whole()).find("Pad(") != std::string::npos);
        QVERIFY(dump(converted(text + "symmetric\noutput y").model.whole()).find("Gather(") != std::string::npos);
        QCOMPARE(typeOf(text + "maximum\noutput y"), std::string("float32 5x6"));
        QCOMPARE(typeOf("a = input 3x4\ny = _npi_pad(a) pad_width=((1,1),)\noutput y"),
                 std::string("invalid-attribute"));
    }

    void insertsAndDeletes()
    {
        QCOMPARE(dump(converted("a = input 4\ny = _npi_delete(a) int_ind=-1 axis=0\noutput y").model.whole()),
                 std::string("y = Gather(a, [0,1,2]) axis=0\n"));
        QCOMPARE(dump(converted("a = input 2\nb = input 2\ny = _npi_insert_slice(a,b) start=0 axis=0\noutput y")
                          .model.whole())
                         .find("[2,0,3,1]") != std::string::npos,
                 true);
        QCOMPARE(typeOf("a = input 4x4\ny = _npi_delete(a) int_ind=4 axis=0\noutput y"),
                 std::string("invalid-attribute"));
    }

    void givesOutputsOfOpenSizeOnlyInside()
    {
        QCOMPARE(typeOf("a = input 2x3\ny = _npx_nonzero(a)\noutput y"), std::string("unsupported-attribute"));
        QCOMPARE(typeOf("a = input 2x3\nb = _npx_nonzero(a)\ny = _np_copy(b)\noutput y"), std::string("int64 ?x2"));
    }

    void writesEinsumForItsOpset()
    {
        const std::string text = "a = input 2x3x4\nb = input 4x5\n"
                                 "y = _npi_einsum(a,b) subscripts=...ij,jk->...ik num_args=2\noutput y";
        QCOMPARE(dump(converted(text).model.whole()), std::string("y = Einsum(a, b) equation=zij,jk->zik\n"));
        const auto early = converted(text, 11);
        QVERIFY(!early.hasErrors());
        QCOMPARE(toString(early.valueTypes.back()), std::string("float32 2x3x5"));
        QCOMPARE(typeOf("a = input 2x3\ny = _npi_einsum(a) subscripts=ijk->i num_args=1\noutput y"),
                 std::string("invalid-attribute"));
    }

    void refusesShapesThatMxnetRefuses()
    {
        const std::string text = "a = input 4x8\nb = input 1x8\ny = ";
        QCOMPARE(typeOf(text + "elemwise_add(a,b)\noutput y"), std::string("shape-conflict"));
        QCOMPARE(typeOf(text + "add_n(a,b) num_args=2\noutput y"), std::string("shape-conflict"));
        QCOMPARE(typeOf("c = input 4x8\n" + text + "where(c,a,b)\noutput y"), std::string("shape-conflict"));
        QCOMPARE(typeOf(text + "broadcast_add(a,b)\noutput y"), std::string("float32 4x8"));
        QCOMPARE(typeOf("a = input Nx8\nb = input 4x8\ny = elemwise_add(a,b)\noutput y"), std::string("float32 4x8"));
        QCOMPARE(typeOf("x = input 3x20\nw = input 7x20\nb = input 7\n"
                        "y = FullyConnected(x,w,b) num_hidden=10\noutput y"),
                 std::string("wrong-weight"));
        QCOMPARE(typeOf("x = input 1x3x8x8\n"
                        "y = _contrib_AdaptiveAvgPooling2D(x) output_size=9223372036854775807\noutput y"),
                 std::string("invalid-attribute"));
        QCOMPARE(typeOf("x = input 1x6\ny = GridGenerator(x) transform_type=affine "
                        "target_shape=(4294967296,4294967296)\noutput y"),
                 std::string("invalid-attribute"));
    }

    void refusesWhatItCannotCompute()
    {
        QCOMPARE(typeOf("a = input 2x3\ny = _npi_norm(a) flag=2 ord=2 axis=(0,1)\noutput y"),
                 std::string("unsupported-attribute"));
        QCOMPARE(typeOf("a = input int32 2x3\ny = _npi_var(a) dtype=float32\noutput y"),
                 std::string("unsupported-attribute"));
        QCOMPARE(typeOf("a = input 2x3\ny = _np_sum(a) axis=(1,1)\noutput y"), std::string("invalid-attribute"));
    }

    void composesBitsBeforeOpset18()
    {
        const std::string text = "a = input int32 2\nb = input int32 2\ny = _npi_bitwise_xor(a,b)\noutput y";
        QCOMPARE(dump(converted(text, 18).model.whole()), std::string("y = BitwiseXor(a, b)\n"));
        QVERIFY(dump(converted(text, 17).model.whole()).find("Bitwise") == std::string::npos);
        QVERIFY(!converted(text, 17).hasErrors());
    }
};

QTEST_APPLESS_MAIN(TestMxnetNumpy)
#include "tst_mxnet_numpy.moc"
