// Models of TensorFlow in the window: cyclic graphs, functions, folders.

#include "tests/support/tensorflow_models.h"
#include "tests/ui/driven_bodies.h"
#include "ui/models/problems_model.h"
#include "ui/models/recent_files.h"

#include <QProgressBar>
#include <QTreeView>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

QString fileOf(const TemporaryFiles& files, std::string_view name, const std::string& content)
{
    return QString::fromStdString(files.write(std::string(name), content).string());
}

/// A folder with a SavedModel of the loop.
QString savedModel(const TemporaryFiles& files)
{
    QString folder = QFileInfo(fileOf(files, "graph.pb", whileLoop())).absolutePath() + QStringLiteral("/model");
    QDir().mkpath(folder);
    QFile file(folder + QStringLiteral("/saved_model.pb"));
    const auto port = [](std::string_view key, std::string_view tensor) {
        return Message().bytes(1, key).message(2, Message().bytes(1, tensor).number(2, std::uint64_t{1}));
    };
    Message signature;
    signature.message(1, port("image", "x:0")).message(2, port("result", "y:0"));
    Message meta;
    meta.message(1, Message().bytes(4, "serve")).bytes(2, whileLoop());
    meta.message(5, Message().bytes(1, "serving_default").message(2, signature));
    const std::string content = Message().number(1, std::uint64_t{1}).message(2, meta).content();
    if (!file.open(QIODevice::WriteOnly) || file.write(content.data(), qsizetype(content.size())) < 0) {
        qFatal("the model cannot be written");
    }
    return folder;
}

} // namespace

class TestWindowTensorflow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aLoopIsAGroupWithBackEdges()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(fileOf(files, "loop.pb", whileLoop())));
        const auto& drawn = *driven.window.canvas(Side::Source)->drawnScene();
        const auto back = std::ranges::count_if(drawn.scene.edges, &SceneEdge::closesLoop);
        QCOMPARE(back, std::ptrdiff_t{2});
        for (std::size_t e = 0; e < drawn.scene.edges.size(); ++e) {
            if (drawn.scene.edges[e].closesLoop) {
                QCOMPARE(drawn.scene.nodes[drawn.scene.edges[e].from].title, std::string("NextIteration"));
                QCOMPARE(drawn.scene.nodes[drawn.scene.edges[e].to].title, std::string("Merge"));
                QVERIFY(drawn.scene.layout.routes[e].size() >= 2);
            }
        }
        QCOMPARE(drawn.frames().size(), std::size_t{1});
        QCOMPARE(drawn.frames()[0].title, std::string("loop"));
        // The placeholder is the input; no box beside it is.
        QCOMPARE(driven.operators(Side::Source)["Placeholder"], 1);
        QVERIFY(std::ranges::none_of(drawn.scene.nodes,
                                     [](const SceneNode& node) { return node.kind == SceneNode::Kind::Input; }));
        driven.keepPicture(QStringLiteral("tensorflow-loop"));
    }

    void allNodesOfALoopLinkToItsConversion()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(fileOf(files, "loop.pb", whileLoop())));
        const auto& document = driven.document();
        const auto counterparts = [&](Side side) { return driven.labels(side, document.counterpartsOfSelection()); };
        const std::uint32_t loop = driven.withOperator(Side::Target, "Loop");
        const std::string loopName = document.side(Side::Target)->label(loop);
        for (const char* name : {"loop/Tanh", "loop/Enter_1", "loop/Merge", "loop/Exit_1", "loop/LoopCond"}) {
            driven.clickNode(Side::Source, name);
            const auto found = counterparts(Side::Target);
            QVERIFY2(std::ranges::find(found, loopName) != found.end(), name);
        }
        driven.clickNode(Side::Source, "x");
        QCOMPARE(counterparts(Side::Target), std::vector<std::string>{"x:0"});
        driven.clickNode(Side::Target, loop);
        const auto nodes = counterparts(Side::Source);
        for (const char* name : {"loop/Tanh", "loop/Enter_1", "loop/Merge", "loop/Exit_1", "loop/LoopCond"}) {
            QVERIFY2(std::ranges::find(nodes, name) != nodes.end(), name);
        }
        const auto input = driven.document().side(Side::Target)->boxOf(document.side(Side::Target)->graph->inputs[0]);
        driven.clickNode(Side::Target, input.value());
        QCOMPARE(counterparts(Side::Source), std::vector<std::string>{"x"});
    }

    void constantsAreShownWithTheirValues()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(fileOf(files, "loop.pb", whileLoop())));
        driven.clickNode(Side::Source, "loop/mul");
        driven.showDock("tensorDock");
        QCOMPARE(driven.find<QAbstractItemView>("tensorValues")->model()->rowCount() *
                     driven.find<QAbstractItemView>("tensorValues")->model()->columnCount(),
                 3);
        driven.showDock("summaryDock");
        QCOMPARE(driven.detail("summaryTree", QStringLiteral("Elements")), QStringLiteral("3"));
    }

    void aFunctionIsTheBodyOfItsCall()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(fileOf(files, "call.pb", calledFunction("Tanh"))));
        constexpr auto side = Side::Source;
        driven.openBody(side, "PartitionedCall");
        driven.clickInBody(side, "Tanh");
        QCOMPARE(driven.text("nodeName"), QStringLiteral("last"));
        QVERIFY(driven.isShown("nodeVerdict"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.settle());
        QCOMPARE(driven.text("nodeName"), QStringLiteral("call"));
    }

    void aGapInAFunctionIsShownAtItsNode()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(fileOf(files, "call.pb", calledFunction("Digamma"))));
        QCOMPARE(driven.document().gapCount(), 1);
        driven.showDock("problemsDock");
        QTest::keyClick(&driven.window, Qt::Key_F8);
        QVERIFY(driven.settle());
        auto* page = driven.page(Side::Source);
        QVERIFY(page->isVisible());
        const auto box = driven.boxInBody(Side::Source, "Digamma");
        QVERIFY(box);
        QCOMPARE(page->pickedBox(), box);
        QVERIFY(page->marks());
        QCOMPARE(page->marks()->verdicts[*box], Verdict::Unsupported);
    }

    void opensAFolderLikeAFile()
    {
        const TemporaryFiles files;
        const QString folder = savedModel(files);
        DrivenBodies driven;
        QTest::keyClick(&driven.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        driven.answerFileDialog("openFolderDialog", folder);
        QVERIFY(driven.settle());
        QVERIFY(driven.document().isOpen());
        QCOMPARE(driven.text("sourceName"), QStringLiteral("model"));
        QCOMPARE(driven.labels(Side::Target, {driven.withOperator(Side::Target, "input")}),
                 std::vector<std::string>{"x:0"});
        driven.document().close();
        driven.drop({folder});
        QVERIFY(driven.settle());
        QVERIFY(driven.document().isOpen());
        driven.document().close();
        QVERIFY(driven.open(folder + u'/'));
        QCOMPARE(driven.text("sourceName"), QStringLiteral("model"));
    }

    void reloadingKeepsAnOperationAmongTheOutputs()
    {
        const TemporaryFiles files;
        const QString path = fileOf(files, "step.pb",
                                    graphDef({placeholder("x", {-1, 3}), unary("y", "Tanh", "x"),
                                              unary("z", "Relu", "y"), nodeDef("step", "NoOp", {"^y"})})
                                        .content());
        DrivenBodies driven;
        driven.document().open(path.toStdString(), {}, {.renames = {{"y:0", "result"}}, .outputs = {"y", "step"}});
        QVERIFY(driven.settle());
        const ConvertOptions chosen = driven.document().options();
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().options().outputs, chosen.outputs);
        QCOMPARE(driven.document().options().renames, chosen.renames);
        // A name that the changed model no longer has is dropped, and the others stay.
        fileOf(files, "step.pb", graphDef({placeholder("x", {-1, 3}), unary("y", "Tanh", "x")}).content());
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QCOMPARE(driven.document().options().outputs, std::vector<std::string>{"y"});
    }

    void recentFilesIncludeFolders()
    {
        const TemporaryFiles files;
        const QString folder = savedModel(files);
        RecentFiles recent(nullptr, nullptr);
        recent.add(folder + u'/');
        recent.add(folder);
        QCOMPARE(recent.paths(), QStringList{folder});
    }
};

QTEST_MAIN(TestWindowTensorflow)
#include "tst_window_tensorflow.moc"
