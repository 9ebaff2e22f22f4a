#include "ui/panels/wrapped_label.h"
#include "ui/theme/fonts.h"

#include <QtTest>

using namespace crosswalk::ui;

/// A label's own measure of its text against that of the QLabel that paints it.
class TestWrappedLabel : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { loadFonts(); }

    void heights_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << QString();
        QTest::newRow("a word") << QStringLiteral("Convolution");
        QTest::newRow("sentences") << QStringLiteral(
            "Carries out batch normalization as described in the paper. There are five required inputs: X, scale, B, "
            "input_mean and input_var. Note that the mean and the variance are estimated statistics in inference "
            "mode.");
        QTest::newRow("no place to break") << QString(300, u'x');
        QTest::newRow("lines") << QStringLiteral("one\n\nthree, which is longer than the others\n");
        QTest::newRow("places to break in names")
            << QStringLiteral("stage1_\u200bunit2_\u200bconv3_\u200bfwd/\u200bsub_\u200bgraph_\u200bof_\u200bnodes");
        QTest::newRow("scripts") << QStringLiteral(
            "\u5377\u79ef\u5c42 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 na\u00efve");
    }

    void heights()
    {
        QFETCH(QString, text);
        for (const int pixels : {11, 13, 17}) {
            WrappedLabel label(QStringLiteral("label"));
            QFont font = label.font();
            font.setPixelSize(pixels);
            label.setFont(font);
            label.setContentsMargins(3, 4, 0, 5);
            label.setText(text);
            for (int width = 20; width < 900; width += 7) {
                QCOMPARE(label.heightForWidth(width), label.QLabel::heightForWidth(width));
            }
        }
    }

    void followsTheTextAndTheFont()
    {
        WrappedLabel label(QStringLiteral("label"));
        label.setText(QStringLiteral("short"));
        const int one = label.heightForWidth(200);
        QVERIFY(label.hasHeightForWidth());
        label.setText(QString(QStringLiteral("word ")).repeated(60));
        QVERIFY(label.heightForWidth(200) > 3 * one);
        label.setText(QStringLiteral("short"));
        QFont font = label.font();
        font.setPixelSize(40);
        label.setFont(font);
        QVERIFY(label.heightForWidth(200) > one);
    }
};

QTEST_MAIN(TestWrappedLabel)
#include "tst_wrapped_label.moc"
