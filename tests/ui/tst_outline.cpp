#include "tests/support/text_graph.h"
#include "ui/models/outline_model.h"

#include <QAbstractItemModelTester>
#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::ui;

namespace {

std::shared_ptr<const GraphSide> sideOf(const std::string& text)
{
    return DrawnSide::make(std::make_shared<const Graph>(test::textGraph(text)), {}, {}, {}).side;
}

const char* const stages = "data = input 2x3\n"
                           "stage1_unit1_relu = Activation(data) act_type=relu\n"
                           "stage1_unit1_tanh = Activation(stage1_unit1_relu) act_type=tanh\n"
                           "stage1_unit2_relu = Activation(stage1_unit1_tanh) act_type=relu\n"
                           "stage1_unit2_plus = elemwise_add(stage1_unit1_relu,stage1_unit2_relu)\n"
                           "head = softmax(stage1_unit2_plus) axis=1\n"
                           "output head";

QStringList namesUnder(const OutlineModel& model, const QModelIndex& parent = {})
{
    QStringList names;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        names.append(model.index(row, 0, parent).data().toString());
    }
    return names;
}

} // namespace

class TestOutline : public QObject {
    Q_OBJECT
private slots:
    void theTreeFollowsTheScopes()
    {
        OutlineModel model;
        const QAbstractItemModelTester tester(&model);
        model.setSide(sideOf(stages));
        QCOMPARE(namesUnder(model), (QStringList{"data", "stage1", "head", "head"}));
        const auto stage = model.index(1, 0);
        QCOMPARE(namesUnder(model, stage), (QStringList{"unit1", "unit2"}));
        QCOMPARE(stage.data(OutlineModel::CountRole).toInt(), 4);
        const auto unit = model.index(1, 0, stage);
        QCOMPARE(namesUnder(model, unit), (QStringList{"stage1_unit2_relu", "stage1_unit2_plus"}));
        const auto leaf = model.index(1, 0, unit);
        QCOMPARE(leaf.data(OutlineModel::OperatorRole).toString(), QStringLiteral("elemwise_add"));
        const auto box = model.boxAt(leaf);
        QVERIFY(box);
        QCOMPARE(model.indexOf(*box), leaf);
        QVERIFY(!model.boxAt(stage));
    }

    void aScopeSummarizesTheMarksOfItsNodes()
    {
        OutlineModel model;
        const QAbstractItemModelTester tester(&model);
        const auto side = sideOf(stages);
        model.setSide(side);
        const auto boxNamed = [&](std::string_view name) {
            std::uint32_t box = 0;
            while (side->label(box) != name) {
                ++box;
            }
            return box;
        };
        const auto stage = model.index(1, 0);
        const auto unit = [&](int row) { return model.index(row, 0, stage); };
        const auto verdictOf = [](const QModelIndex& index) {
            return static_cast<Verdict>(index.data(OutlineModel::VerdictRole).toInt());
        };
        QCOMPARE(verdictOf(stage), Verdict::Exact);
        auto marks = std::make_shared<SceneMarks>();
        marks->verdicts.assign(side->scene->nodes.size(), Verdict::Exact);
        marks->verdicts[boxNamed("stage1_unit1_relu")] = Verdict::Approximate;
        marks->verdicts[boxNamed("stage1_unit1_tanh")] = Verdict::Decomposed; // no reason to look there
        marks->verdicts[boxNamed("stage1_unit2_relu")] = Verdict::Unsupported;
        marks->alarms = {boxNamed("stage1_unit1_relu"), boxNamed("stage1_unit2_relu")};
        marks->badges[boxNamed("stage1_unit1_tanh")] = {"proj", "clip"};
        marks->badges[boxNamed("stage1_unit2_plus")] = {"clip"};
        model.setMarks(marks);
        QCOMPARE(verdictOf(unit(0)), Verdict::Approximate);
        QCOMPARE(verdictOf(unit(1)), Verdict::Unsupported);
        QCOMPARE(verdictOf(stage), Verdict::Unsupported); // the gravest
        QCOMPARE(unit(1).data(OutlineModel::BadgesRole).toStringList(), QStringList{"clip"});
        QCOMPARE(stage.data(OutlineModel::BadgesRole).toStringList(), (QStringList{"clip", "proj"}));
        QCOMPARE(stage.data(Qt::AccessibleTextRole).toString(),
                 QString("stage1, 4 nodes, not expressible in ONNX: clip, proj"));
        model.setMarks(nullptr);
        QCOMPARE(verdictOf(stage), Verdict::Exact);
        QVERIFY(stage.data(OutlineModel::BadgesRole).toStringList().isEmpty());
    }

    void aFoldedNodeSelectsItsBox()
    {
        OutlineModel model;
        const QAbstractItemModelTester tester(&model);
        const auto side = sideOf("data = input 5x2x12\n"
                                 "net0_weight = weight 4x3\n"
                                 "net0_reshape0 = Reshape(net0_weight) shape=(-1,)\n"
                                 "net0_plus = broadcast_add(data,net0_reshape0)\n"
                                 "output net0_plus");
        model.setSide(side);
        const auto scope = model.index(1, 0);
        QCOMPARE(namesUnder(model, scope), (QStringList{"net0_plus"}));
        model.setFoldedShown(true); // after the others
        QCOMPARE(namesUnder(model, scope), (QStringList{"net0_plus", "net0_reshape0"}));
        QCOMPARE(scope.data(OutlineModel::CountRole).toInt(), 1);
        const auto folded = model.index(1, 0, scope);
        const auto consumer = model.index(0, 0, scope);
        QCOMPARE(folded.data(OutlineModel::OperatorRole).toString(), QStringLiteral("Reshape"));
        QCOMPARE(folded.data(OutlineModel::VerdictRole).toInt(), static_cast<int>(Verdict::Folded));
        QCOMPARE(model.boxAt(folded), model.boxAt(consumer));
        QCOMPARE(model.indexOf(*model.boxAt(folded)), consumer);
        model.setFilter(QStringLiteral("reshape0"));
        QCOMPARE(namesUnder(model), (QStringList{"net0_plus"}));
    }

    void aSearchFindsEveryWordAnywhereInANode_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("name") << "unit1_t" << QStringList{"stage1_unit1_tanh"};
        QTest::newRow("operator, any case") << "SOFTMAX" << QStringList{"head"};
        QTest::newRow("attribute") << "tanh" << QStringList{"stage1_unit1_tanh"};
        QTest::newRow("words in any order") << "relu unit2" << QStringList{"stage1_unit2_relu"};
        QTest::newRow("shape") << "2\u00d73" << QStringList{"data"};
        QTest::newRow("shape by keyboard") << "2x3" << QStringList{"data"};
        QTest::newRow("attribute with its value") << "axis=1" << QStringList{"head"};
        QTest::newRow("nothing") << "nowhere" << QStringList{};
    }
    void aSearchFindsEveryWordAnywhereInANode()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, names);
        OutlineModel model;
        const QAbstractItemModelTester tester(&model);
        model.setSide(sideOf(stages));
        model.setFilter(query);
        QVERIFY(model.isFiltered());
        QCOMPARE(namesUnder(model), names);
        QCOMPARE(model.rowCount(), names.size());
        for (int row = 0; row < model.rowCount(); ++row) {
            QCOMPARE(model.indexOf(*model.boxAt(model.index(row, 0))), model.index(row, 0));
        }
        model.setFilter(QStringLiteral("  "));
        QVERIFY(!model.isFiltered());
        QCOMPARE(model.rowCount(), 4);
    }

    void findsTheCommonPrefixOfResults_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("shared");
        QTest::newRow("whole scopes") << "relu"
                                      << "model/decoder/";
        QTest::newRow("nothing in common") << "data"
                                           << "";
        QTest::newRow("nothing found") << "nowhere"
                                       << "";
    }
    void findsTheCommonPrefixOfResults()
    {
        QFETCH(QString, query);
        QFETCH(QString, shared);
        OutlineModel model;
        model.setSide(sideOf("data = input 2x3\n"
                             "model/decoder/layer/1/relu = Activation(data) act_type=relu\n"
                             "model/decoder/layer/12/relu = Activation(model/decoder/layer/1/relu) act_type=relu\n"
                             "model/decoder/layer2/relu = Activation(model/decoder/layer/12/relu) act_type=relu\n"
                             "output model/decoder/layer2/relu"));
        QVERIFY(!model.index(0, 0).data(OutlineModel::SharedRole).isValid()); // in the tree the scopes say it
        model.setFilter(query);
        for (int row = 0; row < model.rowCount(); ++row) {
            const auto index = model.index(row, 0);
            QCOMPARE(index.data().toString().left(index.data(OutlineModel::SharedRole).toInt()), shared);
        }
    }

    void aSearchCoversTensorsAttributesAndShapes_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("an attribute that is as by default") << "no_bias=false" << QStringList{"conv"};
        QTest::newRow("one behind the four that are drawn") << "dilate=(1,1)" << QStringList{"conv"};
        QTest::newRow("a list as it is written") << "kernel (3, 3)" << QStringList{"conv"};
        QTest::newRow("the name of a weight") << "first_kernel" << QStringList{"conv"};
        QTest::newRow("the shape of a weight") << "8x4x3x3" << QStringList{"conv"};
        QTest::newRow("the shape of an output") << "1x8xHxW" << QStringList{"conv"};
        QTest::newRow("a type") << "float16" << QStringList{"relu", "relu"}; // and the output
    }
    void aSearchCoversTensorsAttributesAndShapes()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, names);
        const auto graph = std::make_shared<const Graph>(
            test::textGraph("data = input 1x4x9x9\n"
                            "first_kernel = weight 8x4x3x3\n"
                            "first_bias = weight 8\n"
                            "conv = Convolution(data,first_kernel,first_bias) kernel=(3,3) num_filter=8 stride=(2,2) "
                            "pad=(1,1) num_group=1 dilate=(1,1) no_bias=False\n"
                            "relu = Activation(conv) act_type=relu\n"
                            "output relu"));
        std::vector<TensorType> types(graph->valueCount());
        types[graph->node(NodeId{0}).outputs[0].index] = {ElementType::Float32,
                                                          Shape{Dim(1), Dim(8), Dim("H"), Dim("W")}};
        types[graph->node(NodeId{1}).outputs[0].index] = {ElementType::Float16, std::nullopt};
        OutlineModel model;
        model.setSide(DrawnSide::make(graph, KnownTypes(types), {}, {}).side);
        model.setFilter(query);
        QCOMPARE(namesUnder(model), names);
    }

    void aSearchFindsNumbersAsBoxesShowThem()
    {
        Graph graph;
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        const NodeId node = graph.addNode({.op = "BatchNormalization",
                                           .name = "norm",
                                           .inputs = {x},
                                           .attributes = {{"epsilon", static_cast<double>(1e-5F)}}});
        graph.outputs.push_back(graph.addOutput(node, "y"));
        OutlineModel model;
        model.setSide(DrawnSide::make(std::make_shared<const Graph>(std::move(graph)), {}, {}, {}).side);
        model.setFilter(QStringLiteral("epsilon=1e-05"));
        QCOMPARE(namesUnder(model), QStringList{QStringLiteral("norm")});
    }

    void aSearchShowsTheMatchedText_data()
    {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QStringList>("reasons");
        QTest::newRow("by name") << "plus" << QStringList{""};
        QTest::newRow("by operator") << "soft" << QStringList{""};
        QTest::newRow("by an attribute") << "axis" << QStringList{"axis=1"};
        QTest::newRow("by name and attribute") << "unit1 type=tanh" << QStringList{"act_type=tanh"};
        QTest::newRow("no search") << "" << QStringList{"", "", "", ""};
    }
    void aSearchShowsTheMatchedText()
    {
        QFETCH(QString, query);
        QFETCH(QStringList, reasons);
        OutlineModel model;
        model.setSide(sideOf(stages));
        model.setFilter(query);
        QStringList told;
        for (int row = 0; row < model.rowCount(); ++row) {
            told.append(model.index(row, 0).data(OutlineModel::ReasonRole).toString());
        }
        QCOMPARE(told, reasons);
    }

    void incrementalSearchMatchesTheFullSearch()
    {
        OutlineModel typed;
        typed.setSide(sideOf(stages));
        const QString query = QStringLiteral("unit1 relu act");
        for (qsizetype length = 1; length <= query.size(); ++length) {
            typed.setFilter(query.left(length));
            OutlineModel atOnce;
            atOnce.setSide(sideOf(stages));
            atOnce.setFilter(query.left(length));
            QCOMPARE(namesUnder(typed), namesUnder(atOnce));
        }
        QCOMPARE(namesUnder(typed), QStringList{"stage1_unit1_relu"});
        typed.setFilter(QStringLiteral("unit2")); // another word starts again
        QCOMPARE(typed.rowCount(), 2);
    }

    void manyMatchesAreListedOnScrolling()
    {
        constexpr int nodes = 3500;
        std::string text = "data = input 1x4\n";
        for (int i = 0; i < nodes; ++i) {
            text += "n" + std::to_string(i) + " = relu(" + (i == 0 ? "data" : "n" + std::to_string(i - 1)) + ")\n";
        }
        OutlineModel model; // without a tester, which fetches everything by itself
        const auto side = sideOf(text + "output n" + std::to_string(nodes - 1));
        model.setSide(side);
        model.setFilter(QStringLiteral("relu"));
        QCOMPARE(model.rowCount(), 1000);
        const std::uint32_t late = *model.boxAt(model.index(999, 0)) + 1800;
        QVERIFY(!model.indexOf(late).isValid());
        QVERIFY(model.canFetchMore({}));
        model.fetchMore({});
        QCOMPARE(model.rowCount(), 2000);
        model.searchUpTo(late);
        QCOMPARE(model.boxAt(model.indexOf(late)), std::optional(late));
        QCOMPARE(model.rowCount(), nodes);
        QVERIFY(!model.canFetchMore({}));
        model.setFilter(QStringLiteral("n"));
        QCOMPARE(model.rowCount(), 1000);
        model.setFilter(QStringLiteral("n34")); // and behind what "n" had found by then
        QCOMPARE(model.rowCount(), 112);        // n34, n340 to n349, n3400 to n3499, and the output
    }

    void verdictsAreSeenInTheTree()
    {
        OutlineModel model;
        const auto side = sideOf(stages);
        model.setSide(side);
        auto marks = std::make_shared<SceneMarks>();
        marks->verdicts.assign(side->scene->nodes.size(), Verdict::Exact);
        const auto head = model.index(2, 0);
        marks->verdicts[*model.boxAt(head)] = Verdict::Unsupported;
        model.setMarks(marks);
        QCOMPARE(head.data(OutlineModel::VerdictRole).toInt(), static_cast<int>(Verdict::Unsupported));
        QCOMPARE(model.index(0, 0).data(OutlineModel::VerdictRole).toInt(), static_cast<int>(Verdict::Exact));
    }

    void withoutAModelTheTreeIsEmpty()
    {
        OutlineModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        model.setFilter(QStringLiteral("x"));
        model.setSide(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_MAIN(TestOutline)
#include "tst_outline.moc"
