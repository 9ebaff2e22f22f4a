// Recorded tensors in the window: what they prove, where the numbers part, and what to do without ONNX Runtime.

#include "core/onnx/writer.h"
#include "core/verify/runtime.h"
#include "core/verify/runtime_library.h"
#include "core/verify/runtime_process.h"
#include "tests/support/endless_loop.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/recorded.h"
#include "tests/support/shared_cases.h"
#include "tests/ui/driven_window.h"
#include "ui/models/outline_model.h"

#include <QAction>
#include <QMessageBox>
#include <QSignalSpy>
#include <QToolButton>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr const char* runtimeVariable = "CROSSWALK_ONNXRUNTIME";

/// Two dense layers with an activation between them, and recorded tensors of a model whose activation returned another
/// last value.
struct DenseModel {
    DenseModel()
    {
        model = QString::fromStdString(
            files
                .write(
                    "net-symbol.json",
                    symbolFile(
                        {variable("data"), variable("fc_weight"), variable("fc_bias"),
                         node("FullyConnected", "fc", "[[0, 0, 0], [1, 0, 0], [2, 0, 0]]", R"({"num_hidden": "4"})"),
                         node("Activation", "act", "[[3, 0, 0]]", R"({"act_type": "relu"})"), variable("top_weight"),
                         variable("top_bias"),
                         node("FullyConnected", "top", "[[4, 0, 0], [5, 0, 0], [6, 0, 0]]", R"({"num_hidden": "2"})")}))
                .string());
        files.write(
            "net-0000.params",
            paramsFile(
                {{"arg:fc_weight", {4, 3}}, {"arg:fc_bias", {4}}, {"arg:top_weight", {2, 4}}, {"arg:top_bias", {2}}}));
        record(files.path("recorded/input_0.pb"), "data", {1, 3}, {1, 0, 2});
        record(files.path("recorded/output_0.pb"), "top_output", {1, 2}, {164, 470});
        record(files.path("recorded/inner/0.pb"), "fc_output", {1, 4}, {4, 14, 24, 34});
        record(files.path("recorded/inner/1.pb"), "act_output", {1, 4}, {4, 14, 24, 35});
    }
    QString recorded(const char* name = "recorded") const { return QString::fromStdString(files.path(name).string()); }

    TemporaryFiles files;
    QString model;
};

/// A model that runs without end, and recorded tensors for it.
struct EndlessModel {
    EndlessModel()
    {
        const auto path = files.path("loop.onnx");
        writeOnnx(endlessLoop(), path);
        model = QString::fromStdString(path.string());
        record(files.path("recorded/input_0.pb"), "x", {1}, {1});
        record(files.path("recorded/output_0.pb"), "y", {1}, {1});
    }

    TemporaryFiles files;
    QString model;
    const std::filesystem::path recorded = files.path("recorded");
};

ErrorLevel levelOf(DrivenWindow& driven, Side side, std::string_view name)
{
    return driven.document().colours().marks(side)->errors.at(*driven.boxNamed(side, name));
}

} // namespace

class TestWindowVerify : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareWindows();
        useRuntimeProgram((programFolder() + QStringLiteral("/crosswalk")).toStdString());
    }

    // First of all: a runtime that has been loaded stays.
    void strategiesCannotBeMeasuredWithoutTheRuntime()
    {
        qputenv(runtimeVariable, "/nowhere/libonnxruntime.so");
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        QVERIFY(driven.settle());
        driven.document().strategyComparison().measure();
        QVERIFY(driven.settle());
        auto* dialog = driven.find<QMessageBox>("runtimeDialog");
        QVERIFY(dialog->informativeText().contains(QStringLiteral("/nowhere/libonnxruntime.so")));
        qunsetenv(runtimeVariable);
    }

    // The same.
    void explainsHowToInstallTheRuntime()
    {
        const auto candidates = runtimeCandidates();
        qputenv(runtimeVariable, "/nowhere/libonnxruntime.so");
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.text("bannerText")
                    .startsWith(QStringLiteral("The export was not verified: ONNX Runtime is required")));
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("not verified"));
        driven.keepPicture(QStringLiteral("no_runtime"));
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        auto* dialog = driven.find<QMessageBox>("runtimeDialog");
        QVERIFY(dialog->informativeText().contains(QStringLiteral("/nowhere/libonnxruntime.so")));
        QVERIFY(dialog->informativeText().contains(QStringLiteral("pip install onnxruntime")));
        // The file is chosen, and what was asked for goes on.
        const bool isThere = candidates.front().has_parent_path();
        if (isThere) {
            QTest::mouseClick(driven.find<QPushButton>("chooseRuntime"), Qt::LeftButton);
            driven.answerFileDialog("runtimeFileDialog", QString::fromStdString(candidates.front().string()));
            QVERIFY(driven.settle());
            QVERIFY(driven.text("statusVerified").startsWith(QStringLiteral("verified")));
            QVERIFY(!driven.isShown("banner"));
        }
        qunsetenv(runtimeVariable);
    }

    void init()
    {
        const QByteArray test = QTest::currentTestFunction();
        if (test == "explainsHowToInstallTheRuntime" || test == "strategiesCannotBeMeasuredWithoutTheRuntime") {
            return;
        }
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
    }

    void aModelThatRunsWithoutEndIsStopped()
    {
        const EndlessModel endless;
        DrivenWindow driven;
        QVERIFY(driven.open(endless.model));
        driven.document().exporter().setSettings({{}, {}, {.time = std::chrono::seconds(2)}});
        driven.document().verifier().verifyAgainst(endless.recorded);
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("bannerText"), QStringLiteral("Verification failed: the model ran for more than 2 s."));
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("not verified"));
        driven.clickNode(Side::Source, "Loop_y");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Loop"));
    }

    void aModelThatRunsWithoutEndIsCancelled()
    {
        const EndlessModel endless;
        DrivenWindow driven;
        QVERIFY(driven.open(endless.model));
        driven.document().verifier().verifyAgainst(endless.recorded);
        QTest::qWait(500);
        QVERIFY(!driven.document().isIdle());
        driven.find<QAction>("workCancel")->trigger();
        QElapsedTimer elapsed;
        elapsed.start();
        QVERIFY(driven.settle());
        QVERIFY(elapsed.elapsed() < DrivenWindow::patience / 2);
    }

    void aCrashOfTheRuntimeEndsTheCheckOnly_data()
    {
        QTest::addColumn<QByteArray>("crash");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("abort") << QByteArray("abort") << QStringLiteral("ONNX Runtime crashed");
        QTest::newRow("segmentation fault") << QByteArray("fault") << QStringLiteral("ONNX Runtime crashed");
        QTest::newRow("exit") << QByteArray("exit") << QStringLiteral("ONNX Runtime ended its process");
        QTest::newRow("no interface") << QByteArray("null") << QStringLiteral("does not provide version");
    }
    void aCrashOfTheRuntimeEndsTheCheckOnly()
    {
        QFETCH(QByteArray, crash);
        QFETCH(QString, sentence);
        const DenseModel dense;
        DrivenWindow driven;
        QVERIFY(driven.open(dense.model));
        qputenv(runtimeVariable, CRASHING_RUNTIME);
        qputenv("CROSSWALK_TEST_CRASH", crash);
        driven.document().verifier().verifyAgainst(dense.recorded().toStdString());
        QVERIFY(driven.settle());
        QVERIFY2(driven.text("bannerText").contains(sentence), qPrintable(driven.text("bannerText")));
        QSignalSpy measured(&driven.document().verifier(), &Verifier::latencyMeasured);
        driven.document().verifier().measureLatency();
        QVERIFY(driven.settle());
        QCOMPARE(measured.size(), 1);
        qunsetenv("CROSSWALK_TEST_CRASH");
        qunsetenv(runtimeVariable);
        QVERIFY(!driven.document().verifier().latencies());
        driven.document().verifier().verifyAgainst(dense.recorded().toStdString()); // with the real one
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("differs"));
    }

    void aMeasurementWaitsForTheVerification()
    {
        const DenseModel dense;
        DrivenWindow driven;
        QVERIFY(driven.open(dense.model));
        Verifier& verifier = driven.document().verifier();
        verifier.verifyAgainst(dense.recorded().toStdString());
        verifier.measureLatency();
        QCOMPARE(verifier.job().activity(), QStringLiteral("Verifying with ONNX Runtime"));
        QVERIFY(driven.settle());
        QVERIFY(verifier.check());
        QVERIFY(verifier.latencies());
        QCOMPARE(verifier.job().activity(), QStringLiteral("Measuring with ONNX Runtime"));
    }

    void droppedTensorsAreVerified()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_softmax0");
        QCOMPARE(driven.text("nodeProof"), QStringLiteral("Not yet checked on recorded tensors."));
        driven.drop({QFileInfo(exampleModel("digits_crnn")).dir().filePath(QStringLiteral("test_data_set_0"))});
        QVERIFY(driven.settle());
        QVERIFY(driven.text("statusVerified").startsWith(QStringLiteral("verified")));
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("Matches the recorded tensors: 320 values")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("Not checked")));
        QVERIFY(!driven.isShown("banner"));
    }

    void gapsStayMarked()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        const auto rnn = *driven.boxNamed(Side::Source, "keyword_lstmp_rnn0");
        const QStringList badges = driven.document().colours().marks(Side::Source)->badges.at(rnn);
        QVERIFY(badges.contains(QStringLiteral("clip")));
        driven.drop({QFileInfo(exampleModel("keyword_lstmp")).dir().filePath(QStringLiteral("test_data_set_0"))});
        QVERIFY(driven.settle());
        QVERIFY(!driven.document().colours().areErrors()); // what matches keeps the colours of its family
        QVERIFY(driven.document().colours().marks(Side::Source)->isProven(rnn));
        QCOMPARE(driven.document().colours().marks(Side::Source)->badges.at(rnn), badges);
        auto* tree = driven.find<QAbstractItemView>("outlineTree");
        driven.clickNode(Side::Source, rnn);
        QCOMPARE(tree->currentIndex().data(OutlineModel::BadgesRole).toStringList(), badges);
        driven.keepPicture(QStringLiteral("verified_gaps"));
    }

    void innerTensorsProveTheNodesOfBothSides()
    {
        REQUIRE_SHARED_CASES();
        const auto folder = sharedFolder() / "cases/zoo/digits_crnn";
        DrivenWindow driven(nullptr, {1600, 1000});
        QVERIFY(driven.open(QString::fromStdString((folder / "model-symbol.json").string())));
        // One of the files is enough to find the others.
        driven.drop({QString::fromStdString((folder / "test_data_set_0/input_0.pb").string())});
        QVERIFY(driven.settle());
        QVERIFY(driven.document().verifier().check());
        QVERIFY(driven.document().verifier().check()->count(Proof::Proven) >= 12);
        QCOMPARE(levelOf(driven, Side::Source, "digits_features_conv0_fwd"), ErrorLevel::Same);
        driven.clickNode(Side::Source, "digits_lstm_rnn0");
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("Matches the recorded tensors: 12288 values")));
        // A node of the other side is as proven as what it was made from.
        driven.clickNode(Side::Target, driven.window.canvas(Side::Target)->counterparts().front());
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("Matches")));
        driven.keepPicture(QStringLiteral("proven"));
        // A tick says so without colour, in the list and on the graph; what was not compared has none.
        auto* tree = driven.find<QAbstractItemView>("outlineTree");
        driven.clickNode(Side::Source, "digits_features_conv0_fwd");
        QVERIFY(tree->currentIndex().data(OutlineModel::ProvenRole).toBool());
        QVERIFY(tree->currentIndex().data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("matches")));
        driven.find<QAction>("viewActualSize")->trigger();
        QVERIFY(driven.settle());
        const auto ticked = [&](std::uint32_t box) {
            auto* canvas = driven.window.canvas(Side::Source);
            canvas->reveal({canvas->drawnScene()->drawnAs(box)});
            QCoreApplication::processEvents();
            const QRectF place =
                canvas->transform().toView(canvas->drawnScene()->index.box(canvas->drawnScene()->drawnAs(box)));
            const QRect corner(QPoint(static_cast<int>(place.right()) - 21, static_cast<int>(place.top()) + 5),
                               QSize(16, 14));
            const QImage picture = canvas->grab(corner).toImage();
            int inked = 0;
            for (int y = 0; y < picture.height(); ++y) {
                for (int x = 0; x < picture.width(); ++x) {
                    inked += contrast(picture.pixelColor(x, y), theme().error(ErrorLevel::Same).header) > 4 ? 1 : 0;
                }
            }
            return inked > 8;
        };
        QVERIFY(ticked(*driven.boxNamed(Side::Source, "digits_features_conv0_fwd")));
        QVERIFY(ticked(*driven.boxNamed(Side::Source, "digits_output_fwd")));
        QVERIFY(!ticked(*driven.boxNamed(Side::Source, "data")));
    }

    void theFirstDivergingNodeIsSelectedOnBothSides()
    {
        DenseModel dense;
        DrivenWindow driven;
        QVERIFY(driven.open(dense.model));
        driven.drop({dense.recorded()});
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusVerified"), QStringLiteral("differs"));
        QVERIFY(driven.text("bannerText").startsWith(QStringLiteral("act is the first to differ")));
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("largest difference 1 (34 instead of 35)")));
        QCOMPARE(driven.labels(Side::Source, driven.window.canvas(Side::Source)->selection()),
                 std::vector<std::string>{"act"});
        const auto& counterparts = driven.window.canvas(Side::Target)->counterparts();
        QCOMPARE(counterparts.size(), std::size_t{1});
        QCOMPARE(driven.operatorOf(Side::Target, counterparts.front()), std::string("Relu"));
        QVERIFY(driven.text("nodeProof").startsWith(QStringLiteral("The first to differ")));

        QCOMPARE(levelOf(driven, Side::Source, "fc"), ErrorLevel::Same);
        QCOMPARE(levelOf(driven, Side::Source, "act"), ErrorLevel::Differs);
        QCOMPARE(levelOf(driven, Side::Source, "top"), ErrorLevel::Differs);
        QCOMPARE(driven.document().colours().marks(Side::Target)->errors.at(counterparts.front()), ErrorLevel::Differs);
        driven.keepPicture(QStringLiteral("diverging"));

        // From elsewhere, the banner leads back.
        driven.clickNode(Side::Source, "top");
        QVERIFY(driven.text("nodeProof").contains(QStringLiteral("The first difference is at act")));
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QCOMPARE(driven.text("nodeProof").left(9), QStringLiteral("The first"));
    }

    void theColoursAreSwitchedByAKeyAndTheLegendSelects()
    {
        DenseModel dense;
        DrivenWindow driven;
        QVERIFY(driven.open(dense.model));
        QVERIFY(!driven.find<QAction>("viewErrors")->isEnabled());
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier);
        driven.answerFileDialog("verifyDialog", dense.recorded());
        QVERIFY(driven.settle());
        auto* legend = driven.find<QLabel>("statusVerdicts");
        QVERIFY(legend->text().contains(QStringLiteral("2 differ")));
        legend->setFocus(Qt::OtherFocusReason);
        QTest::keyClick(legend, Qt::Key_Tab);
        QTest::keyClick(legend, Qt::Key_Return); // the first entry: identical
        QCOMPARE(driven.labels(Side::Source, driven.window.canvas(Side::Source)->selection()),
                 std::vector<std::string>{"fc"});

        QTest::keyClick(&driven.window, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!driven.document().colours().areErrors());
        QVERIFY(legend->text().contains(QStringLiteral("exact")));
        QVERIFY(driven.document().colours().marks(Side::Source)->tints.empty());
        QTest::keyClick(&driven.window, Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.document().colours().areErrors());
    }

    void aNewConversionIsUnchecked()
    {
        DenseModel dense;
        DrivenWindow driven;
        QVERIFY(driven.open(dense.model));
        driven.drop({dense.recorded()});
        QVERIFY(driven.settle());
        QVERIFY(driven.document().verifier().check());
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!driven.document().verifier().check());
        QVERIFY(!driven.isShown("banner"));
        QCOMPARE(driven.text("statusVerified"), QString());
        driven.clickNode(Side::Source, "fc");
        QCOMPARE(driven.text("nodeProof"), QStringLiteral("Not yet checked on recorded tensors."));
    }

    void aCancelledCheckShowsNoMessage()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QSignalSpy verified(&driven.document().verifier(), &Verifier::verified);
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier);
        QVERIFY(!driven.document().isIdle());
        QTest::keyClick(&driven.window, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(driven.document().isIdle());
        QVERIFY(driven.settle());
        QCOMPARE(verified.count(), 0);
        QVERIFY(!driven.document().verifier().check());
        // And the next one runs.
        QTest::keyClick(&driven.window, Qt::Key_R, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(verified.count(), 1);
    }

    void explainsWhyVerificationCannotRun()
    {
        TemporaryFiles files;
        const auto model = files.write("net-symbol.json",
                                       symbolFile({variable("data"), node("NoSuchOperator", "odd", "[[0, 0, 0]]")}));
        record(files.path("recorded/output_0.pb"), "odd_output", {1}, {1});
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        driven.drop({QString::fromStdString(files.path("recorded").string())});
        QVERIFY(driven.settle());
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("1 node has no ONNX equivalent")));
    }

    void reportsMismatchedRecordedTensors()
    {
        DenseModel dense;
        record(dense.files.path("other/output_0.pb"), "top_output", {1, 2}, {1, 1});
        DrivenWindow driven;
        QVERIFY(driven.open(dense.model));
        driven.drop({dense.recorded("other")});
        QVERIFY(driven.settle());
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("has no tensor for the model's input data")));
    }
};

QTEST_MAIN(TestWindowVerify)
#include "tst_window_verify.moc"
