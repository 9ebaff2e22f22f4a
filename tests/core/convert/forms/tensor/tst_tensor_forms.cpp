// Forms that shape, fill, index and reduce tensors, in ONNX Runtime, with fixed and with open dimensions.

#include "tests/support/form_run.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/indices.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/convert/forms/tensor/sizes.h"

#include <QtTest>
#include <limits>
#include <numeric>

using namespace crosswalk;
using namespace crosswalk::forms;
using test::FormRun;

namespace {

using Doubles = std::vector<double>;
using Dims = std::vector<std::int64_t>;

/// 1, 2, 3... in these dimensions.
Tensor counted(Dims dims, ElementType type = ElementType::Float32)
{
    Doubles values(
        static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>())));
    std::iota(values.begin(), values.end(), 1.0);
    return Tensor::of<double>(ElementType::Float64, std::move(dims), values).converted(type);
}

/// The input of a form: with fixed dimensions, or with none known.
OnnxValue inputOf(FormRun& run, const Tensor& content, bool isOpen)
{
    return isOpen ? run.input(content, Shape(content.rank())) : run.input(content);
}

Tensor resultOf(FormRun& run, OnnxValue y)
{
    return run.run({y}).front();
}

} // namespace

class TestTensorForms : public QObject {
    Q_OBJECT
private slots:
    void initTestCase_data()
    {
        QTest::addColumn<bool>("isOpen");
        QTest::newRow("fixed") << false;
        QTest::newRow("open") << true;
    }

    void computesSizes()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, counted({7, 2}), isOpen);
        const OnnxValue size = emit::dimVector(ctx, x, 0);
        QCOMPARE(sizes::known(ctx, size).has_value(), !isOpen);
        const std::vector<Tensor> got =
            run.run({sizes::plus(ctx, size, ctx.onnx.ints({2})), sizes::minus(ctx, size, emit::dimVector(ctx, x, 1)),
                     sizes::times(ctx, size, 3), sizes::over(ctx, size, 2), sizes::modulo(ctx, size, 4),
                     sizes::scaled(ctx, size, 1.5F)});
        const Dims wanted{9, 5, 21, 3, 3, 10};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QCOMPARE(got[i].toInts(), Dims{wanted[i]});
        }
    }

    void reshapesByTerms()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, counted({2, 3, 4}), isOpen);
        const std::vector<Tensor> got = run.run({reshapeTo(ctx, x, {termOf(ctx, x, {2}), termOf(ctx, x, {0, 1})}),
                                                 reshapeTo(ctx, x, {termOf(ctx, x, {0}), restTerm()}),
                                                 reshapeTo(ctx, x, {fixedTerm(6), restTerm(), fixedTerm(2)})});
        QCOMPARE(got[0].dims(), (Dims{4, 6}));
        QCOMPARE(got[1].dims(), (Dims{2, 12}));
        QCOMPARE(got[2].dims(), (Dims{6, 2, 2}));
        QCOMPARE(got[2].toDoubles(), counted({24}).toDoubles());
    }

    void expandsToTerms()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, counted({2, 3}), isOpen);
        const OnnxValue row = run.stored(counted({1, 3}));
        const Tensor got = resultOf(run, expandTo(ctx, row, termsOf(ctx, x)));
        QCOMPARE(got.dims(), (Dims{2, 3}));
        QCOMPARE(got.toDoubles(), (Doubles{1, 2, 3, 1, 2, 3}));
    }

    void fillsAndCounts()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, counted({2, 3}), isOpen);
        const std::vector<Tensor> got = run.run({filledLike(ctx, x, ElementType::Int32, 7), countUp(ctx, x, 1),
                                                 countTo(ctx, 4), filled(ctx, ElementType::Float32, {2}, 0.5)});
        QCOMPARE(got[0].dims(), (Dims{2, 3}));
        QCOMPARE(got[0].toInts(), (Dims{7, 7, 7, 7, 7, 7}));
        QCOMPARE(got[1].toInts(), (Dims{0, 1, 2}));
        QCOMPARE(got[2].toInts(), (Dims{0, 1, 2, 3}));
        QCOMPARE(got[3].toDoubles(), (Doubles{0.5, 0.5}));
    }

    void stacksAndSplits()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, counted({2, 4}), isOpen);
        const OnnxValues parts = splitEvenly(ctx, x, 1, 2);
        const std::vector<Tensor> got = run.run({parts[1], stacked(ctx, parts, 0), stacked(ctx, parts, 2)});
        QCOMPARE(got[0].toDoubles(), (Doubles{3, 4, 7, 8}));
        QCOMPARE(got[1].dims(), (Dims{2, 2, 2}));
        QCOMPARE(got[1].toDoubles(), (Doubles{1, 2, 5, 6, 3, 4, 7, 8}));
        QCOMPARE(got[2].toDoubles(), (Doubles{1, 3, 2, 4, 5, 7, 6, 8}));
    }

    void refusesUnevenParts()
    {
        FormRun run;
        const OnnxValue x = run.input(counted({2, 4}));
        QVERIFY_EXCEPTION_THROWN(splitEvenly(run.context(), x, 1, 3), ModelError);
        QVERIFY_EXCEPTION_THROWN(splitEvenly(run.context(), x, 1, 0), ModelError);
    }

    void movesIndicesIntoRange()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, counted({5}), isOpen);
        const Tensor indices = Tensor::of<float>(ElementType::Float32, {4}, std::vector<float>{-6.5F, -1, 2.9F, 11});
        const OnnxValue computed = run.input(indices);
        const OnnxValue constant = run.stored(indices);
        const std::vector<Tensor> got = run.run(
            {indicesInto(ctx, x, 0, computed, OutOfRange::Clip), indicesInto(ctx, x, 0, computed, OutOfRange::Wrap),
             indicesInto(ctx, x, 0, constant, OutOfRange::Clip), indicesInto(ctx, x, 0, constant, OutOfRange::Wrap)});
        QCOMPARE(got[0].toInts(), (Dims{0, 0, 2, 4}));
        QCOMPARE(got[1].toInts(), (Dims{4, 4, 2, 1}));
        QCOMPARE(got[2].toInts(), (Dims{0, 0, 2, 4}));
        QCOMPARE(got[3].toInts(), (Dims{4, 4, 2, 1}));
    }

    void reducesEveryType()
    {
        QFETCH_GLOBAL(bool, isOpen);
        for (const ElementType type : {ElementType::Float32, ElementType::Float64, ElementType::Int32,
                                       ElementType::Int8, ElementType::UInt8, ElementType::UInt32}) {
            FormRun run;
            const NodeContext& ctx = run.context();
            const OnnxValue x = inputOf(run, counted({2, 3}, type), isOpen);
            const std::vector<Tensor> got =
                run.run({reducedAlong(ctx, "ReduceSum", x, {1}, false), reducedAlong(ctx, "ReduceMax", x, {0, 1}, true),
                         reducedAlong(ctx, "ReduceProd", x, {}, false)});
            QCOMPARE(got[0].type(), type);
            QCOMPARE(got[0].toDoubles(), (Doubles{6, 15}));
            QCOMPARE(got[1].dims(), (Dims{1, 1}));
            QCOMPARE(got[1].toDoubles(), Doubles{6});
            QCOMPARE(got[2].dims(), (Dims{2, 3}));
        }
    }

    /// Beside a copied dimension of 0, ONNX Runtime cannot infer another one.
    void joinsDimensionsWithoutSamples()
    {
        FormRun run;
        const OnnxValue x = run.input(Tensor::filled(ElementType::Float32, {0, 3, 4}, 0), Shape{Dim(), Dim(3), Dim(4)});
        const auto reshaped = [&](const Ints& dims) { return emit::reshape(run.context(), x, dims); };
        const auto got = run.run({reshaped({0, -1}), reshaped({0, 6, -1}), reshaped({0, 0, -1, 2})});
        QCOMPARE(got[0].dims(), (Dims{0, 12}));
        QCOMPARE(got[1].dims(), (Dims{0, 6, 2}));
        QCOMPARE(got[2].dims(), (Dims{0, 3, 2, 2}));
    }

    void findsTruthAlongAxes()
    {
        QFETCH_GLOBAL(bool, isOpen);
        for (const ElementType type : {ElementType::Bool, ElementType::Float32, ElementType::UInt8}) {
            FormRun run;
            const NodeContext& ctx = run.context();
            const std::vector<double> values{0, 2, 0, 0};
            const OnnxValue x =
                inputOf(run, Tensor::of<double>(ElementType::Float64, {2, 2}, values).converted(type), isOpen);
            const OnnxValue none = inputOf(run, Tensor::filled(type, {0, 2}, 0), isOpen);
            const std::vector<Tensor> got = run.run({anyAlong(ctx, x, {1}, false), allAlong(ctx, x, {0}, true),
                                                     anyAlong(ctx, none, {0}, false), allAlong(ctx, none, {0}, false)});
            QCOMPARE(got[0].type(), ElementType::Bool);
            QCOMPARE(got[0].toInts(), (Dims{1, 0}));
            QCOMPARE(got[1].dims(), (Dims{1, 2}));
            QCOMPARE(got[1].toInts(), (Dims{0, 0}));
            QCOMPARE(got[2].toInts(), (Dims{0, 0}));
            QCOMPARE(got[3].toInts(), (Dims{1, 1}));
        }
    }

    /// Sums that no limit of ONNX Runtime can reach are a single node.
    void sumsTruthValuesDirectly()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue truth = inputOf(run, counted({2, 3}, ElementType::Bool), isOpen);
        const OnnxValue wide = emit::cast(ctx, truth, ElementType::Int64);
        const std::vector<Tensor> got = run.run({reducedAlong(ctx, "ReduceSum", wide, {1}, false)});
        QCOMPARE(got[0].toInts(), (Dims{3, 3}));
        QCOMPARE(run.operators(), (std::vector<std::string>{"Cast", "ReduceSum"}));
    }

    void wrapsSumsAndProducts()
    {
        QFETCH_GLOBAL(bool, isOpen);
        constexpr std::int64_t big = std::int64_t{1} << 62;
        const std::vector<std::int64_t> wide{big, big, 3, 1, big + 1, 1};
        const std::vector<std::int32_t> narrow{1 << 30, 1 << 30, 3, 1, 65537, 65537};
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = inputOf(run, Tensor::of<std::int64_t>(ElementType::Int64, {2, 3}, wide), isOpen);
        const OnnxValue y = inputOf(run, Tensor::of<std::int32_t>(ElementType::Int32, {2, 3}, narrow), isOpen);
        const std::vector<Tensor> got =
            run.run({reducedAlong(ctx, "ReduceSum", x, {1}, false), reducedAlong(ctx, "ReduceProd", x, {0}, true),
                     reducedAlong(ctx, "ReduceSum", y, {1}, true), reducedAlong(ctx, "ReduceProd", y, {0, 1}, false)});
        QCOMPARE(got[0].toInts(), (Dims{std::numeric_limits<std::int64_t>::min() + 3, big + 3}));
        QCOMPARE(got[1].dims(), (Dims{1, 3}));
        QCOMPARE(got[1].toInts(), (Dims{big, big, 3}));
        QCOMPARE(got[2].toInts(), (Dims{-2147483645, 131075}));
        QCOMPARE(got[3].toInts(), Dims{0});
        QCOMPARE(got[3].dims(), Dims{});
    }

    void comparesWideIntegers()
    {
        QFETCH_GLOBAL(bool, isOpen);
        FormRun run;
        const NodeContext& ctx = run.context();
        constexpr std::int64_t beyond = std::int64_t{1} << 31;
        const std::vector<std::int64_t> values{beyond, 100, 3, 4, 5, 7, 8, 9};
        const OnnxValue x = inputOf(run, Tensor::of<std::int64_t>(ElementType::Int64, {1, 8}, values), isOpen);
        const OnnxValue hundred = ctx.onnx.scalar(ElementType::Int64, 100);
        const std::vector<Tensor> got =
            run.run({reducedAlong(ctx, "ReduceMax", x, {1}, false), reducedAlong(ctx, "ReduceMin", x, {0, 1}, true),
                     arithmetic::maximum(ctx, x, hundred), arithmetic::minimum(ctx, x, hundred)});
        QCOMPARE(got[0].toInts(), Dims{beyond});
        QCOMPARE(got[1].toInts(), Dims{3});
        QCOMPARE(got[2].toInts(), (Dims{beyond, 100, 100, 100, 100, 100, 100, 100}));
        QCOMPARE(got[3].toInts(), (Dims{100, 100, 3, 4, 5, 7, 8, 9}));
    }

    void takesAndMakesDiagonals()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(counted({2, 3, 3}));
        const OnnxValue vectors = run.input(counted({2, 2}));
        const std::vector<Tensor> got = run.run(
            {diagonalAlong(ctx, x, 1, 2, 1), diagonalAlong(ctx, x, 1, 2, -2), matrixOfVector(ctx, vectors, -1)});
        QCOMPARE(got[0].toDoubles(), (Doubles{2, 6, 11, 15}));
        QCOMPARE(got[1].toDoubles(), (Doubles{7, 16}));
        QCOMPARE(got[2].dims(), (Dims{2, 3, 3}));
        QCOMPARE(got[2].toDoubles(), (Doubles{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0}));
    }

    void computesConstants()
    {
        FormRun run;
        const OnnxValue squares = computedConstant(run.context(), ElementType::Int32, {2, 2}, [](std::uint64_t index) {
            return static_cast<double>(index * index);
        });
        QCOMPARE(resultOf(run, run.context().emit("Identity", {squares})).toInts(), (Dims{0, 1, 4, 9}));
    }
};

QTEST_GUILESS_MAIN(TestTensorForms)
#include "tst_tensor_forms.moc"
