#include "core/verify/compare.h"
#include "tests/support/paths.h"

#include <QtTest>
#include <complex>
#include <cstring>
#include <limits>

using namespace crosswalk;

namespace {

template <typename T>
Tensor tensor(ElementType type, std::vector<std::int64_t> dims, std::vector<T> values)
{
    return Tensor::of<T>(type, std::move(dims), values);
}

Tensor floats(std::vector<float> values)
{
    const auto size = static_cast<std::int64_t>(values.size());
    return tensor<float>(ElementType::Float32, {size}, std::move(values));
}

/// One element from its bits in hexadecimal digits.
Tensor fromBits(ElementType type, const QByteArray& digits)
{
    const std::uint64_t bits = digits.toULongLong(nullptr, 16);
    std::vector<std::byte> bytes(byteSize(type));
    std::memcpy(bytes.data(), &bits, bytes.size());
    return Tensor::owned(type, {1}, std::move(bytes));
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

} // namespace

class TestCompare : public QObject {
    Q_OBJECT
private slots:
    void agreesWithNumpyAtTheEdgeOfTheTolerance()
    {
        QFile file(test::dataFolder() + QStringLiteral("/compare/isclose.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        file.readLine();
        int rows = 0;
        while (!file.atEnd()) {
            const QByteArray line = file.readLine().trimmed();
            const auto cells = line.split(',');
            const auto type = elementTypeFromName(cells[0].toStdString());
            QVERIFY(type);
            const Comparison result = compare("x", fromBits(*type, cells[1]), fromBits(*type, cells[2]),
                                              {cells[3].toDouble(), cells[4].toDouble()});
            QVERIFY2(result.equal == (cells[5] == "1"), line.constData());
            ++rows;
        }
        QCOMPARE(rows, 1512);
    }

    void reportsTheLargestDifference()
    {
        const Tensor got = tensor<float>(ElementType::Float32, {2, 3}, {1, 2, 3, 4, 5.5F, 6});
        const Tensor wanted = tensor<float>(ElementType::Float32, {2, 3}, {1, 2.25F, 3, 4, 5, 6});
        const Comparison result = compare("y", got, wanted, {});
        QVERIFY(!result.equal);
        QCOMPARE(result.differing, 2);
        QCOMPARE(result.elements, 6);
        QCOMPARE(result.maxAbsolute, 0.5);
        QCOMPARE(result.maxRelative, 0.25 / 2.25);
        QCOMPARE(result.where, (std::vector<std::int64_t>{1, 1}));
        QCOMPARE(result.got, 5.5);
        QCOMPARE(result.wanted, 5.0);
    }

    void differencesWithinTheToleranceAreNotShown()
    {
        const Comparison result = compare("y", floats({100'050, 2}), floats({100'000, 1}), {});
        QCOMPARE(result.differing, 1);
        QCOMPARE(result.maxAbsolute, 50.0);
        QCOMPARE(result.where, (std::vector<std::int64_t>{1}));
        QCOMPARE(result.got, 2.0);
    }

    void largeIntegersAreSubtractedExactly()
    {
        constexpr std::int64_t large = std::int64_t{1} << 60;
        const Comparison next = compare("y", tensor<std::int64_t>(ElementType::Int64, {2}, {1, large + 1}),
                                        tensor<std::int64_t>(ElementType::Int64, {2}, {1, large}), {});
        QCOMPARE(next.maxAbsolute, 1.0);
        QCOMPARE(next.where, (std::vector<std::int64_t>{1}));
        QCOMPARE(next.why, std::string("1 of 2 values; 1152921504606846977, recorded 1152921504606846976"));
        constexpr auto least = std::numeric_limits<std::int64_t>::min();
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        const Comparison ends = compare("y", tensor<std::int64_t>(ElementType::Int64, {1}, {least}),
                                        tensor<std::int64_t>(ElementType::Int64, {1}, {most}), {});
        QCOMPARE(ends.maxAbsolute, 18446744073709551616.0);
        const Comparison small = compare("y", tensor<std::int8_t>(ElementType::Int8, {1}, {-2}),
                                         tensor<std::int8_t>(ElementType::Int8, {1}, {3}), {});
        QCOMPARE(small.maxAbsolute, 5.0);
    }

    void nanHasInfiniteDistance()
    {
        const Comparison result = compare("y", floats({1, notANumber, infinity}), floats({1, 2, infinity}), {});
        QVERIFY(!result.equal);
        QCOMPARE(result.differing, 1);
        QVERIFY(std::isinf(result.maxAbsolute));
        QCOMPARE(result.where, (std::vector<std::int64_t>{1}));
    }

    void equalNansAndInfinitiesHaveDistanceZero()
    {
        const Comparison result = compare("y", floats({notANumber, -infinity}), floats({notANumber, -infinity}), {});
        QVERIFY(result.equal);
        QCOMPARE(result.maxAbsolute, 0.0);
    }

    void typesAndShapesMustBeEqual()
    {
        const Tensor ints = tensor<std::int32_t>(ElementType::Int32, {2}, {1, 2});
        QVERIFY(!compare("y", floats({1, 2}), ints, {}).equal);
        QVERIFY(!compare("y", floats({1, 2}), floats({1, 2}).reshaped({1, 2}), {}).equal);
        QVERIFY(compare("y", floats({}), floats({}), {}).equal);
        QVERIFY(!compare("y", floats({}).reshaped({0, 2}), floats({}).reshaped({0, 3}), {}).equal);
    }

    void integersAndBooleansHaveNoTolerance()
    {
        const Tolerance wide{1, 100};
        const Tensor a = tensor<std::int64_t>(ElementType::Int64, {2}, {1, (std::int64_t{1} << 53) + 1});
        const Tensor b = tensor<std::int64_t>(ElementType::Int64, {2}, {1, std::int64_t{1} << 53});
        QVERIFY(!compare("y", a, b, wide).equal);
        QVERIFY(compare("y", a, a, wide).equal);
        const Tensor yes = tensor<std::uint8_t>(ElementType::Bool, {1}, {1});
        const Tensor no = tensor<std::uint8_t>(ElementType::Bool, {1}, {0});
        QVERIFY(!compare("y", yes, no, wide).equal);
    }

    void stringsMustBeEqual()
    {
        const Tensor wanted = Tensor::strings({2, 2}, {"a", "b", "", "d"});
        const Comparison same = compare("y", Tensor::strings({2, 2}, {"a", "b", "", "d"}), wanted, {1, 100});
        QVERIFY(same.equal);
        QVERIFY(same.isText);
        QVERIFY(same.why.empty());
        const Comparison other = compare("y", Tensor::strings({2, 2}, {"a", "b", " ", "\"\xff"}), wanted, {1, 100});
        QVERIFY(!other.equal);
        QCOMPARE(other.differing, 2);
        QCOMPARE(other.elements, 4);
        QCOMPARE(other.where, (std::vector<std::int64_t>{1, 0}));
        QVERIFY(!compare("y", floats({1}), Tensor::strings({1}, {"1"}), {}).equal);
        QVERIFY(!compare("y", Tensor::strings({1}, {"1"}), floats({1}), {}).equal);
        QVERIFY(compare("y", Tensor::strings({0}, {}), Tensor::strings({0}, {}), {}).equal);
    }

    void complexNumbersAreComparedByTheirDistance()
    {
        using Complex = std::complex<float>;
        const Tensor a = tensor<Complex>(ElementType::Complex64, {1}, {{3, 4}});
        const Tensor near = tensor<Complex>(ElementType::Complex64, {1}, {{3, 4.0001F}});
        const Tensor far = tensor<Complex>(ElementType::Complex64, {1}, {{4, 3}}); // with equal magnitude
        QVERIFY(compare("y", near, a, {}).equal);
        QVERIFY(!compare("y", far, a, {}).equal);
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "tst_compare.moc"
