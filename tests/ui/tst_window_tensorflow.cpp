// Models of TensorFlow in the window: cyclic graphs, functions, folders.

#include "tests/support/checkpoint_files.h"
#include "tests/support/tensorflow_models.h"
#include "tests/ui/driven_bodies.h"
#include "ui/main_window/session.h"
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

/// A folder with a SavedModel that has two signatures, a variable in a checkpoint, a lookup table with its asset, and
/// nodes of the training.
QString signedModel(const TemporaryFiles& files)
{
    const std::string graph =
        graphDef({placeholder("image", {-1, 2}), placeholder("text", {-1, 3}),
                  nodeDef("w", "VariableV2", {}, {{"dtype", typeAttr(1)}, {"shape", shapeAttr({2})}}),
                  unary("w/read", "Identity", "w"), binary("sum", "AddV2", "image", "w/read"),
                  unary("shout", "Relu", "text"), unary("train/loss", "Neg", "sum"),
                  unary("train/step", "Abs", "train/loss"), unary("save/all", "Abs", "sum"),
                  nodeDef("words", "HashTableV2", {}, {{"key_dtype", typeAttr(7)}, {"value_dtype", typeAttr(9)}})})
            .content();
    const auto port = [](std::string_view key, std::string_view tensor) {
        return Message().bytes(1, key).message(2, Message().bytes(1, tensor));
    };
    const auto signature = [&](std::string_view name, const Message& input, const Message& output) {
        return Message().bytes(1, name).message(2, Message().message(1, input).message(2, output));
    };
    Message meta;
    meta.message(1, Message().bytes(4, "serve").bytes(5, "1.15.5")).bytes(2, graph);
    meta.message(5, signature("serving_default", port("pixels", "image:0"), port("score", "sum:0")));
    meta.message(5, signature("shouting", port("words", "text:0"), port("loud", "shout:0")));
    meta.message(6, Message().message(1, Message().bytes(1, "path:0")).bytes(2, "vocabulary.txt"));
    const std::string content = Message().number(1, std::uint64_t{1}).message(2, meta).content();
    std::filesystem::create_directories(files.path("signed/variables"));
    files.write("signed/saved_model.pb", content);
    write(files, checkpointOf({{"w", {.dims = {2}, .values = {1, 2}}}}), "signed/variables/variables");
    return QString::fromStdString(files.path("signed").string());
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
        const auto counterparts = [&](Side side) { return driven.labels(side, document.selection().counterparts()); };
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
        QVERIFY(driven.open(fileOf(files, "call.pb", calledFunction("BesselJ0"))));
        QCOMPARE(driven.document().gapCount(), 1);
        driven.showDock("problemsDock");
        QTest::keyClick(&driven.window, Qt::Key_F8);
        QVERIFY(driven.settle());
        auto* page = driven.page(Side::Source);
        QVERIFY(page->isVisible());
        const auto box = driven.boxInBody(Side::Source, "BesselJ0");
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

    void aSignatureIsChosenByMouseAndByKeys()
    {
        const TemporaryFiles files;
        const QString folder = signedModel(files);
        DrivenBodies driven;
        QVERIFY(driven.open(folder));
        driven.showDock("inputsDock");
        QVERIFY(driven.isShown("signaturesTable"));
        const auto inputs = [&] { return driven.cell("inputsTable", QStringLiteral("image:0"), 0).isValid(); };
        QVERIFY(inputs());
        // During a conversion nothing can be chosen.
        const auto* signatures = driven.find<QTreeView>("signaturesTable");
        const QModelIndex used = signatures->currentIndex();
        driven.document().setOpset(13);
        driven.clickCell("signaturesTable", driven.cell("signaturesTable", QStringLiteral("shouting"), 1));
        QCOMPARE(signatures->currentIndex(), used);
        QVERIFY(driven.settle());
        driven.undo();
        driven.clickCell("signaturesTable", driven.cell("signaturesTable", QStringLiteral("shouting"), 1));
        QVERIFY(driven.settle());
        QVERIFY(!inputs());
        QVERIFY(driven.cell("inputsTable", QStringLiteral("text:0"), 0).isValid());
        QCOMPARE(driven.document().loaded()->graph->outputs.size(), std::size_t{1});
        QCOMPARE(driven.operators(Side::Target)["Relu"], 1);
        driven.keepPicture(QStringLiteral("tensorflow-signatures"));

        // The choice stays when the file is read again, and is part of the session.
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QVERIFY(!inputs());
        QTemporaryDir place;
        QSettings settings(place.filePath(QStringLiteral("state")), QSettings::IniFormat);
        writeState(settings, driven.window.state());
        {
            DrivenBodies other;
            other.window.restore(readState(settings));
            QVERIFY(other.settle());
            QVERIFY(other.cell("inputsTable", QStringLiteral("text:0"), 0).isValid());
        }
        driven.window.activateWindow();

        auto* list = driven.find<QTreeView>("signaturesTable");
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Up);
        QVERIFY(!inputs()); // moving alone chooses nothing
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(inputs());
        QVERIFY(list->hasFocus());
        QCOMPARE(driven.operators(Side::Target)["Add"], 1);
    }

    /// As with --tags.
    void tagsAreKept()
    {
        const TemporaryFiles files;
        const auto graphWith = [](std::string_view tag, std::string_view op) {
            return Message()
                .message(1, Message().bytes(4, tag))
                .message(2, graphDef({placeholder("x", {2}), unary("y", op, "x")}));
        };
        const std::string path = files
                                     .write("saved_model.pb", Message()
                                                                  .number(1, std::uint64_t{1})
                                                                  .message(2, graphWith("train", "Tanh"))
                                                                  .message(2, graphWith("serve", "Relu"))
                                                                  .content())
                                     .string();
        DrivenBodies driven;
        driven.document().open({.model = path, .weights = {}, .options = {}, .tags = {"train"}});
        QVERIFY(driven.settle());
        QCOMPARE(driven.operators(Side::Source)["Tanh"], 1);
        QTest::keyClick(&driven.window, Qt::Key_F5);
        QVERIFY(driven.settle());
        QCOMPARE(driven.operators(Side::Source)["Tanh"], 1);
        QTemporaryDir place;
        QSettings settings(place.filePath(QStringLiteral("state")), QSettings::IniFormat);
        writeState(settings, driven.window.state());
        DrivenBodies other;
        other.window.restore(readState(settings));
        QVERIFY(other.settle());
        QCOMPARE(other.operators(Side::Source)["Tanh"], 1);
    }

    void oneSignatureNeedsNoList()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(savedModel(files)));
        driven.showDock("inputsDock");
        QVERIFY(!driven.isShown("signaturesTable"));
        driven.showDock("summaryDock");
        QCOMPARE(driven.detail("summaryTree", QStringLiteral("Signature")), QStringLiteral("serving_default"));
    }

    void unusedPartsAreListedAndSelected()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        driven.window.resize(1440, 1100);
        QVERIFY(driven.open(signedModel(files)));
        driven.showDock("summaryDock");
        auto* tree = driven.find<QTreeView>("summaryTree");
        const QModelIndex train = driven.detailIndex("summaryTree", QStringLiteral("train"));
        QCOMPARE(train.data().toString(), QStringLiteral("2 nodes"));
        QCOMPARE(train.parent().data().toString(), QStringLiteral("Unused parts (6)"));
        QVERIFY(!tree->isExpanded(train.parent()));
        tree->setFocus();
        tree->setCurrentIndex(train.parent());
        QTest::keyClick(tree, Qt::Key_Right);
        QVERIFY(tree->isExpanded(train.parent()));
        driven.clickCell("summaryTree", train);
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 (std::vector<std::string>{"train/loss", "train/step"}));
        tree->setFocus();
        tree->setCurrentIndex(driven.detailIndex("summaryTree", QStringLiteral("save")));
        QTest::keyClick(tree, Qt::Key_Return);
        QVERIFY(driven.settle());
        QCOMPARE(driven.labels(Side::Source, driven.document().selection().boxes()),
                 std::vector<std::string>{"save/all"});
        // The table stands with its types, and the asset with its name.
        QCOMPARE(driven.detail("summaryTree", QStringLiteral("words")), QStringLiteral("table, string \u2192 int64"));
        QVERIFY(driven.detailIndex("summaryTree", QStringLiteral("vocabulary.txt")).isValid());
    }

    void aVariableTellsItsKeyAndItsShard()
    {
        const TemporaryFiles files;
        DrivenBodies driven;
        QVERIFY(driven.open(signedModel(files)));
        const auto node = driven.document().side(Side::Source)->names.find("w");
        QVERIFY(node);
        driven.document().selection().selectNode(Side::Source, *node);
        QVERIFY(driven.settle());
        const QString shard = QStringLiteral("variables/variables.data-00000-of-00001");
        if (driven.text("nodeName") == QLatin1String("w")) { // drawn as a box of its own
            QCOMPARE(driven.detail("nodeDetails", QStringLiteral("Key")), QStringLiteral("w"));
            QCOMPARE(driven.detail("nodeDetails", QStringLiteral("File")), shard);
        } else { // a row of its reader
            const QString tip =
                driven.detailIndex("nodeDetails", QStringLiteral("w:0")).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QStringLiteral("Key: w")) && tip.contains(shard), qPrintable(tip));
        }
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
