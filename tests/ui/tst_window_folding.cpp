// Groups in the window: opened and closed by mouse and keys, found closed by whatever looks for a node.

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"
#include "ui/panels/subgraph_page.h"

#include <QAction>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

constexpr const char* hiddenProblem = "stage4_unit10_mid";

/// Stages of `units` units and more, each of one more than the one before.
std::string symbolOf(int stages, int units, bool withProblem = false)
{
    std::vector<std::string> nodes{variable("data")};
    const auto add = [&](std::string_view op, const std::string& name, int input, std::string_view attributes) {
        nodes.push_back(node(op, name, fmt::format("[[{}, 0, 0]]", input), attributes));
    };
    int last = 0;
    for (int s = 0; s < stages; ++s) {
        for (int u = 0; u < units + s; ++u) {
            const auto scope = fmt::format("stage{}_unit{}_", s, u);
            const bool isOdd = withProblem && scope + "mid" == hiddenProblem;
            add("Activation", scope + "relu", last, R"({"act_type": "relu"})");
            add(isOdd ? "NoSuchOperator" : "Activation", scope + "mid", last + 1, R"({"act_type": "tanh"})");
            add("Activation", scope + "sigmoid", last + 2, R"({"act_type": "sigmoid"})");
            nodes.push_back(
                node("elemwise_add", scope + "plus", fmt::format("[[{}, 0, 0], [{}, 0, 0]]", last, last + 3), "{}"));
            last += 4;
        }
    }
    return symbolFile(nodes);
}

constexpr int stageCount = 6;
constexpr int unitCount = 20;
class Driven : public DrivenWindow {
public:
    explicit Driven(const QString& model)
    {
        const bool isOpen = open(model);
        Q_ASSERT(isOpen);
    }
    CanvasView* source() { return window.canvas(Side::Source); }
    const DrawnScene& drawn() { return *source()->drawnScene(); }
    std::uint32_t group(std::string_view name)
    {
        const auto& groups = document().side(Side::Source)->groups->groups;
        for (std::uint32_t g = 0; g < groups.size(); ++g) {
            if (groups[g].name == name) {
                return g;
            }
        }
        qFatal("there is no such group");
    }
    bool isOpenGroup(std::string_view name) { return document().drawing(Side::Source)->open[group(name)]; }
    /// The drawn box of a closed group.
    std::uint32_t boxOfGroup(std::string_view name)
    {
        for (std::uint32_t i = 0; i < drawn().scene.nodes.size(); ++i) {
            if (drawn().groupOf(i) == group(name)) {
                return i;
            }
        }
        qFatal("the group is not drawn as a box");
    }
    QPoint placeOfGroup(std::string_view name)
    {
        source()->reveal({boxOfGroup(name)});
        return source()->transform().toView(drawn().index.box(boxOfGroup(name)).center()).toPoint();
    }
    QPointF cornerOf(std::string_view name)
    {
        return source()->transform().toView(drawn().placeOf(group(name))->topLeft());
    }
    void closeAll()
    {
        find<QAction>("viewCloseAll")->trigger();
        QVERIFY(settle());
    }
    bool isSeen(std::string_view name)
    {
        const auto box = boxNamed(Side::Source, name);
        return box && !drawn().groupOf(drawn().drawnAs(*box));
    }
};

} // namespace

class TestWindowFolding : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareWindows();
        const auto write = [this](const char* name, const std::string& symbol) {
            return QString::fromStdString(m_files.write(name, symbol).string());
        };
        m_model = write("staged-symbol.json", symbolOf(stageCount, unitCount));
        m_withProblem = write("problem-symbol.json", symbolOf(stageCount, unitCount, true));
        m_small = write("small-symbol.json", symbolOf(2, 4));
    }

    void aLargeModelOpensClosed()
    {
        Driven driven(m_model);
        QVERIFY(driven.document().side(Side::Source)->scene->nodes.size() > 400);
        QVERIFY(driven.drawn().scene.nodes.size() <= 30);
        QVERIFY(driven.window.canvas(Side::Target)->drawnScene()->scene.nodes.size() <= 30);
        driven.keepPicture(QStringLiteral("folding-opened"));
    }

    void aModelOpensAsAReadableOverview()
    {
        Driven driven(m_small);
        const std::size_t all = driven.document().side(Side::Source)->scene->nodes.size();
        QVERIFY(driven.drawn().scene.nodes.size() < all);
        QVERIFY(driven.source()->scale() >= detail::readable);
        driven.keepPicture(QStringLiteral("folding-small"));
        QTest::keyClick(driven.source(), Qt::Key_E, Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.drawn().scene.nodes.size(), all);
        QVERIFY(driven.drawn().frames().size() >= 2);
    }

    /// Both sides start with the same groups, although the conversion is in other names.
    void theOnnxGraphHasTheGroupsOfTheSource()
    {
        Driven driven(m_model);
        const auto groupsOf = [&](Side side) {
            std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t, bool>> all;
            const auto& groups = driven.document().side(side)->groups->groups;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                all.emplace_back(groups[g].name, groups[g].parent, groups[g].times,
                                 driven.document().drawing(side)->open[g]);
            }
            return all;
        };
        QCOMPARE(groupsOf(Side::Target), groupsOf(Side::Source));
        QVERIFY(groupsOf(Side::Source).size() > stageCount);
    }

    /// The nodes that one node became are one box at first.
    void theNodesOfADecomposedNodeAreAGroup()
    {
        std::vector<std::string> nodes{variable("data")};
        for (int i = 0; i < 20; ++i) {
            nodes.push_back(node("LeakyReLU", fmt::format("gelu_{}", i), fmt::format("[[{}, 0, 0]]", i),
                                 R"({"act_type": "gelu"})"));
        }
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(m_files.write("gelus-symbol.json", symbolFile(nodes)).string())));
        const auto& target = driven.document().side(Side::Target);
        QVERIFY(target->scene->nodes.size() > 80);
        const auto* drawn = driven.window.canvas(Side::Target)->drawnScene();
        QCOMPARE(drawn->scene.nodes.size(), driven.document().side(Side::Source)->scene->nodes.size());
        const auto box = driven.boxNamed(Side::Source, "gelu_7");
        QVERIFY(box);
        driven.document().selection().select(Side::Source, {*box});
        QVERIFY(driven.settle());
        const auto counterparts = driven.window.canvas(Side::Target)->counterparts();
        QCOMPARE(counterparts.size(), std::size_t{1});
        QVERIFY(drawn->groupOf(counterparts.front()));
        QCOMPARE(target->groups->groups[*drawn->groupOf(counterparts.front())].name, std::string("gelu_7"));
        driven.keepPicture(QStringLiteral("folding-decomposed"));
    }

    void aDoubleClickOpensAndATitleCloses()
    {
        Driven driven(m_model);
        driven.closeAll();
        QCOMPARE(driven.drawn().frames().size(), std::size_t{0});
        const QPoint place = driven.placeOfGroup("stage1");
        const QPointF corner = driven.cornerOf("stage1");
        QTest::mouseClick(driven.source(), Qt::LeftButton, {}, place);
        QCOMPARE(driven.document().selection().boxes().size(), std::size_t{4 * (unitCount + 1)});
        QTest::mouseDClick(driven.source(), Qt::LeftButton, {}, place);
        QVERIFY(driven.settle());
        QVERIFY(driven.isOpenGroup("stage1"));
        QCOMPARE(driven.drawn().frames().size(), std::size_t{1});
        // What was clicked stays where it was.
        QVERIFY((driven.cornerOf("stage1") - corner).manhattanLength() < 2);
        driven.keepPicture(QStringLiteral("folding-double-click"));
        const QPointF title =
            driven.source()->transform().toView(titlePlace(driven.drawn().frames().front()).topLeft());
        QTest::mouseClick(driven.source(), Qt::LeftButton, {}, (title + QPointF(20, 6)).toPoint());
        QVERIFY(driven.settle());
        QVERIFY(!driven.isOpenGroup("stage1"));
        QVERIFY((driven.cornerOf("stage1") - corner).manhattanLength() < 2);
        QCOMPARE(driven.document().folding().selectedGroup(), std::optional(driven.group("stage1")));
    }

    void theFoldSignOpensByOneClick()
    {
        Driven driven(m_model);
        driven.closeAll();
        driven.placeOfGroup("stage2");
        driven.source()->zoomToActualSize();
        driven.source()->reveal({driven.boxOfGroup("stage2")});
        const QRectF box = driven.source()->transform().toView(driven.drawn().index.box(driven.boxOfGroup("stage2")));
        QTest::mouseClick(driven.source(), Qt::LeftButton, {}, (box.topRight() + QPointF(-12, 12)).toPoint());
        QVERIFY(driven.settle());
        QVERIFY(driven.isOpenGroup("stage2"));
    }

    void keysOpenAndClose()
    {
        Driven driven(m_model);
        driven.closeAll();
        driven.source()->setFocus();
        QTest::mouseClick(driven.source(), Qt::LeftButton, {}, driven.placeOfGroup("stage3"));
        QTest::keyClick(driven.source(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(driven.isOpenGroup("stage3"));
        QCOMPARE(driven.source()->selection().size(), std::size_t{1}); // the first in it: a stack of units
        QVERIFY(driven.document().folding().selectedGroup().has_value());
        QVERIFY(driven.document().folding().selectedGroup() != driven.group("stage3"));
        QTest::keyClick(driven.source(), Qt::Key_Backspace);
        QVERIFY(driven.settle());
        QVERIFY(!driven.isOpenGroup("stage3"));
        QTest::keyClick(driven.source(), Qt::Key_E);
        QVERIFY(driven.settle());
        QVERIFY(driven.isOpenGroup("stage3"));
        QTest::keyClick(driven.source(), Qt::Key_C);
        QVERIFY(driven.settle());
        QVERIFY(!driven.isOpenGroup("stage3"));
        QTest::keyClick(driven.source(), Qt::Key_E, Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QCOMPARE(driven.drawn().scene.nodes.size(), driven.document().side(Side::Source)->scene->nodes.size());
        QTest::keyClick(driven.source(), Qt::Key_C, Qt::ShiftModifier);
        QVERIFY(driven.settle());
        QVERIFY(driven.drawn().frames().empty());
    }

    void aProblemIsFoundInItsGroup()
    {
        Driven driven(m_withProblem);
        QVERIFY(driven.isSeen(hiddenProblem)); // the first thing that is shown
        driven.closeAll();
        // Its colour shows at the closed group, however far out.
        const auto box = driven.boxOfGroup("stage4");
        const auto marks = marksAsDrawn(driven.document().marks(Side::Source), driven.drawn());
        QCOMPARE(marks->verdicts[box], Verdict::Unsupported);
        QCOMPARE(marks->alarms, std::vector<std::uint32_t>{box});
        driven.document().selection().select(Side::Source, {});
        QVERIFY(!driven.isSeen(hiddenProblem));
        driven.find<QAction>("nextProblem")->trigger();
        QVERIFY(driven.settle());
        QVERIFY(driven.isSeen(hiddenProblem));
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{hiddenProblem});
        const auto drawnBox = driven.drawn().drawnAs(driven.document().selection().boxes().front());
        QVERIFY(driven.source()->visibleArea().contains(driven.drawn().index.box(drawnBox)));
        QCOMPARE(driven.source()->selection(), std::vector<std::uint32_t>{drawnBox});
        driven.keepPicture(QStringLiteral("folding-problem"));
    }

    void aNodeIsFoundFromTheOtherSide()
    {
        Driven driven(m_model);
        driven.closeAll();
        driven.clickNode(Side::Target, 1); // a group: framed on the other side, nothing opens
        QVERIFY(driven.settle());
        QVERIFY(driven.drawn().frames().empty());
        driven.document().folding().setAllOpen(Side::Target, true);
        QVERIFY(driven.settle());
        driven.clickNode(Side::Target, "stage0_unit3_sigmoid");
        QVERIFY(driven.settle());
        QVERIFY(driven.isSeen("stage0_unit3_sigmoid"));
        QCOMPARE(driven.source()->counterparts().size(), std::size_t{1});
    }

    void aConversionLeavesGroupsAsTheyAre()
    {
        Driven driven(m_model);
        driven.closeAll();
        driven.document().folding().toggleGroup(Side::Source, driven.group("stage5"));
        driven.document().setOpset(13); // while the group opens
        QVERIFY(driven.settle());
        QVERIFY(driven.isOpenGroup("stage5"));
        QVERIFY(!driven.isOpenGroup("stage1"));
    }

    void aBodyOpensAsAPage()
    {
        // Its cell state is clipped: a Scan in ONNX.
        m_files.write("net-0000.params", paramsFile({{"arg:parameters", {144}}}));
        DrivenWindow driven;
        QVERIFY(driven.open(QString::fromStdString(
            m_files
                .write("net-symbol.json",
                       symbolFile({variable("data"), variable("parameters"), variable("state"), variable("state_cell"),
                                   node("RNN", "rnn", "[[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]",
                                        R"({"mode": "lstm", "num_layers": "1", "state_size": "4",)"
                                        R"( "lstm_state_clip_min": "-1", "lstm_state_clip_max": "1"})")}))
                .string())));
        const auto& target = driven.document().side(Side::Target);
        std::uint32_t scan = 0;
        while (target->box(scan).title != "Scan") {
            ++scan;
        }
        auto* canvas = driven.window.canvas(Side::Target);
        auto* page = driven.find<SubgraphPage>("onnxPage");
        QVERIFY(!page->isVisible());
        driven.clickNode(Side::Target, scan);
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(page->isVisible() && !canvas->isVisible());
        QVERIFY(page->canvas()->hasFocus());
        const auto bodies = subgraphsOf(*target->graph, target->graph->node(target->box(scan).node), *target->graph);
        QCOMPARE(bodies.size(), std::size_t{1});
        QCOMPARE(page->body()->graph, bodies.front().graph);
        QCOMPARE(page->canvas()->drawnScene()->drawnAs(0), 0U);
        QVERIFY(page->canvas()->drawnScene()->scene.nodes.size() > 5);
        QVERIFY(driven.text("onnxPath").contains(QStringLiteral("ONNX")));
        driven.keepPicture(QStringLiteral("folding-body"));

        QTest::keyClick(page->canvas(), Qt::Key_Backspace);
        QVERIFY(!page->isVisible() && canvas->isVisible() && canvas->hasFocus());
        QCOMPARE(canvas->selection().size(), std::size_t{1});

        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(driven.settle());
        Q_EMIT driven.find<QLabel>("onnxPath")->linkActivated(QStringLiteral("l0"));
        QVERIFY(!page->isVisible());

        // Converted again the node has another body, which is shown then; what looks for a node leaves the page.
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(driven.settle());
        driven.document().setOpset(13);
        QVERIFY(driven.settle());
        QVERIFY(page->isVisible() && page->body()->graph != bodies.front().graph);
        driven.window.revealSelection();
        QVERIFY(!page->isVisible() && canvas->isVisible());
    }

private:
    TemporaryFiles m_files;
    QString m_model;
    QString m_withProblem;
    QString m_small;
};

QTEST_MAIN(TestWindowFolding)
#include "tst_window_folding.moc"
