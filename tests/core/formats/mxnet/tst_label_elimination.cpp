// The lowering pass that removes computed labels, as text before and after.

#include "core/convert/framework.h"
#include "core/formats/mxnet/input_roles.h"
#include "tests/support/text_graph.h"

#include <QtTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace crosswalk;

namespace {

Graph sourceGraph(const QByteArray& text)
{
    Graph graph = test::textGraph(text.toStdString());
    mxnet::assignInputRoles(graph);
    return graph;
}

/// "y = relu(x)", a line for each node.
QByteArray textOf(const Graph& graph)
{
    std::string text;
    for (const Node& node : graph.nodes()) {
        std::vector<std::string> inputs;
        for (const ValueId input : node.inputs) {
            inputs.push_back(graph.value(input).name);
        }
        text += fmt::format("{} = {}({})\n", graph.value(node.outputs[0]).name, node.op, fmt::join(inputs, ","));
    }
    return QByteArray::fromStdString(text);
}

} // namespace

class TestLabelElimination : public QObject {
    Q_OBJECT
private slots:
    void removesWhatOnlyComputesLabels_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("lowered");
        const auto row = [](const char* name, const char* source, const char* lowered) {
            QTest::newRow(name) << QByteArray(source) << QByteArray(lowered);
        };
        row("a computed label",
            "x = input Nx8\nemotions = input\n"
            "part = slice_axis(emotions) axis=1 begin=2 end=10\ntotal = sum(part) axis=1 keepdims=True\n"
            "shares = broadcast_div(part,total)\ny = SoftmaxOutput(x,shares)\noutput y",
            "y = SoftmaxOutput(x)\n");
        row("a label computed from the data", "x = input Nx8\nl = argmax(x)\ny = SoftmaxOutput(x,l)\noutput y",
            "y = SoftmaxOutput(x)\n");
        row("a label that is an output too",
            "x = input Nx8\nl = input N\nk = Reshape(l) shape=(-1,)\ny = SoftmaxOutput(x,k)\noutput y\noutput k",
            "k = Reshape(l)\ny = SoftmaxOutput(x)\n");
        row("a label of two heads",
            "x = input Nx8\nl = input\nk = Cast(l) dtype=int32\na = WarpCTC(x,k)\nb = SVMOutput(x,k)\n"
            "output a\noutput b",
            "a = WarpCTC(x)\nb = SVMOutput(x)\n");
        row("a label that is a variable", "x = input Nx8\nl = input\ny = SoftmaxOutput(x,l)\noutput y",
            "y = SoftmaxOutput(x,l)\n");
        row("a loss whose value depends on its label",
            "x = input Nx8\nl = input N\nk = Cast(l) dtype=int32\ny = softmax_cross_entropy(x,k)\noutput y",
            "k = Cast(l)\ny = softmax_cross_entropy(x,k)\n");
    }

    void removesWhatOnlyComputesLabels()
    {
        QFETCH(QByteArray, source);
        QFETCH(QByteArray, lowered);
        QCOMPARE(textOf(findFramework("mxnet")->lower(sourceGraph(source), {}).graph), lowered);
    }

    void keepsTheLabelOfACustomOperator()
    {
        const Graph graph =
            sourceGraph("x = input Nx8\nl = input N\nk = Reshape(l) shape=(-1,)\ny = SoftmaxOutput(x,k)\noutput y");
        const ConvertOptions options{.customOperators = {{"SoftmaxOutput", {"mine", "Loss"}}}};
        QCOMPARE(textOf(findFramework("mxnet")->lower(graph, options).graph),
                 QByteArray("k = Reshape(l)\ny = SoftmaxOutput(x,k)\n"));
    }

    void exportsWithoutTheInputsOfLabels()
    {
        const Graph graph = sourceGraph("x = input Nx8\nemotions = input\n"
                                        "part = slice_axis(emotions) axis=1 begin=2 end=10\n"
                                        "y = SoftmaxOutput(x,part)\noutput y");
        const auto conversion = convert(graph, {});
        QVERIFY(conversion && conversion.value().problems.empty());
        QCOMPARE(QByteArray::fromStdString(test::dump(conversion.value().model.whole())).count('\n'), 1);
        QVERIFY(test::dump(conversion.value().model.whole()).starts_with("y = Softmax(x)"));
        QVERIFY(conversion.value().valueNames[graph.findInput("emotions")->index].empty());
        QVERIFY(conversion.value().verdicts == (std::vector{Verdict::Folded, Verdict::Exact}));
    }
};

QTEST_APPLESS_MAIN(TestLabelElimination)
#include "tst_label_elimination.moc"
