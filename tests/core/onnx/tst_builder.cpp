#include "core/base/diagnostic.h"
#include "core/onnx/builder.h"

#include <QtTest>
#include <functional>

using namespace crosswalk;

class TestBuilder : public QObject {
    Q_OBJECT
private slots:
    void equalNodesHaveEqualOutputs()
    {
        OnnxBuilder builder(17);
        const OnnxValue x = builder.input("x", {ElementType::Float32, Shape{1, 1, 4}});
        const OnnxAttributes kernel{{"kernel_shape", Ints{2}}};
        const OnnxValues one = builder.add("MaxPool", {x}, kernel, 1);
        QCOMPARE(builder.add("MaxPool", {x}, kernel, 1), one);
        QCOMPARE(builder.add("MaxPool", {x}, kernel, 2).size(), std::size_t{2}); // with the indices
    }

    /// Their operands are small enough: a node that reads such a result would be refused.
    void resultsBeyondTheLimitsAreRefused_data()
    {
        using Emit = std::function<OnnxValues(OnnxBuilder&)>;
        QTest::addColumn<Emit>("emit");
        QTest::addColumn<QString>("why");
        QTest::newRow("too many elements") << Emit([](OnnxBuilder& builder) {
            const OnnxValue x = builder.input("x", {ElementType::Float32, Shape{1LL << 31, 1LL << 31}});
            return builder.add("Concat", {x, x}, {{"axis", 0}}, 1);
        }) << "its output would be float32 4294967296x2147483648, which has too many elements";
        QTest::newRow("too many dimensions") << Emit([](OnnxBuilder& builder) {
            const OnnxValue x = builder.input("x", {ElementType::Float32, Shape(600, Dim(1))});
            const OnnxValue indices = builder.input("i", {ElementType::Int64, Shape(600, Dim(1))});
            return builder.add("Gather", {x, indices}, {{"axis", 0}}, 1);
        }) << "its output would have 1199 dimensions; at most 1024 are possible";
    }
    void resultsBeyondTheLimitsAreRefused()
    {
        QFETCH(std::function<OnnxValues(OnnxBuilder&)>, emit);
        QFETCH(QString, why);
        OnnxBuilder builder(17);
        try {
            emit(builder);
        } catch (const ModelError& error) {
            QVERIFY2(QString(error.what()).contains(why), error.what());
            return;
        }
        QFAIL("not refused");
    }
};

QTEST_APPLESS_MAIN(TestBuilder)
#include "tst_builder.moc"
