// An ONNX file as the source: its sizes opened, its opset and its names changed, a part of it cut out; each seen on the
// right, proven against the original, and taken back.

#include "core/formats/read_model.h"
#include "core/onnx/writer.h"
#include "core/verify/runtime.h"
#include "tests/support/onnx_models.h"
#include "tests/support/onnx_text.h"
#include "tests/support/paths.h"
#include "tests/support/recorded.h"
#include "tests/ui/driven_window.h"
#include "ui/models/shape_text.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTableWidget>

#include <fstream>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// A batch of two that is written into two shapes.
constexpr const char* baked = R"(g (float[2,6] x) => (float[2,6] y)
    <int64[3] apart = {2, 3, 2}, int64[2] whole = {2, 6}, float[2] w = {1, -2}> {
    [split] a = Reshape(x, apart)
    [add] b = Add(a, w)
    [relu] c = Relu(b)
    [join] y = Reshape(c, whole)
})";

/// Its first sample is taken by number.
constexpr const char* unmendable = R"(g (float[2,6] x) => (float[12] y) <int64[1] flat = {12}, float[12] w = {1, 2, 3,
    4, 5, 6, 7, 8, 9, 10, 11, 12}> {
    [flat] a = Reshape(x, flat)
    [add] y = Add(a, w)
})";

/// One sample, taken by number.
constexpr const char* picked = R"(g (float[1,6] x) => (float[6] y) <int64 first = {0}> {
    [neg] a = Neg(x)
    [pick] y = Gather<axis = 0>(a, first)
})";

/// Two nodes that do the same.
constexpr const char* mergeable = R"(g (float[2,4] x) => (float[2,4] y) {
    [one] a = Neg(x)
    [two] b = Neg(x)
    [sum] y = Mul(a, b)
})";

/// A model in a folder of its own.
class Model {
public:
    explicit Model(const char* text) { writeMessage(parseModel(text), path().toStdString()); }
    QString path(const char* name = "model.onnx") const { return m_folder.filePath(QLatin1String(name)); }

private:
    QTemporaryDir m_folder;
};

void give(DrivenWindow& driven, const QString& shape)
{
    auto* editor = driven.editShape(QStringLiteral("x"));
    QTest::keyClicks(editor, shape);
    QTest::keyClick(editor, Qt::Key_Return);
    QVERIFY(driven.settle());
}

void key(DrivenWindow& driven, Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(&driven.window, key, modifiers);
    QVERIFY(driven.settle());
}

void verifyEquivalence(DrivenWindow& driven)
{
    key(driven, Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
}

/// Whether the last proof, of whichever kind, found the outputs of the original.
bool isAsOriginal(DrivenWindow& driven)
{
    const QString said = driven.text("statusVerified");
    const bool is = said.startsWith(QLatin1String("matches the original"));
    if (!is) {
        qWarning("%s", qPrintable(said));
    }
    return is;
}

const Graph& right(DrivenWindow& driven)
{
    return *driven.document().side(Side::Target)->graph;
}

std::string shapeOfFirstInput(DrivenWindow& driven)
{
    const Graph& graph = right(driven);
    return toString(*graph.value(graph.inputs.front()).type.shape);
}

} // namespace

class TestWindowSource : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void init()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is not installed");
        }
    }

    /// What a layer runs along counts steps: the batch of such a model stands behind it.
    void theBatchOfARecurrentModelIsNotItsTime()
    {
        const Model model(R"(g (float[5,1,2] x) => (float[5,1,1,3] y)
            <float[1,3,2] w = {1, 2, 3, 4, 5, 6}, float[1,3,3] r = {1, 0, 2, 0, 1, 0, 1, 1, 0}> {
            t = Tanh(x)
            y = RNN<hidden_size = 3>(t, w, r)
        })");
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        driven.showDock("inputsDock");
        QTest::mouseClick(driven.find<QPushButton>("presetBatchFree"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(shapeOfFirstInput(driven), std::string("5xNx2"));
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
    }

    void aFixedBatchBecomesDynamicAndIsProvenAtThreeSizes()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        const auto nodesBefore = right(driven).nodeCount();
        give(driven, QStringLiteral("N, 6"));
        QCOMPARE(shapeOfFirstInput(driven), std::string("Nx6"));
        QVERIFY(right(driven).nodeCount() > nodesBefore ||
                right(driven).value(right(driven).outputs.front()).type.shape);
        const Graph& graph = right(driven);
        QCOMPARE(toString(*graph.value(graph.outputs.front()).type.shape), std::string("Nx6"));

        // The nodes that had the batch in them are named, and F8 walks them.
        driven.showDock("problemsDock");
        std::vector<std::string> walked;
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(&driven.window, Qt::Key_F8);
            const auto selected = driven.labels(Side::Source, driven.document().selection().boxes());
            walked.insert(walked.end(), selected.begin(), selected.end());
        }
        QCOMPARE(walked, (std::vector<std::string>{"split", "join"}));
        QVERIFY(!driven.document().selection().counterparts().empty());
        driven.keepPicture(QStringLiteral("opened_batch"));

        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        QVERIFY(driven.find<QLabel>("statusVerified")->toolTip().contains(QLatin1String("1, 3 and 8 batches")));
        driven.clickNode(Side::Source, "relu");
        QVERIFY(driven.text("nodeProof").contains(QLatin1String("1, 3 and 8 batches at once")));
        driven.keepPicture(QStringLiteral("opened_batch_proven"));

        // And back to what the file says.
        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(shapeOfFirstInput(driven), std::string("2x6"));
        QVERIFY(driven.document().problems().empty());
        QVERIFY(driven.text("statusVerified").isEmpty());
    }

    /// What cannot be opened runs on each sample by itself, and back.
    void runsEachSampleSeparately()
    {
        const Model model(picked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        auto* action = driven.window.findChild<QAction*>(QStringLiteral("modelEachSample"));
        QVERIFY(!action->isEnabled()); // there is no batch yet
        give(driven, QStringLiteral("N, 6"));
        QVERIFY(!driven.document().problems().empty());
        QVERIFY(driven.document().problems().front().severity == Severity::Error);
        QVERIFY(!driven.document().exporter().obstacle().isEmpty());
        const auto box = driven.boxNamed(Side::Target, "pick");
        QVERIFY(box.has_value());
        QCOMPARE(driven.document().marks(Side::Target)->verdicts[*box], Verdict::Unsupported);
        driven.clickNode(Side::Source, "pick");
        QCOMPARE(driven.text("nodeVerdict"),
                 QStringLiteral("Unchanged from the source, which does not match the requested settings."));
        driven.showDock("problemsDock");
        const auto told = driven.cell("problemsTable", QStringLiteral("pick"), 2).data().toString();
        QVERIFY2(told.contains(QStringLiteral("Run samples one at a time")), qPrintable(told));

        key(driven, Qt::Key_B, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(action->isChecked());
        QVERIFY(driven.operators(Side::Target).contains("Scan"));
        QCOMPARE(shapeOfFirstInput(driven), std::string("Nx6"));
        QCOMPARE(toString(*right(driven).value(right(driven).outputs.front()).type.shape), std::string("Nx6"));
        driven.clickNode(Side::Source, "pick");
        QCOMPARE(driven.labels(Side::Target, driven.document().selection().counterparts()),
                 std::vector<std::string>{"each_sample"});
        driven.keepPicture(QStringLiteral("each_sample"));
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));

        // A batch that is given up takes it along, and undo brings both back.
        give(driven, QStringLiteral("1, 6"));
        QVERIFY(!action->isChecked() && !action->isEnabled());
        QVERIFY(driven.document().problems().empty());
        QVERIFY(!driven.operators(Side::Target).contains("Scan"));
        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(action->isChecked());
        QVERIFY(driven.operators(Side::Target).contains("Scan"));
        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!action->isChecked() && action->isEnabled());
        QVERIFY(driven.document().problems().front().severity == Severity::Error);
    }

    void aDynamicBatchIsFixed()
    {
        const Model model(R"(g (float[N,6] x) => (float[N,6] y) { y = Relu(x) })");
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        driven.showDock("inputsDock");
        QTest::mouseClick(driven.find<QPushButton>("presetBatchOne"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(shapeOfFirstInput(driven), std::string("1x6"));
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(shapeOfFirstInput(driven), std::string("Nx6"));
    }

    void reportsADimensionThatCannotBeDynamic()
    {
        const Model model(unmendable);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        give(driven, QStringLiteral("N, 6"));
        QVERIFY(driven.isShown("banner"));
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()), std::vector<std::string>{"add"});
        QVERIFY(!driven.find<QAction>("fileExport")->isEnabled());
        driven.keepPicture(QStringLiteral("baked_size"));
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().problems().empty());
        QVERIFY(driven.find<QAction>("fileExport")->isEnabled());
    }

    void theOpsetIsConvertedAndProven()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        QVERIFY(driven.find<QAction>("opset17")->isChecked());
        driven.find<QAction>("opset19")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().converted()->conversion.opset, 19);
        QCOMPARE(driven.text("onnxName"), QStringLiteral("opset 19"));
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(driven.document().converted()->conversion.opset, 17);
    }

    void replacingTheOpenModelRequiresConfirmation()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        const auto bytes = [&] {
            QFile file(model.path());
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = bytes();
        QSignalSpy exported(&driven.document().exporter(), &Exporter::exported);
        const auto ask = [&] {
            QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier);
            driven.answerFileDialog("exportDialog", model.path());
            return driven.window.findChild<QMessageBox*>(QStringLiteral("replaceDialog"));
        };
        auto* question = ask();
        QVERIFY(question != nullptr);
        QCOMPARE(question->text(), QStringLiteral("model.onnx is the open model. Replace it with its export?"));
        QTest::keyClick(question, Qt::Key_Return); // Cancel is the default
        QTRY_VERIFY(driven.window.findChild<QMessageBox*>(QStringLiteral("replaceDialog")) == nullptr);
        driven.window.activateWindow();
        QVERIFY(driven.settle());
        QCOMPARE(exported.count(), 0);
        QCOMPARE(bytes(), before);

        question = ask();
        QVERIFY(question != nullptr);
        QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("replaceFile")), Qt::LeftButton);
        driven.window.activateWindow();
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, DrivenWindow::patience);
        QVERIFY(bytes() != before);
        // Of another file it is only said that it is there.
        exported.clear();
        QFile::copy(model.path(), model.path("other.onnx"));
        QTest::keyClick(&driven.window, Qt::Key_E, Qt::ControlModifier);
        driven.answerFileDialog("exportDialog", model.path("other.onnx"));
        question = driven.find<QMessageBox>("replaceDialog");
        QCOMPARE(question->text(), QStringLiteral("other.onnx already exists. Replace it?"));
        QTest::mouseClick(question->findChild<QPushButton*>(QStringLiteral("replaceFile")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, DrivenWindow::patience);
    }

    void namesAreChangedInATable()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        QTest::keyClick(&driven.window, Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
        auto* dialog = driven.find<QDialog>("namesDialog");
        auto* table = driven.find<QTableWidget>("namesTable");
        QCOMPARE(table->item(0, 0)->text(), QStringLiteral("x"));
        QCOMPARE(table->item(0, 2)->text(), QStringLiteral("input"));
        QCOMPARE(table->item(1, 0)->text(), QStringLiteral("y"));
        QCOMPARE(table->item(1, 2)->text(), QStringLiteral("output"));
        const auto type = [&](const QString& name) {
            QTest::keyClick(table, Qt::Key_F2);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the editor of the name before
            auto* editor = table->viewport()->findChild<QLineEdit*>();
            QVERIFY(editor != nullptr);
            editor->selectAll();
            QTest::keyClicks(editor, name);
            QTest::keyClick(editor, Qt::Key_Return);
            QCoreApplication::processEvents();
        };
        // What is taken is said as it is typed, and cannot be asked for.
        auto* accept = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        type(QStringLiteral("y"));
        QVERIFY(!accept->isEnabled());
        QVERIFY(driven.isShown("namesProblem"));
        type(QStringLiteral("c"));
        QVERIFY(driven.text("namesProblem").contains(QLatin1String("another value")));
        type(QStringLiteral("image"));
        QVERIFY(accept->isEnabled());
        QVERIFY(dialog->grab().save(artifactsFolder() + QStringLiteral("/names_dialog.png")));
        QTest::mouseClick(accept, Qt::LeftButton);
        driven.window.activateWindow(); // as window managers do
        QVERIFY(driven.settle());
        QCOMPARE(right(driven).value(right(driven).inputs.front()).name, std::string("image"));
        // The two are still one input.
        driven.clickNode(
            Side::Source,
            *driven.document().side(Side::Source)->boxOf(driven.document().side(Side::Source)->graph->inputs.front()));
        QCOMPARE(driven.labels(Side::Target, driven.document().selection().counterparts()),
                 std::vector<std::string>{"image"});
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        driven.document().exporter().exportTo(model.path("renamed.onnx").toStdString());
        QVERIFY(driven.settle());
        const auto renamed = readModel({.model = model.path("renamed.onnx").toStdString(), .weights = {}, .stop = {}});
        QVERIFY(renamed);
        QVERIFY(renamed.value().graph->findInput("image"));

        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(right(driven).value(right(driven).inputs.front()).name, std::string("x"));
    }

    void aNodeBecomesTheOutput()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        QVERIFY(!driven.find<QAction>("modelMakeOutput")->isEnabled());
        QVERIFY(!driven.find<QAction>("modelOwnOutputs")->isEnabled());
        const std::size_t nodes = right(driven).nodeCount();
        driven.clickNode(Side::Source, "add");
        const auto source = driven.document().side(Side::Source)->graph;
        const NodeId add = *driven.document().selection().sourceNode();
        driven.find<QAction>("modelMakeOutput")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(right(driven).outputs.size(), std::size_t{1});
        QCOMPARE(right(driven).value(right(driven).outputs.front()).name,
                 source->value(source->node(add).outputs[0]).name);
        QVERIFY(right(driven).nodeCount() < nodes);
        QVERIFY(driven.text("statusVerdicts").contains(QLatin1String("left out")));
        driven.find<QAction>("modelOwnOutputs")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(right(driven).nodeCount(), nodes);
    }

    void anEditThatChangesNothingIsNotReportedLater()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        driven.clickNode(Side::Source, "relu");
        for (int i = 0; i < 2; ++i) {
            driven.find<QAction>("modelCutOut")->trigger();
            QVERIFY(driven.settle());
            QVERIFY(driven.text("statusMessage").startsWith(QStringLiteral("Extracted a part")));
        }
        driven.document().setOpset(19);
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusMessage"), QString());
    }

    void theSelectionIsExtracted()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        QVERIFY(!driven.find<QAction>("modelCutOut")->isEnabled());
        driven.clickNode(Side::Source, "add");
        auto* canvas = driven.window.canvas(Side::Source);
        const auto relu = canvas->drawnScene()->drawnAs(*driven.boxNamed(Side::Source, "relu"));
        QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier,
                          canvas->transform().toView(canvas->drawnScene()->index.box(relu).center()).toPoint());
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{2});
        key(driven, Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(right(driven).nodeCount(), std::size_t{2});
        QCOMPARE(right(driven).value(right(driven).inputs.front()).name, std::string("a"));
        QVERIFY(driven.document().problems().empty());
        QCOMPARE(driven.text("statusMessage"), QStringLiteral("Extracted a part with 1 input and 1 output"));
        // It is another graph: it is seen as when it is opened.
        auto* cut = driven.window.canvas(Side::Target);
        const auto seen = cut->transform();
        cut->showBeginning();
        QVERIFY(cut->transform() == seen);
        // What is cut away is so on the left.
        const auto join = *driven.boxNamed(Side::Source, "join");
        QCOMPARE(driven.document().marks(Side::Source)->verdicts[join], Verdict::Folded);
        QVERIFY(driven.text("statusVerdicts").contains(QLatin1String("2 left out")));
        driven.keepPicture(QStringLiteral("cut_out"));

        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        driven.document().exporter().exportTo(model.path("part.onnx").toStdString());
        QVERIFY(driven.settle());
        const auto part = readModel({.model = model.path("part.onnx").toStdString(), .weights = {}, .stop = {}});
        QVERIFY(part);
        QCOMPARE(part.value().graph->nodeCount(), std::size_t{2});

        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(right(driven).nodeCount(), std::size_t{4});
        key(driven, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(right(driven).nodeCount(), std::size_t{2});
        key(driven, Qt::Key_X, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(right(driven).nodeCount(), std::size_t{4});
        QVERIFY(!driven.find<QAction>("modelKeepWhole")->isEnabled());
        QCOMPARE(driven.text("statusMessage"), QString());
    }

    void aChangedFileIsNotVerified()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("large.onnx")).toStdString();
        OnnxModel model = smallModel();
        addWeight(model, "big", Tensor::filled(ElementType::UInt8, {1 << 16}, 7));
        writeOnnx(model, path);
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(path)));
        std::ofstream(path, std::ios::app) << '\0';
        QStringList codes;
        const auto add = [&](const auto& result) {
            codes << (result ? QString() : fromUtf8(std::string(result.problem().code.text())));
        };
        Verifier& verifier = driven.document().verifier();
        connect(&verifier, &Verifier::verified, this, [&](const Result<NodeCheck>& check) { add(check); });
        connect(&verifier, &Verifier::latencyMeasured, this, [&](const Result<LatencyReport>& report) { add(report); });
        verifier.verifyEquivalence();
        QVERIFY(driven.settle());
        verifier.measureLatency();
        QVERIFY(driven.settle());
        QCOMPARE(codes, (QStringList{"unreadable", "unreadable"}));
    }

    void anExtractedPartKeepsItsNamesWhenItIsReadAgain()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        driven.document().setPart(ModelPart{{"a"}, {"c"}});
        driven.document().setRenames({{"a", "image"}});
        QVERIFY(driven.settle());
        key(driven, Qt::Key_F5, Qt::NoModifier);
        QVERIFY(driven.document().options().part.has_value());
        QCOMPARE(right(driven).value(right(driven).inputs.front()).name, std::string("image"));

        // A part that no longer exists is dropped.
        QVERIFY(QFile::remove(model.path()));
        writeMessage(parseModel(picked), model.path().toStdString());
        key(driven, Qt::Key_F5, Qt::NoModifier);
        QVERIFY(!driven.document().options().part);
        QVERIFY(driven.document().options().renames.empty());
        QVERIFY(driven.document().converted() != nullptr);
    }

    void anExtractedPartIsNotComparedWithRecordedTensors()
    {
        const Model model(baked);
        const std::filesystem::path data = model.path("test_data_set_0").toStdString();
        record(data / "input_0.pb", "x", {2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        record(data / "output_0.pb", "y", {2, 6}, {2, 0, 4, 2, 6, 4, 8, 6, 10, 8, 12, 10});
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        key(driven, Qt::Key_R, Qt::ControlModifier);
        QVERIFY(driven.text("statusVerified").startsWith(QLatin1String("verified")));
        driven.document().setPart(ModelPart{{"a"}, {"c"}});
        QVERIFY(driven.settle());
        key(driven, Qt::Key_R, Qt::ControlModifier);
        QVERIFY(isAsOriginal(driven));
        QVERIFY(!driven.isShown("banner"));
    }

    void equalNodesAreMergedByMouseAndByKeyboard()
    {
        const Model model(mergeable);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        QCOMPARE(right(driven).nodeCount(), std::size_t{3});
        auto* optimize = driven.find<QAction>("modelOptimize");
        QVERIFY(optimize->isEnabled() && !optimize->isChecked());
        const auto clickInMenu = [&] {
            auto* bar = driven.window.menuBar();
            for (auto* top : bar->actions()) {
                if (top->menu()->actions().contains(optimize)) {
                    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(top).center());
                    QVERIFY(top->menu()->isVisible());
                    QTest::mouseClick(top->menu(), Qt::LeftButton, {}, top->menu()->actionGeometry(optimize).center());
                }
            }
            driven.window.activateWindow(); // as window managers do
            QVERIFY(driven.settle());
        };
        clickInMenu();
        QVERIFY(optimize->isChecked());
        QCOMPARE(driven.operators(Side::Target), (std::map<std::string, int>{{"Mul", 1}, {"Neg", 1}}));
        QCOMPARE(driven.operators(Side::Source), (std::map<std::string, int>{{"Mul", 1}, {"Neg", 2}}));
        QVERIFY(driven.text("statusCounts").endsWith(QLatin1String("2 ONNX nodes")));
        // Both are linked to the one that is left.
        driven.clickNode(Side::Source, "one");
        const auto left = driven.document().selection().counterparts();
        QCOMPARE(left.size(), std::size_t{1});
        QCOMPARE(driven.operatorOf(Side::Target, left.front()), std::string("Neg"));
        driven.clickNode(Side::Source, "two");
        QCOMPARE(driven.document().selection().counterparts(), left);
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        driven.keepPicture(QStringLiteral("optimized_source"));

        key(driven, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!optimize->isChecked());
        QCOMPARE(right(driven).nodeCount(), std::size_t{3});
        key(driven, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(optimize->isChecked());
        QCOMPARE(right(driven).nodeCount(), std::size_t{2});
        key(driven, Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(!optimize->isChecked());
        QCOMPARE(right(driven).nodeCount(), std::size_t{3});
        key(driven, Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(right(driven).nodeCount(), std::size_t{2});
        driven.document().exporter().exportTo(model.path("merged.onnx").toStdString());
        QVERIFY(driven.settle());
        const auto merged = readModel({.model = model.path("merged.onnx").toStdString(), .weights = {}, .stop = {}});
        QVERIFY(merged);
        QCOMPARE(merged.value().graph->nodeCount(), std::size_t{2});
    }

    void allEditsTogetherAreTheSameModel()
    {
        const Model model(baked);
        DrivenWindow driven;
        QVERIFY(driven.open(model.path()));
        give(driven, QStringLiteral("N, 6"));
        driven.find<QAction>("opset19")->trigger();
        QVERIFY(driven.settle());
        driven.document().setRenames({{"x", "image"}, {"y", "scores"}});
        QVERIFY(driven.settle());
        verifyEquivalence(driven);
        QVERIFY(isAsOriginal(driven));
        QCOMPARE(driven.document().undoStack()->count(), 3);
    }
};

QTEST_MAIN(TestWindowSource)
#include "tst_window_source.moc"
