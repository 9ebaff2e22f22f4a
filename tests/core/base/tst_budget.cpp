#include "core/base/budget.h"
#include "core/base/diagnostic.h"

#include <QtTest>

#include <functional>

using crosswalk::Budget;
using crosswalk::ModelError;

class TestBudget : public QObject {
    Q_OBJECT

private slots:
    void refusesWhatExceedsALimit_data()
    {
        QTest::addColumn<Use>("use");
        QTest::addColumn<quint64>("most");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("nodes") << Use([](Budget& budget, quint64 n) { budget.expectNodes(n); })
                               << quint64{Budget::readNodes + fileBytes / 64} << QByteArray("large-file");
        QTest::newRow("outputs") << Use([](Budget& budget, quint64 n) { budget.addImpliedOutputs(n); })
                                 << quint64{Budget::impliedOutputs + fileBytes / 16} << QByteArray("large-file");
        QTest::newRow("name") << Use([](Budget& budget, quint64 n) { budget.expectName("node 1", n); })
                              << quint64{Budget::nameLength} << QByteArray("large-file");
        QTest::newRow("steps") << Use([](Budget& budget, quint64 n) { budget.expectSteps(n); })
                               << quint64{Budget::programSteps} << QByteArray("large-file");
        QTest::newRow("expansion") << Use([](Budget& budget, quint64 n) { budget.expectExpansion(n); })
                                   << quint64{Budget::expandedNodes} << QByteArray("too-large");
        QTest::newRow("lowered") << Use([](Budget& budget, quint64 n) { budget.expectLowered(n, 10); })
                                 << quint64{Budget::loweredNodes + 640} << QByteArray("too-large");
        QTest::newRow("emitted") << Use([](Budget& budget, quint64 n) { budget.expectEmitted(n); })
                                 << quint64{Budget::emittedPerNode} << QByteArray("too-large");
        QTest::newRow("constants") << Use([](Budget& budget, quint64 n) { budget.expectConstants(n, 100); })
                                   << quint64{Budget::constantBytes + 807} << QByteArray("too-large");
    }
    void refusesWhatExceedsALimit()
    {
        QFETCH(Use, use);
        QFETCH(quint64, most);
        QFETCH(QByteArray, code);
        const auto problem = [&](Budget budget, quint64 amount) {
            try {
                use(budget, amount);
                return QByteArray();
            } catch (const ModelError& error) {
                const bool namesOption = error.diagnostic.hint.find("--allow-large") != std::string::npos;
                return namesOption ? QByteArray::fromStdString(std::string(error.diagnostic.code.text()))
                                   : QByteArray("without a hint");
            }
        };
        QCOMPARE(problem(Budget(fileBytes), most), QByteArray());
        QCOMPARE(problem(Budget(fileBytes), most + 1), code);
        QCOMPARE(problem(Budget(fileBytes, true), most + 1), QByteArray());
    }

    void countsTheOutputsOfAllNodes()
    {
        Budget budget;
        budget.addImpliedOutputs(Budget::impliedOutputs - 1);
        budget.addImpliedOutputs(1);
        QVERIFY_THROWS_EXCEPTION(ModelError, budget.addImpliedOutputs(1));
        QVERIFY_THROWS_EXCEPTION(ModelError, budget.addImpliedOutputs(~std::uint64_t{0})); // the sum does not wrap
    }

    void keepsTheLimitsOfTheMachine()
    {
        QVERIFY_THROWS_EXCEPTION(ModelError, Budget(0, true).expectExpansion(~std::uint64_t{0}));
        Budget::expectPickleObjects(Budget::pickleObjects + 2, 16);
        QVERIFY_THROWS_EXCEPTION(ModelError, Budget::expectPickleObjects(Budget::pickleObjects + 3, 16));
    }

private:
    using Use = std::function<void(Budget&, quint64)>;
    static constexpr quint64 fileBytes = 6400;
};

QTEST_APPLESS_MAIN(TestBudget)
#include "tst_budget.moc"
