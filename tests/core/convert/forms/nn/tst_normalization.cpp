// Normalisations and softmax, in ONNX Runtime, against their definitions.

#include "tests/support/form_values.h"

#include "core/convert/forms/nn/normalization.h"
#include "core/convert/forms/nn/softmax.h"
#include "core/convert/forms/nn/window.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

namespace {

double meanOf(const Reals& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviationOf(const Reals& values, double eps)
{
    const double mean = meanOf(values);
    double sum = 0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return std::sqrt(sum / static_cast<double>(values.size()) + eps);
}

/// Consecutive rows of so many elements normalised, each with its own gamma and beta.
Reals normalizedRows(const Reals& values, std::size_t length, double eps)
{
    Reals result;
    for (std::size_t first = 0; first < values.size(); first += length) {
        const Reals row(values.begin() + static_cast<std::ptrdiff_t>(first),
                        values.begin() + static_cast<std::ptrdiff_t>(first + length));
        for (const double value : row) {
            result.push_back((value - meanOf(row)) / deviationOf(row, eps));
        }
    }
    return result;
}

void addTypes()
{
    QTest::addColumn<ElementType>("type");
    QTest::addColumn<int>("opset");
    QTest::newRow("float32") << ElementType::Float32 << 17;
    QTest::newRow("float32, opset 13") << ElementType::Float32 << 13;
    QTest::newRow("float32, opset 21") << ElementType::Float32 << 21;
    QTest::newRow("float64") << ElementType::Float64 << 17;
}

constexpr double eps = 0.01;

} // namespace

class TestNormalization : public QObject {
    Q_OBJECT
private slots:
    void byStatistics_data()
    {
        QTest::addColumn<std::int64_t>("axis");
        QTest::newRow("channels first") << std::int64_t{1};
        QTest::newRow("channels last") << std::int64_t{2};
    }
    void byStatistics()
    {
        QFETCH(std::int64_t, axis);
        FormRun run;
        const Dims dims = axis == 1 ? Dims{1, 2, 3} : Dims{1, 3, 2};
        const OnnxValue x = run.input(counted(dims));
        const BatchStatistics by{run.stored(numbers({2}, {1, 2})), run.stored(numbers({2}, {0.5, -1})),
                                 run.stored(numbers({2}, {3, 4})), run.stored(numbers({2}, {0.99, 3.99}))};
        const auto got = run.run({batchNorm(run.context(), x, axis, by, eps)});
        Reals wanted;
        for (std::size_t i = 0; i < 6; ++i) {
            const bool isSecond = axis == 1 ? i >= 3 : i % 2 == 1;
            const double value = static_cast<double>(i + 1);
            wanted.push_back(isSecond ? (value - 4) / 2 * 2 - 1 : value - 3 + 0.5);
        }
        QVERIFY(isNear(got[0], dims, wanted));
    }

    /// The permutation is that of a convolution, which --optimize cancels: height and width are not exchanged.
    void channelsMoveLikeThoseOfConvolutions()
    {
        FormRun run;
        const OnnxValue x = run.input(counted({1, 2, 3, 4}));
        const OnnxValue last = toChannelsFirst(run.context(), x, 3);
        const OnnxValue third = toChannelsFirst(run.context(), x, 2);
        const auto got = run.run({last, toChannelsFirst(run.context(), x), fromChannelsFirst(run.context(), last, 3),
                                  third, fromChannelsFirst(run.context(), third, 2)});
        QCOMPARE(got[0].dims(), (Dims{1, 4, 2, 3}));
        QCOMPARE(got[0].toDoubles(), got[1].toDoubles());
        QCOMPARE(got[3].dims(), (Dims{1, 3, 2, 4}));
        for (const std::size_t back : {2, 4}) {
            QCOMPARE(got[back].dims(), (Dims{1, 2, 3, 4}));
            QCOMPARE(got[back].toDoubles(), counted({1, 2, 3, 4}).toDoubles());
        }
    }

    void vectorsByStatistics() // one dimension: the channels
    {
        FormRun run;
        const auto vector = [&](double a, double b) { return run.stored(numbers({2}, {a, b})); };
        const BatchStatistics by{vector(1, 1), vector(0, 0), vector(1, 2), vector(0.99, 0.99)};
        const auto got = run.run({batchNorm(run.context(), run.input(numbers({2}, {3, 7})), 0, by, eps)});
        QVERIFY(isNear(got[0], {2}, {2, 5}));
    }

    void overInstances_data() { addTypes(); }
    void overInstances()
    {
        QFETCH(ElementType, type);
        QFETCH(int, opset);
        const Tensor data = scattered({2, 3, 2, 4}, type);
        FormRun run(atOpset(opset));
        const OnnxValue gamma = run.stored(numbers({3}, {1, 2, 3}, type));
        const OnnxValue beta = run.stored(numbers({3}, {0, 1, -1}, type));
        const auto got = run.run({instanceNorm(run.context(), run.input(data), gamma, beta, eps)});
        Reals wanted = normalizedRows(data.toDoubles(), 8, eps);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::size_t channel = i / 8 % 3;
            wanted[i] = wanted[i] * static_cast<double>(channel + 1) + (channel == 0 ? 0 : channel == 1 ? 1 : -1);
        }
        QVERIFY(isNear(got[0], {2, 3, 2, 4}, wanted));
    }

    void overLayers_data() { addTypes(); }
    void overLayers()
    {
        QFETCH(ElementType, type);
        QFETCH(int, opset);
        const Tensor data = scattered({3, 4}, type);
        FormRun run(atOpset(opset));
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(data);
        const OnnxValue ones = run.stored(numbers({4}, {1, 1, 1, 1}, type));
        const OnnxValue beta = run.stored(numbers({4}, {0, 1, 2, 3}, type));
        const Normalized last = layerNorm(ctx, x, ones, beta, 1, {.epsilon = eps});
        const OnnxValue gamma = run.stored(numbers({3}, {1, 1, 1}, type));
        const OnnxValue zeros = run.stored(numbers({3}, {0, 0, 0}, type));
        const Normalized first = layerNorm(ctx, x, gamma, zeros, 0, {.epsilon = eps, .wantsMoments = true});
        const auto got = run.run({last.y, first.y, first.mean, first.deviation});
        const Reals values = data.toDoubles();
        Reals wanted = normalizedRows(values, 4, eps);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            wanted[i] += static_cast<double>(i % 4);
        }
        QVERIFY(isNear(got[0], {3, 4}, wanted));
        Reals means;
        Reals deviations;
        for (std::size_t k = 0; k < 4; ++k) {
            const Reals column{values[k], values[4 + k], values[8 + k]};
            means.push_back(meanOf(column));
            deviations.push_back(deviationOf(column, eps));
        }
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            wanted[i] = (values[i] - means[i % 4]) / deviations[i % 4];
        }
        QVERIFY(isNear(got[1], {3, 4}, wanted));
        QVERIFY(isNear(got[2], {1, 4}, means));
        QVERIFY(isNear(got[3], {1, 4}, deviations));
    }

    void overGroups_data() { addTypes(); }
    void overGroups()
    {
        QFETCH(ElementType, type);
        QFETCH(int, opset);
        const Tensor data = scattered({2, 4, 3}, type);
        const Reals unit = normalizedRows(data.toDoubles(), 6, eps);
        for (const bool perChannel : {false, true}) {
            FormRun run(atOpset(opset));
            const Reals scales = perChannel ? Reals{1, 2, 3, 4} : Reals{1, 3};
            const Reals shifts = perChannel ? Reals{0, 1, 2, 3} : Reals{5, 6};
            const Dims dims{static_cast<std::int64_t>(scales.size())};
            const Normalized found = groupNorm(run.context(), run.input(data), run.stored(numbers(dims, scales, type)),
                                               run.stored(numbers(dims, shifts, type)), 2, {.epsilon = eps});
            const auto got = run.run({found.y});
            Reals wanted = unit;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const std::size_t channel = i / 3 % 4;
                const std::size_t own = perChannel ? channel : channel / 2;
                wanted[i] = wanted[i] * scales[own] + shifts[own];
            }
            QVERIFY(isNear(got[0], {2, 4, 3}, wanted));
        }
    }

    void givesMomentsOfGroups()
    {
        FormRun run;
        const OnnxValue one = run.stored(numbers({1}, {1}));
        const OnnxValue zero = run.stored(numbers({1}, {0}));
        const Normalized found = groupNorm(run.context(), run.input(numbers({1, 2, 2}, {1, 3, 5, 7})), one, zero, 1,
                                           {.epsilon = 4, .wantsMoments = true});
        const auto got = run.run({found.y, found.mean, found.deviation});
        QVERIFY(isNear(got[0], {1, 2, 2}, {-1, -1.0 / 3, 1.0 / 3, 1}));
        QVERIFY(isNear(got[1], {1, 1}, {4}));
        QVERIFY(isNear(got[2], {1, 1}, {3}));
    }

    void byLength()
    {
        FormRun run;
        const auto got = run.run({l2Norm(run.context(), run.input(numbers({2, 2}, {3, 4, 0, 0})), {1}, 11),
                                  l2Norm(run.context(), run.input(numbers({2, 1}, {3, 4})), {0}, 0)});
        QVERIFY(isNear(got[0], {2, 2}, {0.5, 4.0 / 6, 0, 0}));
        QVERIFY(isNear(got[1], {2, 1}, {0.6, 0.8}));
    }

    void byNeighbours_data()
    {
        QTest::addColumn<ElementType>("type");
        QTest::newRow("float32") << ElementType::Float32;
        QTest::newRow("float64") << ElementType::Float64;
    }
    void byNeighbours()
    {
        QFETCH(ElementType, type);
        FormRun run;
        const OnnxValue x = run.input(numbers({1, 4, 1, 1}, {1, 2, 3, 4}, type));
        const auto got =
            run.run({localResponseNorm(run.context(), x, {.size = 3, .alpha = 0.3, .beta = 0.5, .bias = 2})});
        QVERIFY(isNear(got[0], {1, 4, 1, 1},
                       {1 / std::sqrt(2.5), 2 / std::sqrt(3.4), 3 / std::sqrt(4.9), 4 / std::sqrt(4.5)}));
    }

    void exponentials()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({2, 3}, {std::log(1), std::log(2), std::log(5), 0, 0, 0}));
        const OnnxValue lengths = run.input(numbers({2}, {2, 3}, ElementType::Int32));
        const OnnxValue integers = run.input(numbers({2}, {0, 0}, ElementType::Int32));
        const auto got =
            run.run({softmax(ctx, x, {.axis = 1}), softmax(ctx, x, {.axis = 1, .negate = true}),
                     softmax(ctx, x, {.axis = 1, .temperature = 0.5}), softmax(ctx, x, {.axis = 1, .lengths = lengths}),
                     softmax(ctx, x, {.axis = 1, .logarithm = true, .lengths = lengths}),
                     softmax(ctx, integers, {.axis = 0, .type = ElementType::Float64})});
        const double third = 1.0 / 3;
        QVERIFY(isNear(got[0], {2, 3}, {0.125, 0.25, 0.625, third, third, third}));
        QVERIFY(isNear(got[1], {2, 3}, {1 / 1.7, 0.5 / 1.7, 0.2 / 1.7, third, third, third}));
        QVERIFY(isNear(got[2], {2, 3}, {1.0 / 30, 4.0 / 30, 25.0 / 30, third, third, third}));
        QVERIFY(isNear(got[3], {2, 3}, {third, 2 * third, 0, third, third, third}));
        QVERIFY(isNear(got[4], {2, 3},
                       {std::log(third), std::log(2 * third), 0, std::log(third), std::log(third), std::log(third)}));
        QCOMPARE(got[5].type(), ElementType::Float64);
        QVERIFY(isNear(got[5], {2}, {0.5, 0.5}));
    }

    void exponentialsOfTheRest_data()
    {
        QTest::addColumn<int>("opset");
        QTest::newRow("12") << 12;
        QTest::newRow("17") << 17;
    }
    void exponentialsOfTheRest()
    {
        QFETCH(int, opset);
        FormRun run(atOpset(opset));
        const OnnxValue x = run.input(numbers({1, 2, 2}, {0, std::log(2), std::log(3), std::log(4)}));
        const auto got = run.run({softmaxOfRest(run.context(), x)});
        QVERIFY(isNear(got[0], {1, 2, 2}, {0.1, 0.2, 0.3, 0.4}));
    }
};

QTEST_APPLESS_MAIN(TestNormalization)
#include "tst_normalization.moc"
