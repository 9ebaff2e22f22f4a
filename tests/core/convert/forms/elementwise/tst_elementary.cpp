// Elementary and special functions in ONNX Runtime against the C library.

#include "tests/support/form_run.h"

#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/elementwise/special_functions.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <numbers>

using namespace crosswalk;
using namespace crosswalk::forms;

namespace {

using Doubles = std::vector<double>;
using Function = double (*)(double);

struct Row {
    const char* name;
    elementary::Unary form;
    Function function;
    Doubles points;
    double tolerance = 4e-15; ///< in double precision, relative from 1 on
};

constexpr double infinity = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");

const Doubles anywhere{-20, -3.5, -1, -0.75, -1e-3, 0, 1e-9, 0.5, 1, 2.5, 20};
const Doubles positive{1e-6, 0.25, 1, 2, 3.7, 1e6};
const Doubles within{-0.999, -0.5, -1e-6, 0, 1e-9, 0.25, 0.999};
const Doubles halves{-2.5, -1.5, -1.25, -0.5, 0, 0.5, 0.75, 1.5, 2.5, 1e9};

double reciprocal(double x)
{
    return 1 / x;
}
double logistic(double x)
{
    return 1 / (1 + std::exp(-x));
}

const std::vector<Row> rows{
    {"exp", elementary::exp, std::exp, anywhere},
    {"expMinusOne", elementary::expMinusOne, std::expm1, anywhere},
    {"log", elementary::log, std::log, positive},
    {"log2", elementary::log2, std::log2, positive},
    {"log10", elementary::log10, std::log10, positive},
    {"logOnePlus", elementary::logOnePlus, std::log1p, {-0.999, -1e-9, 0, 1e-12, 1e-3, 1, 1e9}},
    {"sqrt", elementary::sqrt, std::sqrt, positive},
    {"reciprocalSqrt", elementary::reciprocalSqrt, [](double x) { return 1 / std::sqrt(x); }, positive},
    {"cbrt", elementary::cbrt, std::cbrt, anywhere},
    {"reciprocalCbrt", elementary::reciprocalCbrt, [](double x) { return 1 / std::cbrt(x); }, positive},
    {"reciprocal", elementary::reciprocal, reciprocal, positive},
    {"sin", elementary::sin, std::sin, anywhere},
    {"cos", elementary::cos, std::cos, anywhere},
    {"tan", elementary::tan, std::tan, anywhere, 1e-13},
    {"arcsin", elementary::arcsin, std::asin, within, 1e-13},
    {"arccos", elementary::arccos, std::acos, within, 1e-13},
    {"arctan", elementary::arctan, std::atan, {-1e12, -3, -0.5, 0, 1e-9, 1, 40, 1e300}, 1e-13},
    {"sinh", elementary::sinh, std::sinh, anywhere, 1e-14},
    {"cosh", elementary::cosh, std::cosh, anywhere, 1e-14},
    {"tanh", elementary::tanh, std::tanh, anywhere},
    {"arcsinh", elementary::arcsinh, std::asinh, anywhere, 1e-14},
    {"arccosh", elementary::arccosh, std::acosh, {1, 1.000001, 1.5, 3, 1e6}, 1e-14},
    {"arctanh", elementary::arctanh, std::atanh, within, 1e-13},
    {"degrees", elementary::degrees, [](double x) { return x * 180 / std::numbers::pi; }, anywhere},
    {"radians", elementary::radians, [](double x) { return x * std::numbers::pi / 180; }, anywhere},
    {"erf", elementary::erf, std::erf, anywhere, 1e-14},
    {"sigmoid", elementary::sigmoid, logistic, anywhere},
    {"softsign", elementary::softsign, [](double x) { return x / (1 + std::abs(x)); }, anywhere},
    {"floor", elementary::floor, std::floor, halves},
    {"ceil", elementary::ceil, std::ceil, halves},
    {"truncate", elementary::truncate, std::trunc, halves},
    {"roundAwayFromZero", elementary::roundAwayFromZero, std::round, halves},
    {"roundHalfDown", elementary::roundHalfDown, [](double x) { return std::ceil(x - 0.5); }, halves},
    {"gamma", special::gamma, std::tgamma, {-2.5, -0.25, 0.5, 1, 4.5, 20}, 1e-12},
    {"logGamma", special::logGamma, [](double x) { return std::lgamma(x); }, {-2.5, 0.5, 1, 2, 4.5, 1e6}, 1e-12},
    {"scaledComplement",
     special::scaledComplement,
     [](double x) { return std::exp(x * x) * std::erfc(x); },
     {-3, -0.5, 0, 0.5, 0.999, 1, 3, 5.999, 6, 12, 20},
     2e-13},
};

/// The form at these points, computed in a type.
Doubles valuesOf(elementary::Unary form, ElementType type, const Doubles& points)
{
    test::FormRun run;
    const Tensor given = Tensor::of<double>(ElementType::Float64, {static_cast<std::int64_t>(points.size())}, points);
    const OnnxValue y = form(run.context(), run.input(given.converted(type)));
    const Tensor got = run.run({y}).front();
    return got.type() == type ? got.toDoubles() : Doubles{};
}

double distance(double got, double wanted)
{
    return std::abs(got - wanted) / std::max(1.0, std::abs(wanted));
}

} // namespace

class TestElementary : public QObject {
    Q_OBJECT
private slots:
    void computes_data()
    {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QTest::newRow(rows[i].name) << i;
        }
    }

    void computes()
    {
        QFETCH(std::size_t, index);
        const Row& row = rows[index];
        const Doubles doubles = valuesOf(row.form, ElementType::Float64, row.points);
        const Doubles singles = valuesOf(row.form, ElementType::Float32, row.points);
        QCOMPARE(doubles.size(), row.points.size());
        QCOMPARE(singles.size(), row.points.size());
        for (std::size_t i = 0; i < row.points.size(); ++i) {
            const double x = row.points[i];
            QVERIFY2(distance(doubles[i], row.function(x)) < row.tolerance, qPrintable(QString::number(x, 'g', 17)));
            const double rounded = static_cast<double>(static_cast<float>(x));
            QVERIFY2(distance(singles[i], row.function(rounded)) < 2e-6, qPrintable(QString::number(x, 'g', 17)));
        }
    }

    void computesInverseError()
    {
        const Doubles points{-1, -0.99999, -0.5, 0, 1e-9, 0.3, 0.9, 1};
        const Doubles got = valuesOf(special::inverseError, ElementType::Float64, points);
        QCOMPARE(got.front(), -infinity);
        QCOMPARE(got.back(), infinity);
        for (std::size_t i = 1; i + 1 < points.size(); ++i) {
            QVERIFY(std::abs(std::erf(got[i]) - points[i]) < 1e-13);
        }
    }

    void computesDerivativesOfDigamma()
    {
        const double infinity = std::numeric_limits<double>::infinity();
        constexpr double zetaOfThree = 1.2020569031595942;
        const Doubles points{1, 0.5, -0.5, 1e6, 0, -2};
        const auto second = [](const NodeContext& ctx, OnnxValue x) { return special::polygamma(ctx, x, 2); };
        const auto third = [](const NodeContext& ctx, OnnxValue x) { return special::polygamma(ctx, x, 3); };
        const Doubles wanted[]{
            {-2 * zetaOfThree, -14 * zetaOfThree, 16 - 14 * zetaOfThree, -1.000001e-12, -infinity, -infinity},
            {std::pow(std::numbers::pi, 4) / 15, std::pow(std::numbers::pi, 4), std::pow(std::numbers::pi, 4) + 96,
             2.000003e-18, infinity, infinity}};
        const Doubles got[]{valuesOf(second, ElementType::Float64, points),
                            valuesOf(third, ElementType::Float64, points)};
        for (const std::size_t k : {0U, 1U}) {
            for (std::size_t i = 0; i < points.size(); ++i) {
                const double size = std::abs(wanted[k][i]);
                QVERIFY2(got[k][i] == wanted[k][i] || std::abs(got[k][i] - wanted[k][i]) < 1e-11 * size,
                         qPrintable(QString("%1: %2").arg(points[i]).arg(got[k][i], 0, 'g', 17)));
            }
        }
    }

    void hasPolesAndNan()
    {
        const Doubles gammas = valuesOf(special::gamma, ElementType::Float64, {-1, 0, notANumber});
        QVERIFY(std::isnan(gammas[0]));
        QVERIFY(std::isinf(gammas[1]));
        QVERIFY(std::isnan(gammas[2]));
        QVERIFY(std::isnan(valuesOf(elementary::expMinusOne, ElementType::Float32, {notANumber})[0]));
        QCOMPARE(valuesOf(elementary::arctan, ElementType::Float64, {infinity})[0], std::numbers::pi / 2);
    }

    void computesGelu_data()
    {
        QTest::addColumn<ElementType>("type");
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("operators");
        const QString whole = QStringLiteral("Gelu");
        QTest::newRow("float32") << ElementType::Float32 << 20 << whole;
        QTest::newRow("float32, before") << ElementType::Float32 << 19 << QStringLiteral("Add Erf Mul Mul Mul");
        QTest::newRow("float16") << ElementType::Float16 << 20 << QStringLiteral("Cast Cast ") + whole;
        QTest::newRow("float64") << ElementType::Float64 << 20 << QString();
    }

    void computesGelu()
    {
        QFETCH(ElementType, type);
        QFETCH(int, opset);
        QFETCH(QString, operators);
        const double tolerance = type == ElementType::Float64 ? 1e-14 : type == ElementType::Float32 ? 1e-6 : 1e-3;
        const Doubles points{-6, -1.5, -0.125, 0, 0.5, 2, 9};
        for (const bool isApproximate : {false, true}) {
            test::FormRun run({.opset = opset});
            const Tensor given =
                Tensor::of<double>(ElementType::Float64, {static_cast<std::int64_t>(points.size())}, points);
            const OnnxValue y = gelu(run.context(), run.input(given.converted(type)), isApproximate);
            const Tensor got = run.run({y}).front();
            QCOMPARE(got.type(), type);
            for (std::size_t i = 0; i < points.size(); ++i) {
                const double x = points[i];
                const double inner = isApproximate
                                         ? std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))
                                         : std::erf(x / std::numbers::sqrt2);
                QVERIFY(distance(got.toDoubles()[i], x / 2 * (1 + inner)) < tolerance);
            }
            QStringList emitted;
            for (const std::string& op : run.operators()) {
                emitted.append(QString::fromStdString(op));
            }
            if (!operators.isEmpty() && !isApproximate) {
                QCOMPARE(emitted.join(u' '), operators);
            }
        }
    }

    /// Half precision is computed in single precision and rounded once.
    void roundsHalvesOnce()
    {
        const double x = 0.0999755859375;
        const Doubles got = valuesOf(elementary::expMinusOne, ElementType::Float16, {x});
        QVERIFY(std::abs(got[0] - std::expm1(x)) < 1.01 * 0x1p-15);
    }
};

QTEST_GUILESS_MAIN(TestElementary)
#include "tst_elementary.moc"
