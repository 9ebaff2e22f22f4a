#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"

#include <QAction>
#include <QMessageBox>
#include <QSignalSpy>
#include <QToolButton>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// Three operators, the middle one of no framework.
std::string withUnknownOperator()
{
    return symbolFile({variable("data"), node("Activation", "before", "[[0, 0, 0]]", R"({"act_type": "relu"})"),
                       node("NoSuchOperator", "odd", "[[1, 0, 0]]"),
                       node("Activation", "after", "[[2, 0, 0]]", R"({"act_type": "tanh"})")});
}

/// Both pool over as many axes as the input has, which nothing says.
std::string withOpenRank()
{
    const char* pooling = R"json({"kernel": "(2, 2)", "pool_type": "max", "pooling_convention": "full"})json";
    return symbolFile({variable("data"), node("Pooling", "first", "[[0, 0, 0]]", pooling),
                       node("Pooling", "second", "[[1, 0, 0]]", pooling)});
}

/// The type that the ONNX side shows in the box of an input.
QString shownType(DrivenWindow& driven, Side side, std::string_view name)
{
    const auto box = driven.boxNamed(side, name);
    return box ? QString::fromStdString(driven.document().side(side)->box(*box).rows.front()) : QString();
}

} // namespace

class TestWindowEditing : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aShapeEditCanBeUndone()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QCOMPARE(shownType(driven, Side::Target, "data"), QStringLiteral("float32 T\u00d7N\u00d716"));
        auto* editor = driven.editShape(QStringLiteral("data"));
        QTest::keyClicks(editor, QStringLiteral("10, 32, 16"));
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(driven.settle());
        QCOMPARE(shownType(driven, Side::Target, "data"), QStringLiteral("float32 10\u00d732\u00d716"));
        QCOMPARE(shownType(driven, Side::Source, "data"), QStringLiteral("float32 10\u00d732\u00d716"));
        QCOMPARE(driven.cell("inputsTable", QStringLiteral("data"), 3).data().toString(), QStringLiteral("Set by you"));

        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(shownType(driven, Side::Target, "data"), QStringLiteral("float32 T\u00d7N\u00d716"));
        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(shownType(driven, Side::Target, "data"), QStringLiteral("float32 10\u00d732\u00d716"));
    }

    void invalidShapesAreReportedWhileTyping()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        auto* editor = driven.editShape(QStringLiteral("data"));
        QTest::keyClicks(editor, QStringLiteral("10, 32, "));
        QVERIFY(!editor->property("invalid").toBool());
        QTest::keyClicks(editor, QStringLiteral("-3"));
        QVERIFY(editor->property("invalid").toBool());
        QVERIFY(driven.text("inputsMessage").contains(QStringLiteral("-3")));
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(driven.editor() != nullptr); // Enter does not leave it
        QVERIFY(driven.document().isIdle());
        driven.keepPicture(QStringLiteral("invalid_shape"));
        QTest::keyClick(editor, Qt::Key_Escape);
        QTRY_VERIFY(driven.editor() == nullptr);
        QVERIFY(!driven.text("inputsMessage").contains(QStringLiteral("-3")));
        QVERIFY(driven.document().options().shapes.empty());
    }

    void aConflictIsShownAtItsNode()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        auto* editor = driven.editShape(QStringLiteral("data"));
        QTest::keyClicks(editor, QStringLiteral("10, 32, 17"));
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(driven.settle());
        const auto& problems = driven.document().problems();
        QVERIFY(!problems.empty());
        QCOMPARE(problems.front().severity, Severity::Error);
        const std::string where = problems.front().node;
        QVERIFY(!where.empty());
        QVERIFY(driven.text("inputsMessage").contains(QString::fromStdString(where)));
        driven.showDock("problemsDock");
        driven.clickCell("problemsTable", driven.cell("problemsTable", QString::fromStdString(where), 2));
        QCOMPARE(driven.labels(Side::Source, driven.window.canvas(Side::Source)->selection()),
                 std::vector<std::string>{where});
        const auto box = driven.window.canvas(Side::Source)->selection().front();
        QCOMPARE(driven.document().marks(Side::Source)->verdicts[box], Verdict::Unsupported);

        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().problems().empty());
    }

    /// Of a model whose shapes are open, most nodes have an ONNX form as soon as these are given, and are told apart.
    void showsBlockedNodesApartFromUnsupportedOnes()
    {
        TemporaryFiles files;
        const auto model = files.write("net-symbol.json", withOpenRank());
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        const QString legend = driven.text("statusVerdicts");
        QVERIFY2(!legend.contains(QStringLiteral("unsupported")) && legend.contains(QStringLiteral("2 blocked")),
                 qPrintable(legend));
        auto* button = driven.find<QToolButton>("exportButton");
        QVERIFY(!button->isEnabled());
        QCOMPARE(button->toolTip(), QStringLiteral("The conversion is not complete: see the problems."));
        driven.clickNode(Side::Source, "first");
        QCOMPARE(driven.text("nodeVerdict"), QStringLiteral("Blocked until the shapes of the inputs are given."));
        driven.clickNode(Side::Source, "second");
        QVERIFY(driven.text("nodeVerdict").startsWith(QStringLiteral("Blocked")));

        auto* entries = driven.find<QLabel>("statusVerdicts");
        Q_EMIT entries->linkActivated(QStringLiteral("100"));
        QCOMPARE(driven.labels(Side::Source, driven.window.canvas(Side::Source)->selection()),
                 (std::vector<std::string>{"first", "second"}));
    }

    void anUnsupportedOperatorLinksToItsNode()
    {
        TemporaryFiles files;
        const auto model = files.write("net-symbol.json", withUnknownOperator());
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        QVERIFY(driven.isShown("problemsTable"));
        // The first problem is gone to at once: what is wrong is seen in the first second.
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("NoSuchOperator"));
        driven.keepPicture(QStringLiteral("unsupported"));

        driven.clickNode(Side::Source, "before");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Activation"));
        driven.clickCell("problemsTable", driven.cell("problemsTable", QStringLiteral("odd"), 2));
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("NoSuchOperator"));
        const auto* target = driven.window.canvas(Side::Target);
        QCOMPARE(driven.labels(Side::Target, target->counterparts()), std::vector<std::string>{"odd"});
        QCOMPARE(driven.document().marks(Side::Target)->verdicts[target->counterparts().front()], Verdict::Unsupported);

        driven.clickNode(Side::Source, "after");
        QTest::keyClick(&driven.window, Qt::Key_F8);
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("NoSuchOperator"));
    }

    void anExportWithGapsAsksFirst()
    {
        TemporaryFiles files;
        const auto model = files.write("net-symbol.json", withUnknownOperator());
        const auto path = files.path("partial.onnx");
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        auto* button = driven.find<QToolButton>("exportButton");
        QCOMPARE(button->text(), QStringLiteral("Export with 1 gap\u2026"));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(driven.window.findChild<QMessageBox*>(QStringLiteral("gapsDialog")) != nullptr);
        QSignalSpy exported(&driven.document().exporter(), &Exporter::exported);
        QTest::mouseClick(driven.find<QPushButton>("exportWithGaps"), Qt::LeftButton);
        driven.answerFileDialog("exportDialog", QString::fromStdString(path.string()));
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, DrivenWindow::patience);
        QVERIFY(std::filesystem::exists(path));
    }

    void unknownShapesShowABanner()
    {
        TemporaryFiles files;
        const auto model =
            files.write("net-symbol.json", symbolFile({variable("data"), node("SliceChannel", "split", "[[0, 0, 0]]",
                                                                              R"({"num_outputs": "2", "axis": "1"})")},
                                                      "[[1, 0, 0], [1, 1, 0]]"));
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        QVERIFY(driven.isShown("banner"));
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QCoreApplication::processEvents();
        QVERIFY(driven.editor() != nullptr);
        QTest::keyClicks(driven.editor(), QStringLiteral("N, 6"));
        QTest::keyClick(driven.editor(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(!driven.isShown("banner"));
        QVERIFY(driven.document().problems().empty());
        QVERIFY(driven.operators(Side::Target).contains("Split"));
    }

    void selectingAnOpsetCanBeUndone()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QVERIFY(driven.find<QAction>("opset17")->isChecked());
        driven.find<QAction>("opset11")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("onnxName"), QStringLiteral("opset 11"));
        QVERIFY(driven.find<QAction>("opset11")->isChecked());
        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("onnxName"), QStringLiteral("opset 17"));
    }
};

QTEST_MAIN(TestWindowEditing)
#include "tst_window_editing.moc"
