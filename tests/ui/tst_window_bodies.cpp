// Bodies of loops, scans and branches in the window: pages over the graph, with the way back, described like any node.

#include "core/base/diagnostic.h"
#include "core/onnx/writer.h"
#include "tests/support/onnx_models.h"

#include "tests/support/mxnet_files.h"
#include "tests/ui/driven_window.h"
#include "ui/panels/subgraph_page.h"

using namespace crosswalk;
using namespace crosswalk::test;
using namespace crosswalk::ui;

namespace {

std::string foreachNode(const std::string& name, const std::string& body)
{
    return fmt::format(R"j({{"op": "_foreach", "name": "{}", "inputs": [[0, 0], [1, 0]], "subgraphs": [{}],
        "attrs": {{"in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]", "num_outputs": "2",
                   "num_out_data": "1", "num_args": "3"}}}})j",
                       name, body);
}

/// For each row of rows, for each row: h += x.
std::string loopInLoop()
{
    const std::string inner =
        symbolFile({variable("x-0"), variable("h-0"), node("elemwise_add", "sum", "[[0, 0], [1, 0]]")},
                   R"j([[2, 0], [2, 0]], "arg_nodes": [0, 1])j");
    const std::string outer = symbolFile({variable("rows-0"), variable("s-0"), foreachNode("inner", inner)},
                                         R"j([[2, 0], [2, 1]], "arg_nodes": [0, 1])j");
    return symbolFile({variable("x"), variable("h"), foreachNode("outer", outer)}, "[[2, 0], [2, 1]]");
}

void addBody(::onnx::NodeProto& node, const char* name, const ::onnx::GraphProto& body)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::GRAPH);
    *attribute->mutable_g() = body;
}

::onnx::GraphProto branch(const char* op, const std::string& input, const std::string& output)
{
    ::onnx::GraphProto graph;
    graph.set_name(output);
    addNode(graph, op, {input}, {output});
    auto* info = graph.add_output();
    info->set_name(output);
    toProto({ElementType::Float32, Shape{3}}, *info->mutable_type());
    return graph;
}

/// y = c ? (c ? -x : |x|) : exp(x)
OnnxModel branchInBranch()
{
    OnnxModel model = emptyModel();
    addInput(model, "c", {ElementType::Bool, Shape{}});
    addInput(model, "x", {ElementType::Float32, Shape{3}});
    ::onnx::GraphProto outer;
    outer.set_name("outer");
    auto& inner = addNode(outer, "If", {"c"}, {"y1"});
    addBody(inner, "then_branch", branch("Neg", "x", "n"));
    addBody(inner, "else_branch", branch("Abs", "x", "a"));
    auto* info = outer.add_output();
    info->set_name("y1");
    toProto({ElementType::Float32, Shape{3}}, *info->mutable_type());
    auto& node = addNode(model, "If", {"c"}, {"y"});
    addBody(node, "then_branch", outer);
    addBody(node, "else_branch", branch("Exp", "x", "e"));
    addOutput(model, "y", {ElementType::Float32, Shape{3}});
    return model;
}

class Driven : public DrivenWindow {
public:
    SubgraphPage* page(Side side) { return find<SubgraphPage>(side == Side::Source ? "sourcePage" : "onnxPage"); }
    std::uint32_t withOperator(Side side, std::string_view op)
    {
        const auto& graphSide = document().side(side);
        for (std::uint32_t i = 0; graphSide && i < graphSide->scene->nodes.size(); ++i) {
            if (graphSide->box(i).title == op) {
                return i;
            }
        }
        qFatal("there is no %s", std::string(op).c_str());
    }
    void openBody(Side side, std::string_view op)
    {
        clickNode(side, withOperator(side, op));
        QTest::keyClick(window.canvas(side), Qt::Key_Return);
        QVERIFY(settle());
        QVERIFY(page(side)->isVisible());
    }
    bool hasInBody(Side side, std::string_view op) { return boxInBody(side, op).has_value(); }
    std::optional<std::uint32_t> boxInBody(Side side, std::string_view op)
    {
        const auto& nodes = page(side)->body()->scene->nodes;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].title == op) {
                return i;
            }
        }
        return std::nullopt;
    }
    void clickInBody(Side side, std::string_view op)
    {
        const auto box = boxInBody(side, op);
        QVERIFY2(box, std::string(op).c_str());
        auto* canvas = page(side)->canvas();
        const QRectF place = canvas->drawnScene()->index.box(canvas->drawnScene()->drawnAs(*box));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->transform().toView(place.center()).toPoint());
        QCoreApplication::processEvents();
    }
    void follow(Side side, const char* link)
    {
        emit find<QLabel>(side == Side::Source ? "sourcePath" : "onnxPath")->linkActivated(QLatin1String(link));
        QVERIFY(settle());
    }
};

} // namespace

class TestWindowBodies : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindows(); }

    void aLoopInALoopIsWalkedInAndOut()
    {
        const ModelFiles files;
        Driven driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string())));
        constexpr auto side = Side::Source;
        driven.openBody(side, "_foreach");
        QVERIFY(driven.hasInBody(side, "_foreach"));
        driven.clickInBody(side, "_foreach");
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(driven.hasInBody(side, "elemwise_add"));
        for (const char* step : {"Source", "outer", "inner"}) {
            QVERIFY2(driven.text("sourcePath").contains(QLatin1String(step)), step);
        }
        driven.clickInBody(side, "elemwise_add");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("elemwise_add"));
        QCOMPARE(driven.text("nodeName"), QStringLiteral("sum"));
        driven.keepPicture(QStringLiteral("bodies-loop-in-loop"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.settle());
        QVERIFY(driven.hasInBody(side, "_foreach"));
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Backspace);
        QVERIFY(driven.settle());
        QVERIFY(!driven.page(side)->isVisible());
        // Back outside, the panel tells of what is selected there.
        QCOMPARE(driven.text("nodeName"), QStringLiteral("outer"));
    }

    void theConvertedLoopHasBodiesToo()
    {
        const ModelFiles files;
        Driven driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string())));
        driven.document().setInputShape("x", Shape{Dim("T"), Dim(5), Dim(3)});
        driven.document().setInputShape("h", Shape{Dim(3)});
        QVERIFY(driven.settle());
        constexpr auto side = Side::Target;
        QVERIFY2(driven.document().side(side), qPrintable(driven.document().exportObstacle()));
        const std::string loop = driven.operatorOf(side, driven.document().counterpartsOfSelection().empty()
                                                             ? driven.withOperator(side, "Scan")
                                                             : driven.document().counterpartsOfSelection().front());
        driven.openBody(side, loop);
        driven.clickInBody(side, loop);
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Return);
        QVERIFY(driven.settle());
        driven.clickInBody(side, "Add");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Add"));
        // Shapes are known in there as well.
        const auto& body = *driven.page(side)->body();
        const Node& add = body.graph->node(body.box(*driven.boxInBody(side, "Add")).node);
        QCOMPARE(toString(body.graph->value(add.outputs.front()).type), std::string("float32 3"));
        driven.keepPicture(QStringLiteral("bodies-converted"));
    }

    void branchesAreShownOneByOne()
    {
        const ModelFiles files;
        const auto path = files.write("branches.onnx", "");
        writeOnnx(branchInBranch(), path);
        Driven driven;
        QVERIFY(driven.open(QString::fromStdString(path.string())));
        constexpr auto side = Side::Source;
        driven.openBody(side, "If");
        QVERIFY(driven.hasInBody(side, "If"));
        driven.follow(side, "b1"); // the other branch
        QVERIFY(driven.hasInBody(side, "Exp") && !driven.hasInBody(side, "If"));
        driven.clickInBody(side, "Exp");
        QCOMPARE(driven.text("nodeOperator"), QStringLiteral("Exp"));
        QVERIFY(driven.detail("nodeDetails", QStringLiteral("e")).contains(QStringLiteral("float32 3")));
        driven.follow(side, "b0");
        driven.clickInBody(side, "If");
        QTest::keyClick(driven.page(side)->canvas(), Qt::Key_Return);
        QVERIFY(driven.settle());
        QVERIFY(driven.hasInBody(side, "Neg"));
        driven.follow(side, "l1"); // past the innermost
        QVERIFY(driven.hasInBody(side, "If"));
        driven.follow(side, "l0");
        QVERIFY(!driven.page(side)->isVisible());
    }

    void whatIsSelectedOutsideTakesThePanelBack()
    {
        const ModelFiles files;
        Driven driven;
        QVERIFY(driven.open(QString::fromStdString(files.write("loops-symbol.json", loopInLoop()).string())));
        driven.openBody(Side::Source, "_foreach");
        driven.clickInBody(Side::Source, "_foreach");
        QCOMPARE(driven.text("nodeName"), QStringLiteral("inner"));
        driven.document().select(Side::Source, {*driven.boxNamed(Side::Source, "h")});
        QCOMPARE(driven.text("nodeName"), QStringLiteral("h"));
    }
};

QTEST_MAIN(TestWindowBodies)
#include "tst_window_bodies.moc"
