// Several models: tabs and windows, by mouse and by keys, and how they come back after the program was left.

#include "tests/support/mxnet_files.h"
#include "tests/support/paths.h"
#include "tests/ui/driven_window.h"

#include "ui/main_window/tabbed_window.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr const char* digits = "digits_crnn";
constexpr const char* request = "request_bilstm";

/// A window of tabs, shown and driven.
class DrivenTabs {
public:
    explicit DrivenTabs(std::unique_ptr<QSettings> settings = nullptr)
        : window(std::move(settings))
    {
        window.show();
        window.activateWindow();
        QCoreApplication::processEvents();
    }
    bool settle()
    {
        QCoreApplication::processEvents();
        const bool idle = QTest::qWaitFor(
            [this] {
                for (int tab = 0; tab < window.count(); ++tab) {
                    if (!window.at(tab)->isIdle()) {
                        return false;
                    }
                }
                return true;
            },
            DrivenWindow::patience);
        QCoreApplication::processEvents();
        return idle;
    }
    bool open(const char* example)
    {
        window.openModel(exampleModel(example));
        return settle();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier)
    {
        QTest::keyClick(window.window(), key, modifiers);
        QCoreApplication::processEvents();
    }
    void keepPicture(const QString& name)
    {
        QCoreApplication::processEvents();
        QVERIFY(QDir().mkpath(artifactsFolder()));
        QVERIFY(window.grab().save(QStringLiteral("%1/%2.png").arg(artifactsFolder(), name)));
    }
    QTabBar* tabs() { return window.findChild<QTabBar*>(QStringLiteral("modelTabs")); }
    void click(int tab, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mouseClick(tabs(), button, {}, tabs()->tabRect(tab).center());
        QCoreApplication::processEvents();
    }
    /// The folder of the model that a tab shows: the example's name.
    QString shown(int tab) { return QFileInfo(window.at(tab)->state().model).dir().dirName(); }
    QAction* action(const char* name) { return window.current()->findChild<QAction*>(QLatin1String(name)); }

    TabbedWindow window;
};

/// The windows beside the given one.
QList<TabbedWindow*> otherWindows(const TabbedWindow& window)
{
    QList<TabbedWindow*> others;
    for (auto* widget : QApplication::topLevelWidgets()) {
        auto* one = qobject_cast<TabbedWindow*>(widget);
        if (one != nullptr && one != &window && one->isVisible()) {
            others.append(one);
        }
    }
    return others;
}

} // namespace

class TestWindowTabs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aSecondModelOpensInANewTab()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QCOMPARE(driven.window.count(), 1);
        QVERIFY(!driven.tabs()->isVisible()); // one model needs none
        QVERIFY(driven.open(request));
        QCOMPARE(driven.window.count(), 2);
        QVERIFY(driven.tabs()->isVisible());
        // Both files have the same name: their folders tell them apart.
        QCOMPARE(driven.tabs()->tabText(0), QStringLiteral("digits_crnn/model-symbol.json"));
        QCOMPARE(driven.tabs()->tabText(1), QStringLiteral("request_bilstm/model-symbol.json"));
        QCOMPARE(driven.tabs()->currentIndex(), 1);
        driven.keepPicture(QStringLiteral("tabs-light"));
        applyTheme(ThemeChoice::Dark);
        driven.keepPicture(QStringLiteral("tabs-dark"));
        applyTheme(ThemeChoice::Light);
        // What is open already is shown, not opened again.
        QVERIFY(driven.open(digits));
        QCOMPARE(driven.window.count(), 2);
        QCOMPARE(driven.tabs()->currentIndex(), 0);
    }

    void hiddenTabsTakeAnotherThemeWhenTheyAreShown()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QVERIFY(driven.open(request));
        const auto panelColour = [&](int tab) {
            const auto* outline = driven.window.at(tab)->findChild<QTreeView*>(QStringLiteral("outlineTree"));
            const QImage picture = outline->viewport()->grab().toImage();
            return picture.pixelColor(picture.width() / 2, picture.height() - 1);
        };
        QCOMPARE(panelColour(0), theme().panel);
        applyTheme(ThemeChoice::Dark);
        QCOMPARE(panelColour(1), darkTheme().panel);
        QVERIFY(driven.window.at(0)->styleSheet() != driven.window.at(1)->styleSheet()); // no time for it yet
        driven.click(0);
        QCOMPARE(panelColour(0), darkTheme().panel);
        QCOMPARE(driven.window.at(0)->styleSheet(), darkTheme().styleSheet());
        applyTheme(ThemeChoice::Light);
        QCOMPARE(panelColour(0), lightTheme().panel);
        driven.click(1);
        QCOMPARE(panelColour(1), lightTheme().panel);
    }

    void menusAndToolsAreThoseOfTheTabInFront()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QVERIFY(driven.open(request));
        driven.click(0);
        QCOMPARE(driven.window.current(), driven.window.at(0));
        QVERIFY(driven.window.at(0)->isVisible() && !driven.window.at(1)->isVisible());
        // A key reaches the model in front alone.
        auto* inputs = driven.window.at(0)->findChild<QDockWidget*>(QStringLiteral("problemsDock"));
        auto* hidden = driven.window.at(1)->findChild<QDockWidget*>(QStringLiteral("problemsDock"));
        driven.press(Qt::Key_3, Qt::AltModifier); // the focus
        driven.press(Qt::Key_3, Qt::AltModifier);
        QVERIFY(inputs->isHidden() && !hidden->isHidden());
        QVERIFY(driven.window.windowTitle().startsWith(QStringLiteral("digits_crnn/model-symbol.json")));
        // The docks stay as they were left, whatever model is in front.
        driven.press(Qt::Key_Tab);
        QVERIFY(hidden->isHidden());
    }

    void keysStepThroughTheTabs()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        driven.press(Qt::Key_T);
        QCOMPARE(driven.window.count(), 2);
        QVERIFY(driven.window.current()->isVacant());
        QCOMPARE(driven.tabs()->tabText(1), QStringLiteral("New tab"));
        driven.press(Qt::Key_Tab);
        QCOMPARE(driven.tabs()->currentIndex(), 0);
        driven.press(Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(driven.tabs()->currentIndex(), 1);
        // One whose file could not be opened is called after it.
        const TemporaryFiles files;
        const auto broken = files.write("broken-symbol.json", "{}");
        driven.window.openModel(QString::fromStdString(broken.string()));
        QVERIFY(driven.settle());
        QCOMPARE(driven.window.count(), 2);
        QCOMPARE(driven.tabs()->tabText(1), QStringLiteral("broken-symbol.json"));
        QVERIFY(driven.window.windowTitle().startsWith(QStringLiteral("broken-symbol.json")));
        // The empty tab takes the next model.
        QVERIFY(driven.open(request));
        QCOMPARE(driven.window.count(), 2);
        QCOMPARE(driven.shown(1), QLatin1String(request));
    }

    void aTabForgetsTheModelThatFailed()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        driven.window.openModel(QString::fromStdString(files.write("broken-symbol.json", "{").string()));
        QVERIFY(driven.settle());
        QCOMPARE(driven.tabs()->tabText(0), QStringLiteral("broken-symbol.json"));
        QVERIFY(driven.open(digits));
        driven.press(Qt::Key_W);
        QVERIFY(driven.settle());
        QCOMPARE(driven.tabs()->tabText(0), QStringLiteral("New tab"));
    }

    void aClosedTabIsReopenedUnchanged()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QVERIFY(driven.open(request));
        driven.window.current()->document().setOpset(13);
        QVERIFY(driven.settle());
        driven.press(Qt::Key_W);
        QCOMPARE(driven.window.count(), 1);
        QCOMPARE(driven.shown(0), QLatin1String(digits));
        QVERIFY(!driven.tabs()->isVisible());
        driven.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.shown(1), QLatin1String(request));
        QCOMPARE(driven.window.current()->document().options().opset, std::optional<int>(13));
        driven.click(0, Qt::MiddleButton);
        QCOMPARE(driven.window.count(), 1);
        QCOMPARE(driven.shown(0), QLatin1String(request));
        driven.press(Qt::Key_T);
        auto* close = qobject_cast<QToolButton*>(driven.tabs()->tabButton(1, QTabBar::RightSide));
        QTest::mouseClick(close, Qt::LeftButton);
        QCOMPARE(driven.window.count(), 1);
        // The last one leaves an empty window, and that one closes.
        driven.press(Qt::Key_W);
        QVERIFY(driven.settle());
        QCOMPARE(driven.window.count(), 1);
        QVERIFY(driven.window.current()->isVacant() && driven.window.isVisible());
        driven.press(Qt::Key_W);
        QVERIFY(!driven.window.isVisible());
    }

    void closingAsksBeforeAnExportIsStopped_data()
    {
        QTest::addColumn<bool>("isWindow");
        QTest::newRow("tab") << false;
        QTest::newRow("window") << true;
    }
    void closingAsksBeforeAnExportIsStopped()
    {
        QFETCH(bool, isWindow);
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        const auto close = [&] { isWindow ? static_cast<void>(driven.window.close()) : driven.window.closeTab(0); };
        const auto question = [&] { return driven.window.findChild<QMessageBox*>(QStringLiteral("stopDialog")); };
        auto& document = driven.window.current()->document();
        document.exporter().exportTo(files.path("out.onnx"));
        close();
        QVERIFY(question() != nullptr && driven.window.isVisible() && document.isOpen());
        QCOMPARE(question()->informativeText(), QStringLiteral("Exporting out.onnx"));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(question() == nullptr);
        QVERIFY(driven.settle());
        QVERIFY(std::filesystem::exists(files.path("out.onnx")));

        document.exporter().exportTo(files.path("stopped.onnx"));
        close();
        QVERIFY(question() != nullptr);
        QTest::mouseClick(question()->findChild<QAbstractButton*>(QStringLiteral("stopAndClose")), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(driven.window.isVisible(), !isWindow);
        QVERIFY(isWindow || !document.isOpen());
    }

    void tabsAreDraggedIntoAnotherOrder()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QVERIFY(driven.open(request));
        driven.tabs()->moveTab(0, 1);
        QCOMPARE(driven.shown(0), QLatin1String(request));
        QCOMPARE(driven.window.current(), driven.window.at(0));
        driven.click(1);
        QCOMPARE(driven.shown(driven.tabs()->currentIndex()), QLatin1String(digits));
    }

    void droppedFilesOpenInNewTabs()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(exampleModel(request)), QUrl::fromLocalFile(exampleModel(digits))});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&driven.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({200, 200}, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&driven.window, &drop);
        QVERIFY(driven.settle());
        QCOMPARE(driven.window.count(), 2);
        QCOMPARE(driven.shown(0), QLatin1String(digits));
        QCOMPARE(driven.shown(1), QLatin1String(request));
    }

    void aTabBecomesAWindow()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        QVERIFY(driven.open(request));
        const auto* model = driven.window.current();
        driven.press(Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(driven.window.count(), 1);
        QCOMPARE(driven.shown(0), QLatin1String(digits));
        const auto others = otherWindows(driven.window);
        QCOMPARE(others.size(), 1);
        QCOMPARE(others.front()->count(), 1);
        QCOMPARE(others.front()->current(), model);
        QVERIFY(model->isVisible());
        QSignalSpy gone(others.front(), &QObject::destroyed);
        others.front()->close();
        QTRY_COMPARE(gone.count(), 1);
    }

    void anotherWindowShowsAnotherModel()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(request));
        driven.press(Qt::Key_N);
        const auto others = otherWindows(driven.window);
        QCOMPARE(others.size(), 1);
        others.front()->openModel(exampleModel(digits));
        QVERIFY(QTest::qWaitFor([&] { return others.front()->current()->isIdle(); }, DrivenWindow::patience));
        QCOMPARE(driven.shown(0), QLatin1String(request));
        QCOMPARE(driven.window.count(), 1);
        QSignalSpy gone(others.front(), &QObject::destroyed);
        others.front()->close();
        QTRY_COMPARE(gone.count(), 1);
    }

    void settingsAreThoseOfAllWindows()
    {
        const TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        DrivenTabs driven(std::make_unique<QSettings>(store, QSettings::IniFormat));
        driven.press(Qt::Key_N);
        auto* other = otherWindows(driven.window).front();
        driven.action("editSettings")->trigger();
        QTest::mouseClick(driven.window.findChild<QCheckBox*>(QStringLiteral("settingsExternalData")), Qt::LeftButton,
                          {}, {8, 8});
        QVERIFY(driven.window.current()->document().exporter().settings().write.externalData);
        QVERIFY(other->current()->document().exporter().settings().write.externalData);
        QSignalSpy gone(other, &QObject::destroyed);
        other->close();
        QTRY_COMPARE(gone.count(), 1);
    }

    void theLayoutIsKeptWhenTheModelIsClosedFirst()
    {
        const TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        const auto settings = [&] { return std::make_unique<QSettings>(store, QSettings::IniFormat); };
        const auto outline = [](DrivenTabs& driven) {
            return driven.window.current()->findChild<QDockWidget*>(QStringLiteral("outlineDock"));
        };
        for (const bool hasTab : {false, true}) { // an empty tab in front, or an empty window
            {
                DrivenTabs driven(settings());
                QVERIFY(driven.open(digits));
                outline(driven)->setVisible(hasTab);
                driven.press(hasTab ? Qt::Key_T : Qt::Key_W);
                driven.window.close();
            }
            DrivenTabs driven(settings());
            QVERIFY(driven.open(digits));
            QCOMPARE(outline(driven)->isVisible(), hasTab);
        }
    }

    void aModelThatIsGoneIsReported()
    {
        const TemporaryFiles files;
        const auto path = files.path("net-symbol.json");
        QVERIFY(QFile::copy(exampleModel(digits), QString::fromStdString(path.string())));
        DrivenTabs driven;
        driven.window.openModel(QString::fromStdString(path.string()));
        QVERIFY(driven.settle());
        driven.press(Qt::Key_W);
        std::filesystem::remove(path);
        driven.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        const auto* banner = driven.window.current()->findChild<QLabel*>(QStringLiteral("bannerText"));
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().startsWith(QStringLiteral("net-symbol.json cannot be opened")),
                 qPrintable(banner->text()));
    }

    void theStartPageListsTheModelsOfAllTabs()
    {
        const TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        DrivenTabs driven(std::make_unique<QSettings>(store, QSettings::IniFormat));
        driven.press(Qt::Key_T);
        driven.click(0);
        QVERIFY(driven.open(digits));
        driven.click(1);
        const auto links = driven.window.at(1)->findChildren<QAbstractButton*>();
        QVERIFY(std::ranges::any_of(links, [](const QAbstractButton* link) {
            return link->text() == QStringLiteral("digits_crnn/model-symbol.json");
        }));
    }

    void floatingDocksAreHiddenWithTheirTab()
    {
        DrivenTabs driven;
        QVERIFY(driven.open(digits));
        auto* dock = driven.window.current()->findChild<QDockWidget*>(QStringLiteral("nodeDock"));
        dock->setFloating(true);
        QVERIFY(dock->isVisible());
        driven.press(Qt::Key_T);
        QVERIFY(!dock->isVisible());
        driven.press(Qt::Key_Tab);
        QVERIFY(dock->isVisible());
    }

    void recentFilesIncludeAllTabs()
    {
        TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        DrivenTabs driven(std::make_unique<QSettings>(store, QSettings::IniFormat));
        // As from the command line: both tabs are there before either model is.
        driven.window.openModel(exampleModel(digits));
        driven.window.openModel(exampleModel(request));
        QVERIFY(driven.settle());
        QCOMPARE(QSettings(store, QSettings::IniFormat).value(QStringLiteral("recentFiles")).toStringList().size(), 2);
        const auto menus = driven.window.findChildren<QMenu*>(QStringLiteral("recentMenu"));
        QCOMPARE(menus.size(), 2);
        for (auto* menu : menus) {
            const auto owners = menu->menuAction()->associatedObjects();
            QCOMPARE(owners.size(), 1);
            Q_EMIT qobject_cast<QMenu*>(owners.front())->aboutToShow(); // the file menu opens
            QVERIFY(menu->actions().at(0)->text().contains(QLatin1String(request)) ||
                    menu->actions().at(1)->text().contains(QLatin1String(request)));
        }
    }

    void aSessionIsRestored()
    {
        TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        const auto settings = [&] { return std::make_unique<QSettings>(store, QSettings::IniFormat); };
        ViewTransform place;
        const Shape shape{Dim(10), Dim("N"), Dim(16)};
        {
            DrivenTabs first(settings());
            QVERIFY(first.open(request));
            auto& document = first.window.current()->document();
            document.setInputShape("data", shape);
            QVERIFY(first.settle());
            document.selection().selectNode(Side::Source,
                                            *document.side(Side::Source)->names.find("hybridsequential0_lstm0_rnn0"));
            first.window.current()->canvas(Side::Source)->setAnimated(false);
            first.window.current()->canvas(Side::Source)->setTransform({{12, 34}, 1.5});
            place = first.window.current()->canvas(Side::Source)->transform();
            QVERIFY(first.open(digits));
            first.press(Qt::Key_N);
            otherWindows(first.window).front()->openModel(exampleModel(digits));
            QVERIFY(QTest::qWaitFor([&] { return otherWindows(first.window).front()->current()->isIdle(); },
                                    DrivenWindow::patience));
            first.press(Qt::Key_Q); // all windows at once
            QVERIFY(!first.window.isVisible());
            QTRY_VERIFY(otherWindows(first.window).isEmpty());
        }
        DrivenTabs second(settings());
        second.window.restoreSession();
        QVERIFY(second.settle());
        const auto others = otherWindows(second.window);
        QCOMPARE(others.size(), 1);
        QCOMPARE(others.front()->count() + second.window.count(), 3);
        TabbedWindow& two = second.window.count() == 2 ? second.window : *others.front();
        QCOMPARE(two.findChild<QTabBar*>(QStringLiteral("modelTabs"))->tabText(0),
                 QStringLiteral("request_bilstm/model-symbol.json"));
        // The tab in front is there; one behind it is read when it is shown.
        QCOMPARE(two.current(), two.at(1));
        QVERIFY(!two.at(0)->document().isOpen());
        two.showTab(0);
        QVERIFY(QTest::qWaitFor([&] { return two.current()->isIdle(); }, DrivenWindow::patience));
        auto& document = two.current()->document();
        QVERIFY(document.options().shapes.at("data") == shape);
        QCOMPARE(document.selection().boxes().size(), std::size_t{1});
        QCOMPARE(document.side(Side::Source)->label(document.selection().boxes().front()),
                 std::string("hybridsequential0_lstm0_rnn0"));
        QCOMPARE(two.current()->canvas(Side::Source)->scale(), 1.5);
        QCOMPARE(two.current()->canvas(Side::Source)->transform().origin, place.origin);
        for (auto* window : others) {
            window->close();
        }
    }

    void aModelBeingReadIsRestored()
    {
        const TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        const auto settings = [&] { return std::make_unique<QSettings>(store, QSettings::IniFormat); };
        {
            DrivenTabs first(settings());
            first.window.openModel(exampleModel(request));
            first.window.openModel(exampleModel(digits));
            QCOMPARE(first.window.count(), 2);
            QVERIFY(!first.window.at(0)->document().isOpen() && !first.window.at(1)->document().isOpen());
            // A model that is on its way is not opened a second time.
            first.window.openModel(exampleModel(request));
            QCOMPARE(first.window.count(), 2);
            first.window.close();
        }
        DrivenTabs second(settings());
        second.window.restoreSession();
        QVERIFY(second.settle());
        QCOMPARE(second.window.count(), 2);
        for (const auto& [tab, example] : {std::pair(0, request), std::pair(1, digits)}) {
            second.window.showTab(tab);
            QVERIFY(second.settle());
            QCOMPARE(second.shown(tab), QLatin1String(example));
            QVERIFY(second.window.current()->document().isOpen());
        }
    }

    void aRestoredModelThatChangedLosesOptionsOfWhatIsGone()
    {
        const TemporaryFiles files;
        const auto write = [&](const char* relu) {
            return files.write("net-symbol.json", symbolFile({variable("data"), node("relu", relu, "[[0, 0, 0]]"),
                                                              node("relu", "last", "[[1, 0, 0]]")}));
        };
        DrivenTabs driven;
        driven.window.openModel(QString::fromStdString(write("gone").string()));
        QVERIFY(driven.settle());
        driven.window.current()->document().setInputShape("data", Shape{Dim(2), Dim(3)});
        driven.window.current()->document().setStrategy({"gone", "last"}, Strategy::Unrolled);
        driven.window.current()->document().setOpset(13);
        QVERIFY(driven.settle());
        driven.window.closeTab(0);
        write("other");
        driven.window.reopenClosed();
        QVERIFY(driven.settle());
        const auto& document = driven.window.current()->document();
        QVERIFY(document.converted() != nullptr);
        QCOMPARE(document.options().opset, std::optional<int>(13));
        QCOMPARE(document.options().strategies.size(), std::size_t{1});
        QVERIFY(document.options().strategies.contains("last"));
        const auto* text = driven.window.current()->findChild<QLabel*>(QStringLiteral("bannerText"));
        QVERIFY2(text->isVisible() && text->text().contains(QStringLiteral("removed: gone.")),
                 qPrintable(text->text()));
    }

    void whatCouldNotBeReadLeavesNoTrace()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        driven.window.openModel(QString::fromStdString(files.write("broken.onnx", "no model").string()));
        QVERIFY(driven.settle());
        QVERIFY(driven.window.current()->isVacant());
        QVERIFY(driven.window.current()->state().model.isEmpty());
        driven.window.openModel(exampleModel(digits));
        driven.window.current()->document().cancel();
        QVERIFY(driven.window.current()->state().model.isEmpty());
    }

    void aComparisonIsRestored_data()
    {
        QTest::addColumn<bool>("isShown");
        QTest::newRow("that is shown") << true;
        QTest::newRow("whose second model is being read") << false;
    }
    void aComparisonIsRestored()
    {
        QFETCH(bool, isShown);
        const TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        const auto settings = [&] { return std::make_unique<QSettings>(store, QSettings::IniFormat); };
        {
            DrivenTabs first(settings());
            QVERIFY(first.open(request));
            auto& document = first.window.current()->document();
            document.compareWith(exampleModel(digits).toStdString());
            QVERIFY(!isShown || first.settle());
            QCOMPARE(document.compared() != nullptr, isShown);
            first.press(Qt::Key_Q);
        }
        DrivenTabs second(settings());
        second.window.restoreSession();
        QVERIFY(second.settle());
        QCOMPARE(second.shown(0), QLatin1String(request));
        const auto* compared = second.window.current()->document().compared();
        QVERIFY(compared != nullptr);
        QCOMPARE(compared->path, std::filesystem::path(exampleModel(digits).toStdString()));
    }

    void aFolderWithModelsInItsSubfoldersIsOfferedAsACollection()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("inner")));
        QVERIFY(QFile::copy(exampleModel(digits), folder.filePath(QStringLiteral("inner/a-symbol.json"))));
        DrivenTabs driven;
        driven.window.openModel(folder.path());
        QVERIFY(driven.settle());
        auto* text = driven.window.current()->findChild<QLabel*>(QStringLiteral("bannerText"));
        QVERIFY2(text->text().contains(QStringLiteral("subfolders")), qPrintable(text->text()));
        auto* show = driven.window.current()->findChild<QPushButton*>(QStringLiteral("bannerAction"));
        QVERIFY(show->isVisible());
        QCOMPARE(show->text(), QStringLiteral("Show as a collection"));
        const auto collections = [] {
            return std::ranges::count_if(QApplication::topLevelWidgets(), [](const QWidget* widget) {
                return widget->isVisible() &&
                       widget->findChild<QTreeView*>(QStringLiteral("collectionTable")) != nullptr;
            });
        };
        QCOMPARE(collections(), 0);
        QTest::mouseClick(show, Qt::LeftButton);
        QTRY_COMPARE(collections(), 1);
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (widget->findChild<QTreeView*>(QStringLiteral("collectionTable")) != nullptr) {
                widget->close();
            }
        }
    }
};

QTEST_MAIN(TestWindowTabs)
#include "tst_window_tabs.moc"
