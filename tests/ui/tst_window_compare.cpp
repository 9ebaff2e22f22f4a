// Two models side by side, as a user drives them.

#include "tests/support/onnx_text.h"
#include "tests/ui/compared_models.h"
#include "tests/ui/driven_window.h"
#include "ui/document/comparison.h"

#include <QAction>
#include <QComboBox>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

class Models {
public:
    Models()
    {
        writeMessage(parseModel(before), path("before.onnx").toStdString());
        writeMessage(parseModel(after), path("after.onnx").toStdString());
    }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    /// Opens the first model and compares it with the second.
    OpenedFiles compared(const char* first, const char* second) const
    {
        return {.model = path(first).toStdString(), .compared = path(second).toStdString()};
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestWindowCompare : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void twoModelsAreComparedFromTheMenu()
    {
        const Models models;
        DrivenWindow driven;
        QVERIFY(driven.open(models.path("before.onnx")));
        QTest::keyClick(&driven.window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        driven.answerFileDialog("compareDialog", models.path("after.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() != nullptr);
        QCOMPARE(driven.text("onnxWhat"), QStringLiteral("After"));
        QCOMPARE(driven.text("sourceWhat"), QStringLiteral("Before"));
        QVERIFY(driven.text("statusVerdicts").contains(QLatin1String("1 removed")));
        QVERIFY(driven.text("statusVerdicts").contains(QLatin1String("1 added")));
        QVERIFY(!driven.find<QAction>("fileExport")->isEnabled());

        const auto relu = driven.boxNamed(Side::Source, "relu");
        QVERIFY(relu);
        QCOMPARE(driven.document().marks(Side::Source)->verdicts[*relu], Verdict::Unsupported);
        driven.clickNode(Side::Source, "leaky");
        QCOMPARE(driven.labels(Side::Target, driven.document().selection().counterparts()),
                 std::vector<std::string>{"leaky"});
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("attribute alpha")).contains(QLatin1String("0.25")));
        driven.keepPicture(QStringLiteral("compare"));
    }

    void weightsWithoutNumbersHaveNoDifference()
    {
        const Models models;
        for (const auto& [text, name] : {std::pair(before, "before.onnx"), {after, "after.onnx"}}) {
            auto model = parseModel(text);
            auto* weight = model.mutable_graph()->mutable_initializer(0);
            weight->set_data_type(::onnx::TensorProto::FLOAT8E4M3FN);
            weight->clear_float_data();
            weight->set_raw_data(std::string(4, '\x38'));
            writeMessage(model, models.path(name).toStdString());
        }
        DrivenWindow driven;
        QVERIFY(driven.open(models.path("before.onnx")));
        QTest::keyClick(&driven.window, Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        driven.answerFileDialog("compareDialog", models.path("after.onnx"));
        QVERIFY(driven.settle());
        driven.clickNode(Side::Source, "add");
        driven.showDock("tensorDock");
        const auto* version = driven.find<QComboBox>("tensorVersion");
        QCOMPARE(version->count(), 2);
        QVERIFY(driven.text("tensorType").startsWith(QStringLiteral("float8_e4m3fn 4")));
    }

    void keysStepThroughDifferences()
    {
        const Models models;
        DrivenWindow driven;
        driven.document().open(models.compared("before.onnx", "after.onnx"));
        QVERIFY(driven.settle());
        std::vector<std::string> visited;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(&driven.window, Qt::Key_F7);
            const auto found =
                driven.labels(driven.document().selection().side(), driven.document().selection().boxes());
            visited.insert(visited.end(), found.begin(), found.end());
        }
        QCOMPARE(visited, (std::vector<std::string>{"relu", "leaky", "neg", "relu"}));
        QTest::keyClick(&driven.window, Qt::Key_F7, Qt::ShiftModifier);
        QCOMPARE(driven.labels(driven.document().selection().side(), driven.document().selection().boxes()),
                 std::vector<std::string>{"neg"});
        // The legend selects what is of one kind; what is added stands on the right.
        Q_EMIT driven.find<QLabel>("statusVerdicts")
            ->linkActivated(QString::number(static_cast<int>(Verdict::Decomposed)));
        QCOMPARE(driven.document().selection().side(), Side::Target);

        driven.find<QAction>("fileEndComparison")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() == nullptr);
        QCOMPARE(driven.text("onnxWhat"), QStringLiteral("ONNX"));
        QVERIFY(driven.find<QAction>("fileExport")->isEnabled());
    }

    void formatsShapesAndValuesConsistently()
    {
        QCOMPARE(changeText({"input x", "float32 14x1x20", "float32 14xNx20"}),
                 QStringLiteral("float32 14\u00d71\u00d720 \u2192 float32 14\u00d7N\u00d720"));
        QCOMPARE(changeText({"weight max", "(0, 512)", "(2, 512)"}), QStringLiteral("(0, 512) \u2192 (2, 512)"));
        QCOMPARE(changeText({"input x", "int64 batchx3", ""}), QStringLiteral("int64 batch\u00d73 \u2192 \u2013"));
        QCOMPARE(changeText({"operator", "Max", "Relux3"}), QStringLiteral("Max \u2192 Relux3")); // no types
    }

    void namesWhatDiffers()
    {
        QCOMPARE(differenceText({"function local.f", "a graph of 1 node", ""}),
                 QStringLiteral("function local.f: a graph of 1 node \u2192 \u2013"));
        QCOMPARE(differenceText({"output y", "relu", "neg"}), QStringLiteral("output y: relu \u2192 neg"));
    }

    void theListOfDifferencesLeadsToTheNodesOfBothModels()
    {
        const Models models;
        DrivenWindow driven;
        driven.document().open(models.compared("before.onnx", "after.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.find<QDockWidget>("problemsDock")->windowTitle().startsWith(QLatin1String("Differences ")));
        const auto* list = driven.find<QAbstractItemView>("problemsTable")->model();
        QCOMPARE(list->rowCount(), 4); // the nodes, and the output that another node computes
        const auto go = [&](const QString& node) {
            for (int row = 0; row < list->rowCount(); ++row) {
                for (int column = 0; column < list->columnCount(); ++column) {
                    if (list->index(row, column).data().toString() == node) {
                        driven.clickCell("problemsTable", list->index(row, column));
                    }
                }
            }
            return driven.labels(driven.document().selection().side(), driven.document().selection().boxes());
        };
        QCOMPARE(go(QStringLiteral("relu")), std::vector<std::string>{"relu"});
        QCOMPARE(driven.document().selection().side(), Side::Source);
        QCOMPARE(go(QStringLiteral("neg")), std::vector<std::string>{"neg"});
        QCOMPARE(driven.document().selection().side(), Side::Target);
    }

    void reportsEqualModels()
    {
        const Models models;
        DrivenWindow driven;
        driven.document().open(models.compared("before.onnx", "before.onnx"));
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("statusCounts"), QStringLiteral("The models are equal"));
        QCOMPARE(driven.text("problemsEmpty"), QStringLiteral("The two models are equal."));
        QTest::keyClick(&driven.window, Qt::Key_F7);
        QVERIFY(driven.document().selection().isEmpty());
    }

    void editsWaitForTheEndOfAComparison()
    {
        const Models models;
        DrivenWindow driven;
        QVERIFY(driven.open(models.path("before.onnx")));
        driven.document().setOpset(18);
        QVERIFY(driven.settle());
        driven.document().compareWith(models.path("after.onnx").toStdString());
        QVERIFY(driven.settle());
        for (const char* name : {"editUndo", "opset19", "modelNames", "modelCutOut", "modelVerify", "fileReport"}) {
            QVERIFY2(!driven.find<QAction>(name)->isEnabled(), name);
        }
        driven.showDock("inputsDock");
        QVERIFY(!driven.find<QAbstractItemView>("inputsTable")->isEnabled());
        QTest::keyClick(&driven.window, Qt::Key_F7);
        QVERIFY(driven.text("statusMessage").startsWith(QLatin1String("Difference 1 of")));
        QTest::keyClick(&driven.window, Qt::Key_D, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().converted()->conversion.opset, 18);
        QCOMPARE(driven.text("statusMessage"), QString());
        QVERIFY(driven.find<QAction>("editUndo")->isEnabled());
        // The choices were not touched: nothing is marked as changed.
        for (const auto side : {Side::Source, Side::Target}) {
            QVERIFY(driven.document().marks(side)->badges.empty());
        }
    }

    void reloadingKeepsTheComparison()
    {
        const Models models;
        DrivenWindow driven;
        driven.document().open(models.compared("before.onnx", "after.onnx"));
        QVERIFY(driven.settle());
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() != nullptr);
    }

    void reportsAnUnreadableModel()
    {
        const Models models;
        DrivenWindow driven;
        QVERIFY(driven.open(models.path("before.onnx")));
        driven.document().compareWith(models.path("gone.onnx").toStdString());
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() == nullptr);
        QVERIFY(driven.isShown("banner"));
        QVERIFY(driven.document().converted() != nullptr);
        // From the command line both are opened at once: the first is there all the same.
        driven.document().open(models.compared("before.onnx", "gone.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.document().converted() != nullptr);
        QVERIFY(driven.find<QAction>("fileExport")->isEnabled());
    }
};

QTEST_MAIN(TestWindowCompare)
#include "tst_window_compare.moc"
