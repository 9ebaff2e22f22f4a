// Bodies of loops, scans and branches in the window: pages over the graph, with the way back, described like any node.

#include "tests/ui/driven_bodies.h"

#include <QTabBar>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

class TestWindowBodies : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void nestedLoopsCanBeEnteredAndLeft()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string())));
        constexpr auto side = Side::Source;
        driven.openBody(side, "_foreach");
        QVERIFY(driven.hasInBody(side, "_foreach"));
        // Commands are for the node that is seen, not for the one behind the body.
        const char* const ofSelection[] = {"filePictureOfSelection", "viewZoomToSelection"};
        for (const char* name : ofSelection) {
            QVERIFY2(!driven.find<QAction>(name)->isEnabled(), name);
        }
        driven.clickInBody(side, "_foreach");
        for (const char* name : ofSelection) {
            QVERIFY2(driven.find<QAction>(name)->isEnabled(), name);
        }
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(driven.hasInBody(side, "elemwise_add"));
        for (const char* step : {"Source", "outer", "inner"}) {
            QVERIFY2(driven.text("sourcePath").contains(QLatin1String(step)), step);
        }
        driven.clickInBody(side, "elemwise_add");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("elemwise_add"));
        QCOMPARE(driven.text("nodeName"), QStringLiteral("sum"));
        driven.keepPicture(QStringLiteral("bodies-loop-in-loop"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.settle());
        QVERIFY(driven.hasInBody(side, "_foreach"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.settle());
        QVERIFY(!driven.page(side)->isVisible());
        QCOMPARE(driven.find<QTabBar>("outlineSides")->currentIndex(), 0);
        // Back outside, the panel tells of what is selected there.
        QCOMPARE(driven.text("nodeName"), QStringLiteral("outer"));
    }

    void gapsInABodyAreShownAtItsNodes()
    {
        const TemporaryFiles files;
        const std::string body =
            symbolFile({variable("x-0"), variable("h-0"), node("NoSuchOperator", "odd", "[[0, 0], [1, 0]]"),
                        node("tanh", "squeezed", "[[2, 0]]")},
                       R"j([[3, 0], [3, 0]], "arg_nodes": [0, 1])j");
        const std::string model =
            symbolFile({variable("x"), variable("h"), foreachNode("outer", body)}, "[[2, 0], [2, 1]]");
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("gap-symbol.json", model).string())));
        driven.document().setInputShape("x", Shape{Dim("T"), Dim(3)});
        driven.document().setInputShape("h", Shape{Dim(3)});
        QVERIFY(driven.settle());
        constexpr auto side = Side::Source;
        QCOMPARE(driven.document().gapCount(), 1);

        // The node outside has a badge with their number.
        const auto outer = driven.withOperator(side, "_foreach");
        QCOMPARE(driven.document().marks(side)->badges.at(outer), QStringList{QStringLiteral("1 gap")});
        driven.clickNode(side, outer);
        QVERIFY2(driven.text("nodeVerdict").contains(QStringLiteral("1 gap")), qPrintable(driven.text("nodeVerdict")));

        // Inside it is marked, listed and described.
        driven.openBody(side, "_foreach");
        const auto odd = driven.boxInBody(side, "NoSuchOperator");
        QVERIFY(odd);
        QVERIFY(driven.page(side)->marks());
        QCOMPARE(driven.page(side)->marks()->verdicts[*odd], Verdict::Unsupported);
        driven.clickInBody(side, "NoSuchOperator");
        QVERIFY(driven.isShown("nodeVerdict"));
        QVERIFY(driven.isShown("problemCard"));
        driven.clickInBody(side, "tanh");
        QVERIFY(!driven.isShown("problemCard"));

        // The problems lead there from outside.
        driven.follow(side, "l0");
        QVERIFY(!driven.page(side)->isVisible());
        driven.showDock("problemsDock");
        driven.clickCell("problemsTable", driven.cell("problemsTable", QStringLiteral("outer/odd"), 2));
        QVERIFY(driven.settle());
        QVERIFY(driven.page(side)->isVisible());
        QCOMPARE(driven.page(side)->pickedBox(), odd);
        QCOMPARE(driven.text("nodeName").remove(QChar(0x200B)), QStringLiteral("odd"));
        QVERIFY(!driven.text("problemText").startsWith(QStringLiteral("outer")));
        driven.keepPicture(QStringLiteral("bodies-gap"));
    }

    void theConvertedLoopHasBodiesToo()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string())));
        driven.document().setInputShape("x", Shape{Dim("T"), Dim(5), Dim(3)});
        driven.document().setInputShape("h", Shape{Dim(3)});
        QVERIFY(driven.settle());
        constexpr auto side = Side::Target;
        QVERIFY2(driven.document().side(side), qPrintable(driven.document().exporter().obstacle()));
        const std::string loop = driven.operatorOf(side, driven.document().selection().counterparts().empty()
                                                             ? driven.withOperator(side, "Scan")
                                                             : driven.document().selection().counterparts().front());
        driven.openBody(side, loop);
        driven.clickInBody(side, loop);
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Return);
        QVERIFY(driven.settle());
        driven.clickInBody(side, "Add");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Add"));
        // Shapes are known in there as well.
        const auto& body = *driven.page(side)->body();
        const Node& add = body.graph->node(body.box(*driven.boxInBody(side, "Add")).node);
        QCOMPARE(toString(body.graph->value(add.outputs.front()).type), std::string("float32 3"));
        driven.keepPicture(QStringLiteral("bodies-converted"));
    }

    void shapesInABodyFollowFromTheConversion()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loop-symbol.json", loopOfTwo()).string())));
        driven.openBody(Side::Source, "_foreach");
        driven.clickInBody(Side::Source, "elemwise_add");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("x-0")), QStringLiteral("unknown"));
        // The page stays, and knows what the conversion knows now.
        driven.document().setInputShape("x", Shape{Dim("T"), Dim("N"), Dim(7)});
        driven.document().setInputShape("h", Shape{Dim("N"), Dim(7)});
        QVERIFY(driven.settle());
        driven.clickInBody(Side::Source, "elemwise_add");
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("x-0")), QStringLiteral("float32 N\u00d77"));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("sum_output")), QStringLiteral("float32 N\u00d77"));
        // A search finds the loop by what is in it.
        const auto& source = *driven.document().side(Side::Source);
        const std::vector<std::uint32_t> loop{driven.withOperator(Side::Source, "_foreach")};
        QCOMPARE(source.outline.find("sum Nx7", 9), loop);
        QVERIFY(source.outline.find("sum 7xN", 9).empty());

        // On the other side, of values that are neither read nor given by the body too.
        driven.openBody(Side::Target, "Scan");
        driven.clickInBody(Side::Target, "Add");
        const auto& body = *driven.page(Side::Target)->body();
        const Node& add = body.graph->node(body.box(*driven.boxInBody(Side::Target, "Add")).node);
        QCOMPARE(toString(body.graph->value(add.outputs.front()).type), std::string("float32 Nx7"));
    }

    void branchesAreShownOneByOne()
    {
        const TemporaryFiles files;
        const auto path = files.write("branches.onnx", "");
        writeOnnx(branchInBranch(), path);
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        constexpr auto side = Side::Source;
        driven.openBody(side, "If");
        QVERIFY(driven.hasInBody(side, "If"));
        driven.follow(side, "b1"); // the other branch
        QVERIFY(driven.hasInBody(side, "Exp") && !driven.hasInBody(side, "If"));
        driven.clickInBody(side, "Exp");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Exp"));
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("e")).contains(QStringLiteral("float32 3")));
        driven.follow(side, "b0");
        driven.clickInBody(side, "If");
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(driven.hasInBody(side, "Neg"));
        driven.follow(side, "l1"); // past the innermost
        QVERIFY(driven.hasInBody(side, "If"));
        driven.follow(side, "l0");
        QVERIFY(!driven.page(side)->isVisible());
    }

    void selectingOutsideABodyUpdatesThePanel()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string())));
        driven.openBody(Side::Source, "_foreach");
        driven.clickInBody(Side::Source, "_foreach");
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        driven.document().selection().select(Side::Source, {*driven.boxNamed(Side::Source, "h")});
        QCOMPARE(driven.text("nodeName"), QStringLiteral("h"));
    }
};

QTEST_MAIN(TestWindowBodies)
#include "tst_window_bodies.moc"
