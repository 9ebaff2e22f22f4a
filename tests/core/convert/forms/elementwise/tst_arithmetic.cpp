// Arithmetic of every type and opset in ONNX Runtime, by numbers worked out by hand.

#include "tests/support/form_run.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/division.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/signs.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace crosswalk;
using namespace crosswalk::forms;

namespace {

using Doubles = std::vector<double>;

struct Row {
    const char* name;
    arithmetic::Binary form;
    ElementType type;
    Doubles a;
    Doubles b;
    Doubles wanted;
};

constexpr auto f32 = ElementType::Float32;
constexpr auto f64 = ElementType::Float64;
constexpr auto i32 = ElementType::Int32;
constexpr auto i64 = ElementType::Int64;
constexpr auto i8 = ElementType::Int8;
constexpr auto u8 = ElementType::UInt8;
constexpr auto boolean = ElementType::Bool;

const std::vector<Row> rows{
    {"add wraps", arithmetic::add, u8, {250, 1}, {10, 2}, {4, 3}},
    {"subtract wraps", arithmetic::subtract, i8, {-120, 5}, {20, 7}, {116, -2}},
    {"multiply", arithmetic::multiply, i64, {-3, 5}, {4, 5}, {-12, 25}},
    {"divide truncates", arithmetic::divide, i32, {-7, 7, 9}, {2, -2, 3}, {-3, -3, 3}},
    {"divide bytes", arithmetic::divide, u8, {250, 7}, {3, 2}, {83, 3}},
    {"modulo of the divisor's sign", arithmetic::modulo, i32, {-7, 7, 7}, {3, -3, 0}, {2, -2, 0}},
    {"modulo of floats", arithmetic::modulo, f32, {-7.5, 7.5, 1}, {2, -2, 0}, {0.5, -0.5, 0}},
    {"power of integers truncates", arithmetic::power, i32, {2, 3, 2}, {3, 2, -1}, {8, 9, 0}},
    {"hypotenuse does not overflow", arithmetic::hypotenuse, f32, {3, 3e38}, {4, 0}, {5, 3e38}},
    {"maximum", arithmetic::maximum, i8, {-3, 4}, {2, -5}, {2, 4}},
    {"minimum", arithmetic::minimum, f64, {-3, 4}, {2, -5}, {-3, -5}},
    {"equal", arithmetic::equal, boolean, {1, 0}, {1, 1}, {1, 0}},
    {"notEqual", arithmetic::notEqual, f32, {1, 2}, {1, 1}, {0, 1}},
    {"greaterOrEqual of NaN", arithmetic::greaterOrEqual, f32, {NAN, 1, 1}, {1, 1, 2}, {0, 1, 0}},
    {"lessOrEqual", arithmetic::lessOrEqual, u8, {1, 3}, {2, 2}, {1, 0}},
    {"logicalAnd of numbers", arithmetic::logicalAnd, i32, {0, 5, 7}, {1, 0, -1}, {0, 0, 1}},
    {"logicalXor", arithmetic::logicalXor, f32, {0, 0.5}, {1, 2}, {1, 0}},
    {"bitwiseAnd", arithmetic::bitwiseAnd, i8, {-3, 12}, {6, 10}, {4, 8}},
    {"bitwiseOr", arithmetic::bitwiseOr, i32, {-8, 12}, {3, 3}, {-5, 15}},
    {"bitwiseXor", arithmetic::bitwiseXor, u8, {255, 12}, {1, 10}, {254, 6}},
    {"bitwiseAnd of 64 bits",
     arithmetic::bitwiseAnd,
     i64,
     {-1, 0x7000000001},
     {0x123456789a, -2},
     {0x123456789a, 0x7000000000}},
    {"greatestCommonDivisor", arithmetic::greatestCommonDivisor, i32, {12, -18, 0}, {18, 12, 5}, {6, 6, 5}},
    {"floorQuotient", arithmetic::floorQuotient, i64, {-7, 7, -8, -3}, {2, -2, 2, 5}, {-4, -4, -4, -1}},
    {"floorQuotient at the limit",
     arithmetic::floorQuotient,
     i32,
     {-2147483648.0, 2147483647},
     {3, -2},
     {-715827883, -1073741824}},
    {"floorQuotient of bytes", arithmetic::floorQuotient, u8, {250, 7}, {3, 2}, {83, 3}},
    {"floorRemainder", arithmetic::floorRemainder, i8, {-7, 7, 6}, {3, -3, 3}, {2, -2, 0}},
    {"floorRemainder of floats", arithmetic::floorRemainder, f32, {-7.5, 7.5, -4}, {2, -2, 2}, {0.5, -0.5, 0}},
    {"truncatedRemainder", arithmetic::truncatedRemainder, i64, {-7, 7, -6}, {3, -3, 3}, {-1, 1, 0}},
    {"truncatedRemainder of floats", arithmetic::truncatedRemainder, f64, {-7.5, 7.5}, {2, -2}, {-1.5, 1.5}},
    {"integerPower wraps", arithmetic::integerPower, i8, {2, -3, 5, 0}, {7, 3, 0, 0}, {-128, -27, 1, 1}},
    {"integerPower of all bits", arithmetic::integerPower, u8, {2, 3, 255}, {128, 130, 255}, {0, 9, 255}},
    {"leastCommonMultiple", arithmetic::leastCommonMultiple, i64, {4, 0, -6}, {6, 3, 4}, {12, 0, 12}},
};

Tensor tensorOf(ElementType type, const Doubles& values)
{
    return Tensor::of<double>(f64, {static_cast<std::int64_t>(values.size())}, values).converted(type);
}

} // namespace

class TestArithmetic : public QObject {
    Q_OBJECT
private slots:
    void invertsUnsignedBits()
    {
        test::FormRun run;
        const auto inverted = [&](ElementType type) {
            const Tensor x = Tensor::of<double>(f64, {2}, Doubles{0, 5}).converted(type);
            return arithmetic::bitwiseNot(run.context(), run.input(x));
        };
        const auto got = run.run({inverted(u8), inverted(ElementType::UInt16), inverted(ElementType::UInt32)});
        QCOMPARE(got[0].toDoubles(), (Doubles{255, 250}));
        QCOMPARE(got[1].toDoubles(), (Doubles{65535, 65530}));
        QCOMPARE(got[2].toDoubles(), (Doubles{4294967295.0, 4294967290.0}));
    }

    void computes_data()
    {
        QTest::addColumn<std::size_t>("index");
        QTest::addColumn<int>("opset");
        for (const int opset : {oldestOpset, 13, 21}) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                QTest::addRow("%s at %d", rows[i].name, opset) << i << opset;
            }
        }
    }

    void computes()
    {
        QFETCH(std::size_t, index);
        QFETCH(int, opset);
        const Row& row = rows[index];
        ConvertOptions options;
        options.opset = opset;
        test::FormRun run(options);
        const OnnxValue a = run.input(tensorOf(row.type, row.a));
        const OnnxValue b = run.input(tensorOf(row.type, row.b));
        const Doubles got = run.run({row.form(run.context(), a, b)}).front().toDoubles();
        QCOMPARE(got.size(), row.wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QVERIFY2(std::abs(got[i] - row.wanted[i]) <= 1e-6 * std::abs(row.wanted[i]),
                     qPrintable(QString::number(got[i])));
        }
    }

    void computesWideIntegersExactly()
    {
        using Limits = std::numeric_limits<std::int64_t>;
        const auto wide = [](std::vector<std::int64_t> values) { return Tensor::ints(values); };
        test::FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue a = run.input(wide({Limits::min(), Limits::max(), (std::int64_t{1} << 62) + 1}));
        const OnnxValue b = run.input(wide({3, -2, 3}));
        const OnnxValue power = run.stored(Tensor::scalar(i64, 40));
        const auto got = run.run({arithmetic::floorQuotient(ctx, a, b), arithmetic::truncatedRemainder(ctx, a, b),
                                  arithmetic::sign(ctx, a), arithmetic::integerPower(ctx, b, power)});
        QCOMPARE(got[0].toInts(), (Ints{-3074457345618258603, -4611686018427387904, 1537228672809129301}));
        QCOMPARE(got[1].toInts(), (Ints{-2, 1, 2}));
        QCOMPARE(got[2].toInts(), (Ints{-1, 1, 1}));
        QCOMPARE(got[3].toInts(), (Ints{-6289078614652622815, std::int64_t{1} << 40, -6289078614652622815}));
    }

    /// Numbers that an integer type does not have are converted as at run time: folded, they would saturate.
    void convertsStoredNumbersAsComputedOnes()
    {
        const Doubles numbers{300.7, -1.5, NAN, INFINITY, -3e9, 70000};
        for (const ElementType type : {u8, i8, i32, i64}) {
            test::FormRun run;
            const NodeContext& ctx = run.context();
            const auto got = run.run({emit::cast(ctx, run.stored(tensorOf(f32, numbers)), type),
                                      emit::cast(ctx, run.input(tensorOf(f32, numbers)), type)});
            QCOMPARE(got[0].toInts(), got[1].toInts());
        }
        test::FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue within = emit::cast(ctx, run.stored(tensorOf(f32, {255.9, -0.9})), u8);
        QCOMPARE(ctx.onnx.content(within)->toInts(), (Ints{255, 0}));
    }

    void clipsInfinityOnlyToBounds()
    {
        for (const ElementType type : {f32, f64, ElementType::Float16}) {
            for (const int opset : {oldestOpset, 13, 21}) {
                ConvertOptions options;
                options.opset = opset;
                test::FormRun run(options);
                const NodeContext& ctx = run.context();
                const OnnxValue x = run.input(tensorOf(f32, {INFINITY, -INFINITY, 3}));
                const OnnxValue given = emit::cast(ctx, x, type);
                const auto clipped = [&](std::optional<double> low, std::optional<double> high) {
                    return emit::cast(ctx, emit::clip(ctx, given, low, high), f32);
                };
                const auto got = run.run({clipped(0, {}), clipped({}, 2), clipped(0, 2)});
                QCOMPARE(got[0].toDoubles(), (Doubles{INFINITY, 0, 3}));
                QCOMPARE(got[1].toDoubles(), (Doubles{2, -INFINITY, 2}));
                QCOMPARE(got[2].toDoubles(), (Doubles{2, 0, 2}));
            }
        }
    }

    void givesNanTheSignThatIsAskedFor()
    {
        for (const ElementType type : {f32, f64, ElementType::Float16}) {
            test::FormRun run;
            const OnnxValue x = run.input(tensorOf(type, {NAN, -2, 0, INFINITY}));
            const auto got = run.run({arithmetic::sign(run.context(), x), arithmetic::signOrZero(run.context(), x)});
            QVERIFY(std::isnan(got[0].toDoubles().front()));
            QCOMPARE(got[1].toDoubles(), (Doubles{0, -1, 0, 1}));
        }
    }

    void refusesDifferentTypes()
    {
        test::FormRun run;
        const OnnxValue a = run.input(tensorOf(f32, {1}));
        const OnnxValue b = run.input(tensorOf(i32, {1}));
        QVERIFY_EXCEPTION_THROWN(arithmetic::add(run.context(), a, b), ModelError);
        QVERIFY_EXCEPTION_THROWN(arithmetic::bitwiseAnd(run.context(), a, a), ModelError);
    }
};

QTEST_GUILESS_MAIN(TestArithmetic)
#include "tst_arithmetic.moc"
