// Inputs in the window: presets, downstream changes, and conflicting shapes.

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"
#include "ui/models/inputs_model.h"
#include "ui/models/outline_model.h"

#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

QString shapeOfData(DrivenWindow& driven)
{
    return driven.cell("inputsTable", QStringLiteral("data"), 2).data().toString();
}

bool isMarked(DrivenWindow& driven, Side side, std::uint32_t box)
{
    const auto& badges = driven.document().colours().marks(side)->badges;
    const auto found = badges.find(box);
    return found != badges.end() && found->second.contains(shapeBadge());
}

} // namespace

QString pairOfInputs(const TemporaryFiles& files)
{
    const auto model =
        files.write("pair-symbol.json",
                    symbolFile({variable("x"), variable("y"), node("elemwise_add", "sum", "[[0, 0, 0], [1, 0, 0]]")}));
    return QString::fromStdString(model.string());
}

/// What has the focus in the window, by keys alone.
void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
{
    QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    QCoreApplication::processEvents();
}

class TestWindowInputs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void shapeConflictsAreShownOnBothSides()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_softmax0");
        driven.giveShape(QStringLiteral("data"), QStringLiteral("1, 3, 32, 48"));
        // The weights are for one channel: the first convolution says so, with both shapes.
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_features_conv0_fwd"});
        QCOMPARE(driven.labels(Side::Target, driven.document().selection().counterparts()),
                 std::vector<std::string>{"digits_features_conv0_fwd"});
        const QString text = driven.text("bannerText");
        QVERIFY2(text.contains(QStringLiteral("digits_features_conv0_fwd")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("16x1x3x3")) && text.contains(QStringLiteral("16x3x3x3")));
        QVERIFY(text.contains(QStringLiteral("The shape of data was set to 1, 3, 32, 48")));
        driven.showDock("inputsDock");
        QVERIFY(!driven.cell("inputsTable", QStringLiteral("data"), 0).data(Qt::DecorationRole).isNull());
        driven.keepPicture(QStringLiteral("conflict"));

        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(!driven.isShown("banner"));
        QVERIFY(driven.document().problems().empty());
        QVERIFY(driven.cell("inputsTable", QStringLiteral("data"), 0).data(Qt::DecorationRole).isNull());
    }

    void droppingWeightsKeepsShapes()
    {
        const TemporaryFiles files;
        const QString weights = QString::fromStdString(files.path("other.params").string());
        QVERIFY(QFile::copy(
            exampleModel("request_bilstm").replace(QStringLiteral("-symbol.json"), QStringLiteral("-0000.params")),
            weights));
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("10, N, 16"));
        driven.clickNode(Side::Source, "hybridsequential0_lstm0_rnn0");
        driven.drop({weights});
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().loaded()->weights, std::filesystem::path(weights.toStdString()));
        QCOMPARE(shapeOfData(driven), QStringLiteral("10, N, 16"));
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"hybridsequential0_lstm0_rnn0"});
    }

    void downstreamChangesAreMarked()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        const auto conv = *driven.boxNamed(Side::Source, "digits_features_conv0_fwd");
        QVERIFY(!isMarked(driven, Side::Source, conv));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("2, 1, 32, 48"));
        QVERIFY(isMarked(driven, Side::Source, conv));
        QVERIFY(driven.text("statusMessage").contains(QStringLiteral("nodes changed")));
        driven.clickNode(Side::Source, "digits_features_conv0_fwd");
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("digits_features_conv0_fwd_output"))
                    .contains(QStringLiteral("(was float32 N")));
        const auto onnx = driven.document().selection().counterparts();
        QCOMPARE(onnx.size(), std::size_t{1});
        QVERIFY(isMarked(driven, Side::Target, onnx.front()));
        driven.keepPicture(QStringLiteral("changed_shapes"));

        // Another edit marks what it changed, and a choice that changes no shape leaves no marks.
        driven.giveShape(QStringLiteral("data"), QStringLiteral("2, 1, 32, 48"));
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!isMarked(driven, Side::Source, conv));
    }

    void aShapeIsEditedByKeyboard()
    {
        const TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(pairOfInputs(files)));
        press(Qt::Key_4, Qt::AltModifier);
        auto* table = driven.find<QTreeView>("inputsTable");
        const auto shape = [&](int row) { return table->model()->index(row, InputsModel::ShapeColumn); };
        const auto type = [&](int row) { return table->model()->index(row, InputsModel::TypeColumn); };
        // The focus arrives at the first shape, and is seen there.
        QVERIFY(table->hasFocus());
        QCOMPARE(table->currentIndex(), shape(0));
        QVERIFY(table->selectionModel()->isSelected(shape(0)));
        const QImage withCursor = table->viewport()->grab(table->visualRect(shape(0))).toImage();
        press(Qt::Key_Down);
        QCOMPARE(table->currentIndex(), shape(1));
        QVERIFY(table->viewport()->grab(table->visualRect(shape(0))).toImage() != withCursor);
        press(Qt::Key_Left);
        QCOMPARE(table->currentIndex(), type(1));
        press(Qt::Key_Right);
        press(Qt::Key_Up);
        QCOMPARE(table->currentIndex(), shape(0));

        // Enter, F2 and a letter open the editor; the cell stays the current one when the conversion has followed.
        const auto giveFrom = [&](Qt::Key opener, const QString& text, Qt::Key leaver) {
            press(opener);
            QVERIFY(driven.editor() != nullptr && driven.editor()->hasFocus());
            driven.editor()->selectAll();
            QTest::keyClicks(driven.editor(), text);
            QTest::keyClick(driven.editor(), leaver);
            QVERIFY(driven.settle());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        };
        giveFrom(Qt::Key_Return, QStringLiteral("3, 6"), Qt::Key_Return);
        QCOMPARE(shape(0).data().toString(), QStringLiteral("3, 6"));
        QVERIFY(table->hasFocus());
        QCOMPARE(table->currentIndex(), shape(0));
        giveFrom(Qt::Key_F2, QStringLiteral("4, 6"), Qt::Key_Return);
        QCOMPARE(shape(0).data().toString(), QStringLiteral("4, 6"));
        giveFrom(Qt::Key_N, QStringLiteral("N, 6"), Qt::Key_Tab);
        QCOMPARE(shape(0).data().toString(), QStringLiteral("N, 6"));
        // Tab has left the editor for the next cell; after the last it leaves the table, backwards likewise.
        QVERIFY(table->hasFocus());
        QCOMPARE(table->currentIndex(), type(1));
        press(Qt::Key_Tab);
        QCOMPARE(table->currentIndex(), shape(1));
        giveFrom(Qt::Key_F2, QStringLiteral("N, 6"), Qt::Key_Tab);
        QVERIFY(driven.find<QPushButton>("presetFile")->hasFocus());
        QCOMPARE(shape(1).data().toString(), QStringLiteral("N, 6"));
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(table->hasFocus());
        for (int i = 0; i < 3; ++i) {
            QVERIFY(table->hasFocus());
            press(Qt::Key_Backtab, Qt::ShiftModifier);
        }
        QCOMPARE(table->currentIndex(), type(0));
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(!table->hasFocus());
    }

    void typedTextSurvivesTheEndOfAConversion()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("2, 1, 32, 48"));
        auto* field = driven.editShape(QStringLiteral("data"));
        QTest::keyClicks(field, QStringLiteral("5, 1"));
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(driven.editor(), field);
        QCOMPARE(field->text(), QStringLiteral("5, 1"));
        // What is no shape is not left by Tab.
        QTest::keyClicks(field, QStringLiteral(", 3 2, -"));
        QTest::keyClick(field, Qt::Key_Tab);
        QVERIFY(field->isVisible() && field->hasFocus());
    }

    void presetsSetAllShapesInOneUndoStep()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.showDock("inputsDock");
        QCOMPARE(shapeOfData(driven), QStringLiteral("T, N, 16"));
        QTest::mouseClick(driven.find<QPushButton>("presetBatchOne"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(shapeOfData(driven), QStringLiteral("T, 1, 16")); // N is the second axis here
        QCOMPARE(driven.document().undoStack()->count(), 1);
        driven.keepPicture(QStringLiteral("presets"));

        auto* free = driven.find<QPushButton>("presetBatchFree");
        free->setFocus();
        QTest::keyClick(free, Qt::Key_Space);
        QVERIFY(driven.settle());
        QCOMPARE(shapeOfData(driven), QStringLiteral("T, N, 16"));
        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(shapeOfData(driven), QStringLiteral("T, 1, 16"));
        auto* file = driven.find<QPushButton>("presetFile");
        file->setFocus();
        QTest::keyClick(file, Qt::Key_Space);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().options().shapes.empty());
    }

    void anAmpersandInANameIsNoMnemonic()
    {
        const TemporaryFiles files;
        const auto model = files.write("net-symbol.json", symbolFile({variable("a&b"), node("relu", "r", "[[0, 0]]")}));
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        driven.document().setInputShape("a&b", Shape{Dim(2)});
        QVERIFY(driven.settle());
        QVERIFY(driven.find<QAction>("editUndo")->text().endsWith(QStringLiteral("a&&b")));
    }

    void presetsKeepGivenSizes()
    {
        const TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(pairOfInputs(files)));
        driven.giveShape(QStringLiteral("x"), QStringLiteral("4, 7"));
        for (const char* const preset : {"presetBatchOne", "presetBatchFree"}) {
            QTest::mouseClick(driven.find<QPushButton>(preset), Qt::LeftButton);
            QVERIFY(driven.settle());
        }
        QCOMPARE(driven.cell("inputsTable", QStringLiteral("x"), 2).data().toString(), QStringLiteral("N, 7"));

        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("10, 3, 16"));
        QTest::mouseClick(driven.find<QPushButton>("presetBatchOne"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(shapeOfData(driven), QStringLiteral("10, 1, 16"));
    }
};

QTEST_MAIN(TestWindowInputs)
#include "tst_window_inputs.moc"
