// Linear systems, decompositions and matrix products in ONNX Runtime: the results are multiplied out again.

#include "tests/support/form_run.h"

#include "core/convert/forms/linalg/jacobi.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"

#include <QtTest>
#include <cmath>

using namespace crosswalk;
using namespace crosswalk::forms;
using test::FormRun;

namespace {

using Doubles = std::vector<double>;

Tensor matrices(std::vector<std::int64_t> dims, const Doubles& values)
{
    return Tensor::of<double>(ElementType::Float64, std::move(dims), values);
}

bool areNear(const Tensor& got, const Doubles& wanted, double tolerance = 1e-12)
{
    const Doubles values = got.toDoubles();
    return std::equal(values.begin(), values.end(), wanted.begin(), wanted.end(),
                      [&](double a, double b) { return std::abs(a - b) < tolerance; });
}

/// Two matrices, the first of which needs an exchange of rows.
Tensor squares()
{
    return matrices({2, 2, 2}, {0, 2, 3, 4, 5, 1, 2, 3});
}

} // namespace

class TestLinearSystems : public QObject {
    Q_OBJECT
private slots:
    void solves()
    {
        FormRun run;
        const Tensor b = matrices({2, 2, 1}, {4, 10, 13, 13});
        const OnnxValue x = linear::solved(run.context(), run.input(squares()), run.input(b));
        QVERIFY(areNear(run.run({x}).front(), {2.0 / 3, 2, 2, 3}));
    }

    /// The digits of a row must not get lost in its pivot: numbers of this size would leave nothing.
    void solvesWithLargePivots()
    {
        FormRun run;
        const auto singles = [](std::vector<std::int64_t> dims, const Doubles& values) {
            return matrices(std::move(dims), values).converted(ElementType::Float32);
        };
        const OnnxValue a = run.input(singles({2, 2}, {4e7, 1e7, 1e7, 3e7}));
        const OnnxValue x = linear::solved(run.context(), a, run.input(singles({2, 1}, {6e7, 7e7})));
        QVERIFY(areNear(run.run({x}).front(), {1, 2}, 1e-5));
    }

    void inverts()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue a = run.input(squares());
        const OnnxValue inverse = linear::solved(ctx, a, linear::identityLike(ctx, a));
        QVERIFY(areNear(run.run({ctx.emit("MatMul", {a, inverse})}).front(), {1, 0, 0, 1, 1, 0, 0, 1}));
    }

    void findsPivots()
    {
        FormRun run;
        const linear::Pivots pivots = linear::pivots(run.context(), run.input(squares()));
        const auto got = run.run({pivots.values, pivots.signs});
        const Doubles values = got[0].toDoubles(); // (n, matrices)
        const Doubles signs = got[1].toDoubles();
        QCOMPARE(values.size(), std::size_t{4});
        QVERIFY(std::abs(values[0] * values[2] * signs[0] * signs[2] + 6) < 1e-12);
        QVERIFY(std::abs(values[1] * values[3] * signs[1] * signs[3] - 13) < 1e-12);
    }

    void factorsByCholesky()
    {
        FormRun run;
        // Above the diagonal is what must not be read.
        const Tensor a = matrices({2, 2, 2}, {4, 99, 2, 5, 9, 99, 3, 2});
        const OnnxValue factor = linear::choleskyFactor(run.context(), run.input(a));
        QVERIFY(areNear(run.run({factor}).front(), {2, 0, 1, 2, 3, 0, 1, 1}));
    }

    void takesTriangles()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue a = run.input(matrices({2, 2}, {1, 2, 3, 4}));
        const auto got = run.run({linear::triangleOf(ctx, a, true), linear::triangleOf(ctx, a, false),
                                  linear::symmetricOf(ctx, a, true), linear::symmetricOf(ctx, a, false),
                                  linear::identities(ctx, a, 3)});
        QCOMPARE(got[0].toDoubles(), (Doubles{1, 0, 3, 4}));
        QCOMPARE(got[1].toDoubles(), (Doubles{1, 2, 0, 4}));
        QCOMPARE(got[2].toDoubles(), (Doubles{1, 3, 3, 4}));
        QCOMPARE(got[3].toDoubles(), (Doubles{1, 2, 2, 4}));
        QCOMPARE(got[4].toDoubles(), (Doubles{1, 0, 0, 0, 1, 0, 0, 0, 1}));
    }

    void findsEigenvalues()
    {
        FormRun run;
        const Tensor a = matrices({3, 3}, {2, -1, 0, -1, 2, -1, 0, -1, 2});
        const linear::Eigen found = linear::eigen(run.context(), run.input(a));
        const auto got = run.run({found.values, found.vectors});
        QVERIFY(areNear(got[0], {2 - std::sqrt(2.0), 2, 2 + std::sqrt(2.0)}));
        const double half = 0.5;
        const double root = std::sqrt(half);
        QVERIFY(std::abs(std::abs(got[1].toDoubles()[1]) - root) < 1e-12);
        QVERIFY(std::abs(std::abs(got[1].toDoubles()[0]) - half) < 1e-12);
    }

    void findsSingularValues()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue a = run.input(matrices({2, 3}, {3, 2, 2, 2, 3, -2}));
        const linear::Singular found = linear::singular(ctx, a);
        const OnnxValue scaled =
            ctx.emit("Mul", {found.right, ctx.emit("Unsqueeze", {found.values, ctx.onnx.ints({1})})});
        const OnnxValue product = matrixProduct(ctx, found.left, scaled, true, false);
        const auto got = run.run({found.values, product});
        QVERIFY(areNear(got[0], {5, 3}));
        QVERIFY(areNear(got[1], {3, 2, 2, 2, 3, -2}));
    }

    void multipliesMatrices()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue a = run.input(matrices({2, 3}, {1, 2, 3, 4, 5, 6}));
        const OnnxValue batch = run.input(matrices({1, 2, 3}, {1, 2, 3, 4, 5, 6}));
        const Tensor whole = matrices({1, 2, 2}, {1, 2, 3, 4}).converted(ElementType::Int8);
        const OnnxValue bytes = run.input(whole);
        const auto got =
            run.run({matrixProduct(ctx, a, a, true, false, 2), matrixProduct(ctx, batch, batch, false, true, 2),
                     matrixProduct(ctx, bytes, bytes, false, true)});
        QCOMPARE(got[0].toDoubles(), (Doubles{34, 44, 54, 44, 58, 72, 54, 72, 90}));
        QCOMPARE(got[1].toDoubles(), (Doubles{28, 64, 64, 154}));
        QCOMPARE(got[2].toDoubles(), (Doubles{5, 11, 11, 25}));
    }
};

QTEST_GUILESS_MAIN(TestLinearSystems)
#include "tst_linear_systems.moc"
