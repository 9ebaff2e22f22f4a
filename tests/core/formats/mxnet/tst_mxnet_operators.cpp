// The table of operators as a whole.

#include "core/convert/framework.h"
#include "core/formats/mxnet/aliases.h"
#include "core/formats/mxnet/unsupported_ops.h"
#include "tests/support/shared_cases.h"

#include <QFile>
#include <QtTest>
#include <set>

using namespace crosswalk;

class TestMxnetOperators : public QObject {
    Q_OBJECT
private:
    const std::vector<SupportedOperator> m_operators = findFramework("mxnet")->operators();

private slots:
    void noneIsBothTranslatedAndNot()
    {
        std::set<std::string_view> names;
        for (const SupportedOperator& op : m_operators) {
            QVERIFY2(names.insert(op.name).second, std::string(op.name).c_str());
        }
    }

    void eachSaysItsFormOrWhyItHasNone()
    {
        for (const SupportedOperator& op : m_operators) {
            const bool isTranslated = op.support != Support::TrainingOnly && op.support != Support::NotSupported;
            QVERIFY2(isTranslated ? !op.form.empty() : !op.note.empty(), std::string(op.name).c_str());
        }
    }

    /// Of the 1,167 names that MXNet 1.9 registers, each is translated, or said to be of training, or not supported.
    void everyRegisteredNameIsKnown()
    {
        REQUIRE_SHARED_CASES();
        std::set<std::string_view> known;
        for (const SupportedOperator& op : m_operators) {
            known.insert(op.name);
        }
        QFile list(QString::fromStdString((test::sharedFolder() / "baselines/mxnet-operator-coverage.csv").string()));
        QVERIFY(list.open(QIODevice::ReadOnly));
        list.readLine();
        QByteArrayList unknown;
        while (!list.atEnd()) {
            const QByteArray name = list.readLine().split(',').front();
            const std::string_view canonical =
                mxnet::canonicalName({name.data(), static_cast<std::size_t>(name.size())});
            if (!known.contains(canonical) && mxnet::findUnsupported(canonical) == nullptr) {
                unknown.append(name);
            }
        }
        QCOMPARE(unknown.join(' '), QByteArray());
    }
};

QTEST_GUILESS_MAIN(TestMxnetOperators)
#include "tst_mxnet_operators.moc"
