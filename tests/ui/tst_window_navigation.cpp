// Ways through the graphs: paths, back and forward, counterparts, bookmarks, copies, and the context menus.

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"

#include <QClipboard>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

using Labels = std::vector<std::string>;

} // namespace

template <>
char* QTest::toString(const std::vector<std::string>& labels)
{
    return qstrdup(qPrintable(QString::fromStdString(fmt::format("{}", fmt::join(labels, ", ")))));
}

namespace {

/// data -> a -> (b -> d, c) -> sum -> last; beside is read by nothing of these.
std::string diamond()
{
    const auto relu = [](const char* name, const char* input) {
        return node("Activation", name, fmt::format("[[{}, 0, 0]]", input), R"({"act_type": "relu"})");
    };
    return symbolFile({variable("data", R"j({"__shape__": "(2, 3)"})j"), relu("a", "0"), relu("b", "1"), relu("c", "1"),
                       relu("d", "2"), node("elemwise_add", "sum", "[[4, 0, 0], [3, 0, 0]]"), relu("last", "5"),
                       relu("beside", "0")},
                      "[[6, 0, 0], [7, 0, 0]]");
}

struct Driven : DrivenWindow {
    explicit Driven(std::unique_ptr<QSettings> settings = nullptr)
        : DrivenWindow(std::move(settings))
        , path(QString::fromStdString(files.write("net-symbol.json", diamond()).string()))
    {
        if (!open(path)) {
            qFatal("the model was not opened");
        }
    }
    CanvasView* source() { return window.canvas(Side::Source); }
    Labels selected()
    {
        auto names = labels(document().selection().side(), document().selection().boxes());
        std::ranges::sort(names);
        return names;
    }
    QPoint placeOf(std::string_view name)
    {
        const auto* drawn = source()->drawnScene();
        const QRectF box = drawn->index.box(drawn->drawnAs(*boxNamed(Side::Source, name)));
        return source()->transform().toView(box.center()).toPoint();
    }
    void shiftClick(std::string_view name)
    {
        QTest::mouseClick(source(), Qt::LeftButton, Qt::ShiftModifier, placeOf(name));
        QCoreApplication::processEvents();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        window.activateWindow(); // as window managers do when a menu closes
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(window.focusWidget(), key, modifiers);
        QVERIFY(settle());
    }
    QMenu* menuAt(const QPoint& place, const char* name)
    {
        QContextMenuEvent asks(QContextMenuEvent::Mouse, place, source()->mapToGlobal(place));
        QCoreApplication::sendEvent(source(), &asks);
        return find<QMenu>(name);
    }
    void choose(QMenu* menu, const char* action)
    {
        auto* chosen = menu->findChild<QAction*>(QLatin1String(action));
        chosen = chosen != nullptr ? chosen : find<QAction>(action);
        QVERIFY(menu->actions().contains(chosen));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(chosen).center());
        QVERIFY(settle());
    }

    TemporaryFiles files;
    QString path;
};

} // namespace

class TestWindowNavigation : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void shiftExtendsTheSelection()
    {
        Driven driven;
        driven.clickNode(Side::Source, "a");
        driven.shiftClick("sum");
        driven.shiftClick("sum"); // does not remove it again
        QCOMPARE(driven.selected(), (Labels{"a", "sum"}));
        driven.clickNode(Side::Source, "a");
        driven.source()->setFocus();
        driven.key(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{2});
        driven.key(Qt::Key_Down, Qt::ShiftModifier); // goes on from the one added last
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{3});
        driven.key(Qt::Key_Down);
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{1});
    }

    void shiftDragSelectsARectangle()
    {
        Driven driven;
        driven.clickNode(Side::Source, "last");
        QTest::keyClick(driven.source(), Qt::Key_F);
        const auto* index = &driven.source()->drawnScene()->index;
        QRectF area = index->box(*driven.boxNamed(Side::Source, "b")) | index->box(*driven.boxNamed(Side::Source, "c"));
        area = driven.source()->transform().toView(area.adjusted(-4, -4, 4, 4));
        const auto drag = [&](const QPoint& from, const QPoint& to, bool isReleased) {
            QTest::mousePress(driven.source(), Qt::LeftButton, Qt::ShiftModifier, from);
            QTest::mouseMove(driven.source(), (from + to) / 2);
            QMouseEvent move(QEvent::MouseMove, to, driven.source()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                             Qt::ShiftModifier);
            QCoreApplication::sendEvent(driven.source(), &move);
            if (!isReleased) {
                driven.keepPicture(QStringLiteral("navigation-rectangle"));
                QTest::keyClick(driven.source(), Qt::Key_Escape);
            }
            QTest::mouseRelease(driven.source(), Qt::LeftButton, Qt::ShiftModifier, to);
            QCoreApplication::processEvents();
        };
        drag(area.topLeft().toPoint(), area.bottomRight().toPoint(), false);
        QCOMPARE(driven.selected(), Labels{"last"}); // Esc gives up
        const auto origin = driven.source()->transform();
        drag(area.topLeft().toPoint(), area.bottomRight().toPoint(), true);
        QCOMPARE(driven.source()->transform(), origin); // the graph did not move
        const Labels now = driven.selected();
        for (const char* name : {"b", "c", "last"}) {
            QVERIFY2(std::ranges::count(now, name) == 1, name);
        }
        QVERIFY(std::ranges::count(now, "sum") == 0);
    }

    void upstreamAndDownstream()
    {
        Driven driven;
        driven.clickNode(Side::Source, "d");
        driven.source()->setFocus();
        driven.key(Qt::Key_U);
        QCOMPARE(driven.selected(), (Labels{"a", "b", "d", "data"}));
        QVERIFY(!driven.document().selection().counterparts().empty());
        driven.clickNode(Side::Source, "d");
        driven.key(Qt::Key_D);
        const Labels below = driven.selected();
        QVERIFY(std::ranges::count(below, "last") == 1 && std::ranges::count(below, "sum") == 1);
        QVERIFY(std::ranges::count(below, "c") == 0 && std::ranges::count(below, "beside") == 0);
        // From the menu of a node.
        driven.clickNode(Side::Source, "c");
        driven.choose(driven.menuAt(driven.placeOf("c"), "nodeMenu"), "goUpstream");
        QCOMPARE(driven.selected(), (Labels{"a", "c", "data"}));
        driven.key(Qt::Key_U);
        QVERIFY2(driven.text("statusMessage").contains(QStringLiteral("upstream")),
                 qPrintable(driven.text("statusMessage")));
    }

    void pathsBetweenNodes()
    {
        Driven driven;
        driven.clickNode(Side::Source, "last");
        driven.source()->setFocus();
        QVERIFY(!driven.find<QAction>("goPaths")->isEnabled());
        driven.shiftClick("a");
        driven.key(Qt::Key_P);
        QCOMPARE(driven.selected(), (Labels{"a", "b", "c", "d", "last", "sum"}));
        driven.clickNode(Side::Source, "b");
        driven.shiftClick("c");
        driven.choose(driven.menuAt(driven.placeOf("c"), "nodeMenu"), "goPaths");
        QCOMPARE(driven.selected(), (Labels{"b", "c"}));
        QVERIFY(driven.text("statusMessage").contains(QStringLiteral("paths")));
    }

    void backAndForwardThroughBothSides()
    {
        Driven driven;
        QVERIFY(!driven.find<QAction>("goBack")->isEnabled());
        driven.clickNode(Side::Source, "a");
        driven.clickNode(Side::Source, "sum");
        driven.source()->setFocus();
        driven.key(Qt::Key_O);
        QCOMPARE(driven.document().selection().side(), Side::Target);
        QVERIFY(driven.window.canvas(Side::Target)->hasFocus());
        QCOMPARE(driven.document().selection().counterparts(),
                 std::vector<std::uint32_t>{*driven.boxNamed(Side::Source, "sum")});
        driven.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(driven.document().selection().side(), Side::Source);
        QCOMPARE(driven.selected(), Labels{"sum"});
        QVERIFY(driven.source()->hasFocus());
        // The buttons of the mouse.
        QTest::mouseClick(driven.source(), Qt::BackButton, {}, QPoint(5, 5));
        QCOMPARE(driven.selected(), Labels{"a"});
        QVERIFY(!driven.find<QAction>("goBack")->isEnabled());
        QTest::mouseClick(driven.source(), Qt::ForwardButton, {}, QPoint(5, 5));
        driven.key(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(driven.document().selection().side(), Side::Target);
        QVERIFY(!driven.find<QAction>("goForward")->isEnabled());
        // A new selection forgets what was ahead; another conversion does not forget what is behind.
        driven.key(Qt::Key_Left, Qt::AltModifier);
        driven.clickNode(Side::Source, "c");
        QVERIFY(!driven.find<QAction>("goForward")->isEnabled());
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        driven.key(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(driven.selected(), Labels{"sum"});
    }

    void bookmarksStayWithTheModel()
    {
        const TemporaryFiles files;
        const auto settings = [&] {
            return std::make_unique<QSettings>(QString::fromStdString(files.path("state.ini").string()),
                                               QSettings::IniFormat);
        };
        QString path;
        {
            Driven driven(settings());
            driven.clickNode(Side::Source, "b");
            driven.source()->setFocus();
            driven.key(Qt::Key_B);
            driven.clickNode(Side::Source, "last");
            driven.choose(driven.menuAt(driven.placeOf("last"), "nodeMenu"), "goBookmark");
            QCOMPARE(driven.source()->bookmarks().size(), std::size_t{2});
            driven.keepPicture(QStringLiteral("navigation-bookmarks"));
            driven.key(Qt::Key_B, Qt::ControlModifier);
            QCOMPARE(driven.selected(), Labels{"b"});
            driven.key(Qt::Key_B, Qt::ControlModifier);
            QCOMPARE(driven.selected(), Labels{"last"});
            driven.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(driven.selected(), Labels{"b"});
            QVERIFY(driven.find<QAction>("goBookmark")->isChecked());
            path = driven.path;
            QVERIFY(QFile::copy(path, QString::fromStdString(files.path("kept-symbol.json").string())));
            driven.open(QString::fromStdString(files.path("kept-symbol.json").string()));
            QVERIFY(driven.source()->bookmarks().empty()); // another model
            driven.clickNode(Side::Source, "c");
            driven.source()->setFocus();
            driven.key(Qt::Key_B);
        }
        DrivenWindow again(settings());
        QVERIFY(again.open(QString::fromStdString(files.path("kept-symbol.json").string())));
        QCOMPARE(again.window.canvas(Side::Source)->bookmarks().size(), std::size_t{1});
        again.document().setOpset(13);
        QVERIFY(again.settle());
        QCOMPARE(again.window.canvas(Side::Source)->bookmarks().size(), std::size_t{1});
        again.window.canvas(Side::Source)->setFocus();
        QTest::keyClick(again.window.canvas(Side::Source), Qt::Key_B, Qt::ControlModifier);
        QVERIFY(again.settle());
        QCOMPARE(again.labels(Side::Source, again.document().selection().boxes()), Labels{"c"});
        again.find<QAction>("goClearBookmarks")->trigger();
        QVERIFY(again.window.canvas(Side::Source)->bookmarks().empty());
    }

    void nodesAreCopied()
    {
        Driven driven;
        driven.clickNode(Side::Source, "b");
        driven.shiftClick("sum");
        driven.key(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("b\nsum"));
        driven.clickNode(Side::Source, "b");
        driven.choose(driven.menuAt(driven.placeOf("b"), "nodeMenu"), "editCopyJson");
        const auto json = QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).object();
        QCOMPARE(json[QStringLiteral("operator")].toString(), QStringLiteral("Activation"));
        QCOMPARE(json[QStringLiteral("attributes")].toObject()[QStringLiteral("act_type")].toString(),
                 QStringLiteral("relu"));
        const auto output = json[QStringLiteral("outputs")].toArray().first().toObject();
        QCOMPARE(output[QStringLiteral("shape")].toArray(), (QJsonArray{2, 3}));
        QCOMPARE(output[QStringLiteral("type")].toString(), QStringLiteral("float32"));
        QCOMPARE(json[QStringLiteral("verdict")].toString(), QStringLiteral("exact"));
        driven.key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        QTRY_VERIFY(!QApplication::clipboard()->image().isNull());
        QVERIFY(QApplication::clipboard()->image().width() > 100);
    }

    void anEdgeHasAMenu()
    {
        Driven driven;
        driven.clickNode(Side::Source, "a");
        const auto* drawn = driven.source()->drawnScene();
        // The middle between d and sum.
        const QRectF from = drawn->index.box(*driven.boxNamed(Side::Source, "sum"));
        const auto edge = drawn->index.edgesOutOf(*driven.boxNamed(Side::Source, "sum")).front();
        const auto to = drawn->index.box(drawn->scene.edges[edge].to);
        const QPoint place =
            driven.source()->transform().toView(QPointF(from.center().x(), (from.bottom() + to.top()) / 2)).toPoint();
        auto* menu = driven.menuAt(place, "edgeMenu");
        driven.keepPicture(QStringLiteral("navigation-edge"));
        driven.choose(menu, "edgeCopyType");
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("float32 2\u00d73"));
        driven.choose(driven.menuAt(place, "edgeMenu"), "edgeConsumer");
        QCOMPARE(driven.selected(), Labels{"last"});
        driven.choose(driven.menuAt(place, "edgeMenu"), "edgeProducer");
        QCOMPARE(driven.selected(), Labels{"sum"});
        driven.choose(driven.menuAt(place, "edgeMenu"), "edgeOutput");
        QCOMPARE(driven.document().options().outputs, Labels{"sum_output"});
        driven.undo();
        QVERIFY(driven.document().options().outputs.empty());
    }

    void theMenuOfAnEdgeClosesWithItsDrawing()
    {
        Driven driven;
        const auto* drawn = driven.source()->drawnScene();
        const QRectF from = drawn->index.box(*driven.boxNamed(Side::Source, "sum"));
        const auto edge = drawn->index.edgesOutOf(*driven.boxNamed(Side::Source, "sum")).front();
        const auto to = drawn->index.box(drawn->scene.edges[edge].to);
        const QPointF middle(from.center().x(), (from.bottom() + to.top()) / 2);
        const auto* menu = driven.menuAt(driven.source()->transform().toView(middle).toPoint(), "edgeMenu");
        QVERIFY(menu->isVisible());
        QSignalSpy closed(menu, &QMenu::aboutToHide);
        driven.document().setOutputs({"a_output"});
        QVERIFY(driven.settle());
        QCOMPARE(closed.count(), 1);
    }

    void theBackgroundHasAMenu()
    {
        Driven driven;
        driven.choose(driven.menuAt({4, 4}, "backgroundMenu"), "viewFit");
        driven.source()->setFocus();
        QTest::keyClick(driven.source(), Qt::Key_Escape);
        QContextMenuEvent asks(QContextMenuEvent::Keyboard, {}, {});
        QCoreApplication::sendEvent(driven.source(), &asks); // the key without a selection
        QVERIFY(driven.find<QMenu>("backgroundMenu")->isVisible());
    }

    void weightsAreSavedFromTheMenu()
    {
        const TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(!driven.find<QAction>("fileTensor")->isEnabled());
        driven.clickNode(Side::Source, "digits_output_fwd");
        QVERIFY(driven.find<QAction>("fileTensor")->isEnabled());
        QTest::keyClick(&driven.window, Qt::Key_S, Qt::ControlModifier | Qt::AltModifier);
        const auto path = QString::fromStdString(files.path("weight.npy").string());
        driven.answerFileDialog("tensorDialog", path);
        QTRY_VERIFY(QFileInfo::exists(path));
    }
};

QTEST_MAIN(TestWindowNavigation)
#include "tst_window_navigation.moc"
