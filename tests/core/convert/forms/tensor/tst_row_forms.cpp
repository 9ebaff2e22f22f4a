// Forms that join, insert, delete and choose rows, and that place diagonals, in ONNX Runtime.

#include "tests/support/form_run.h"

#include "core/convert/forms/tensor/band_diagonals.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/insert_delete.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/segments.h"
#include "core/convert/forms/tensor/selection.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace crosswalk;
using namespace crosswalk::forms;
using test::FormRun;

namespace {

using Doubles = std::vector<double>;
using Dims = std::vector<std::int64_t>;

Tensor numbers(Dims dims, const Doubles& values, ElementType type = ElementType::Float32)
{
    return Tensor::of<double>(ElementType::Float64, std::move(dims), values).converted(type);
}

OnnxValue scalar(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(ElementType::Int64, value);
}

} // namespace

class TestRowForms : public QObject {
    Q_OBJECT
private slots:
    void joinsSegments_data()
    {
        QTest::addColumn<int>("opset");
        QTest::newRow("masks") << 13;
        QTest::newRow("scatters") << 18;
    }
    void joinsSegments()
    {
        QFETCH(int, opset);
        ConvertOptions options;
        options.opset = opset;
        FormRun run(options);
        const NodeContext& ctx = run.context();
        const Segments segments{run.input(numbers({5, 1}, {1, 2, 4, 8, 16})),
                                run.input(numbers({5}, {2, 0, 2, -1, 0}, ElementType::Int64)), ctx.onnx.ints({3})};
        const auto got = run.run({segmentSum(ctx, segments), segmentProduct(ctx, segments), segmentMean(ctx, segments),
                                  segmentSumOverRoot(ctx, segments), segmentMaximum(ctx, segments, true),
                                  segmentMinimum(ctx, segments, true), segmentMinimum(ctx, segments, false)});
        QCOMPARE(got[0].dims(), (Dims{3, 1}));
        QCOMPARE(got[0].toDoubles(), (Doubles{18, 0, 5}));
        QCOMPARE(got[1].toDoubles(), (Doubles{32, 1, 4}));
        QCOMPARE(got[2].toDoubles(), (Doubles{9, 0, 2.5}));
        QVERIFY(std::abs(got[3].toDoubles()[0] - 18 / std::sqrt(2.0)) < 1e-5);
        QCOMPARE(got[4].toDoubles(), (Doubles{16, 0, 4}));
        QCOMPARE(got[5].toDoubles(), (Doubles{2, 0, 1}));
        QCOMPARE(got[6].toDoubles()[1], static_cast<double>(std::numeric_limits<float>::max()));
    }

    /// The limits of the rows' own type, which infinities do not pass unless empty segments are zero.
    void limitsExtremesOfSegments()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue places = run.input(numbers({2}, {0, 2}, ElementType::Int64));
        const OnnxValue three = ctx.onnx.ints({3});
        const double infinity = std::numeric_limits<double>::infinity();
        const Segments floats{run.input(numbers({2}, {-infinity, 5})), places, three};
        const Segments bytes{run.input(numbers({2}, {-3, 5}, ElementType::Int32)), places, three, ElementType::Int8};
        const Segments none{run.input(numbers({0}, {})), run.input(numbers({0}, {}, ElementType::Int64)), three};
        const auto got = run.run({segmentMaximum(ctx, floats, false), segmentMaximum(ctx, floats, true),
                                  segmentMaximum(ctx, bytes, false), segmentMinimum(ctx, bytes, false),
                                  segmentMinimum(ctx, none, false)});
        const double lowest = std::numeric_limits<float>::lowest();
        QCOMPARE(got[0].toDoubles(), (Doubles{lowest, lowest, 5}));
        QCOMPARE(got[1].toDoubles(), (Doubles{-infinity, 0, 5}));
        QCOMPARE(got[2].toDoubles(), (Doubles{-3, -128, 5}));
        QCOMPARE(got[3].toDoubles(), (Doubles{-3, 127, 5}));
        QCOMPARE(got[4].toDoubles(), (Doubles{-lowest, -lowest, -lowest}));
    }

    void deletesSlices()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
        const OnnxValue open = run.input(numbers({4}, {1, 2, 3, 4}), Shape(1));
        const OnnxValue indices = run.input(numbers({3}, {2, 0, 2}, ElementType::Int64));
        const auto got = run.run({deletedAt(ctx, x, 1, Ints{2, 0, 2}), deletedAt(ctx, open, 0, indices)});
        QCOMPARE(got[0].toDoubles(), (Doubles{2, 4, 6, 8}));
        QCOMPARE(got[1].toDoubles(), (Doubles{2, 4}));
    }

    void insertsSlices()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({3}, {1, 2, 3}));
        const OnnxValue values = run.input(numbers({4}, {10, 20, 30, 40}));
        const OnnxValue indices = run.input(numbers({4}, {3, 0, 1, 0}, ElementType::Int64));
        const auto got =
            run.run({insertedAt(ctx, x, 0, values, Ints{3, 0, 1, 0}), insertedAt(ctx, x, 0, values, indices)});
        QCOMPARE(got[0].toDoubles(), (Doubles{20, 40, 1, 30, 2, 3, 10}));
        QCOMPARE(got[1].toDoubles(), (Doubles{20, 40, 1, 30, 2, 3, 10}));
    }

    void choosesEveryType()
    {
        for (const ElementType type :
             {ElementType::Bool, ElementType::Int8, ElementType::UInt8, ElementType::Int16, ElementType::Int64,
              ElementType::UInt32, ElementType::UInt64, ElementType::Float16, ElementType::Float64}) {
            FormRun run;
            const OnnxValue condition = run.input(numbers({3}, {1, 0, 1}, ElementType::Bool));
            const OnnxValue a = run.input(numbers({3}, {1, 1, 0}, type));
            const OnnxValue b = run.input(numbers({1}, {0}, type));
            const Tensor got = run.run({choose(run.context(), condition, a, b)}).front();
            QCOMPARE(got.type(), type);
            QCOMPARE(got.toDoubles(), (Doubles{1, 0, 0}));
        }
    }

    void readsKnownIntegers()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue fixed = run.input(numbers({2, 3}, {1, 2, 3, 4, 5, 6}));
        const OnnxValue open = run.input(numbers({2}, {1, 2}), Shape(1));
        QVERIFY(knownInts(ctx, ctx.emit("Shape", {fixed})) == (Ints{2, 3}));
        QVERIFY(!knownInts(ctx, ctx.emit("Shape", {open})));
        const OnnxValue size = ctx.emit("Shape", {open});
        const auto got = run.run({countTo(ctx, size), filledTo(ctx, ElementType::Float32, 0.5, size),
                                  intVector(ctx, scalarOf(ctx, size)), countTo(ctx, ctx.onnx.ints({3}))});
        QCOMPARE(got[0].toInts(), (Dims{0, 1}));
        QCOMPARE(got[1].toDoubles(), (Doubles{0.5, 0.5}));
        QCOMPARE(got[2].toInts(), Dims{2});
        QCOMPARE(got[3].toInts(), (Dims{0, 1, 2}));
        QVERIFY_EXCEPTION_THROWN(filledTo(ctx, ElementType::Float32, 0, ctx.onnx.ints({-1})), ModelError);
    }

    void takesBands()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({2, 3}, {1, 2, 3, 4, 5, 6}));
        const OnnxValue nine = run.stored(numbers({}, {9}));
        const Band left{.low = scalar(ctx, -1), .high = scalar(ctx, 1)};
        const Band right{.low = scalar(ctx, -1), .high = scalar(ctx, 1), .upperAtStart = false, .lowerAtStart = false};
        const auto got = run.run({diagonalsOf(ctx, x, left, nine), diagonalsOf(ctx, x, right, nine),
                                  diagonalsOf(ctx, x, mainDiagonal(ctx), nine)});
        QCOMPARE(got[0].toDoubles(), (Doubles{2, 6, 1, 5, 4, 9}));
        QCOMPARE(got[1].toDoubles(), (Doubles{2, 6, 1, 5, 9, 4}));
        QCOMPARE(got[2].toDoubles(), (Doubles{1, 5}));
    }

    void makesMatricesOfDiagonals()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue zero = run.stored(numbers({}, {0}));
        const OnnxValue vector = run.input(numbers({2}, {1, 2}));
        const OnnxValue bands = run.input(numbers({2, 2}, {1, 0, 2, 3}));
        const Band upper{.low = scalar(ctx, 1), .high = scalar(ctx, 1), .isOne = true};
        const Band two{.low = scalar(ctx, 0), .high = scalar(ctx, 1)};
        const OnnxValue open = scalar(ctx, -1);
        const OnnxValue x = run.input(numbers({2, 2}, {5, 6, 7, 8}));
        const auto got = run.run(
            {matrixOfDiagonal(ctx, vector), matrixOfDiagonals(ctx, upper, vector, open, open, zero),
             matrixOfDiagonals(ctx, upper, vector, scalar(ctx, 2), open, zero), withDiagonals(ctx, x, two, bands),
             bandPart(ctx, x, scalar(ctx, 0), open), bandPart(ctx, x, open, scalar(ctx, 0))});
        QCOMPARE(got[0].toDoubles(), (Doubles{1, 0, 0, 2}));
        QCOMPARE(got[1].toDoubles(), (Doubles{0, 1, 0, 0, 0, 2, 0, 0, 0}));
        QCOMPARE(got[2].toDoubles(), (Doubles{0, 1, 0, 0, 0, 2}));
        QCOMPARE(got[3].toDoubles(), (Doubles{2, 1, 7, 3}));
        QCOMPARE(got[4].toDoubles(), (Doubles{5, 6, 0, 8}));
        QCOMPARE(got[5].toDoubles(), (Doubles{5, 0, 7, 8}));
    }
};

QTEST_GUILESS_MAIN(TestRowForms)
#include "tst_row_forms.moc"
