// Inputs in the window: presets, what changes downstream, and where shapes no longer fit.

#include "tests/ui/driven_window.h"
#include "ui/models/outline_model.h"

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
    const auto& badges = driven.document().shownMarks(side)->badges;
    const auto found = badges.find(box);
    return found != badges.end() && found->second.contains(shapeBadge());
}

} // namespace

class TestWindowInputs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void whereTheShapesNoLongerFitIsShownOnBothSides()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_softmax0");
        driven.giveShape(QStringLiteral("data"), QStringLiteral("1, 3, 32, 48"));
        // The weights are for one channel: the first convolution says so, with both shapes.
        QCOMPARE(driven.labels(Side::Source, driven.document().selection()),
                 std::vector<std::string>{"digits_features_conv0_fwd"});
        QCOMPARE(driven.labels(Side::Target, driven.document().counterpartsOfSelection()),
                 std::vector<std::string>{"digits_features_conv0_fwd"});
        const QString text = driven.text("bannerText");
        QVERIFY2(text.contains(QStringLiteral("digits_features_conv0_fwd")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("16x1x3x3")) && text.contains(QStringLiteral("16x3x3x3")));
        QVERIFY(text.contains(QStringLiteral("data was given the shape 1, 3, 32, 48")));
        driven.showDock("inputsDock");
        QVERIFY(!driven.cell("inputsTable", QStringLiteral("data"), 0).data(Qt::DecorationRole).isNull());
        driven.keepPicture(QStringLiteral("conflict"));

        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(!driven.isShown("banner"));
        QVERIFY(driven.document().problems().empty());
        QVERIFY(driven.cell("inputsTable", QStringLiteral("data"), 0).data(Qt::DecorationRole).isNull());
    }

    void shapesStayWhenOtherWeightsAreDropped()
    {
        const ModelFiles files;
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
        QCOMPARE(driven.labels(Side::Source, driven.document().selection()),
                 std::vector<std::string>{"hybridsequential0_lstm0_rnn0"});
    }

    void whatChangedDownstreamIsMarked()
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
        const auto onnx = driven.document().counterpartsOfSelection();
        QCOMPARE(onnx.size(), std::size_t{1});
        QVERIFY(isMarked(driven, Side::Target, onnx.front()));
        driven.keepPicture(QStringLiteral("changed_shapes"));

        // Another edit marks what it changed, and a choice that changes no shape leaves no marks.
        driven.giveShape(QStringLiteral("data"), QStringLiteral("2, 1, 32, 48"));
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!isMarked(driven, Side::Source, conv));
    }

    void presetsGiveAllInputsAShapeInOneStep()
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
};

QTEST_MAIN(TestWindowInputs)
#include "tst_window_inputs.moc"
