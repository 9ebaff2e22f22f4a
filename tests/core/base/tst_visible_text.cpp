#include "core/base/visible_text.h"

#include <QtTest>

using crosswalk::visibleLine;
using crosswalk::visibleText;

class TestVisibleText : public QObject {
    Q_OBJECT

private slots:
    void writesControlCharactersAsText()
    {
        QCOMPARE(visibleText("a\tb\n"), std::string("a\tb\n"));
        QCOMPARE(visibleText("\x1b[31m"), std::string("\\u001b[31m"));
        QCOMPARE(visibleText("\x7f"), std::string("\\u007f"));
        QCOMPARE(visibleText("\xc2\x9b"), std::string("\\u009b"));
        QCOMPARE(visibleText("\xe2\x80\xae"
                             "txt"),
                 std::string("\\u202etxt"));
    }

    void escapesLineEndsWithinALine()
    {
        QCOMPARE(visibleLine("a\nb\r\tc"), std::string("a\\nb\\r\\tc"));
        QCOMPARE(visibleLine("a\xe2\x80\xa8"
                             "b\xc2\x85"),
                 std::string("a\\u2028b\\u0085"));
        QCOMPARE(visibleLine("conv0"), std::string("conv0"));
    }

    void keepsLetters()
    {
        QCOMPARE(visibleText("Größe \xe6\xbc\xa2 \xf0\x9f\x98\x80"),
                 std::string("Größe \xe6\xbc\xa2 \xf0\x9f\x98\x80"));
    }

    void showsBytesThatAreNotUtf8()
    {
        QCOMPARE(visibleText("a\xff"), std::string("a\\xff"));
        QCOMPARE(visibleText("\xc3"), std::string("\\xc3"));                   // cut off
        QCOMPARE(visibleText("\xc0\xaf"), std::string("\\xc0\\xaf"));          // longer than necessary
        QCOMPARE(visibleText("\xed\xa0\x80"), std::string("\\xed\\xa0\\x80")); // a surrogate
    }
};

QTEST_APPLESS_MAIN(TestVisibleText)
#include "tst_visible_text.moc"
