#include "core/base/unique_names.h"

#include <QtTest>

using crosswalk::UniqueNames;

class TestUniqueNames : public QObject {
    Q_OBJECT

private slots:
    void numbersNamesThatAreTaken()
    {
        UniqueNames names;
        QCOMPARE(names.unique("a"), std::string("a"));
        QCOMPARE(names.unique("a"), std::string("a#2"));
        QCOMPARE(names.unique("a"), std::string("a#3"));
        QCOMPARE(names.unique("a#2"), std::string("a#2#2"));
    }

    void skipsNumbersThatAreTaken()
    {
        UniqueNames names;
        names.take("a");
        names.take("a#2");
        names.take("a#4");
        QCOMPARE(names.unique("a"), std::string("a#3"));
        QCOMPARE(names.unique("a"), std::string("a#5"));
    }
};

QTEST_APPLESS_MAIN(TestUniqueNames)
#include "tst_unique_names.moc"
