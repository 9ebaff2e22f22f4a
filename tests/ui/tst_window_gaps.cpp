// Gaps in the window: found by cause, their strategies compared and picked for one node or for all.

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"
#include "ui/models/outline_model.h"
#include "ui/models/problems_model.h"

#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr int layers = 3;

/// Three LSTMs in a row with 4 units each; each clips its cell state elsewhere. Then an operator of no framework.
QString clippedLstms(const TemporaryFiles& files)
{
    std::vector<std::string> nodes{variable("data")};
    std::string input = "[0, 0, 0]";
    std::vector<NamedArray> weights;
    int index = 1;
    for (int i = 0; i < layers; ++i) {
        const std::string name = fmt::format("lstm{}", i);
        nodes.push_back(variable(name + "_parameters"));
        nodes.push_back(variable(name + "_state"));
        nodes.push_back(variable(name + "_state_cell"));
        nodes.push_back(node(
            "RNN", name, fmt::format("[{}, [{}, 0, 0], [{}, 0, 0], [{}, 0, 0]]", input, index, index + 1, index + 2),
            fmt::format(R"({{"mode": "lstm", "num_layers": "1", "state_size": "4", )"
                        R"("lstm_state_clip_min": "-{0}", "lstm_state_clip_max": "{0}"}})",
                        i + 1)));
        input = fmt::format("[{}, 0, 0]", index + 3);
        // Four gates of 4 units over 3 or 4 features, 4 states and 2 biases.
        weights.push_back({"arg:" + name + "_parameters", {16 * ((i == 0 ? 3 : 4) + 4 + 2)}});
        index += 4;
    }
    nodes.push_back(node("NoSuchOperator", "odd", fmt::format("[{}]", input)));
    const auto model = files.write("net-symbol.json", symbolFile(nodes));
    files.write("net-0000.params", paramsFile(weights));
    return QString::fromStdString(model.string());
}

class Gaps {
public:
    Gaps()
    {
        driven.open(clippedLstms(files));
        driven.showDock("problemsDock");
    }
    int operators(std::string_view title)
    {
        const auto& boxes = driven.window.canvas(Side::Target)->drawnScene()->scene.nodes;
        return static_cast<int>(
            std::count_if(boxes.begin(), boxes.end(), [&](const SceneNode& box) { return box.title == title; }));
    }
    QTreeView* table() { return driven.find<QTreeView>("problemsTable"); }
    QModelIndex cause() { return driven.cell("problemsTable", QStringLiteral("3 nodes"), 0); }
    QModelIndex lstm(int i, int column = 0) { return table()->model()->index(i, column, cause()); }
    QMenu* menu() { return driven.window.findChild<QMenu*>(QStringLiteral("problemMenu")); }
    /// Picks by arrow keys in the list that is open.
    void pickByKeys(const QString& strategy)
    {
        QTRY_VERIFY(driven.window.findChild<QComboBox*>(QStringLiteral("choiceEditor")) != nullptr);
        auto* combo = driven.find<QComboBox>("choiceEditor");
        QTRY_VERIFY(combo->view()->isVisible());
        while (combo->view()->currentIndex().data(Qt::UserRole).toString() != strategy) {
            const QModelIndex before = combo->view()->currentIndex();
            QTest::keyClick(combo->view(), Qt::Key_Down);
            QVERIFY(combo->view()->currentIndex() != before);
        }
        QTest::keyClick(combo->view(), Qt::Key_Return);
        QVERIFY(driven.settle());
    }

    TemporaryFiles files;
    DrivenWindow driven;
};

} // namespace

class TestWindowGaps : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void gapsAreGroupedByTheirCause()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        QVERIFY(gaps.cause().isValid());
        QVERIFY(gaps.cause().siblingAtColumn(2).data().toString().startsWith(QStringLiteral("Cell state clipped")));
        QVERIFY(driven.cell("problemsTable", QStringLiteral("odd"), 0).isValid());

        // A click on the cause selects its nodes on both sides; unfolded, one of them leads to its node.
        driven.clickCell("problemsTable", gaps.cause().siblingAtColumn(2));
        QCOMPARE(driven.labels(Side::Source, driven.window.canvas(Side::Source)->selection()),
                 (std::vector<std::string>{"lstm0", "lstm1", "lstm2"}));
        QVERIFY(driven.window.canvas(Side::Target)->counterparts().size() >= 3);
        QTest::keyClick(gaps.table(), Qt::Key_Right);
        QVERIFY(gaps.table()->isExpanded(gaps.cause()));
        driven.clickCell("problemsTable", gaps.lstm(1, 2));
        QCOMPARE(driven.text("nodeName").remove(QChar(0x200B)), QStringLiteral("lstm1"));
        driven.keepPicture(QStringLiteral("gaps"));
    }

    /// No frame is drawn between a selection and the layout of what it shows.
    void theReasonIsLaidOutWithTheSelection()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        driven.clickNode(Side::Source, "lstm0");
        QVERIFY(driven.settle());
        const auto odd = driven.boxNamed(Side::Source, "odd");
        QVERIFY(odd);
        driven.document().selection().select(Side::Source, {*odd}); // no event follows
        const auto* area = driven.find<QScrollArea>("nodeHead");
        const auto* button = driven.find<QPushButton>("problemMap");
        QVERIFY(button->isVisible());
        const QRect drawn(button->mapTo(area->viewport(), QPoint()), button->size());
        QVERIFY(area->viewport()->rect().contains(drawn));
        QCOMPARE(area->height(), area->sizeHint().height());
    }

    void walkingTheListByKeysSelectsTheNodesOfEachRow()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        const auto selected = [&] { return driven.labels(Side::Source, driven.document().selection().boxes()); };
        QTest::keyClick(&driven.window, Qt::Key_3, Qt::AltModifier);
        QTest::keyClick(gaps.table(), Qt::Key_End);
        QTest::keyClick(gaps.table(), Qt::Key_Home);
        while (gaps.table()->currentIndex() != gaps.cause()) {
            const QModelIndex before = gaps.table()->currentIndex();
            QTest::keyClick(gaps.table(), Qt::Key_Down);
            QVERIFY(gaps.table()->currentIndex() != before);
        }
        QCOMPARE(selected(), (std::vector<std::string>{"lstm0", "lstm1", "lstm2"}));
        QVERIFY(gaps.table()->hasFocus());
        // The outline shows all of them.
        QStringList rows;
        for (const auto& index : driven.find<QAbstractItemView>("outlineTree")->selectionModel()->selectedIndexes()) {
            rows.append(index.data().toString());
        }
        rows.sort();
        QCOMPARE(rows, (QStringList{QStringLiteral("lstm0"), QStringLiteral("lstm1"), QStringLiteral("lstm2")}));
        QTest::keyClick(gaps.table(), Qt::Key_Right);
        QTest::keyClick(gaps.table(), Qt::Key_Down);
        QCOMPARE(gaps.table()->currentIndex(), gaps.lstm(0));
        QCOMPARE(selected(), std::vector<std::string>{"lstm0"});
        QCOMPARE(driven.find<QAbstractItemView>("outlineTree")->selectionModel()->selectedIndexes().size(), 1);
    }

    void changesTheStrategyOfANodeByMouse()
    {
        Gaps gaps;
        QCOMPARE(gaps.operators("Scan"), layers);
        gaps.table()->expand(gaps.cause());
        gaps.driven.clickCell("problemsTable", gaps.lstm(1, ProblemsModel::ChoiceColumn));
        QTRY_VERIFY(gaps.driven.window.findChild<QComboBox*>(QStringLiteral("choiceEditor")) != nullptr);
        auto* combo = gaps.driven.find<QComboBox>("choiceEditor");
        QTRY_VERIFY(combo->view()->isVisible());
        const QModelIndex fused = combo->model()->index(combo->findData(QStringLiteral("fused")), 0);
        QVERIFY(fused.data().toString().contains(QStringLiteral("[-2, 2]"))); // what it costs this node
        const QPoint place = combo->view()->visualRect(fused).center();
        QTest::mouseMove(combo->view()->viewport(), place);
        QTest::mouseClick(combo->view()->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(gaps.driven.settle());
        QCOMPARE(gaps.operators("Scan"), layers - 1);
        QCOMPARE(gaps.operators("LSTM"), 1);
        // It stays under its cause, which is still unfolded.
        QVERIFY(gaps.table()->isExpanded(gaps.cause()));
        QCOMPARE(gaps.cause().siblingAtColumn(ProblemsModel::ChoiceColumn).data().toString(), QStringLiteral("Mixed"));
    }

    void changesTheStrategyOfACauseByKeyboard()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        QTest::keyClick(&driven.window, Qt::Key_F8); // to the first problem of all
        gaps.table()->setFocus();
        while (gaps.table()->currentIndex() != gaps.cause()) {
            const QModelIndex before = gaps.table()->currentIndex();
            QTest::keyClick(gaps.table(), Qt::Key_Up);
            if (gaps.table()->currentIndex() == before) {
                QTest::keyClick(gaps.table(), Qt::Key_End);
                QTest::keyClick(gaps.table(), Qt::Key_Left);
            }
        }
        QTest::keyClick(gaps.table(), Qt::Key_F2);
        gaps.pickByKeys(QStringLiteral("fused"));
        QCOMPARE(gaps.operators("Scan"), 0);
        QCOMPARE(gaps.operators("LSTM"), layers);
        QCOMPARE(driven.document().undoStack()->count(), 1);
        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("Scan"), layers);
        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("LSTM"), layers);
    }

    void theContextMenuOffersBoth()
    {
        Gaps gaps;
        gaps.table()->expand(gaps.cause());
        gaps.table()->setFocus();
        gaps.table()->setCurrentIndex(gaps.lstm(2));
        const auto open = [&] {
            const QPoint place = gaps.table()->visualRect(gaps.lstm(2)).center();
            QContextMenuEvent menuKey(QContextMenuEvent::Keyboard, place, gaps.table()->viewport()->mapToGlobal(place));
            QCoreApplication::sendEvent(gaps.table()->viewport(), &menuKey);
        };
        open();
        QVERIFY(gaps.menu() != nullptr && gaps.menu()->isVisible());
        auto* one = gaps.menu()->findChild<QAction*>(QStringLiteral("one-fused"));
        auto* all = gaps.menu()->findChild<QAction*>(QStringLiteral("all-fused"));
        QVERIFY(one != nullptr && all != nullptr);
        gaps.menu()->setActiveAction(one);
        QTest::keyClick(gaps.menu(), Qt::Key_Return);
        QVERIFY(gaps.driven.settle());
        QCOMPARE(gaps.operators("LSTM"), 1);
        open();
        gaps.menu()->setActiveAction(gaps.menu()->findChild<QAction*>(QStringLiteral("all-fused")));
        QTest::keyClick(gaps.menu(), Qt::Key_Return);
        QVERIFY(gaps.driven.settle());
        QCOMPARE(gaps.operators("LSTM"), layers);
        QCOMPARE(gaps.driven.document().undoStack()->count(), 2);
    }

    void theNodePanelPassesAChoiceOnToAll()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        driven.clickNode(Side::Source, "lstm0");
        QVERIFY(driven.window.findChild<QPushButton*>(QStringLiteral("strategyForAll")) == nullptr);
        auto* fused = driven.find<QRadioButton>("strategy-fused");
        fused->setFocus();
        QTest::keyClick(fused, Qt::Key_Space);
        QVERIFY(driven.settle());
        auto* forAll = driven.find<QPushButton>("strategyForAll");
        QCOMPARE(forAll->text(), QStringLiteral("Fused for all 3 nodes with this gap"));
        driven.keepPicture(QStringLiteral("gap_for_all"));
        QTest::mouseClick(forAll, Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("LSTM"), layers);
        QTest::keyClick(&driven.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("LSTM"), 1);
    }

    void theNextProblemWalksNodeByNode()
    {
        Gaps gaps;
        std::vector<std::string> visited;
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(&gaps.driven.window, Qt::Key_F8);
            visited.push_back(
                gaps.driven.labels(Side::Source, gaps.driven.window.canvas(Side::Source)->selection()).front());
        }
        // The window went to the first of them when the model was opened.
        QCOMPARE(visited, (std::vector<std::string>{"lstm0", "lstm1", "lstm2", "odd", "lstm0"}));
        QTest::keyClick(&gaps.driven.window, Qt::Key_F8, Qt::ShiftModifier);
        QTest::keyClick(&gaps.driven.window, Qt::Key_F8, Qt::ShiftModifier);
        QCOMPARE(gaps.driven.labels(Side::Source, gaps.driven.window.canvas(Side::Source)->selection()),
                 std::vector<std::string>{"lstm2"});
    }

    void anUnknownOperatorIsMappedToACustomOne()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        driven.clickNode(Side::Source, "lstm0");
        QVERIFY(!driven.find<QAction>("modelMapOperator")->isEnabled());
        driven.clickNode(Side::Source, "odd");
        QVERIFY(driven.find<QAction>("modelMapOperator")->isEnabled());
        driven.clickButton("problemMap");
        QTRY_VERIFY(driven.window.findChild<QDialog*>(QStringLiteral("customOperatorDialog")) != nullptr);
        auto* name = driven.find<QLineEdit>("customName");
        QCOMPARE(name->text(), QStringLiteral("NoSuchOperator"));
        auto* domain = driven.find<QLineEdit>("customDomain");
        const auto* accept =
            driven.find<QDialog>("customOperatorDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        for (const char* refused : {"", "ai.onnx.ml", "two words"}) {
            domain->setText(QLatin1String(refused));
            QVERIFY2(!accept->isEnabled() && driven.find<QLabel>("customProblem")->isVisible(), refused);
        }
        domain->setText(QStringLiteral("com.example"));
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("Odd2"));
        driven.keepPicture(QStringLiteral("custom_operator"));
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("Odd2"), 1);
        const auto isUnknown = [&] { return driven.cell("problemsTable", QStringLiteral("odd"), 0).isValid(); };
        QVERIFY(!isUnknown());

        // The dialog removes the mapping, too, and every step can be undone.
        driven.clickNode(Side::Source, "odd");
        driven.find<QAction>("modelMapOperator")->trigger();
        QCOMPARE(driven.find<QLineEdit>("customDomain")->text(), QStringLiteral("com.example"));
        QTest::mouseClick(driven.find<QPushButton>("customRemove"), Qt::LeftButton);
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("Odd2"), 0);
        QVERIFY(isUnknown());
        driven.find<QAction>("editUndo")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("Odd2"), 1);
        driven.find<QAction>("editUndo")->trigger();
        QVERIFY(driven.settle());
        QCOMPARE(gaps.operators("NoSuchOperator"), 1);
    }

    void theModelIsCutInFrontOfAnUnknownOperator()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        const QModelIndex solution = driven.cell("problemsTable", QStringLiteral("odd"), 3);
        QCOMPARE(solution.data().toString(), QStringLiteral("Map or cut\u2026"));
        driven.clickCell("problemsTable", solution);
        QTRY_VERIFY(gaps.menu() != nullptr);
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()), std::vector<std::string>{"odd"});
        auto* cut = gaps.menu()->findChild<QAction*>(QStringLiteral("problemCut"));
        QVERIFY(cut != nullptr && gaps.menu()->findChild<QAction*>(QStringLiteral("problemMap")) != nullptr);
        QTest::keyClick(gaps.menu(), Qt::Key_Up); // the last entry
        QTest::keyClick(gaps.menu(), Qt::Key_Return);
        QVERIFY(driven.settle());
        driven.window.activateWindow(); // as window managers do
        QCOMPARE(gaps.operators("NoSuchOperator"), 0);
        QCOMPARE(driven.document().options().outputs, std::vector<std::string>{"lstm2_output"});
        QVERIFY(!driven.cell("problemsTable", QStringLiteral("odd"), 0).isValid());

        // The first layer reads only inputs: nothing remains, and nothing changes.
        driven.clickNode(Side::Source, "lstm0");
        driven.find<QAction>("modelCutHere")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.window.findChild<QLabel*>(QStringLiteral("bannerText"))
                    ->text()
                    .startsWith(QStringLiteral("Nothing remains")));
        QCOMPARE(driven.document().options().outputs, std::vector<std::string>{"lstm2_output"});
        driven.undo();
        QCOMPARE(gaps.operators("NoSuchOperator"), 1);
    }

    void workThatIsUnknownIsNotNone()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        auto& colours = driven.document().colours();
        colours.setColouring(Colouring::Work);
        QVERIFY(driven.settle());
        const auto tintOf = [&](const char* name) {
            return colours.marks(Side::Source)->tints.at(*driven.boxNamed(Side::Source, name));
        };
        QCOMPARE(tintOf("odd"), Tint::Blocked);
        QVERIFY(tintOf("lstm0") != Tint::Blocked && tintOf("lstm0") != Tint::None);
        const auto legend = colours.legend();
        QVERIFY(std::ranges::any_of(legend, [](const ColourEntry& entry) {
            return entry.name == QLatin1String("unknown") && entry.boxes == 1;
        }));
    }

    void theStrategiesFitANarrowPanel()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        driven.clickNode(Side::Source, "lstm0");
        const auto isShown = [&](const char* name) {
            const auto* label = driven.window.findChild<QLabel*>(QLatin1String(name));
            return label != nullptr && label->isVisible();
        };
        for (const int width : {1440, 900}) {
            driven.window.resize(width, 900);
            QVERIFY(driven.settle());
            const auto* area = driven.find<QScrollArea>("nodeHead");
            QTRY_COMPARE(isShown("strategyNumbers-exact"), width == 900);
            QCOMPARE(isShown("strategyNodes-exact"), width != 900);
            QVERIFY2(
                area->widget()->width() <= area->viewport()->width(),
                qPrintable(QStringLiteral("%1 of %2").arg(area->widget()->width()).arg(area->viewport()->width())));
        }
    }

    void gapsAreMarkedEverywhere()
    {
        Gaps gaps;
        auto& driven = gaps.driven;
        const auto box = *driven.boxNamed(Side::Source, "lstm1");
        QCOMPARE(driven.document().marks(Side::Source)->badges.at(box), QStringList{QStringLiteral("clip")});
        driven.clickNode(Side::Source, box);
        const auto attribute = driven.detailIndex("nodeDetails", QStringLiteral("lstm_state_clip_max"));
        QVERIFY(!attribute.siblingAtColumn(0).data(Qt::DecorationRole).isNull());
        QVERIFY(attribute.data(Qt::ToolTipRole).toString().contains(QStringLiteral("clipped to [-2, 2]")));
        const auto* outline = driven.find<QTreeView>("outlineTree")->model();
        const auto row = static_cast<const OutlineModel*>(outline)->indexOf(box);
        QCOMPARE(row.data(OutlineModel::BadgesRole).toStringList(), QStringList{QStringLiteral("clip")});
        QVERIFY(row.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("clip")));
    }
};

QTEST_MAIN(TestWindowGaps)
#include "tst_window_gaps.moc"
