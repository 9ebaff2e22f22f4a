// Quantized numbers and their ranges, in ONNX Runtime.

#include "tests/support/form_values.h"

#include "core/convert/forms/quantized/range.h"
#include "core/convert/forms/quantized/simulated_quantization.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

class TestQuantization : public QObject {
    Q_OBJECT
private slots:
    /// Bounds that are stored are computed at conversion, the others by nodes.
    void computesRanges_data()
    {
        QTest::addColumn<bool>("isStored");
        QTest::newRow("stored") << true;
        QTest::newRow("computed") << false;
    }
    void computesRanges()
    {
        QFETCH(bool, isStored);
        FormRun run;
        const NodeContext& ctx = run.context();
        const auto bound = [&](double value) {
            const Tensor content = numbers({}, {value});
            return isStored ? run.stored(content) : run.input(content);
        };
        const quantized::Range range{bound(-3), bound(2)};
        const OnnxValue reach = range.reach(ctx);
        QCOMPARE(quantized::storedFloat(ctx, reach).has_value(), isStored);
        const quantized::Range around = quantized::Range::around(ctx, reach);
        const auto got =
            run.run({reach, around.low, quantized::scaleOf(ctx, ElementType::Int8, range),
                     quantized::scaleOf(ctx, ElementType::UInt8, range), quantized::smaller(ctx, range.low, range.high),
                     quantized::sum(ctx, range.low, range.high), range.with(ctx, reach)[2]});
        const Reals wanted{3, -3, 42.5, 255.5 / 3, -3, -1, 2};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QVERIFY(isNear(got[i], i == 6 ? Dims{1} : Dims{}, {wanted[i]}));
        }
        QCOMPARE(quantized::levels(ElementType::Int32), 2147483648.0F);
    }

    /// Halves go to the even level, what lies beyond to the last one; and back.
    void quantizes()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({6}, {-3, 0.25, 0.75, 1.25, 2, -0.1}));
        const OnnxValue two = quantized::number(ctx, 2);
        const OnnxValue levels = quantized::quantize(ctx, x, two, ElementType::Int8);
        const OnnxValue whole = quantized::quantize(ctx, x, quantized::number(ctx, 1), ElementType::UInt8);
        const OnnxValue large = quantized::quantize(ctx, x, quantized::number(ctx, 100), ElementType::Int8);
        const OnnxValue back = ctx.emit("DequantizeLinear", {levels, quantized::number(ctx, 0.5F)});
        const auto got = run.run({levels, whole, large, back, quantized::largestMagnitude(ctx, x)});
        QCOMPARE(got[0].type(), ElementType::Int8);
        QVERIFY(isNear(got[0], {6}, {-6, 0, 2, 2, 4, 0}, 0));
        QCOMPARE(got[1].type(), ElementType::UInt8);
        QVERIFY(isNear(got[1], {6}, {0, 0, 1, 1, 2, 0}, 0));
        QVERIFY(isNear(got[2], {6}, {-128, 25, 75, 125, 127, -10}, 0));
        QVERIFY(isNear(got[3], {6}, {-3, 0, 1, 1, 2, 0}));
        QVERIFY(isNear(got[4], {}, {3}));
    }

    void refusesOtherTypes()
    {
        FormRun run;
        const OnnxValue bytes = run.input(numbers({1}, {1}, ElementType::Int8));
        const OnnxValue floats = run.input(numbers({1}, {1}));
        quantized::expectBytes(run.context(), bytes);
        QVERIFY_THROWS_EXCEPTION(ModelError, quantized::expectBytes(run.context(), floats));
    }

    /// Four levels from -1 to 2, of which 0 is one: a step of 1.
    void simulatesSteps()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({2, 3}, {-5, -0.6, -0.5, 0.4, 0.5, 9}));
        const OnnxValue plain = fakeQuantized(ctx, x, {.lows = {-1}, .highs = {2}, .bits = 2});
        // From -1.2 to 1.8: 0 is 1.2 steps from the low end, so that the range moves up by 0.2.
        const OnnxValue moved = fakeQuantized(ctx, x, {.lows = {-1.2}, .highs = {1.8}, .bits = 2});
        const OnnxValue perChannel = fakeQuantized(
            ctx, x, {.lows = {-1, 0, -2}, .highs = {1, 2, 0}, .bits = 2, .isNarrow = true, .perChannel = true});
        // From 1 to 2, in steps of 1/3: the range moves down to begin at 0.
        const OnnxValue withoutZero = fakeQuantized(ctx, x, {.lows = {1}, .highs = {2}, .bits = 2});
        const auto got = run.run({plain, moved, perChannel, withoutZero});
        QVERIFY(isNear(got[0], {2, 3}, {-1, -1, 0, 0, 1, 2}));
        QVERIFY(isNear(got[1], {2, 3}, {-1, -1, 0, 0, 1, 2}));
        QVERIFY(isNear(got[2], {2, 3}, {-1, 0, 0, 0, 1, 0}));
        QVERIFY(isNear(got[3], {2, 3}, {0, 0, 0, 1.0F / 3, 2.0F / 3, 1}));
        FormRun other;
        QVERIFY_THROWS_EXCEPTION(ModelError, fakeQuantized(other.context(), other.input(numbers({1}, {1})),
                                                           {.lows = {2}, .highs = {1}, .bits = 2}));
    }

    /// Three bits with a sign: integers from -4 to 3.
    void scalesToIntegers_data()
    {
        QTest::addColumn<ElementType>("type");
        QTest::newRow("float32") << ElementType::Float32;
        QTest::newRow("float64") << ElementType::Float64;
    }
    void scalesToIntegers()
    {
        QFETCH(ElementType, type);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({2, 2}, {-2, 0.6, 0.75, 1}, type));
        // The low end decides: steps of 2 / 4.
        const OnnxValue own = quantizedByScale(ctx, x, {.bits = 3});
        const OnnxValue up = quantizedByScale(ctx, x, {.bits = 3, .roundsToEven = false});
        // From -1 to 3: steps of 1 by the high end, so that the range begins at -4.
        const OnnxValue given = quantizedByScale(
            ctx, x, {.bits = 3, .low = run.input(numbers({}, {-1}, type)), .high = run.input(numbers({}, {3}, type))});
        // Rows: [-2, 0.6] by 2 / 4, [0.75, 1] by 1 / 3.
        const OnnxValue rows = quantizedByScale(ctx, x, {.bits = 3, .axis = 0});
        const OnnxValue positive = quantizedByScale(ctx, x,
                                                    {.bits = 2,
                                                     .isSigned = false,
                                                     .low = run.input(numbers({}, {0}, type)),
                                                     .high = run.input(numbers({}, {3}, type))});
        const auto got = run.run({own, up, given, rows, positive});
        QVERIFY(isNear(got[0], {2, 2}, {-2, 0.5, 1, 1}));
        QVERIFY(isNear(got[1], {2, 2}, {-2, 0.5, 1, 1}));
        QVERIFY(isNear(got[2], {2, 2}, {-2, 1, 1, 1}));
        QVERIFY(isNear(got[3], {2, 2}, {-2, 0.5, 2.0 / 3, 1}));
        QVERIFY(isNear(got[4], {2, 2}, {0, 1, 1, 1}));
    }
};

QTEST_APPLESS_MAIN(TestQuantization)
#include "tst_quantization.moc"
