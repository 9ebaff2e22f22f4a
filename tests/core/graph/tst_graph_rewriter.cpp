#include "core/graph/graph_rewriter.h"

#include <QtTest>

using namespace crosswalk;

class TestGraphRewriter : public QObject {
    Q_OBJECT
private slots:
    void findsEqualNodes()
    {
        Graph source;
        const ValueId x = source.addValue({.name = "x"});
        GraphRewriter rewriter(source, "Identity");
        const auto added = [&](const AttributeValue& value) { return rewriter.add("Op", {x}, {{"a", value}}).front(); };
        QCOMPARE(added(Ints{2, 3}), added(Ints{2, 3}));
        QVERIFY(added(0.1) != added(static_cast<double>(0.1F))); // one text
        const TensorId tensor = rewriter.graph().value(rewriter.addWeight("v", Tensor::ints(Ints{1, 2}))).tensor;
        const TensorId other = rewriter.graph().value(rewriter.addWeight("w", Tensor::ints(Ints{3, 4}))).tensor;
        QCOMPARE(added(tensor), added(tensor));
        QVERIFY(added(tensor) != added(other)); // of one shape
    }
};

QTEST_APPLESS_MAIN(TestGraphRewriter)
#include "tst_graph_rewriter.moc"
