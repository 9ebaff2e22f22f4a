// _random_pdf_* against the formulas in the C library's functions.

#include "tests/support/computed.h"

#include <QtTest>
#include <cmath>
#include <functional>
#include <numbers>

using namespace crosswalk;

namespace {

const std::vector<float> first = {0.5F, 1.5F, 2.5F};
const std::vector<float> second = {0.25F, 0.5F, 0.75F};
const std::vector<float> samples = {1, 2, 3, 4, 0, 7};

double lgammaOf(double x)
{
    return std::lgamma(x);
}

double logBinomial(double x, double limit, double p)
{
    return lgammaOf(x + limit) - lgammaOf(x + 1) - lgammaOf(limit) + limit * std::log(p) + x * std::log(1 - p);
}

} // namespace

class TestRandomPdf : public QObject {
    Q_OBJECT
private slots:
    void aParameterServesTheSamplesBehindIt_data()
    {
        using LogDensity = std::function<double(double x, double a, double b)>;
        QTest::addColumn<QByteArray>("op");
        QTest::addColumn<int>("parameters");
        QTest::addColumn<LogDensity>("logDensity");
        const auto row = [](const char* op, int parameters, LogDensity density) {
            QTest::newRow(op) << QByteArray(op) << parameters << std::move(density);
        };
        row("_random_pdf_uniform", 2, [](double, double a, double b) { return -std::log(b - a); });
        row("_random_pdf_normal", 2, [](double x, double a, double b) {
            return -(x - a) * (x - a) / (2 * b * b) - std::log(std::sqrt(2 * std::numbers::pi) * b);
        });
        row("_random_pdf_gamma", 2,
            [](double x, double a, double b) { return a * std::log(b) + (a - 1) * std::log(x) - b * x - lgammaOf(a); });
        row("_random_pdf_exponential", 1, [](double x, double a, double) { return std::log(a) - a * x; });
        row("_random_pdf_poisson", 1, [](double x, double a, double) { return x * std::log(a) - lgammaOf(x + 1) - a; });
        row("_random_pdf_negative_binomial", 2, [](double x, double a, double b) { return logBinomial(x, a, b); });
        row("_random_pdf_generalized_negative_binomial", 2,
            [](double x, double a, double b) { return logBinomial(x, 1 / b, 1 / (a * b + 1)); });
    }

    void aParameterServesTheSamplesBehindIt()
    {
        QFETCH(const QByteArray, op);
        QFETCH(const int, parameters);
        QFETCH(const std::function<double(double, double, double)>, logDensity);
        const bool isUniform = op == "_random_pdf_uniform"; // its width must be positive
        for (const bool isLog : {false, true}) {
            const std::string text = "x = input 3x2\n"
                                     "a = input 3\n" +
                                     std::string(parameters == 2 ? "b = input 3\n" : "") + "y = " + op.toStdString() +
                                     (parameters == 2 ? "(x,a,b)" : "(x,a)") + (isLog ? " is_log=True\n" : "\n") +
                                     "output y";
            const auto& low = isUniform ? second : first;
            const auto& high = isUniform ? first : second;
            std::vector<Tensor> inputs = {test::floats({3, 2}, samples), test::floats({3}, low)};
            if (parameters == 2) {
                inputs.push_back(test::floats({3}, high));
            }
            const auto outputs = test::computed(test::textGraph(text), inputs);
            QCOMPARE(outputs[0].dims(), (std::vector<std::int64_t>{3, 2}));
            const auto got = outputs[0].toDoubles();
            for (std::size_t i = 0; i < samples.size(); ++i) {
                const double expected = logDensity(samples[i], low[i / 2], high[i / 2]);
                QCOMPARE(static_cast<float>(got[i]), static_cast<float>(isLog ? expected : std::exp(expected)));
            }
        }
    }

    void dirichletTakesVectors()
    {
        const auto outputs =
            test::computed(test::textGraph("x = input 2x2x3\na = input 2x3\ny = _random_pdf_dirichlet(x,a)\noutput y"),
                           std::vector{test::floats({2, 2, 3}, {0.2F, 0.3F, 0.5F, 0.1F, 0.1F, 0.8F, 0.3F, 0.3F, 0.4F,
                                                                0.6F, 0.2F, 0.2F}),
                                       test::floats({2, 3}, {1, 2, 3, 0.5F, 0.5F, 2})});
        QCOMPARE(outputs[0].dims(), (std::vector<std::int64_t>{2, 2}));
        // gamma(6) / (gamma(1) gamma(2) gamma(3)) * 0.3 * 0.5^2
        QCOMPARE(static_cast<float>(outputs[0].toDoubles()[0]), 4.5F);
    }
};

QTEST_GUILESS_MAIN(TestRandomPdf)
#include "tst_random_pdf.moc"
