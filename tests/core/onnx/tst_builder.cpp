#include "core/onnx/builder.h"

#include <QtTest>

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
};

QTEST_APPLESS_MAIN(TestBuilder)
#include "tst_builder.moc"
