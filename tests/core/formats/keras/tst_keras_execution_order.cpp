#include "core/formats/keras/execution_order.h"

#include <QtTest>

using namespace crosswalk;
using keras::executionOrder;
using keras::GraphCall;

using Places = std::vector<std::size_t>;

/// The order in which Keras 3 runs the calls of a functional model.
class TestKerasExecutionOrder : public QObject {
    Q_OBJECT
private slots:
    void runsWhatIsFarFromTheOutputsFirst()
    {
        // 0 is read by 1 and, through 2, by 3.
        const std::vector<GraphCall> calls{{0, {}}, {1, {0}}, {2, {0}}, {3, {2}}};
        QCOMPARE(executionOrder(calls, Places{1, 3}), (Places{0, 3, 1, 2}));
    }

    void runsEquallyDeepCallsFromTheLastOutputOn()
    {
        const std::vector<GraphCall> calls{{0, {}}, {1, {0}}, {2, {0}}};
        QCOMPARE(executionOrder(calls, Places{1, 2}), (Places{0, 2, 1}));
    }

    void givesCallsOfALayerItsDepth()
    {
        // Calls 1 and 2 are of one layer: 2 is read by 3, and so 1, an output, is as deep.
        const std::vector<GraphCall> calls{{0, {}}, {1, {0}}, {1, {0}}, {2, {2}}, {3, {0}}};
        QCOMPARE(executionOrder(calls, Places{1, 4, 3}), (Places{0, 2, 1, 3, 4}));
    }

    void endsWithWhatNoOutputNeeds()
    {
        const std::vector<GraphCall> calls{{0, {}}, {1, {0}}, {2, {0}}};
        QCOMPARE(executionOrder(calls, Places{2}), (Places{0, 4, 1}));
    }

    void endsForCycles()
    {
        const std::vector<GraphCall> calls{{0, {1}}, {1, {0}}};
        QCOMPARE(executionOrder(calls, Places{0}).size(), calls.size());
    }
};

QTEST_APPLESS_MAIN(TestKerasExecutionOrder)
#include "tst_keras_execution_order.moc"
