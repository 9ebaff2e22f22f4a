#include "ui/theme/icons.h"
#include "ui/theme/readable_colour.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QDir>
#include <QListWidget>
#include <QRegularExpression>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void textsCanBeRead_data()
    {
        QTest::addColumn<QColor>("text");
        QTest::addColumn<QColor>("ground");
        for (const auto* t : {&lightTheme(), &darkTheme()}) {
            const char* name = t->isDark ? "dark" : "light";
            const auto row = [&](const char* what, const QColor& text, const QColor& ground) {
                QTest::addRow("%s: %s", name, what) << text << ground;
            };
            for (const auto& [ground, color] : {std::pair("window", t->window),
                                                {"panel", t->panel},
                                                {"field", t->field},
                                                {"raised", t->raised},
                                                {"canvas", t->canvas},
                                                {"selected row", t->accentSoft}}) {
                row(qPrintable(QStringLiteral("text on %1").arg(QLatin1String(ground))), t->text, color);
                row(qPrintable(QStringLiteral("muted text on %1").arg(QLatin1String(ground))), t->mutedText, color);
            }
            row("link on panel", t->link, t->panel);
            row("primary button", t->accentText, t->accent);
            row("primary button under the pointer", t->accentText, t->accentHover);
            row("warning banner", t->text, t->softWarning);
            row("error banner", t->text, t->softError);
            row("note banner", t->text, t->softInfo);
            row("warning text on panel", t->warningText, t->panel);
            row("error text on panel", t->errorText, t->panel);
            row("node text", t->nodeText, t->nodeBody);
            row("muted node text", t->nodeMuted, t->nodeBody);
            row("reference tag", t->tagText, t->tag);
            for (std::size_t i = 0; i < t->tints.size(); ++i) {
                const HeaderColors& tint = t->tints[i];
                QTest::addRow("%s: header of tint %zu", name, i) << tint.headerText << tint.header;
                QTest::addRow("%s: block of tint %zu", name, i)
                    << readableOn(tint.block, tint.headerText) << tint.block;
            }
            for (std::size_t i = 0; i < t->categories.size(); ++i) {
                const HeaderColors& family = t->categories[i];
                QTest::addRow("%s: header of family %zu", name, i) << family.headerText << family.header;
                QTest::addRow("%s: block of family %zu", name, i)
                    << readableOn(family.block, family.headerText) << family.block;
            }
        }
    }
    void textsCanBeRead()
    {
        QFETCH(QColor, text);
        QFETCH(QColor, ground);
        QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(QString::number(contrast(text, ground))));
    }

    void marksContrastWithTheirBackground()
    {
        for (const auto* t : {&lightTheme(), &darkTheme()}) {
            const QColor blocked = t->tint(Tint::Blocked).block;
            for (const QColor& mark : {t->decomposed, t->approximate, t->unsupported, t->folded, blocked, t->exact}) {
                for (const QColor& ground : {t->nodeBody, t->canvas, t->panel, t->window, t->field}) {
                    QVERIFY2(contrast(mark, ground) >= 3, qPrintable(mark.name() + u' ' + ground.name()));
                }
            }
            QVERIFY(contrast(blocked, t->folded) >= 1.5);
            QVERIFY(contrast(t->tint(Tint::Blocked).header, t->tint(Tint::Folded).header) >= 1.1);
            for (const auto& frame : {t->selection, t->counterpart}) {
                QVERIFY(contrast(frame, t->canvas) >= 3);
            }
        }
    }

    void uncomparedNodesLookDifferentFromProvenOnes()
    {
        for (const auto* t : {&lightTheme(), &darkTheme()}) {
            for (const auto level : {ErrorLevel::Same, ErrorLevel::Tiny}) {
                const double blocks = contrast(t->error(level).block, t->error(ErrorLevel::NotCompared).block);
                const double headers = contrast(t->error(level).header, t->error(ErrorLevel::NotCompared).header);
                QVERIFY2(blocks >= 1.4, qPrintable(QString::number(blocks)));
                QVERIFY2(headers >= 1.1, qPrintable(QString::number(headers)));
            }
        }
    }

    void contrastIsThatOfTheStandard()
    {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::white, Qt::white), 1.0);
        QVERIFY(std::abs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01);
    }

    void everyIconDrawsSomething()
    {
        const auto files = QDir(QStringLiteral(":/icons")).entryList();
        QVERIFY(files.size() > 20);
        for (const auto& file : files) {
            const QByteArray name = file.chopped(4).toLatin1();
            const QImage image = iconPixmap(QLatin1String(name.constData()), Qt::red, 20, 2).toImage();
            QCOMPARE(image.size(), QSize(40, 40));
            int inked = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    inked += qAlpha(image.pixel(x, y)) > 128 ? 1 : 0;
                }
            }
            QVERIFY2(inked > 20, name.constData());
        }
    }

    void combosShowAnArrow()
    {
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(choice);
            QComboBox combo;
            combo.resize(120, 30);
            const QImage picture = combo.grab().toImage();
            double most = 1;
            for (int x = 90; x < 114; ++x) {
                for (int y = 8; y < 22; ++y) {
                    most = std::max(most, contrast(picture.pixelColor(x, y), theme().field));
                }
            }
            QVERIFY2(most >= 4.5, qPrintable(QString::number(most)));
        }
        applyTheme(ThemeChoice::Light);
    }

    void theStyleSheetsDifferInColoursAlone()
    {
        // A change of the theme therefore keeps all sizes (applyTheme).
        const auto withoutColours = [](QString sheet) {
            static const QRegularExpression colour(QStringLiteral("#[0-9a-f]{6}\\b|-(light|dark)\\.svg"));
            return sheet.replace(colour, {});
        };
        QCOMPARE(withoutColours(darkTheme().styleSheet()), withoutColours(lightTheme().styleSheet()));
    }

    void aChangeOfTheThemeRepaintsHiddenAndVisibleViews()
    {
        applyTheme(ThemeChoice::Light);
        QWidget window;
        auto* visible = new QListWidget(&window);
        auto* hidden = new QListWidget(&window);
        hidden->hide();
        window.show();
        for (const auto choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(choice);
            for (QListWidget* view : {visible, hidden}) {
                const QImage picture = view->grab().toImage();
                QCOMPARE(picture.pixelColor(picture.rect().center()), theme().panel);
            }
        }
    }

    void theStyleSheetHasNoPlaceholdersLeft()
    {
        QVERIFY(!lightTheme().styleSheet().contains(u'@'));
        QVERIFY(!darkTheme().styleSheet().contains(u'@'));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
