#pragma once

#include "core/base/diagnostic.h"
#include "core/onnx/writer.h"
#include "tests/support/mxnet_files.h"
#include "tests/support/onnx_models.h"
#include "tests/ui/driven_window.h"
#include "ui/panels/subgraph_page.h"

namespace crosswalk::test {

inline std::string foreachNode(const std::string& name, const std::string& body)
{
    return fmt::format(R"j({{"op": "_foreach", "name": "{}", "inputs": [[0, 0], [1, 0]], "subgraphs": [{}],
        "attrs": {{"in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]", "num_outputs": "2",
                   "num_out_data": "1", "num_args": "3"}}}})j",
                       name, body);
}

/// For each row of rows, for each row: h += x.
inline std::string loopInLoop()
{
    const std::string inner =
        symbolFile({variable("x-0"), variable("h-0"), node("elemwise_add", "sum", "[[0, 0], [1, 0]]")},
                   R"j([[2, 0], [2, 0]], "arg_nodes": [0, 1])j");
    const std::string outer = symbolFile({variable("rows-0"), variable("s-0"), foreachNode("inner", inner)},
                                         R"j([[2, 0], [2, 1]], "arg_nodes": [0, 1])j");
    return symbolFile({variable("x"), variable("h"), foreachNode("outer", outer)}, "[[2, 0], [2, 1]]");
}

/// For each row of x: h = tanh(h + row).
inline std::string loopOfTwo()
{
    const std::string body =
        symbolFile({variable("x-0"), variable("h-0"), node("elemwise_add", "sum", "[[0, 0], [1, 0]]"),
                    node("tanh", "squeezed", "[[2, 0]]")},
                   R"j([[3, 0], [3, 0]], "arg_nodes": [0, 1])j");
    return symbolFile({variable("x"), variable("h"), foreachNode("outer", body)}, "[[2, 0], [2, 1]]");
}

inline void addBody(::onnx::NodeProto& node, const char* name, const ::onnx::GraphProto& body)
{
    auto* attribute = node.add_attribute();
    attribute->set_name(name);
    attribute->set_type(::onnx::AttributeProto::GRAPH);
    *attribute->mutable_g() = body;
}

inline ::onnx::GraphProto branch(const char* op, const std::string& input, const std::string& output)
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
inline OnnxModel branchInBranch()
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

/// The window with what drives bodies in place.
class DrivenBodies : public DrivenWindow {
public:
    /// The page that is seen: in place, or the tab in front.
    ui::SubgraphPage* page(ui::Side side)
    {
        const char* tab = side == ui::Side::Source ? "sourceTabPage" : "onnxTabPage";
        auto* inTab = window.findChild<ui::SubgraphPage*>(QLatin1String(tab));
        const bool isTab = inTab != nullptr && find<ui::SubgraphPage>(tab)->isVisible();
        return find<ui::SubgraphPage>(isTab ? tab : side == ui::Side::Source ? "sourcePage" : "onnxPage");
    }
    std::uint32_t withOperator(ui::Side side, std::string_view op)
    {
        const auto& graphSide = document().side(side);
        for (std::uint32_t i = 0; graphSide && i < graphSide->scene->nodes.size(); ++i) {
            if (graphSide->box(i).title == op) {
                return i;
            }
        }
        qFatal("there is no %s", std::string(op).c_str());
    }
    void openBody(ui::Side side, std::string_view op)
    {
        clickNode(side, withOperator(side, op));
        QTest::keyClick(window.canvas(side), Qt::Key_Return);
        QVERIFY(settle());
        QVERIFY(page(side)->isVisible());
    }
    bool hasInBody(ui::Side side, std::string_view op) { return boxInBody(side, op).has_value(); }
    std::optional<std::uint32_t> boxInBody(ui::Side side, std::string_view op)
    {
        const auto& nodes = page(side)->body()->scene->nodes;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].title == op) {
                return i;
            }
        }
        return std::nullopt;
    }
    void clickInBody(ui::Side side, std::string_view op)
    {
        const auto box = boxInBody(side, op);
        QVERIFY2(box, std::string(op).c_str());
        auto* canvas = page(side)->canvas();
        const QRectF place = canvas->drawnScene()->index.box(canvas->drawnScene()->drawnAs(*box));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->transform().toView(place.center()).toPoint());
        QCoreApplication::processEvents();
    }
    void follow(ui::Side side, const char* link)
    {
        Q_EMIT find<QLabel>(side == ui::Side::Source ? "sourcePath" : "onnxPath")->linkActivated(QLatin1String(link));
        QVERIFY(settle());
    }
};

} // namespace crosswalk::test
