// Problems: causes before effects, their buttons, failed checks, cancelled conversions, folders of models.

#include "core/base/budget.h"
#include "core/verify/runtime.h"
#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"

#include <QDialog>
#include <QListWidget>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr int nodeColumn = 0;
constexpr int messageColumn = 2;
constexpr int solutionColumn = 3;

QModelIndex firstRow(DrivenWindow& driven)
{
    return driven.find<QTreeView>("problemsTable")->model()->index(0, nodeColumn);
}

/// Waits until the window shows that the file of the open model has changed. That message would replace a later one.
bool showsChangeOnDisk(DrivenWindow& driven)
{
    return QTest::qWaitFor([&] { return driven.text("bannerText").contains(QStringLiteral("has changed on disk")); },
                           DrivenWindow::patience);
}

} // namespace

class TestWindowProblems : public QObject {
    Q_OBJECT
private:
    TemporaryFiles m_files;

    /// A copy of an example without its weights.
    QString withoutWeights(const char* example)
    {
        const QString path = QString::fromStdString(m_files.path("net-symbol.json").string());
        QFile::remove(path);
        return QFile::copy(exampleModel(example), path) ? path : QString();
    }

private slots:
    void initTestCase() { prepareWindows(); }

    void missingWeightsAreOneProblemWithAButton()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(withoutWeights("digits_crnn")));
        QCOMPARE(driven.document().causes().size(), std::size_t{1});
        const QModelIndex row = firstRow(driven);
        const QString message = row.siblingAtColumn(messageColumn).data().toString();
        QVERIFY2(message.startsWith(QStringLiteral("No weights file next to the model: 28 weights are missing: ")),
                 qPrintable(message));
        QVERIFY2(message.endsWith(QStringLiteral("9 nodes are blocked by this.")), qPrintable(message));
        QCOMPARE(row.siblingAtColumn(solutionColumn).data().toString(), QStringLiteral("Choose\u2026"));
        // The weights stay in their nodes on both sides.
        QVERIFY(!driven.boxNamed(Side::Target, "digits_features_conv0_weight"));
        // Neither blocked nodes nor anything else is an alarm.
        QVERIFY(driven.document().marks(Side::Source)->alarms.empty());
        driven.clickNode(Side::Source, "digits_mean0");
        QCOMPARE(driven.text("nodeVerdict"), QStringLiteral("Blocked until the missing weights are given."));
        driven.keepPicture(QStringLiteral("problems-missing-weights"));
        driven.clickCell("problemsTable", row.siblingAtColumn(solutionColumn));
        driven.answerFileDialog(
            "weightsDialog",
            QFileInfo(exampleModel("digits_crnn")).dir().filePath(QStringLiteral("model-0000.params")));
        QVERIFY(driven.settle());
        QVERIFY(driven.document().problems().empty());
    }

    void effectsAreSelectedFromBelowTheirCause()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(withoutWeights("digits_crnn")));
        auto* table = driven.find<QTreeView>("problemsTable");
        table->setFocus();
        table->setCurrentIndex(firstRow(driven));
        QTest::keyClick(table, Qt::Key_Right); // unfolds
        QTest::keyClick(table, Qt::Key_Down);
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_features_batchnorm0_fwd"});
        // F8 goes from cause to cause, not through their effects.
        QTest::keyClick(&driven.window, Qt::Key_F8);
        QVERIFY(!table->currentIndex().parent().isValid());
        // Enter on the cause is its button.
        table->setCurrentIndex(firstRow(driven));
        QTest::keyClick(table, Qt::Key_Return);
        QTRY_VERIFY(driven.window.findChild<QDialog*>(QStringLiteral("weightsDialog")) != nullptr);
        driven.window.findChild<QDialog*>(QStringLiteral("weightsDialog"))->reject();
    }

    void aFailedCheckIsAProblem()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        const auto before = driven.document().problems().size();
        driven.clickNode(Side::Source, "keyword_lstmp_rnn0");
        driven.pick("strategy-fused");
        driven.drop({QFileInfo(exampleModel("keyword_lstmp")).dir().filePath(QStringLiteral("test_data_set_0"))});
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().problems().size(), before + 1);
        const QModelIndex row = firstRow(driven);
        QCOMPARE(row.data().toString(), QStringLiteral("keyword_lstmp_rnn0"));
        QVERIFY(row.siblingAtColumn(messageColumn)
                    .data()
                    .toString()
                    .startsWith(QStringLiteral("The export computes other results than were recorded")));
        QCOMPARE(driven.find<QToolButton>("exportButton")->text(), QStringLiteral("Export despite differences"));
        driven.undo();
        QCOMPARE(driven.document().problems().size(), before);
        QCOMPARE(driven.find<QToolButton>("exportButton")->text(), QStringLiteral("Export to ONNX"));
    }

    void aCancelledConversionStartsAgain()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.document().setOpset(15);
        QVERIFY(!driven.document().isIdle());
        QTest::keyClick(&driven.window, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("bannerText"), QStringLiteral("Conversion cancelled."));
        QCOMPARE(driven.document().converted()->conversion.opset, defaultOpset);
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(!driven.isShown("banner"));
        QCOMPARE(driven.document().converted()->conversion.opset, 15);
    }

    void theModelOfAFolderIsOpened()
    {
        const QTemporaryDir folder;
        QVERIFY(QFile::copy(exampleModel("digits_crnn"), folder.filePath(QStringLiteral("a-symbol.json"))));
        DrivenWindow driven;
        driven.drop({folder.path()});
        QVERIFY(driven.settle());
        QVERIFY(driven.document().isOpen());
        QCOMPARE(QString::fromStdString(driven.document().path().filename().string()), QStringLiteral("a-symbol.json"));
        // Of several, the user chooses one.
        QVERIFY(QFile::copy(exampleModel("request_bilstm"), folder.filePath(QStringLiteral("b-symbol.json"))));
        driven.drop({folder.path()});
        QTRY_VERIFY(driven.window.findChild<QDialog*>(QStringLiteral("folderDialog")) != nullptr);
        auto* list = driven.find<QListWidget>("folderModels");
        QCOMPARE(list->count(), 2);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QTRY_COMPARE(QString::fromStdString(driven.document().path().filename().string()),
                     QStringLiteral("b-symbol.json"));
        QVERIFY(driven.settle());
        // A folder without models says so.
        const QTemporaryDir empty;
        driven.drop({empty.path()});
        QVERIFY(driven.settle());
        QVERIFY(driven.text("bannerText").contains(QStringLiteral("cannot be opened")));
    }

    void theModelBesideRecordedTensorsIsOpened()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        const QFileInfo model(exampleModel("keyword_lstmp"));
        driven.drop({model.path()});
        QTRY_COMPARE(QString::fromStdString(driven.document().path().string()), model.filePath());
        QVERIFY(driven.settle());
    }

    void opensWhatAsksForTooMuch()
    {
        const TemporaryFiles files;
        const std::string name(Budget::nameLength + 1, 'a');
        const auto path = files.write("large-symbol.json", symbolFile({variable("x"), node("relu", name, "[[0, 0]]")}));
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        const QString text = driven.text("bannerText");
        QVERIFY2(text.contains(QStringLiteral("at most 65536 are usual")) && !text.contains(QStringLiteral("--")),
                 qPrintable(text));
        QVERIFY(!driven.document().isOpen());
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().isOpen());
        QVERIFY(driven.text("bannerText").startsWith(QStringLiteral("The shape of x is unknown")));
        QCOMPARE(driven.window.width(), 1440); // no label is as wide as the name
        QVERIFY(!driven.find<QAction>("fileReloadLarge")->isEnabled());
        // It stays without limits.
        driven.find<QAction>("fileReload")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!driven.text("bannerText").contains(QStringLiteral("are usual")));
        QVERIFY(driven.document().isOpen());
    }

    /// The open model keeps what the user has changed since.
    void comparesWithWhatAsksForTooMuch()
    {
        const TemporaryFiles files;
        const std::string name(Budget::nameLength + 1, 'a');
        const auto path = files.write("large-symbol.json", symbolFile({variable("x"), node("relu", name, "[[0, 0]]")}));
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.document().compareWith(path);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() == nullptr);
        driven.document().setOpset(19);
        QVERIFY(driven.settle());
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() != nullptr);
        QCOMPARE(driven.document().options().opset, 19);
        QVERIFY(driven.document().undoStack()->canUndo());
        QVERIFY(driven.find<QAction>("fileReloadLarge")->isEnabled()); // of the open model
    }

    /// The open model has grown. Read again, it keeps its options and the view.
    void readsAgainWhatAsksForTooMuch()
    {
        const TemporaryFiles files;
        const auto write = [&](const std::string& name) {
            return files.write("large-symbol.json", symbolFile({variable("x"), node("relu", name, "[[0, 0]]"),
                                                                node("tanh", "t", "[[1, 0]]")}));
        };
        const auto path = write("small");
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        driven.document().setOpset(19);
        QVERIFY(driven.settle());
        driven.document().selection().selectNode(Side::Source, NodeId{1});
        const auto selected = driven.labels(Side::Source, driven.document().selection().boxes());
        QCOMPARE(selected, std::vector<std::string>{"t"});
        write(std::string(Budget::nameLength + 1, 'a'));
        QVERIFY(showsChangeOnDisk(driven));
        driven.find<QAction>("fileReload")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!driven.document().loaded()->graph->budget.allowsLarge());
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().loaded()->graph->budget.allowsLarge());
        QCOMPARE(driven.document().options().opset, 19);
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()), selected);
    }

    /// The open model has grown, and is compared with another one.
    void comparesWhatAsksForTooMuch()
    {
        const TemporaryFiles files;
        const auto write = [&](const char* file, const std::string& name) {
            return files.write(file, symbolFile({variable("x"), node("relu", name, "[[0, 0]]")}));
        };
        const auto path = write("large-symbol.json", "small");
        const auto other = write("other-symbol.json", "other");
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        write("large-symbol.json", std::string(Budget::nameLength + 1, 'a'));
        QVERIFY(showsChangeOnDisk(driven));
        driven.document().open({.model = path, .compared = other});
        QVERIFY(driven.settle());
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().compared() != nullptr);
    }

    void reloadsWithoutLimits()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QVERIFY(driven.find<QAction>("fileReloadLarge")->isEnabled());
        driven.find<QAction>("fileReloadLarge")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.document().loaded()->graph->budget.allowsLarge());
        QVERIFY(!driven.find<QAction>("fileReloadLarge")->isEnabled());
    }
};

QTEST_MAIN(TestWindowProblems)
#include "tst_window_problems.moc"
