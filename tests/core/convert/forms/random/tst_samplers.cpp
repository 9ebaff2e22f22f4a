// Random numbers in ONNX Runtime: means and variances of many of them, with and without ONNX's own operators.

#include "tests/support/form_run.h"

#include "core/convert/forms/random/samplers.h"

#include <QtTest>
#include <cmath>

using namespace crosswalk;
using namespace crosswalk::forms;
using test::FormRun;

namespace {

struct Row {
    const char* name;
    OnnxValue (*draw)(const NodeContext& ctx, const ShapeTerms& shape);
    double mean;
    double variance;
    double fourthMoment; ///< around the mean, for the spread of the variance
};

OnnxValue numberOf(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(ElementType::Float32, value);
}

const std::vector<Row> rows{
    {"uniform", random::uniform, 0.5, 1.0 / 12, 1.0 / 80},
    {"normal", random::normal, 0, 1, 3},
    {"exponential", random::exponential, 1, 1, 9},
    {"gamma",
     [](const NodeContext& ctx, const ShapeTerms& shape) { return random::gamma(ctx, numberOf(ctx, 2.5), shape); }, 2.5,
     2.5, 3 * 2.5 * 4.5},
    {"gamma below 1",
     [](const NodeContext& ctx, const ShapeTerms& shape) { return random::gamma(ctx, numberOf(ctx, 0.5), shape); }, 0.5,
     0.5, 3 * 0.5 * 2.5},
    {"poisson",
     [](const NodeContext& ctx, const ShapeTerms& shape) { return random::poisson(ctx, numberOf(ctx, 3), shape); }, 3,
     3, 3 * 10},
    {"poisson of a large mean",
     [](const NodeContext& ctx, const ShapeTerms& shape) { return random::poisson(ctx, numberOf(ctx, 40), shape); }, 40,
     40, 40 * 121},
};

} // namespace

class TestSamplers : public QObject {
    Q_OBJECT
private slots:
    void draws_data()
    {
        QTest::addColumn<std::size_t>("index");
        QTest::addColumn<int>("opset");
        for (const int opset : {17, 22}) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                QTest::addRow("%s at %d", rows[i].name, opset) << i << opset;
            }
        }
    }

    void draws()
    {
        QFETCH(std::size_t, index);
        QFETCH(int, opset);
        const Row& row = rows[index];
        ConvertOptions options;
        options.opset = opset;
        FormRun run(options);
        constexpr std::int64_t count = 40000;
        const OnnxValue y = row.draw(run.context(), {fixedTerm(count / 100), fixedTerm(100)});
        const Tensor got = run.run({y}).front();
        QCOMPARE(got.dims(), (std::vector<std::int64_t>{count / 100, 100}));
        const std::vector<double> values = got.toDoubles();
        double sum = 0;
        double squares = 0;
        for (const double value : values) {
            sum += value;
            squares += (value - row.mean) * (value - row.mean);
        }
        const double spread = std::sqrt(row.variance / count);
        const double spreadOfSquares = std::sqrt((row.fourthMoment - row.variance * row.variance) / count);
        QVERIFY2(std::abs(sum / count - row.mean) < 6 * spread, qPrintable(QString::number(sum / count)));
        QVERIFY2(std::abs(squares / count - row.variance) < 6 * spreadOfSquares,
                 qPrintable(QString::number(squares / count)));
    }

    void staysBelowOne()
    {
        FormRun run;
        const OnnxValue x = run.input(Tensor::filled(ElementType::Float32, {1000, 3}, 0), Shape(2));
        const Tensor got = run.run({random::uniform(run.context(), termsOf(run.context(), x))}).front();
        QCOMPARE(got.dims(), (std::vector<std::int64_t>{1000, 3}));
        for (const double value : got.toDoubles()) {
            QVERIFY(value >= 0 && value < 1);
        }
    }
};

QTEST_GUILESS_MAIN(TestSamplers)
#include "tst_samplers.moc"
