// Bodies in tabs of their own: how they open, how one gets back, what they do when the model is converted again.

#include "tests/ui/driven_bodies.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

class DrivenTabs : public DrivenBodies {
public:
    using DrivenBodies::DrivenBodies;

    QTabBar* tabs(Side side) { return find<QTabBar>(side == Side::Source ? "sourceTabs" : "onnxTabs"); }
    QStringList titles(Side side)
    {
        QStringList all;
        for (int i = 0; i < tabs(side)->count(); ++i) {
            all.append(tabs(side)->tabText(i));
        }
        return all;
    }
    bool openLoops(const TemporaryFiles& files)
    {
        return open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string()));
    }
    void key(QWidget* place, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(place, key, modifiers);
        QVERIFY(settle());
    }
    /// Ctrl+Enter on a node of the graph.
    void openTab(Side side, std::string_view op)
    {
        clickNode(side, withOperator(side, op));
        key(window.canvas(side), Qt::Key_Return, Qt::ControlModifier);
    }
    void openTabWithin(Side side, std::string_view op)
    {
        clickInBody(side, op);
        key(page(side)->canvas(), Qt::Key_Return, Qt::ControlModifier);
    }
};

constexpr auto side = Side::Source;

} // namespace

class TestWindowBodyTabs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aBodyInATabLeadsBackToItsNode()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.openLoops(files));
        QVERIFY(!driven.tabs(side)->isVisible()); // a graph alone needs none
        driven.openTab(side, "_foreach");
        QCOMPARE(driven.titles(side), (QStringList{QStringLiteral("Source"), QStringLiteral("outer")}));
        QVERIFY(driven.tabs(side)->isVisible() && driven.page(side)->isVisible());
        QVERIFY(!driven.window.canvas(side)->isVisible());
        QCOMPARE(driven.find<QToolButton>("zoomLabel")->text(),
                 QStringLiteral("%1 %").arg(std::lround(driven.page(side)->canvas()->scale() * 100)));
        driven.openTabWithin(side, "_foreach");
        QCOMPARE(driven.tabs(side)->count(), 3);
        QCOMPARE(driven.tabs(side)->tabText(2), QStringLiteral("inner"));
        QVERIFY(driven.tabs(side)->tabToolTip(2).startsWith(QStringLiteral("outer")));
        QVERIFY(driven.hasInBody(side, "elemwise_add"));
        driven.clickInBody(side, "elemwise_add");
        QCOMPARE(driven.text("nodeName"), QStringLiteral("sum"));
        driven.keepPicture(QStringLiteral("bodies-in-tabs"));

        // Backwards: the node whose body it was is selected.
        driven.key(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.hasInBody(side, "_foreach"));
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        driven.key(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.window.canvas(side)->isVisible());
        QCOMPARE(driven.labels(side, driven.document().selection().boxes()), std::vector<std::string>{"outer"});
        QCOMPARE(driven.text("nodeName"), QStringLiteral("outer"));
        QCOMPARE(driven.tabs(side)->currentIndex(), 0);

        // By mouse to a tab and by the link in it back.
        QTest::mouseClick(driven.tabs(side), Qt::LeftButton, {}, driven.tabs(side)->tabRect(1).center());
        QVERIFY(driven.page(side)->isVisible() && driven.page(side)->canvas()->hasFocus());
        Q_EMIT driven.find<QLabel>("sourceTabPath")->linkActivated(QStringLiteral("l0"));
        QVERIFY(driven.settle());
        QVERIFY(driven.window.canvas(side)->isVisible());
    }

    void switchesToAnOpenBody()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.openLoops(files));
        driven.openTab(side, "_foreach");
        driven.key(driven.page(side)->canvas(), Qt::Key_Backspace);
        driven.openTab(side, "_foreach");
        QCOMPARE(driven.tabs(side)->count(), 2);
        QCOMPARE(driven.tabs(side)->currentIndex(), 1);
    }

    void aBodyHasOneTab()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.openLoops(files));
        driven.openTab(side, "_foreach");
        driven.openTabWithin(side, "_foreach");
        const QStringList titles{QStringLiteral("Source"), QStringLiteral("outer"), QStringLiteral("inner")};
        QCOMPARE(driven.titles(side), titles);
        // Back from the inner body is to the tab of the outer one, at the node.
        driven.key(driven.page(side)->canvas(), Qt::Key_Backspace);
        QCOMPARE(driven.tabs(side)->currentIndex(), 1);
        QCOMPARE(driven.titles(side), titles);
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        QVERIFY(driven.page(side)->canvas()->hasFocus());
        // Into it again is to the tab that has it; by the link in it back.
        driven.key(driven.page(side)->canvas(), Qt::Key_Return);
        QCOMPARE(driven.tabs(side)->currentIndex(), 2);
        QCOMPARE(driven.titles(side), titles);
        Q_EMIT driven.page(side)
            ->findChild<QLabel*>(QStringLiteral("sourceTabPath"))
            ->linkActivated(QStringLiteral("l1"));
        QVERIFY(driven.settle());
        QCOMPARE(driven.tabs(side)->currentIndex(), 1);
        QCOMPARE(driven.titles(side), titles);
        // Without a tab of the outer body, the one of the inner leads there itself.
        QTest::mouseClick(driven.tabs(side), Qt::MiddleButton, {}, driven.tabs(side)->tabRect(1).center());
        QTest::mouseClick(driven.tabs(side), Qt::LeftButton, {}, driven.tabs(side)->tabRect(1).center());
        driven.key(driven.page(side)->canvas(), Qt::Key_Backspace);
        QCOMPARE(driven.titles(side), (QStringList{QStringLiteral("Source"), QStringLiteral("outer")}));
    }

    void branchesOfANodeOpenInSeparateTabs()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        const auto path = files.path("branches.onnx");
        writeOnnx(branchInBranch(), path);
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        driven.openTab(side, "If");
        const auto first = driven.page(side)->path();
        Q_EMIT driven.page(side)
            ->findChild<QLabel*>(QStringLiteral("sourceTabPath"))
            ->linkActivated(QStringLiteral("b1"));
        QVERIFY(driven.settle());
        QTest::mouseClick(driven.tabs(side), Qt::LeftButton, {}, driven.tabs(side)->tabRect(0).center());
        driven.openTab(side, "If"); // the first branch once more
        QCOMPARE(driven.tabs(side)->count(), 3);
        QCOMPARE(driven.page(side)->path(), first);
        Q_EMIT driven.page(side)
            ->findChild<QLabel*>(QStringLiteral("sourceTabPath"))
            ->linkActivated(QStringLiteral("b1"));
        QVERIFY(driven.settle());
        QCOMPARE(driven.tabs(side)->currentIndex(), 1);
        QVERIFY(driven.page(side)->path() != first);
    }

    void menuAndPaletteOpenItToo()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.openLoops(files));
        auto* open = driven.find<QAction>("viewBodyTab");
        driven.clickNode(side, "x");
        QVERIFY(!open->isEnabled());

        // The right button selects, and offers what can be done.
        auto* canvas = driven.window.canvas(side);
        const auto box = canvas->drawnScene()->drawnAs(driven.withOperator(side, "_foreach"));
        const QPoint place = canvas->transform().toView(canvas->drawnScene()->index.box(box).center()).toPoint();
        QContextMenuEvent asks(QContextMenuEvent::Mouse, place, canvas->mapToGlobal(place));
        QCoreApplication::sendEvent(canvas, &asks);
        auto* menu = driven.find<QMenu>("nodeMenu");
        QVERIFY(menu->isVisible() && open->isEnabled());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(open).center());
        QVERIFY(driven.settle());
        QCOMPARE(driven.tabs(side)->count(), 2);
        QTest::mouseClick(driven.tabs(side), Qt::MiddleButton, {}, driven.tabs(side)->tabRect(1).center());
        QVERIFY(!driven.tabs(side)->isVisible());

        driven.clickNode(side, driven.withOperator(side, "_foreach"));
        driven.key(&driven.window, Qt::Key_K, Qt::ControlModifier);
        auto* query = driven.find<QLineEdit>("commandQuery");
        QTest::keyClicks(query, QStringLiteral("body in a tab"));
        driven.key(query, Qt::Key_Return);
        QCOMPARE(driven.tabs(side)->count(), 2);
    }

    void theOutlineSearchesTheBody()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.openLoops(files));
        driven.openTab(side, "_foreach");
        auto* sides = driven.find<QTabBar>("outlineSides");
        QCOMPARE(sides->tabText(sides->currentIndex()), QStringLiteral("Body"));
        QCOMPARE(sides->tabToolTip(sides->currentIndex()), QStringLiteral("outer"));
        driven.key(&driven.window, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(driven.find<QLineEdit>("outlineSearch"), QStringLiteral("inner"));
        driven.key(driven.find<QLineEdit>("outlineSearch"), Qt::Key_Return);
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        QCOMPARE(driven.page(side)->canvas()->selection().size(), std::size_t{1});
        driven.find<QLineEdit>("outlineSearch")->clear();
        driven.key(driven.page(side)->canvas(), Qt::Key_Backspace);
        QCOMPARE(sides->count(), 2); // the body's list goes with it
    }

    void tabsCloseAndTheModelStays()
    {
        const TemporaryFiles files;
        DrivenTabs driven;
        QVERIFY(driven.openLoops(files));
        driven.openTab(side, "_foreach");
        driven.openTabWithin(side, "_foreach");
        driven.key(driven.page(side)->canvas(), Qt::Key_W, Qt::ControlModifier);
        QCOMPARE(driven.titles(side), (QStringList{QStringLiteral("Source"), QStringLiteral("outer")}));
        QVERIFY(driven.page(side)->isVisible());
        QTest::mouseClick(driven.tabs(side)->tabButton(1, QTabBar::RightSide), Qt::LeftButton);
        QVERIFY(!driven.tabs(side)->isVisible() && driven.window.canvas(side)->isVisible());
        QVERIFY(driven.document().isOpen());
        driven.openTab(side, "_foreach");
        driven.document().close();
        QCOMPARE(driven.tabs(side)->count(), 1);
    }

    void bodiesFollowTheConversion()
    {
        DrivenTabs driven;
        constexpr auto onnx = Side::Target;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.openTab(onnx, "Scan");
        QVERIFY(driven.hasInBody(onnx, "Clip"));
        driven.clickInBody(onnx, "Clip");
        const auto graph = driven.page(onnx)->body()->graph;
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.page(onnx)->isVisible());
        QVERIFY(driven.page(onnx)->body()->graph != graph);
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Clip")); // still selected and described
        // As ONNX's own LSTM there is no body any more.
        driven.find<QAction>("recurrentFused")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(driven.tabs(onnx)->count(), 1);
        QVERIFY(driven.window.canvas(onnx)->isVisible());
    }

    void bodiesComeBackWithTheModel()
    {
        const TemporaryFiles files;
        QSettings settings(QString::fromStdString(files.path("state.ini").string()), QSettings::IniFormat);
        {
            DrivenTabs driven;
            QVERIFY(driven.openLoops(files));
            driven.openTab(side, "_foreach");
            driven.openTabWithin(side, "_foreach");
            QTest::mouseClick(driven.tabs(side), Qt::LeftButton, {}, driven.tabs(side)->tabRect(1).center());
            writeState(settings, driven.window.state());
        }
        DrivenTabs driven;
        driven.window.restore(readState(settings));
        QVERIFY(driven.settle());
        QCOMPARE(driven.titles(side),
                 (QStringList{QStringLiteral("Source"), QStringLiteral("outer"), QStringLiteral("inner")}));
        QCOMPARE(driven.tabs(side)->currentIndex(), 1);
        QVERIFY(driven.hasInBody(side, "_foreach"));
    }
};

QTEST_MAIN(TestWindowBodyTabs)
#include "tst_window_body_tabs.moc"
