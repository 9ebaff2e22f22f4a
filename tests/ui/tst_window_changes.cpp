// A changed conversion, and changes while the layouts of others run.

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"

#include <QAction>

#include <map>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

/// Stages of twenty units with a skip each, and between the third and the fourth an LSTM whose cell state is clipped.
std::string symbolOf()
{
    std::vector<std::string> nodes{variable("data"), variable("parameters"), variable("state"), variable("state_cell")};
    std::size_t last = 0;
    const auto add = [&](std::string_view op, const std::string& name, const std::string& inputs,
                         std::string_view attributes = "{}") {
        nodes.push_back(node(op, name, inputs, attributes));
        return nodes.size() - 1;
    };
    for (int stage = 0; stage < 6; ++stage) {
        if (stage == 3) {
            last = add("RNN", "rnn", fmt::format("[[{}, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]", last),
                       R"({"mode": "lstm", "num_layers": "1", "state_size": "4",)"
                       R"( "lstm_state_clip_min": "-1", "lstm_state_clip_max": "1"})");
        }
        for (int unit = 0; unit < 20; ++unit) {
            const auto scope = fmt::format("stage{}_unit{}_", stage, unit);
            const auto start = last;
            last = add("Activation", scope + "relu", fmt::format("[[{}, 0, 0]]", last), R"({"act_type": "relu"})");
            last = add("Activation", scope + "tanh", fmt::format("[[{}, 0, 0]]", last), R"({"act_type": "tanh"})");
            last = add("elemwise_add", scope + "plus", fmt::format("[[{}, 0, 0], [{}, 0, 0]]", start, last));
        }
    }
    return symbolFile(nodes);
}

using Places = std::map<std::string, QPointF>;

} // namespace

class TestWindowChanges : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareWindows();
        m_files.write("net-0000.params", paramsFile({{"arg:parameters", {160}}}));
        m_model = QString::fromStdString(m_files.write("net-symbol.json", symbolOf()).string());
    }

    void changingAStrategyMovesNoOtherNode_data()
    {
        QTest::addColumn<bool>("open");
        QTest::addColumn<QString>("lookedAt");
        QTest::newRow("above, all open") << true << QStringLiteral("stage1_unit10_tanh");
        QTest::newRow("below, all open") << true << QStringLiteral("stage4_unit10_tanh");
        QTest::newRow("below, as it opens") << false << QStringLiteral("stage5_unit19_plus");
    }
    void changingAStrategyMovesNoOtherNode()
    {
        QFETCH(bool, open);
        QFETCH(QString, lookedAt);
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        auto& document = driven.document();
        document.setInputShape("data", Shape{Dim("T"), Dim(2), Dim(4)});
        QVERIFY(driven.settle());
        if (open) {
            document.folding().setAllOpen(Side::Target, true);
            QVERIFY(driven.settle());
        }
        CanvasView* canvas = driven.window.canvas(Side::Target);
        const auto box = driven.boxNamed(Side::Target, lookedAt.toStdString());
        QVERIFY(box);
        const auto as = canvas->drawnScene()->drawnAs(*box);
        canvas->setTransform(
            {canvas->drawnScene()->index.box(as).center() - QPointF(canvas->width(), canvas->height()) / 2, 1});
        const auto places = [&] {
            // By name, in the view; a closed group by its own.
            Places all;
            const DrawnScene& drawn = *canvas->drawnScene();
            for (std::uint32_t i = 0; i < drawn.scene.nodes.size(); ++i) {
                if (const auto& name = drawn.scene.nodes[i].fullName; !name.starts_with("rnn")) {
                    all[name] = canvas->transform().toView(drawn.index.box(i).topLeft());
                }
            }
            return all;
        };
        const Places before = places();
        const std::size_t nodesBefore = document.side(Side::Target)->graph->nodeCount();
        document.setStrategy({"rnn"}, Strategy::Fused);
        QVERIFY(driven.settle());
        QVERIFY(document.side(Side::Target)->graph->nodeCount() != nodesBefore);
        const Places after = places();
        const std::string name =
            canvas->drawnScene()
                ->scene.nodes[canvas->drawnScene()->drawnAs(*driven.boxNamed(Side::Target, lookedAt.toStdString()))]
                .fullName;
        QVERIFY((after.at(name) - before.at(name)).manhattanLength() < 2);
        // What is on this side of the change has not moved at all, the other side as a whole, straight up or down.
        std::map<int, std::size_t> moves;
        std::size_t aside = 0;
        for (const auto& [other, place] : after) {
            const auto found = before.find(other);
            if (found != before.end()) {
                ++moves[static_cast<int>(std::lround((place - found->second).y()))];
                aside += std::abs((place - found->second).x()) > 1.5 ? 1 : 0;
            }
        }
        QCOMPARE(aside, std::size_t{0});
        QVERIFY2(moves.size() <= 2 || (moves.size() == 3 && !open), qPrintable(QString::number(moves.size())));
        // And taken back, all is as it was.
        document.undoStack()->undo();
        QVERIFY(driven.settle());
        QCOMPARE(places().size(), before.size());
        for (const auto& [other, place] : places()) {
            QVERIFY2((place - before.at(other)).manhattanLength() < 2, other.c_str());
        }
    }

    void graphsLeadDownOrToTheRight()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(m_model));
        CanvasView* canvas = driven.window.canvas(Side::Source);
        canvas->setFocus();
        const auto drawn = [&](Side side) { return driven.window.canvas(side)->drawnScene(); };
        const QRectF down = drawn(Side::Source)->index.bounds();
        QVERIFY(down.height() > down.width());
        QTest::keyClick(canvas, Qt::Key_R);
        QVERIFY(driven.settle());
        for (const auto side : {Side::Source, Side::Target}) {
            QCOMPARE(drawn(side)->flow(), Flow::Right);
            QVERIFY(drawn(side)->index.bounds().width() > drawn(side)->index.bounds().height());
            // Nothing is where it was: the graph is seen as when it is opened.
            const auto seen = driven.window.canvas(side)->transform();
            driven.window.canvas(side)->showBeginning();
            QVERIFY(driven.window.canvas(side)->transform() == seen);
        }
        QVERIFY(driven.find<QAction>("viewLeadRight")->isChecked());
        // Keys go with it: to the right is to a consumer.
        driven.clickNode(Side::Source, "data");
        const auto data = canvas->selection().front();
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(canvas->selection().size(), std::size_t{1});
        const auto reached = canvas->selection().front();
        QVERIFY(drawn(Side::Source)->index.box(reached).left() > drawn(Side::Source)->index.box(data).right());
        QTest::keyClick(canvas, Qt::Key_Left);
        QCOMPARE(canvas->selection().front(), data);
        driven.keepPicture(QStringLiteral("changes-right"));
        // Another conversion stays so, as does another model.
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        QCOMPARE(drawn(Side::Target)->flow(), Flow::Right);
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        QCOMPARE(drawn(Side::Source)->flow(), Flow::Right);
        driven.keepPicture(QStringLiteral("changes-right-small"));
        QTest::keyClick(canvas, Qt::Key_R);
        QVERIFY(driven.settle());
        QCOMPARE(drawn(Side::Source)->flow(), Flow::Down);
    }

    void aModelThatIsNotReadAgainKeepsItsView_data()
    {
        QTest::addColumn<bool>("isCancelled");
        QTest::newRow("cancelled") << true;
        QTest::newRow("failed") << false;
    }
    void aModelThatIsNotReadAgainKeepsItsView()
    {
        QFETCH(bool, isCancelled);
        const TemporaryFiles files;
        const auto model = files.write("net-symbol.json", symbolOf());
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(model.string())));
        if (!isCancelled) {
            files.write("net-symbol.json", "{}");
        }
        driven.find<QAction>("fileReload")->trigger();
        if (isCancelled) {
            driven.document().cancel();
        }
        QVERIFY(driven.settle());
        CanvasView* canvas = driven.window.canvas(Side::Source);
        canvas->setTransform({{12, 34}, 1.5});
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        QCOMPARE(canvas->scale(), 1.5);
    }

    void fullyVisibleGraphsStayVisibleWhenPanesChange()
    {
        DrivenWindow driven;
        QVERIFY(driven.open(exampleModel("digits_crnn")));
        const auto areWhole = [&] {
            QCoreApplication::processEvents();
            return std::ranges::all_of(std::array{Side::Source, Side::Target}, [&](Side side) {
                const auto* view = driven.window.canvas(side);
                return view->visibleArea().contains(view->drawnScene()->index.bounds());
            });
        };
        for (const auto side : {Side::Source, Side::Target}) {
            driven.window.canvas(side)->fit();
        }
        QVERIFY(areWhole());
        const auto press = [&] { QTest::keyClick(&driven.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier); };
        press();
        QVERIFY(areWhole());
        press();
        QVERIFY(areWhole());
    }

    /// Run under the thread sanitizer: nothing of an older layout may arrive in a newer state.
    void everythingAtOnceEndsWell()
    {
        DrivenWindow driven;
        auto& document = driven.document();
        auto& window = driven.window;
        const auto spin = [](int times) {
            for (int i = 0; i < times; ++i) {
                QCoreApplication::processEvents();
                QThread::yieldCurrentThread();
            }
        };
        for (int round = 0; round < 6; ++round) {
            window.openModel(m_model);
            spin(3 * round);
            if (round % 3 == 1) {
                document.cancel();
                window.openModel(m_model);
            }
            QTRY_VERIFY_WITH_TIMEOUT(document.isOpen() && document.drawing(Side::Source), DrivenWindow::patience);
            document.folding().setAllOpen(Side::Source, round % 2 == 0);
            window.resize(900 + 60 * round, 700 - 20 * round);
            spin(round);
            document.setStrategy({"rnn"}, round % 2 == 0 ? Strategy::Fused : Strategy::Exact);
            document.folding().setAllOpen(Side::Source, round % 2 != 0);
            const auto groups = document.side(Side::Source)->groups->groups.size();
            QVERIFY(groups > 0);
            document.folding().toggleGroup(Side::Source,
                                           static_cast<std::uint32_t>(round) % static_cast<std::uint32_t>(groups));
            window.resize(1200 - 40 * round, 800);
            spin(2 * round);
            if (round % 3 == 2) {
                document.cancel();
            }
        }
        window.openModel(m_model);
        QVERIFY(driven.settle());
        document.folding().setAllOpen(Side::Source, true);
        document.folding().setAllOpen(Side::Target, true);
        window.resize(1000, 700);
        QVERIFY(driven.settle());
        for (const auto side : {Side::Source, Side::Target}) {
            QCOMPARE(window.canvas(side)->drawnScene(), document.drawing(side)->drawn.get());
            QCOMPARE(window.canvas(side)->drawnScene()->scene.nodes.size(), document.side(side)->scene->nodes.size());
        }
    }

private:
    TemporaryFiles m_files;
    QString m_model;
};

QTEST_MAIN(TestWindowChanges)
#include "tst_window_changes.moc"
