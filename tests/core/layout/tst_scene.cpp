#include "core/base/cpu_time.h"
#include "core/layout/font_metrics.h"
#include "core/layout/scene.h"
#include "tests/support/text_graph.h"

#include <QtTest>

using namespace crosswalk;

namespace {

using Rows = std::vector<std::string>;

/// data -> Convolution(weight, bias) -> Activation -> two outputs of one value.
Graph convolution()
{
    Graph graph;
    graph.format = "mxnet";
    const ValueId data = graph.addValue({.name = "data"});
    graph.inputs.push_back(data);
    const auto weight = [&](std::string name, std::vector<std::int64_t> dims) {
        const TensorId tensor = graph.addTensor(Tensor::filled(ElementType::Float32, std::move(dims), 1));
        return graph.addValue({.name = std::move(name), .tensor = tensor, .role = Role::Parameter});
    };
    const ValueId kernel = weight("conv0_weight", {64, 3, 7, 7});
    const ValueId bias = weight("conv0_bias", {64});
    const NodeId conv = graph.addNode({.op = "Convolution",
                                       .name = "conv0",
                                       .inputs = {data, kernel, bias},
                                       .attributes = {{"kernel", std::string("(7, 7)")},
                                                      {"stride", std::string("(1L, 1L)")},
                                                      {"dilate", std::string("(1, 1)")},
                                                      {"no_bias", std::string("False")},
                                                      {"num_filter", std::string("64")},
                                                      {"pad", std::string("(3, 3)")},
                                                      {"workspace", std::string("1024")},
                                                      {"__lr_mult__", std::string("2.0")}}});
    const ValueId mapped = graph.addOutput(conv, "conv0_output");
    const NodeId relu = graph.addNode(
        {.op = "Activation", .name = "relu0", .inputs = {mapped}, .attributes = {{"act_type", std::string("relu")}}});
    graph.outputs = {graph.addOutput(relu, "relu0_output"), mapped};
    return graph;
}

/// A placeholder x; m = Merge(x, n), t = Tanh(m), n = Next(t), which closes the loop. The last node runs after t.
Graph loop()
{
    Graph graph;
    graph.hasCycles = true;
    const auto add = [&](std::string op, std::vector<ValueId> inputs) {
        const NodeId id = graph.addNode({.op = op, .name = op, .inputs = std::move(inputs)});
        return graph.addOutput(id, op + ":0");
    };
    const ValueId x = add("Placeholder", {});
    const ValueId merged = add("Merge", {x});
    const ValueId tanh = add("Tanh", {merged});
    const ValueId next = add("Next", {tanh});
    graph.node(graph.value(merged).producer).inputs.push_back(next);
    const ValueId last = add("Identity", {merged});
    graph.node(graph.value(last).producer).controlInputs = {graph.value(tanh).producer, graph.value(merged).producer};
    graph.inputs = {x};
    graph.outputs = {last};
    return graph;
}

const SceneNode& boxOf(const Scene& scene, std::string_view title)
{
    const auto found = std::ranges::find(scene.nodes, title, &SceneNode::title);
    Q_ASSERT(found != scene.nodes.end());
    return *found;
}

} // namespace

class TestScene : public QObject {
    Q_OBJECT
private slots:
    void weightsAreRowsAndInputsAndOutputsAreBoxes()
    {
        const Scene scene = buildScene(convolution());
        QCOMPARE(scene.nodes.size(), std::size_t{5});
        QCOMPARE(scene.edges.size(), std::size_t{4});
        QCOMPARE(boxOf(scene, "Convolution").rows,
                 (Rows{"kernel (7, 7)", "num_filter 64", "pad (3, 3)", "weight 64x3x7x7", "bias 64"}));
        QCOMPARE(boxOf(scene, "input").name, std::string("data"));
        QCOMPARE(boxOf(scene, "output").name, std::string("relu0_output"));
        QCOMPARE(scene.nodes[scene.ofNode[1]].fullName, std::string("relu0"));
    }

    void edgesThatCloseLoopsRunUpwards_data() { bothEnginesLayItOut_data(); }
    void edgesThatCloseLoopsRunUpwards()
    {
        QFETCH(int, engine);
        Scene scene = buildScene(loop());
        layOut(scene, static_cast<LayoutEngine>(engine));
        const auto back = std::ranges::find_if(scene.edges, &SceneEdge::closesLoop);
        QVERIFY(back != scene.edges.end());
        QCOMPARE(std::ranges::count_if(scene.edges, &SceneEdge::closesLoop), std::ptrdiff_t{1});
        QCOMPARE(scene.nodes[back->from].title, std::string("Next"));
        QCOMPARE(scene.nodes[back->to].title, std::string("Merge"));
        const auto& route = scene.layout.routes[static_cast<std::size_t>(back - scene.edges.begin())];
        QVERIFY(route.size() >= 2);
        QCOMPARE(route.front().y, scene.layout.positions[back->from].y);
        QCOMPARE(route.back().y, scene.layout.positions[back->to].y + scene.nodes[back->to].height);
        QVERIFY(route.front().y > route.back().y);
    }

    void aPlaceholderIsTheInput()
    {
        const Scene scene = buildScene(loop());
        QCOMPARE(boxOf(scene, "Placeholder").kind, SceneNode::Kind::Operator);
        QCOMPARE(boxOf(scene, "Placeholder").value, ValueId{0});
        QCOMPARE(scene.nodes.size(), std::size_t{6}); // the nodes and the output
    }

    void controlEdgesAreDrawnWhereNoValueFlows()
    {
        const Scene scene = buildScene(loop());
        const auto control = std::ranges::find_if(scene.edges, &SceneEdge::isControl);
        QVERIFY(control != scene.edges.end());
        QCOMPARE(std::ranges::count_if(scene.edges, &SceneEdge::isControl), std::ptrdiff_t{1});
        QCOMPARE(scene.nodes[control->from].title, std::string("Tanh"));
        QCOMPARE(scene.nodes[control->to].title, std::string("Identity"));
    }

    void fourAttributesAreShownAndTheRestCounted()
    {
        Graph graph;
        Node node{.op = "Custom", .name = "c"};
        for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
            node.attributes.push_back({name, std::int64_t{7}});
        }
        graph.addNode(std::move(node));
        QCOMPARE(buildScene(graph).nodes[0].rows, (Rows{"a 7", "b 7", "c 7", "d 7", "and 2 more"}));
    }

    void omitsOnnxDefaults()
    {
        Graph graph;
        graph.format = "onnx";
        graph.addNode({.op = "Conv",
                       .attributes = {{"auto_pad", std::string("NOTSET")},
                                      {"dilations", std::vector<std::int64_t>{1, 1}},
                                      {"group", std::int64_t{1}},
                                      {"kernel_shape", std::vector<std::int64_t>{3, 3}},
                                      {"pads", std::vector<std::int64_t>{1, 1, 1, 1}},
                                      {"strides", std::vector<std::int64_t>{1, 2}}}});
        graph.addNode({.op = "BatchNormalization", .attributes = {{"epsilon", static_cast<double>(1e-5F)}}});
        const Scene scene = buildScene(graph);
        QCOMPARE(scene.nodes[0].rows, (Rows{"kernel_shape (3, 3)", "pads (1, 1, 1, 1)", "strides (1, 2)"}));
        QVERIFY(scene.nodes[1].rows.empty());
    }

    void aConstantNodeIsARowOfItsReader()
    {
        Graph graph;
        graph.format = "onnx";
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        const std::array<std::int64_t, 2> axes{1, 2};
        const TensorId content = graph.addTensor(Tensor::ints(axes));
        const NodeId constant = graph.addNode({.op = "Constant", .attributes = {{"value", content}}});
        const ValueId value = graph.addOutput(constant, "axes");
        const NodeId reader = graph.addNode({.op = "Unsqueeze", .name = "u", .inputs = {x, value}});
        graph.outputs.push_back(graph.addOutput(reader, "y"));
        const Scene scene = buildScene(graph);
        QCOMPARE(scene.nodes.size(), std::size_t{3});
        QCOMPARE(boxOf(scene, "Unsqueeze").rows, (Rows{"axes (1, 2)"}));
        QCOMPARE(scene.ofNode[constant.index], scene.ofNode[reader.index]);
    }

    /// As gluon joins the weights of a recurrent layer.
    void valuesComputedFromWeightsAreRowsOfTheirReader()
    {
        const auto joined = [](const std::string& rest) {
            return test::textGraph("x = input 5x2x20\n"
                                   "net_l0_weight = weight 4x3\n"
                                   "net_l0_bias = weight 8\n"
                                   "net_reshape0 = Reshape(net_l0_weight) shape=(-1,)\n"
                                   "net_reshape1 = Reshape(net_l0_bias) shape=(-1,)\n"
                                   "net_concat0 = Concat(net_reshape0,net_reshape1) dim=0\n"
                                   "net_rnn0 = broadcast_mul(x,net_concat0)\n" +
                                   rest);
        };
        const Graph graph = joined("output net_rnn0");
        const Scene scene = buildScene(graph);
        QCOMPARE(scene.nodes.size(), std::size_t{3});
        QCOMPARE(boxOf(scene, "broadcast_mul").rows, (Rows{"l0_weight 4x3", "l0_bias 8"}));
        for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
            QCOMPARE(scene.ofNode[i], scene.ofNode[3]); // found where they are drawn
        }
        // What leads to an output by itself stays, and what is random.
        QCOMPARE(buildScene(joined("output net_rnn0\noutput net_concat0")).nodes.size(), std::size_t{7});
        const Scene noisy = buildScene(joined("n = _sample_normal(net_concat0)\n"
                                              "y = broadcast_mul(net_rnn0,n)\n"
                                              "output y"));
        QCOMPARE(boxOf(noisy, "_sample_normal").rows, (Rows{"net_l0_weight 4x3", "net_l0_bias 8"}));
    }

    void gatheredWeightsAreListedWithoutIndices()
    {
        Graph graph;
        graph.format = "onnx";
        const auto stored = [&](const char* name, Tensor tensor) {
            const TensorId id = graph.addTensor(std::move(tensor));
            return graph.addValue({.name = name, .tensor = id});
        };
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        const std::array<std::int64_t, 2> rows{0, 1};
        const NodeId gather =
            graph.addNode({.op = "Gather",
                           .name = "gather",
                           .inputs = {stored("table", Tensor::filled(ElementType::Float32, {64, 32}, 1)),
                                      stored("rows", Tensor::ints(rows))}});
        const NodeId add =
            graph.addNode({.op = "Add", .name = "add", .inputs = {x, graph.addOutput(gather, "positions")}});
        graph.outputs.push_back(graph.addOutput(add, "y"));
        QCOMPARE(boxOf(buildScene(graph), "Add").rows, (Rows{"constant 64x32"}));
    }

    void aGraphOfConstantsAloneIsDrawn()
    {
        const Graph graph = test::textGraph("a_weight = weight 4x3\n"
                                            "r = Reshape(a_weight) shape=(-1,)\n"
                                            "s = Reshape(r) shape=(2,6)\n"
                                            "output s");
        QCOMPARE(buildScene(graph).nodes.size(), std::size_t{3});
    }

    void aConstantThatIsAnOutputKeepsItsBox()
    {
        Graph graph;
        graph.format = "onnx";
        const TensorId content = graph.addTensor(Tensor::scalar(ElementType::Float32, 1));
        const NodeId constant = graph.addNode({.op = "Constant", .attributes = {{"value", content}}});
        graph.outputs.push_back(graph.addOutput(constant, "one"));
        const Scene scene = buildScene(graph);
        QCOMPARE(scene.nodes.size(), std::size_t{2});
        QCOMPARE(scene.edges.size(), std::size_t{1});
    }

    void aValueReadTwiceIsOneLine()
    {
        Graph graph;
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        graph.addNode({.op = "Mul", .inputs = {x, x}});
        QCOMPARE(buildScene(graph).edges.size(), std::size_t{1});
    }

    void manyInputsOfOneNodeTakeLinearTime()
    {
        constexpr std::size_t count = 200'000;
        Graph graph;
        const NodeId split = graph.addNode({.op = "Split"});
        const NodeId wait = graph.addNode({.op = "NoOp"});
        const NodeId concat = graph.addNode({.op = "Concat"});
        for (std::size_t i = 0; i < count; ++i) {
            const ValueId part = graph.addOutput(split, "part" + std::to_string(i));
            graph.node(concat).inputs.push_back(part);
            const NodeId assign = graph.addNode({.op = "AssignVariableOp", .inputs = {part}});
            graph.node(wait).controlInputs.push_back(assign);
        }
        constexpr double most = 4; // seconds: half of quadratic time
        const double start = threadCpuSeconds();
        QCOMPARE(buildScene(graph).edges.size(), 3 * count);
        QVERIFY(threadCpuSeconds() - start < most);
    }

    void bodiesWithCapturedValuesAreConnected()
    {
        auto body = std::make_shared<Graph>();
        const ValueId inner = body->addValue({.name = "x"});
        Graph graph;
        const ValueId x = graph.addValue({.name = "x"});
        graph.inputs.push_back(x);
        body->captures.push_back({inner, x});
        const SubgraphId id = graph.addSubgraph(body);
        graph.addNode({.op = "If", .attributes = {{"then_branch", id}}});
        QCOMPARE(buildScene(graph).edges.size(), std::size_t{1});
    }

    void aLongNameIsElidedInTheMiddle()
    {
        const std::string name = "stage1_unit2_a_very_long_name_that_goes_on_and_on_and_on_conv0_fwd";
        const std::string elided = elideMiddle(name, box::nameSize, 240);
        QVERIFY(textWidth(elided, box::nameSize) <= 240);
        QVERIFY(elided.starts_with("stage1_unit2"));
        QVERIFY(elided.ends_with("conv0_fwd"));
        QCOMPARE(elideMiddle("short", box::nameSize, 240), std::string("short"));
        QCOMPARE(elideMiddle("\xff\xfe broken", box::nameSize, 240), std::string("\xff\xfe broken"));
    }

    void boxesAreAsWideAsTheirTexts()
    {
        for (const SceneNode& node : buildScene(convolution()).nodes) {
            QVERIFY(node.width >= box::minWidth && node.width <= box::maxWidth);
            for (const std::string& row : node.rows) {
                QVERIFY(textWidth(row, box::rowSize) <= node.width - 2 * box::padding);
            }
            QCOMPARE(node.height, box::height(node.rows.size() + (node.name.empty() ? 0 : 1)));
        }
    }

    void widthsAreTheFonts()
    {
        // Advances of Inter 3.19 at 2816 units an em.
        QCOMPARE(textWidth("A", 2816), 1904.0F);
        QCOMPARE(textWidth("AB", 2816), 3736.0F);
        QVERIFY(textWidth("A", 2816, true) > 1904.0F);
    }

    void bothEnginesLayItOut_data()
    {
        QTest::addColumn<int>("engine");
        QTest::newRow("automatic") << static_cast<int>(LayoutEngine::Automatic);
        QTest::newRow("ours") << static_cast<int>(LayoutEngine::Ours);
        QTest::newRow("graphviz") << static_cast<int>(LayoutEngine::Graphviz);
    }
    void bothEnginesLayItOut()
    {
        QFETCH(int, engine);
        Scene scene = buildScene(convolution());
        layOut(scene, static_cast<LayoutEngine>(engine));
        QCOMPARE(scene.layout.positions.size(), scene.nodes.size());
        QCOMPARE(scene.layout.routes.size(), scene.edges.size());
    }
};

QTEST_APPLESS_MAIN(TestScene)
#include "tst_scene.moc"
