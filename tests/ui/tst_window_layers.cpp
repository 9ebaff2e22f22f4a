// The table of layers: sorted, filtered, copied, saved, and linked with the graphs.

#include "core/verify/runtime.h"
#include "tests/ui/driven_window.h"

#include <QClipboard>
#include <QMenu>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

enum Column {
    NodeColumn,
    OperatorColumn,
    OutputColumn,
    ParametersColumn,
    SizeColumn,
    WorkColumn,
    VerdictColumn,
    ErrorColumn
};

/// A column of the table, from top to bottom.
QStringList column(DrivenWindow& driven, int column)
{
    const auto* model = driven.find<QTreeView>("layersTable")->model();
    QStringList texts;
    for (int row = 0; row < model->rowCount(); ++row) {
        texts.append(model->index(row, column).data().toString());
    }
    return texts;
}

} // namespace

class TestWindowLayers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aRowDescribesANode()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.showDock("layersDock");
        QTRY_VERIFY(driven.isShown("layersTable"));
        const auto at = [&](int column) {
            return driven.cell("layersTable", QStringLiteral("digits_features_conv0_fwd"), column).data().toString();
        };
        QCOMPARE(at(OperatorColumn), QStringLiteral("Convolution"));
        QCOMPARE(at(OutputColumn), QStringLiteral("float32 N\u00d716\u00d7H\u00d7W"));
        QCOMPARE(at(ParametersColumn), QStringLiteral("144"));
        QCOMPARE(at(SizeColumn), QStringLiteral("576 bytes"));
        QCOMPARE(at(VerdictColumn), QStringLiteral("exact"));
        QVERIFY(driven.find<QTreeView>("layersTable")->isColumnHidden(ErrorColumn));
        driven.giveShape(QStringLiteral("data"), QStringLiteral("1, 1, 32, 48"));
        driven.showDock("layersDock");
        QTRY_COMPARE(at(OutputColumn), QStringLiteral("float32 1\u00d716\u00d732\u00d748"));
        QCOMPARE(at(WorkColumn), QStringLiteral("221 k"));
    }

    void rowsAndNodesAreSelectedTogether()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.showDock("layersDock");
        driven.clickCell("layersTable", driven.cell("layersTable", QStringLiteral("digits_lstm_rnn0"), NodeColumn));
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_lstm_rnn0"});
        QVERIFY(!driven.document().selection().counterparts().empty());
        driven.keepPicture(QStringLiteral("layers"));
        // A node of the graph, and one of the ONNX graph.
        driven.clickNode(Side::Source, "digits_mean0");
        const auto* rows = driven.find<QTreeView>("layersTable")->selectionModel();
        QTRY_COMPARE(rows->selectedRows().size(), 1);
        QCOMPARE(rows->selectedRows().front().data().toString(), QStringLiteral("digits_mean0"));
        driven.clickNode(Side::Target, driven.document().selection().counterparts().front());
        QCOMPARE(rows->selectedRows().front().data().toString(), QStringLiteral("digits_mean0"));
        QTest::mouseClick(driven.window.canvas(Side::Target), Qt::LeftButton, {}, QPoint(5, 5));
        QVERIFY(!rows->hasSelection());
    }

    void keysReachEverything()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QTest::keyClick(&driven.window, Qt::Key_7, Qt::AltModifier);
        auto* table = driven.find<QTreeView>("layersTable");
        QTRY_VERIFY(table->isVisible() && table->hasFocus());
        QTest::keyClick(table, Qt::Key_Down);
        QTest::keyClick(table, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{2});
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines.front().split(u'\t').front(), QStringLiteral("Node"));
        QCOMPARE(lines[1].split(u'\t').size(), 7);
        // Shift+Tab leads to the filter, Down and Enter back.
        auto* filter = driven.find<QLineEdit>("layersFilter");
        filter->setFocus(Qt::TabFocusReason);
        QTest::keyClicks(filter, QStringLiteral("conv exact"));
        QCOMPARE(column(driven, NodeColumn), (QStringList{QStringLiteral("digits_features_conv0_fwd"),
                                                          QStringLiteral("digits_features_conv1_fwd")}));
        QVERIFY(driven.text("layersCount").startsWith(QStringLiteral("2 of ")));
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(table->hasFocus());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"digits_features_conv0_fwd"});
        filter->setFocus(Qt::TabFocusReason);
        QTest::keyClicks(filter, QStringLiteral("qqq"));
        QVERIFY(driven.isShown("layersEmpty"));
        QTest::keyClick(filter, Qt::Key_Escape);
        QVERIFY(!driven.isShown("layersEmpty"));
    }

    void columnsAreSortedByMouseAndByKeys()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        driven.showDock("layersDock");
        auto* table = driven.find<QTreeView>("layersTable");
        const QStringList before = column(driven, NodeColumn);
        auto* header = table->header();
        const auto click = [&](int section) {
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                              QPoint(header->sectionViewportPosition(section) + header->sectionSize(section) / 2,
                                     header->height() / 2));
        };
        click(ParametersColumn);
        QCOMPARE(column(driven, NodeColumn).front(), QStringLiteral("digits_lstm_rnn0"));
        click(ParametersColumn);
        QCOMPARE(column(driven, NodeColumn).back(), QStringLiteral("digits_lstm_rnn0"));
        click(ParametersColumn);
        QCOMPARE(column(driven, NodeColumn), before);
        // The menu of the table, by keys.
        table->setFocus();
        QContextMenuEvent menuKey(QContextMenuEvent::Keyboard, {10, 10},
                                  table->viewport()->mapToGlobal(QPoint(10, 10)));
        QCoreApplication::sendEvent(table->viewport(), &menuKey);
        auto* menu = driven.find<QMenu>("layersMenu");
        auto* byName = menu->findChild<QAction*>(QStringLiteral("layersSort%1").arg(int{OperatorColumn}));
        QVERIFY(byName != nullptr);
        byName->trigger();
        menu->close();
        QStringList sorted = column(driven, OperatorColumn);
        std::ranges::sort(sorted);
        QCOMPARE(column(driven, OperatorColumn), sorted);
    }

    void theTableIsSavedWithErrors()
    {
        try {
            Runtime::load();
        } catch (const ModelError&) {
            QSKIP("ONNX Runtime is absent");
        }
        const TemporaryFiles files;
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("keyword_lstmp")));
        driven.drop({QFileInfo(exampleModel("keyword_lstmp")).dir().filePath(QStringLiteral("test_data_set_0"))});
        QVERIFY(driven.settle());
        driven.showDock("layersDock");
        QTRY_VERIFY(!driven.find<QTreeView>("layersTable")->isColumnHidden(ErrorColumn));
        QVERIFY(!column(driven, ErrorColumn).join(QString()).isEmpty());
        const QString path = QString::fromStdString((files.path("layers.csv")).string());
        QTest::keyClick(&driven.window, Qt::Key_L, Qt::ControlModifier | Qt::AltModifier);
        driven.answerFileDialog("layersDialog", path);
        QVERIFY(driven.settle());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray header = file.readLine();
        QCOMPARE(header,
                 QByteArray("name,operator,type,shape,parameters,bytes,multiply_adds,verdict,error,counted_at\n"));
        QCOMPARE(file.readAll().count('\n'), column(driven, NodeColumn).size());
    }
};

QTEST_MAIN(TestWindowLayers)
#include "tst_window_layers.moc"
