#include "core/base/half.h"
#include "core/graph/tensor_statistics.h"

#include <QtTest>
#include <limits>
#include <numeric>

using namespace crosswalk;

namespace {

Tensor counting(std::vector<std::int64_t> dims)
{
    std::int64_t count = 1;
    for (const auto dim : dims) {
        count *= dim;
    }
    std::vector<float> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0.0F);
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values);
}

} // namespace

class TestTensor : public QObject {
    Q_OBJECT
private slots:
    void rangesAndConcatenationKeepTheOrder()
    {
        const Tensor whole = counting({4, 3});
        const std::array rows{whole.range(9, {1, 3}), whole.range(0, {2, 3})};
        const Tensor joined = Tensor::joined(rows);
        QCOMPARE(joined.dims(), (std::vector<std::int64_t>{3, 3}));
        QCOMPARE(joined.toDoubles(), (std::vector<double>{9, 10, 11, 0, 1, 2, 3, 4, 5}));
        QCOMPARE(joined.range(2, {3}).toDoubles(), (std::vector<double>{11, 0, 1}));
    }

    void refusesWhatItsElementsCannotBe()
    {
        const Tensor whole = counting({4, 3});
        QVERIFY_THROWS_EXCEPTION(std::length_error, whole.reshaped({5}));
        QVERIFY_THROWS_EXCEPTION(std::length_error, whole.reshaped({-4, -3}));
        QVERIFY_THROWS_EXCEPTION(std::length_error, whole.range(10, {3}));
        QVERIFY_THROWS_EXCEPTION(std::length_error, whole.range(-1, {3}));
        QVERIFY_THROWS_EXCEPTION(std::length_error, whole.transposed(Ints{0, 0}));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, whole.transposed(Ints{0, 2}));
        const Tensor packed = Tensor::owned(ElementType::Int4, {2, 2}, std::vector<std::byte>(2));
        QVERIFY_THROWS_EXCEPTION(std::length_error, packed.transposed(Ints{1, 0}));
        QVERIFY_THROWS_EXCEPTION(std::length_error, whole.toStrings());
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, whole.dims()[2]);
    }

    void computesStatistics()
    {
        const float infinity = std::numeric_limits<float>::infinity();
        const std::vector<float> values{1, 2, 3, 6, 0, std::nanf(""), infinity, -infinity};
        const auto found = statisticsOf(Tensor::of<float>(ElementType::Float32, {2, 4}, values), 3);
        QVERIFY(found);
        QCOMPARE(found->elements, std::int64_t{8});
        QCOMPARE(found->nan, std::int64_t{1});
        QCOMPARE(found->infinite, std::int64_t{2});
        QCOMPARE(found->zero, std::int64_t{1});
        QCOMPARE(found->minimum, 0.0);
        QCOMPARE(found->maximum, 6.0);
        QCOMPARE(found->mean, 2.4);
        QVERIFY(std::abs(found->deviation - 2.0591260281974) < 1e-12); // numpy.std([1, 2, 3, 6, 0])
        QCOMPARE(found->histogram, (std::vector<std::int64_t>{2, 2, 1}));
    }

    void computesStatisticsOfManyChunks()
    {
        const auto found = statisticsOf(counting({300, 1000}), 10);
        QVERIFY(found);
        QCOMPARE(found->maximum, 299999.0);
        QVERIFY(std::abs(found->mean - 149999.5) < 1e-6);
        QCOMPARE(found->histogram, std::vector<std::int64_t>(10, 30000));
    }

    void computesStatisticsOfEqualEmptyAndNonNumericTensors()
    {
        const auto equal = statisticsOf(Tensor::filled(ElementType::Int8, {5}, 7), 4);
        QVERIFY(equal);
        QCOMPARE(equal->deviation, 0.0);
        QCOMPARE(equal->histogram, (std::vector<std::int64_t>{5, 0, 0, 0}));
        const auto empty = statisticsOf(Tensor::filled(ElementType::Float32, {0, 3}, 1), 4);
        QVERIFY(empty);
        QCOMPARE(empty->finite(), std::int64_t{0});
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(!statisticsOf(counting({10}), 4, stopped.get_token()));
    }

    void transposesLikeNumpy()
    {
        const std::array<std::int64_t, 3> permutation{2, 0, 1};
        const Tensor t = counting({2, 3, 4}).transposed(permutation);
        QCOMPARE(t.dims(), (std::vector<std::int64_t>{4, 2, 3}));
        QCOMPARE(t.range(0, {7}).toDoubles(), (std::vector<double>{0, 4, 8, 12, 16, 20, 1}));
    }

    void halfRoundTrips()
    {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float value = halfToFloat(half);
            if (!std::isnan(value)) {
                QCOMPARE(floatToHalf(value), half);
            }
        }
        QCOMPARE(floatToHalf(65519.0F), std::uint16_t{0x7bff});
        QCOMPARE(floatToHalf(65520.0F), std::uint16_t{0x7c00});
        QCOMPARE(floatToHalf(2049.0F), std::uint16_t{0x6800}); // ties round to even
    }

    void convertsWhenRead()
    {
        const std::array<double, 4> values{1.9, -1.9, 300, std::numeric_limits<double>::quiet_NaN()};
        const auto t = Tensor::of<double>(ElementType::Float64, {4}, values);
        QCOMPARE(t.converted(ElementType::Int32).toInts(), (std::vector<std::int64_t>{1, -1, 300, 0}));
        QCOMPARE(t.converted(ElementType::Bool).toInts(), (std::vector<std::int64_t>{1, 1, 1, 1}));
        const auto narrow = t.converted(ElementType::Float16).range(1, {2});
        QCOMPARE(narrow.toDoubles(), (std::vector<double>{halfToFloat(floatToHalf(-1.9F)), 300}));
    }

    void filledTensorUsesNoMemory()
    {
        const auto t = Tensor::filled(ElementType::Float32, {1000, 1000, 1000}, 1);
        QCOMPARE(t.bytes(), std::uint64_t{4'000'000'000});
        QCOMPARE(t.range(999'999'998, {2}).toDoubles(), (std::vector<double>{1, 1}));
    }

    void streamsInChunks()
    {
        const auto t = Tensor::filled(ElementType::UInt8, {3'000'000}, 7);
        std::uint64_t seen = 0;
        t.stream([&](std::span<const std::byte> chunk) {
            seen += chunk.size();
            return chunk.size() <= (1U << 20U);
        });
        QCOMPARE(seen, std::uint64_t{3'000'000});
    }
};

QTEST_APPLESS_MAIN(TestTensor)
#include "tst_tensor.moc"
