// Desktop manners: files that change on disk, commands and names for assistive tools.

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"

#include <QAccessible>
#include <QClipboard>
#include <QMenuBar>
#include <QTextBrowser>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

std::string activations(const std::vector<std::string>& names)
{
    std::vector<std::string> nodes{variable("data", R"j({"__shape__": "(2, 3)"})j")};
    for (const auto& name : names) {
        nodes.push_back(
            node("Activation", name, fmt::format("[[{}, 0, 0]]", nodes.size() - 1), R"({"act_type": "relu"})"));
    }
    return symbolFile(nodes);
}

void collectMenuActions(const QMenu& menu, QList<QAction*>& actions)
{
    for (auto* action : menu.actions()) {
        if (action->menu() != nullptr) {
            collectMenuActions(*action->menu(), actions);
        } else if (!action->isSeparator()) {
            actions.append(action);
        }
    }
}

} // namespace

class TestWindowManners : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void shortcutsOfAllCommandsAreListed()
    {
        DrivenWindow driven(nullptr, {900, 600});
        driven.find<QAction>("helpShortcuts")->trigger();
        auto* dialog = driven.find<QDialog>("shortcutsDialog");
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->height() <= driven.window.height());
        const QString text = dialog->findChild<QTextBrowser*>(QStringLiteral("shortcutsText"))->toPlainText();
        for (const auto* action : driven.window.findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!action->objectName().isEmpty() && !action->shortcut().isEmpty()) {
                QVERIFY2(text.contains(action->shortcut().toString(QKeySequence::NativeText)),
                         qPrintable(action->objectName()));
            }
        }
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!driven.window.findChild<QDialog*>(QStringLiteral("shortcutsDialog")) || !dialog->isVisible());
    }

    void theVersionsAreShownBeforeTheRuntimeHasStarted()
    {
        DrivenWindow driven;
        driven.find<QAction>("helpAbout")->trigger();
        const auto* versions = driven.find<QLabel>("aboutVersions");
        QVERIFY(versions->text().endsWith(QChar(0x2026)));
        QVERIFY(!driven.find<QPushButton>("aboutCopy")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(driven.find<QPushButton>("aboutCopy")->isEnabled(), DrivenWindow::patience);
        QVERIFY(!versions->text().contains(QChar(0x2026)));
        driven.clickButton("aboutCopy");
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("ONNX Runtime")));
        QVERIFY(!QApplication::clipboard()->text().contains(QChar(0x2026)));
    }

    void offersToReloadAChangedFile()
    {
        TemporaryFiles files;
        const auto path = QString::fromStdString(files.write("net-symbol.json", activations({"a", "b"})).string());
        DrivenWindow driven;
        QVERIFY(driven.open(path));
        driven.clickNode(Side::Source, "b");
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        files.write("net-symbol.json", activations({"a", "b", "c"}));
        QTRY_VERIFY_WITH_TIMEOUT(driven.isShown("banner"), DrivenWindow::patience);
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("net-symbol.json has changed on disk")));
        QVERIFY(!driven.boxNamed(Side::Source, "c")); // nothing moves by itself
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.boxNamed(Side::Source, "c"));
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()), std::vector<std::string>{"b"});
        QCOMPARE(driven.document().options().opset, std::optional<int>(13));
        QVERIFY(!driven.isShown("banner"));
        // It is watched on; F5 reads again as well.
        files.write("net-symbol.json", activations({"a"}));
        QTRY_VERIFY_WITH_TIMEOUT(driven.isShown("banner"), DrivenWindow::patience);
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QVERIFY(!driven.boxNamed(Side::Source, "b"));
        // Also after it was deleted.
        std::filesystem::remove(files.path("net-symbol.json"));
        QTRY_VERIFY_WITH_TIMEOUT(driven.isShown("banner"), DrivenWindow::patience);
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("net-symbol.json was deleted")));
        files.write("net-symbol.json", activations({"a", "b"}));
        QTRY_VERIFY_WITH_TIMEOUT(driven.text("bannerText").contains(QStringLiteral("has changed on disk")),
                                 DrivenWindow::patience);
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.boxNamed(Side::Source, "b"));
    }

    void aJumpFromAListIsReadable()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* canvas = driven.window.canvas(Side::Source);
        QTest::keyClick(canvas, Qt::Key_F);
        QVERIFY(canvas->scale() < detail::readable);
        // By keys: a search.
        QTest::keyClick(&driven.window, Qt::Key_F, Qt::ControlModifier);
        auto* field = driven.find<QLineEdit>("outlineSearch");
        QTest::keyClicks(field, QStringLiteral("output_fwd"));
        QVERIFY(driven.settle());
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_output_fwd"});
        QCOMPARE(canvas->scale(), detail::readable);
        const auto drawn = canvas->drawnScene()->drawnAs(*driven.boxNamed(Side::Source, "digits_output_fwd"));
        QVERIFY(canvas->visibleArea().contains(canvas->drawnScene()->index.box(drawn)));
        // By mouse: a click into the graph moves nothing.
        QTest::keyClick(canvas, Qt::Key_F);
        const double whole = canvas->scale();
        driven.clickNode(Side::Source, "digits_mean0");
        QVERIFY(driven.settle());
        QCOMPARE(canvas->scale(), whole);
    }

    void everyCommandIsInAMenuWithAKeyAndInThePalette()
    {
        DrivenWindow driven;
        QList<QAction*> inMenus;
        for (auto* top : driven.window.menuBar()->actions()) {
            collectMenuActions(*top->menu(), inMenus);
        }
        QVERIFY(inMenus.size() > 30);
        QStringList keys;
        QStringList lacking;
        for (const auto* action : inMenus) {
            if (action->text().isEmpty() || action->shortcut().isEmpty()) {
                lacking.append(action->objectName() + action->text());
            }
            if (!action->shortcut().isEmpty()) {
                keys.append(action->shortcut().toString());
            }
        }
        QVERIFY2(lacking.isEmpty(), qPrintable(lacking.join(u' ')));
        const auto several = keys.size();
        keys.removeDuplicates();
        QCOMPARE(keys.size(), several); // no key does two things
        const auto palette = driven.window.commands();
        for (auto* action : inMenus) {
            QVERIFY2(palette.contains(action), qPrintable(action->text()));
        }
        for (auto* command : palette) {
            QVERIFY2(inMenus.contains(command), qPrintable(command->text()));
        }
    }

    void customOperatorsComeBackWithTheModel()
    {
        const TemporaryFiles files;
        QSettings settings(QString::fromStdString(files.path("state.ini").string()), QSettings::IniFormat);
        const auto path = QString::fromStdString(files.write("net-symbol.json", activations({"a"})).string());
        ConvertOptions options;
        options.customOperators["Activation"] = {"com.acme", "Act"};
        {
            DrivenWindow driven;
            driven.document().open(path.toStdString(), {}, options);
            QVERIFY(driven.settle());
            QCOMPARE(driven.operators(Side::Target).count("Act"), std::size_t{1});
            writeState(settings, driven.window.state());
        }
        DrivenWindow driven;
        driven.window.restore(readState(settings));
        QVERIFY(driven.settle());
        QCOMPARE(driven.operators(Side::Target).count("Act"), std::size_t{1});
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        driven.undo();
        QCOMPARE(driven.operators(Side::Target).count("Act"), std::size_t{1});
    }

    void everythingThatTakesTheFocusHasAName()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        QStringList nameless;
        for (auto* widget : driven.window.findChildren<QWidget*>()) {
            // Parts of Qt's own widgets speak through those.
            const bool isPart =
                widget->objectName().startsWith(QLatin1String("qt_")) || widget->inherits("QComboBoxListView");
            if (widget->focusPolicy() == Qt::NoFocus || isPart) {
                continue;
            }
            auto* interface = QAccessible::queryAccessibleInterface(widget);
            if (interface == nullptr || interface->text(QAccessible::Name).isEmpty()) {
                nameless.append(QStringLiteral("%1 %2 in %3")
                                    .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                                         widget->parentWidget()->objectName()));
            }
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("; "))));
    }
};

QTEST_MAIN(TestWindowManners)
#include "tst_window_manners.moc"
