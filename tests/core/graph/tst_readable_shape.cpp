#include "core/graph/readable_shape.h"

#include <QtTest>

using namespace crosswalk;

class TestReadableShape : public QObject {
    Q_OBJECT
private slots:
    void namesAndSizesAreReadable()
    {
        QCOMPARE(readableShape({Dim("N"), 3, Dim("H"), 224}), std::string("Nx3xHx224"));
        QCOMPARE(readableShape({1, 2}, ", "), std::string("1, 2"));
        QCOMPARE(readableShape({}), std::string("scalar"));
    }

    void dimensionsWithoutANameAreStars()
    {
        QCOMPARE(readableShape({Dim(), Dim("unk__0"), Dim("?7"), Dim("unknown_batch")}),
                 std::string("*x*x*xunknown_batch"));
    }
};

QTEST_APPLESS_MAIN(TestReadableShape)
#include "tst_readable_shape.moc"
