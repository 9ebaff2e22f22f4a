#include "core/convert/conversion.h"
#include "tests/support/computed.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;
using test::dump;
using test::textGraph;

namespace {

Conversion converted(const QByteArray& source)
{
    auto result = convert(textGraph(source.toStdString()), {});
    if (!result) {
        throw std::runtime_error(result.problem().message);
    }
    return std::move(result.value());
}

} // namespace

/// Levels of 8 bits: what is computed at conversion, and what is not taken. The numbers are the recorded cases' to say.
class TestMxnetQuantized : public QObject {
    Q_OBJECT
private slots:
    void computesCalibratedScalesAtConversion()
    {
        const auto result =
            converted("x = input 2x3\n"
                      "q, low, high = _contrib_quantize_v2(x) min_calib_range=-1 max_calib_range=2 out_type=int8\n"
                      "y = _contrib_dequantize(q,low,high)\n"
                      "output y");
        QVERIFY(!result.hasErrors());
        // 127.5 levels for 2: the span of int8 since MXNet 1.6.
        QCOMPARE(QByteArray::fromStdString(dump(result.model.whole())),
                 QByteArray("q/Mul_output = Mul(x, [63.75])\n"
                            "q = QuantizeLinear(q/Mul_output, [1], [0])\n"
                            "y/Cast_output = Cast(q) to=1\n"
                            "y = Mul(y/Cast_output, [0.01568627543747425])\n"));
    }

    void measuresWhatIsNotCalibrated()
    {
        const auto result = converted("x = input 2x3\n"
                                      "q, low, high = _contrib_quantize_v2(x) out_type=uint8\n"
                                      "output q\noutput low\noutput high");
        QVERIFY(!result.hasErrors());
        QVERIFY(dump(result.model.whole()).find("ReduceMin") != std::string::npos);
        QCOMPARE(toString(result.valueTypes[1]), std::string("uint8 2x3"));
        QCOMPARE(toString(result.valueTypes[2]), std::string("float32 1"));
    }

    void copiesTheBitsOfLevels_data()
    {
        QTest::addColumn<QByteArray>("call");
        QTest::newRow("activation") << QByteArray("q, a, b = _contrib_quantized_act(x,low,high) act_type=relu");
        QTest::newRow("quantization") << QByteArray("q, a, b = _contrib_quantize_v2(x) out_type=int8");
    }

    void copiesTheBitsOfLevels()
    {
        QFETCH(QByteArray, call);
        const Graph graph =
            textGraph("x = input uint8 4\nlow = weight 1\nhigh = weight 1\n" + call.toStdString() + "\noutput q");
        const Tensor levels =
            Tensor::of<std::uint8_t>(ElementType::UInt8, {4}, std::vector<std::uint8_t>{0, 9, 127, 200});
        const Tensor y = test::computed(graph, std::span(&levels, 1))[0];
        QCOMPARE(y.type(), ElementType::Int8);
        QCOMPARE(y.toDoubles(), (std::vector<double>{0, 9, 127, -56}));
    }

    /// ONNX Runtime moves a DequantizeLinear past what only moves elements, as one of uint8.
    void keepsTheSignOfLevelsThatMove()
    {
        const Graph graph = textGraph("x = input 4\n"
                                      "q, low, high = _contrib_quantize_v2(x) min_calib_range=-1 max_calib_range=1\n"
                                      "y = _contrib_dequantize(q,low,high)\n"
                                      "z = Reshape(y) shape=(2,2)\noutput z");
        const Tensor x = Tensor::of<float>(ElementType::Float32, {4}, std::vector<float>{0, 0.5, 1, -0.5});
        const std::vector<double> values = test::computed(graph, std::span(&x, 1))[0].toDoubles();
        QCOMPARE(values.at(0), 0.0);
        QCOMPARE(values.at(3), -values.at(1));
        QVERIFY(values.at(1) > 0.49);
    }

    /// oneDNN counts the room that the rounding adds, which MXNet's own average does not.
    void dividesAveragesByWholeWindows()
    {
        const Graph graph = textGraph("x = input int8 1x1x1x4\nlow = weight 1\nhigh = weight 1\n"
                                      "q, a, b = _contrib_quantized_pooling(x,low,high) pool_type=avg kernel=(1,3) "
                                      "stride=(1,2) pooling_convention=full\noutput q");
        const Tensor x =
            Tensor::of<std::int8_t>(ElementType::Int8, {1, 1, 1, 4}, std::vector<std::int8_t>{30, 60, 90, 120});
        QCOMPARE(test::computed(graph, std::span(&x, 1))[0].toDoubles(), (std::vector<double>{60, 70}));
    }

    /// The smallest int8, not the smallest float: the second window lies in the padding alone.
    void takesTheSmallestLevelOfNothing()
    {
        const Graph graph = textGraph("x = input int8 1x1x1x2\nlow = weight 1\nhigh = weight 1\n"
                                      "q, a, b = _contrib_quantized_pooling(x,low,high) pool_type=max kernel=(1,2) "
                                      "stride=(1,3) pad=(0,1) pooling_convention=full\noutput q");
        const Tensor x = Tensor::of<std::int8_t>(ElementType::Int8, {1, 1, 1, 2}, std::vector<std::int8_t>{-3, -5});
        QCOMPARE(test::computed(graph, std::span(&x, 1))[0].toDoubles(), (std::vector<double>{-3, -128}));
    }

    void says_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("half precision") << QByteArray("x = input float16 2x3\n"
                                                      "q, a, b = _contrib_quantize_v2(x)\noutput q")
                                        << QByteArray("invalid-attribute");
        QTest::newRow("a normalisation without its range")
            << QByteArray("x = input int8 1x2x4x4\ng = weight 2\na = input 1\nb = input 1\n"
                          "q, c, d = _contrib_quantized_batch_norm(x,g,g,g,g,a,b)\noutput q")
            << QByteArray("invalid-attribute");
    }

    void says()
    {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, code);
        const auto result = converted(source);
        QCOMPARE(result.problems.size(), std::size_t{1});
        QCOMPARE(QByteArray(result.problems[0].code.text().data()), code);
    }
};

QTEST_APPLESS_MAIN(TestMxnetQuantized)
#include "tst_mxnet_quantized.moc"
