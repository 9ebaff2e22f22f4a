#include "tests/support/paths.h"
#include "tests/ui/driven_window.h"
#include "ui/models/words.h"
#include "ui/panels/graph_pane.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QMenu>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void bothSidesOfAnExampleAreShown_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("onnxOperator");
        QTest::newRow("bidirectional LSTM of gluon") << exampleModel("request_bilstm") << QStringLiteral("LSTM");
        QTest::newRow("convolutional digit reader") << exampleModel("digits_crnn") << QStringLiteral("Conv");
    }
    void bothSidesOfAnExampleAreShown()
    {
        QFETCH(QString, model);
        QFETCH(QString, onnxOperator);
        DrivenWindow driven;
        QVERIFY(driven.isShown("startPage"));
        QVERIFY(driven.open(model));
        QVERIFY(!driven.isShown("startPage"));
        QVERIFY(driven.window.canvas(Side::Source)->drawnScene() != nullptr);
        const auto* target = driven.window.canvas(Side::Target)->drawnScene();
        QVERIFY(target != nullptr);
        QVERIFY(std::any_of(target->scene.nodes.begin(), target->scene.nodes.end(),
                            [&](const SceneNode& n) { return n.title == onnxOperator.toStdString(); }));
        QCOMPARE(driven.text("sourceName"), QStringLiteral("model-symbol.json"));
        QVERIFY(driven.text("statusCounts").contains(QStringLiteral("ONNX nodes")));
        QVERIFY(driven.find<QToolButton>("exportButton")->isEnabled());
        QVERIFY(!driven.isShown("banner"));
    }

    void theTitleOfANarrowPaneLosesTheFrameworkFirst()
    {
        GraphPane pane(QStringLiteral("test"));
        const auto* details = pane.findChild<QLabel*>(QStringLiteral("testDetails"));
        pane.setTitle(QStringLiteral("Source"), QStringLiteral("model-symbol.json"),
                      {QStringLiteral("Apache MXNet"), QStringLiteral("707 nodes")});
        const auto shown = [&](int width) {
            pane.resize(width, 300);
            pane.show();
            QCoreApplication::processEvents();
            return details->text();
        };
        QCOMPARE(shown(600), QStringLiteral("Apache MXNet   707 nodes"));
        QCOMPARE(shown(340), QStringLiteral("707 nodes"));
        QCOMPARE(shown(180), QString());
        QCOMPARE(shown(600), QStringLiteral("Apache MXNet   707 nodes"));
        for (int width = 600; width > 180; width -= 7) {
            shown(width);
            QVERIFY(details->fontMetrics().horizontalAdvance(details->text()) <= details->width());
        }
    }

    void theFirstViewStartsAtTheInputsOnBothSides()
    {
        for (const QSize size : {QSize(900, 600), QSize(1600, 1000), QSize(2560, 1440)}) {
            for (const char* model : {"request_bilstm", "digits_crnn"}) {
                DrivenWindow driven(nullptr, size);
                QVERIFY(driven.open(exampleModel(model)));
                for (const auto side : {Side::Source, Side::Target}) {
                    const auto* canvas = driven.window.canvas(side);
                    const auto& nodes = canvas->drawnScene()->scene.nodes;
                    const auto input = std::ranges::find(nodes, SceneNode::Kind::Input, &SceneNode::kind);
                    QVERIFY(canvas->scale() >= detail::readable);
                    QVERIFY(canvas->visibleArea().contains(
                        canvas->drawnScene()->index.box(static_cast<std::uint32_t>(input - nodes.begin()))));
                }
                driven.keepPicture(QStringLiteral("first_%1_%2").arg(QLatin1String(model)).arg(size.width()));
            }
        }
    }

    void theProgramOpensItsArgument()
    {
        TemporaryFiles files;
        const QString picture = QString::fromStdString(files.path("window.png").string());
        QProcess program;
        program.start(programFolder() + QStringLiteral("/crosswalk-gui"),
                      {exampleModel("request_bilstm"), QStringLiteral("--screenshot"), picture,
                       QStringLiteral("--size"), QStringLiteral("1000x700"), QStringLiteral("--select"),
                       QStringLiteral("hybridsequential0_lstm0_rnn0")});
        QVERIFY(program.waitForFinished(DrivenWindow::patience));
        QCOMPARE(program.exitCode(), 0);
        QCOMPARE(QImage(picture).size(), QSize(1000, 700));
    }

    void aPictureOfABrokenFileFails()
    {
        TemporaryFiles files;
        const auto broken = files.write("broken-symbol.json", "{");
        const QString picture = QString::fromStdString(files.path("window.png").string());
        QProcess program;
        program.start(programFolder() + QStringLiteral("/crosswalk-gui"),
                      {QString::fromStdString(broken.string()), QStringLiteral("--screenshot"), picture});
        QVERIFY(program.waitForFinished(DrivenWindow::patience));
        QCOMPARE(program.exitCode(), 3);
        QVERIFY(!QImage(picture).isNull()); // what the window says of it
    }

    void thePaletteReportsNoMatches()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_K, Qt::ControlModifier);
        auto* query = driven.find<QLineEdit>("commandQuery");
        QTest::keyClicks(query, QStringLiteral("no such thing"));
        const auto* found = driven.find<QAbstractItemView>("commandList")->model();
        QCOMPARE(found->rowCount(), 1);
        QCOMPARE(found->index(0, 0).data().toString(), QStringLiteral("No matching command or node"));
        QTest::keyClick(query, Qt::Key_Return);
        QVERIFY(driven.isShown("commandPalette"));
    }

    void aSearchShowsTheNumberOfMatches()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QVERIFY(!driven.isShown("outlineCount"));
        auto* search = driven.find<QLineEdit>("outlineSearch");
        QTest::keyClicks(search, QStringLiteral("reshape"));
        const int rows = driven.find<QAbstractItemView>("outlineTree")->model()->rowCount();
        QVERIFY(rows > 1);
        QCOMPARE(driven.text("outlineCount"), QStringLiteral("%1 nodes").arg(rows));
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(!driven.isShown("outlineCount"));
    }

    void aDroppedModelOpens()
    {
        DrivenWindow driven;
        driven.drop({exampleModel("digits_crnn")});
        QVERIFY(driven.settle());
        QVERIFY(driven.document().isOpen());
        QVERIFY(driven.window.canvas(Side::Target)->drawnScene() != nullptr);
    }

    void aDroppedModelUsesTheWeightsDroppedWithIt()
    {
        TemporaryFiles files;
        const QString model = exampleModel("request_bilstm");
        const QString elsewhere = QString::fromStdString(files.path("net-symbol.json").string());
        QVERIFY(QFile::copy(model, elsewhere));
        const QString weights = QFileInfo(model).dir().filePath(QStringLiteral("model-0000.params"));
        DrivenWindow driven;
        driven.drop({weights, elsewhere});
        QVERIFY(driven.settle());
        QVERIFY(driven.find<QToolButton>("exportButton")->isEnabled());
    }

    void aDroppedModelThatMayBeWeightsOpens()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        const auto open = driven.document().path();
        const QString files = sourceFolder() + QStringLiteral("/tests/data/keras/");
        driven.drop({files + QStringLiteral("weights_only.h5")});
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().path(), open);
        driven.drop({files + QStringLiteral("dense_1.2.h5")});
        QVERIFY(driven.settle());
        QCOMPARE(QString::fromStdString(driven.document().path().string()), files + QStringLiteral("dense_1.2.h5"));
    }

    void thePaletteReturnsTheFocusItTook()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* canvas = driven.window.canvas(Side::Source);
        canvas->setFocus();
        for (int i = 0; i < 2; ++i) {
            QTest::keyClick(&driven.window, Qt::Key_K, Qt::ControlModifier);
        }
        QTest::keyClick(driven.find<QLineEdit>("commandQuery"), Qt::Key_Escape);
        QVERIFY(canvas->hasFocus());
    }

    void aClickSelectsTheCounterpartsAndShowsTheProperties()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        auto* source = driven.window.canvas(Side::Source);
        auto* target = driven.window.canvas(Side::Target);
        QCOMPARE(driven.labels(Side::Source, source->selection()), std::vector<std::string>{"digits_output_fwd"});
        QCOMPARE(target->counterparts().size(), std::size_t{1});
        QCOMPARE(driven.operatorOf(Side::Target, target->counterparts().front()), std::string("Gemm"));
        QVERIFY(target->visibleArea().contains(target->drawnScene()->index.box(target->counterparts().front())));
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("FullyConnected"));
        QCOMPARE(driven.detail("nodeDetails", QStringLiteral("num_hidden")), QStringLiteral("10"));
        QVERIFY(driven.text("nodeVerdict").contains(QStringLiteral("Gemm")));
        driven.keepPicture(QStringLiteral("selected"));

        // And back: the ONNX node leads to its source.
        const auto gemm = target->counterparts().front();
        driven.clickNode(Side::Target, gemm);
        QCOMPARE(target->selection(), std::vector<std::uint32_t>{gemm});
        QCOMPARE(driven.labels(Side::Source, source->counterparts()), std::vector<std::string>{"digits_output_fwd"});
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Gemm"));

        QTest::keyClick(target, Qt::Key_Escape);
        QVERIFY(target->selection().empty());
        QVERIFY(driven.text("nodeName").startsWith(QStringLiteral("Apache MXNet"))); // the model
    }

    void theValuesOfAWeightAreShown()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        // The weight's row in the node panel leads to its values.
        driven.clickDetail("nodeDetails", QStringLiteral("digits_output_weight"));
        QVERIFY(driven.isShown("tensorValues"));
        QCOMPARE(driven.text("tensorType"), QStringLiteral("float32 10\u00d748   1.92 kB"));
        QTRY_VERIFY(driven.text("tensorStatistics").contains(QStringLiteral("mean")));
        QVERIFY(driven.text("tensorStatistics").contains(QStringLiteral("0 NaN")));
        const auto* values = driven.find<QAbstractItemView>("tensorValues")->model();
        QCOMPARE(values->rowCount(), 10);
        QCOMPARE(values->columnCount(), 48);
        driven.keepPicture(QStringLiteral("tensor"));

        TemporaryFiles files;
        const QString path = QString::fromStdString(files.path("w.npy").string());
        QTest::mouseClick(driven.find<QPushButton>("tensorExport"), Qt::LeftButton);
        driven.answerFileDialog("tensorDialog", path);
        QTRY_VERIFY(QFileInfo::exists(path));
        QTRY_VERIFY(driven.text("statusMessage").contains(QStringLiteral("w.npy")));

        driven.clickNode(Side::Source, "digits_softmax0");
        QVERIFY(driven.isShown("tensorEmpty"));
    }

    void selectedValuesAreCopied()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        driven.clickDetail("nodeDetails", QStringLiteral("digits_output_weight"));
        auto* table = driven.find<QTableView>("tensorValues");
        const auto* values = table->model();
        const auto text = [&](int row, int column) { return values->index(row, column).data().toString(); };
        table->selectionModel()->select({values->index(1, 2), values->index(2, 3)},
                                        QItemSelectionModel::ClearAndSelect);
        table->selectionModel()->select(values->index(3, 4), QItemSelectionModel::Select);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("%1\t%2\t\n%3\t%4\t\n\t\t%5")
                     .arg(text(1, 2), text(1, 3), text(2, 2), text(2, 3), text(3, 4)));

        QStandardItemModel huge(2000, 501);
        table->setModel(&huge);
        table->selectAll();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(driven.text("statusMessage").contains(QStringLiteral("are too many for the clipboard")),
                 qPrintable(driven.text("statusMessage")));
        QVERIFY(QApplication::clipboard()->text().size() < 1000); // is what it was
    }

    void theTensorPanelIsFilledWhenVisible()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.clickNode(Side::Source, "digits_output_fwd");
        auto* choice = driven.window.findChild<QComboBox*>(QStringLiteral("tensorChoice"));
        QCOMPARE(choice->count(), 0); // behind another dock
        driven.showDock("tensorDock");
        QVERIFY(driven.isShown("tensorValues"));
        QCOMPARE(choice->currentText(), QStringLiteral("digits_output_weight"));

        // What was shown does not come back when another node was selected meanwhile.
        driven.window.findChild<QDockWidget*>(QStringLiteral("problemsDock"))->raise();
        QCoreApplication::processEvents();
        driven.clickNode(Side::Source, "digits_softmax0");
        QCOMPARE(choice->count(), 0);
        driven.showDock("tensorDock");
        QVERIFY(driven.isShown("tensorEmpty") && !driven.isShown("tensorValues"));
    }

    void theLegendSelectsTheNodesOfOneVerdict()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* legend = driven.find<QLabel>("statusVerdicts");
        QVERIFY(legend->text().contains(QStringLiteral("12 exact")));
        legend->setFocus(Qt::OtherFocusReason);
        QTest::keyClick(legend, Qt::Key_Tab);
        QTest::keyClick(legend, Qt::Key_Return); // the first entry
        const auto& selection = driven.window.canvas(Side::Source)->selection();
        QCOMPARE(selection.size(), std::size_t{12});
        for (const auto box : selection) {
            QCOMPARE(driven.document().marks(Side::Source)->verdicts[box], Verdict::Exact);
        }
        QCOMPARE(driven.window.canvas(Side::Target)->counterparts().size(), std::size_t{12});
    }

    void theLegendTogglesAFilter()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        auto* legend = driven.find<QLabel>("statusVerdicts");
        const QString all = legend->text();
        const auto seen = [&](Side side) { return driven.window.canvas(side)->grab().toImage(); };
        const auto dimmed = [&](Side side, std::string_view name) {
            const auto* canvas = driven.window.canvas(side);
            return canvas->marks()->isDimmed(canvas->drawnScene()->drawnAs(*driven.boxNamed(side, name)));
        };
        const auto choose = [&] {
            legend->setFocus(Qt::OtherFocusReason);
            QTest::keyClick(legend, Qt::Key_Tab);
            QTest::keyClick(legend, Qt::Key_Return); // the first entry: exact
            QCoreApplication::processEvents();
        };
        const QImage before = seen(Side::Source);
        choose();
        // What is not exact steps back on both sides, and the legend shows what is chosen.
        QVERIFY(dimmed(Side::Source, "digits_lstm_rnn0"));
        QVERIFY(!dimmed(Side::Source, "digits_output_fwd"));
        QVERIFY(dimmed(Side::Target, "data"));
        QVERIFY(!dimmed(Side::Target, "digits_output_fwd"));
        QVERIFY(legend->text() != all);
        QVERIFY(seen(Side::Source) != before);
        driven.keepPicture(QStringLiteral("legend_filter"));
        // Another node is looked at meanwhile; a second choice takes it back.
        driven.clickNode(Side::Source, "digits_softmax0");
        QVERIFY(dimmed(Side::Source, "digits_lstm_rnn0"));
        choose();
        QVERIFY(!dimmed(Side::Source, "digits_lstm_rnn0"));
        QVERIFY(!dimmed(Side::Target, "data"));
        QCOMPARE(legend->text(), all);
        QVERIFY(driven.document().selection().isEmpty());
        // So does Esc, on the legend and on the graph.
        choose();
        QVERIFY(dimmed(Side::Source, "digits_lstm_rnn0"));
        QTest::keyClick(legend, Qt::Key_Escape);
        QVERIFY(!dimmed(Side::Source, "digits_lstm_rnn0"));
        choose();
        QTest::keyClick(driven.window.canvas(Side::Source), Qt::Key_Escape);
        QVERIFY(!dimmed(Side::Source, "digits_lstm_rnn0"));
        QCOMPARE(legend->text(), all);
        // Another conversion has other entries.
        choose();
        driven.find<QAction>("opset13")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(!dimmed(Side::Source, "digits_lstm_rnn0"));
    }

    void nodesAreReachableByKeyboard()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(driven.isShown("commandPalette"));
        auto* query = driven.find<QLineEdit>("commandQuery");
        const int all = driven.find<QWidget>("commandPalette")->height();
        QTest::keyClicks(query, QStringLiteral("digits_output_fwd"));
        // It is as high as what it found, which all can be seen.
        const auto* list = driven.find<QAbstractItemView>("commandList");
        QVERIFY(driven.find<QWidget>("commandPalette")->height() < all);
        QCoreApplication::processEvents();
        QVERIFY(list->viewport()->rect().contains(
            list->visualRect(list->model()->index(list->model()->rowCount() - 1, 0))));
        QTest::keyClick(query, Qt::Key_Return);
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("FullyConnected"));
        QVERIFY(!driven.isShown("commandPalette"));

        QTest::keyClick(&driven.window, Qt::Key_F, Qt::ControlModifier);
        auto* search = driven.find<QLineEdit>("outlineSearch");
        QVERIFY(search->hasFocus());
        QTest::keyClicks(search, QStringLiteral("softmax"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("softmax"));
    }

    void anExportIsCheckedAndCanBeOpenedAgain()
    {
        TemporaryFiles files;
        const auto path = files.path("digits.onnx");
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QSignalSpy exported(&driven.document().exporter(), &Exporter::exported);
        QTest::mouseClick(driven.find<QToolButton>("exportButton"), Qt::LeftButton);
        driven.answerFileDialog("exportDialog", QString::fromStdString(path.string()));
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, DrivenWindow::patience);
        QVERIFY(driven.settle());
        QVERIFY(std::filesystem::file_size(path) > 1000);
        QVERIFY(driven.text("statusMessage").contains(QStringLiteral("digits.onnx")));
        // ONNX Runtime may be absent; a difference must not be there.
        const QString checked = driven.text("statusVerified");
        QVERIFY2(checked.startsWith(QStringLiteral("verified")) || checked == QStringLiteral("not verified"),
                 qPrintable(checked));

        QVERIFY(driven.open(QString::fromStdString(path.string())));
        QCOMPARE(driven.document().loaded()->graph->outputs.size(), std::size_t{1});
        QVERIFY(driven.window.canvas(Side::Target)->drawnScene() != nullptr);
        QVERIFY(driven.document().problems().empty());
    }

    void aFailedExportClearsTheMessage()
    {
        TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        driven.document().exporter().exportTo(files.path("out.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.text("statusMessage").startsWith(QLatin1String("Exported")));
        driven.document().exporter().exportTo(files.path("nowhere/out.onnx"));
        QVERIFY(driven.settle());
        QVERIFY(driven.text("bannerText").startsWith(QLatin1String("Nothing was exported")));
        QCOMPARE(driven.text("statusMessage"), QString());
    }

    void aBrokenFileShowsOneMessage_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut off") << QByteArray("{\"nodes\": [{\"op\": \"null\", \"na");
        QTest::newRow("of another kind") << QByteArray("%PDF-1.7\n1 0 obj");
        QTest::newRow("JSON of another kind") << QByteArray("{\"a\": 1}");
    }
    void aBrokenFileShowsOneMessage()
    {
        QFETCH(QByteArray, content);
        TemporaryFiles files;
        const auto path = files.write("broken-symbol.json", content.toStdString());
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("request_bilstm")));
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        QVERIFY(driven.isShown("banner"));
        const QString text = driven.text("bannerText");
        QVERIFY2(text.startsWith(QStringLiteral("broken-symbol.json cannot be opened: ")), qPrintable(text));
        QVERIFY(!text.contains(u'\n'));
        // What was open stays.
        QCOMPARE(driven.text("sourceName"), QStringLiteral("model-symbol.json"));
        QTest::mouseClick(driven.find<QToolButton>("bannerClose"), Qt::LeftButton);
        QVERIFY(!driven.isShown("banner"));
    }

    void listsMissingWeightsAndShowsTheGraph()
    {
        TemporaryFiles files;
        const QString elsewhere = QString::fromStdString(files.path("net-symbol.json").string());
        QVERIFY(QFile::copy(exampleModel("request_bilstm"), elsewhere));
        DrivenWindow driven;
        QVERIFY(driven.open(elsewhere));
        QVERIFY(driven.window.canvas(Side::Source)->drawnScene() != nullptr);
        QVERIFY(driven.isShown("banner"));
        QVERIFY(driven.isShown("bannerAction"));
        // There is no file that they could be missing from, and no command line.
        QVERIFY2(driven.text("bannerText").contains(QStringLiteral(" weights are missing: ")),
                 qPrintable(driven.text("bannerText")));
        for (const auto& problem : driven.document().problems()) {
            QVERIFY2(!problemText(problem).contains(QStringLiteral("WEIGHTS")), qPrintable(problemText(problem)));
        }
        QVERIFY(!driven.find<QToolButton>("exportButton")->isEnabled());
        QTest::mouseClick(driven.find<QPushButton>("bannerAction"), Qt::LeftButton);
        driven.answerFileDialog(
            "weightsDialog",
            QFileInfo(exampleModel("request_bilstm")).dir().filePath(QStringLiteral("model-0000.params")));
        QVERIFY(driven.settle());
        QVERIFY(!driven.isShown("banner"));
        QVERIFY(driven.find<QToolButton>("exportButton")->isEnabled());
    }

    void recentFilesPersistBetweenWindows()
    {
        TemporaryFiles files;
        const QString store = QString::fromStdString(files.path("settings.ini").string());
        const auto settings = [&] { return std::make_unique<QSettings>(store, QSettings::IniFormat); };
        {
            DrivenWindow first(settings());
            QVERIFY(first.open(exampleModel("digits_crnn")));
            QVERIFY(first.open(exampleModel("request_bilstm")));
        }
        DrivenWindow second(settings());
        auto* menu = second.find<QMenu>("recentMenu");
        QVERIFY(menu->isEnabled());
        QVERIFY(menu->actions().at(0)->text().contains(QStringLiteral("request_bilstm")));
        menu->actions().at(1)->trigger();
        QVERIFY(second.settle());
        QVERIFY(second.document().path().string().find("digits_crnn") != std::string::npos);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
