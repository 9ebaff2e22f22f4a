#include "core/graph/tensor_type.h"

#include <QtTest>

using namespace crosswalk;

class TestBoundsChecked : public QObject {
    Q_OBJECT
private slots:
    void refusesIndicesOutOfRange()
    {
        Ints axes{1, 2, 3};
        QCOMPARE(axes[2], std::int64_t{3});
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, axes[3]);
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, axes[axes.size() - 4]);
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, axes.iteratorAt(4));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, axes.iteratorAt(-1));
        QVERIFY(axes.iteratorAt(3) == axes.end());
        axes.eraseAt(1);
        QCOMPARE(axes, (Ints{1, 3}));
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, axes.eraseAt(2));
    }

    void anEmptyListHasNoFirstElement()
    {
        Shape scalar;
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, scalar.front());
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, scalar.back());
        QVERIFY_THROWS_EXCEPTION(std::out_of_range, scalar.pop_back());
    }

    void refusesLengthsThatNoModelHas()
    {
        constexpr auto tooLong = static_cast<std::size_t>(Ints::mostElements) + 1;
        QVERIFY_THROWS_EXCEPTION(std::length_error, const Ints list(tooLong));
        QVERIFY_THROWS_EXCEPTION(std::length_error, const Ints list(tooLong, 7));
        Ints axes;
        QVERIFY_THROWS_EXCEPTION(std::length_error, axes.resize(tooLong));
        QCOMPARE(Ints(std::size_t{3}, 7), (Ints{7, 7, 7}));
    }
};

QTEST_APPLESS_MAIN(TestBoundsChecked)
#include "tst_bounds_checked.moc"
