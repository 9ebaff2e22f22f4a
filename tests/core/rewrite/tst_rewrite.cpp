#include "core/onnx/proto.h"
#include "tests/support/computed.h"

#include <QtTest>

using namespace crosswalk;
using test::textGraph;

namespace {

Conversion converted(const QByteArray& source, bool optimize)
{
    ConvertOptions options;
    options.optimize = optimize;
    return convert(textGraph(source.toStdString()), options).value();
}

/// "Relu[a] Add[b,c]": the nodes' operators, with their source nodes.
QByteArray nodes(const Conversion& conversion, const Graph& graph)
{
    QByteArrayList list;
    for (int i = 0; i < conversion.model.whole().proto->graph().node_size(); ++i) {
        QByteArrayList sources;
        for (const NodeId source : conversion.sources[static_cast<std::size_t>(i)]) {
            sources << QByteArray::fromStdString(graph.node(source).name);
        }
        const std::string& op = conversion.model.whole().proto->graph().node(i).op_type();
        list << QByteArray::fromStdString(op) + '[' + sources.join(',') + ']';
    }
    return list.join(' ');
}

Tensor numbers(const std::vector<std::int64_t>& dims)
{
    std::vector<float> values;
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>(i % 7) - 2.5F);
    }
    return test::floats(dims, values);
}

} // namespace

/// Rewrites that reduce the number of nodes, always (constant folding, duplicates within a source node) or with
/// `optimize`, and preserve the results.
class TestRewrite : public QObject {
    Q_OBJECT
private slots:
    void computesConstants_data();
    void computesConstants();
    void optimizes_data();
    void optimizes();
    void keepsRandomNodes();
    void keepsEqualOutputs();
};

void TestRewrite::computesConstants_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<std::vector<float>>("expected"); // of x + constant, for x = 0
    const auto row = [](const char* name, const char* expression, std::vector<float> expected) {
        QTest::newRow(name) << "w = weight 2x3\n" + QByteArray(expression) + "\ny = broadcast_add(x,c)\noutput y"
                            << std::move(expected);
    };
    const float s = 1.0F / 6; // w is [[0, 1, 2], [3, 4, 5]] / 6
    row("slice", "c = slice(w) begin=(0,1) end=(2,3)", {s, 2 * s, 4 * s, 5 * s});
    row("slice backwards", "c = slice(w) begin=(None,None) end=(None,None) step=(-1,-2)", {5 * s, 3 * s, 2 * s, 0});
    row("slice from the end", "c = slice_axis(w) axis=1 begin=-2 end=None", {s, 2 * s, 4 * s, 5 * s});
    row("transpose", "t = transpose(w)\nc = slice_axis(t) axis=0 begin=0 end=2", {0, 3 * s, s, 4 * s});
    row("views", "v = Reshape(w) shape=(3,2)\nf = Flatten(v)\nc = slice_axis(f) axis=0 begin=1 end=3",
        {2 * s, 3 * s, 4 * s, 5 * s});
    row("expand", "r = slice_axis(w) axis=1 begin=0 end=1\nc = broadcast_to(r) shape=(2,2)", {0, 0, 3 * s, 3 * s});
    row("concat", "a = slice_axis(w) axis=1 begin=0 end=1\nc = Concat(a,a) dim=1", {0, 0, 3 * s, 3 * s});
    row("arithmetic",
        "a = slice_axis(w) axis=1 begin=1 end=3\nb = slice_axis(w) axis=0 begin=1 end=2\n"
        "d = slice_axis(b) axis=1 begin=1 end=3\ne = broadcast_mul(a,d)\nc = broadcast_sub(e,d)",
        {s * (4 * s) - 4 * s, 2 * s * (5 * s) - 5 * s, 4 * s * (4 * s) - 4 * s, 5 * s * (5 * s) - 5 * s});
}

void TestRewrite::computesConstants()
{
    QFETCH(const QByteArray, source);
    QFETCH(const std::vector<float>, expected);
    const Graph graph = textGraph("x = input 2x2\n" + source.toStdString());

    const auto conversion = convert(graph, {}).value();
    QCOMPARE(nodes(conversion, graph), QByteArray("Add[y]"));

    const std::vector<Tensor> zero{test::floats({2, 2}, {0, 0, 0, 0})};
    const auto got = test::computed(graph, zero)[0].toDoubles();
    QCOMPARE(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        QVERIFY2(std::abs(got[i] - static_cast<double>(expected[i])) < 1e-6, qPrintable(QString::number(got[i])));
    }
}

void TestRewrite::optimizes_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("plain");
    QTest::addColumn<QByteArray>("merged");
    QTest::newRow("equal nodes") << QByteArray("a = sigmoid(x)\nb = sigmoid(x)\ny = elemwise_add(a,b)\noutput y")
                                 << QByteArray("Sigmoid[a] Sigmoid[b] Add[y]") << QByteArray("Sigmoid[a,b] Add[y]");
    QTest::newRow("equal consumers of equal nodes")
        << QByteArray("a = sigmoid(x)\nb = sigmoid(x)\nc = tanh(a)\nd = tanh(b)\ny = elemwise_add(c,d)\noutput y")
        << QByteArray("Sigmoid[a] Sigmoid[b] Tanh[c] Tanh[d] Add[y]") << QByteArray("Sigmoid[a,b] Tanh[c,d] Add[y]");
    QTest::newRow("equal except for an attribute")
        << QByteArray("a = softmax(x) axis=0\nb = softmax(x) axis=1\ny = elemwise_add(a,b)\noutput y")
        << QByteArray("Softmax[a] Softmax[b] Add[y]") << QByteArray("Softmax[a] Softmax[b] Add[y]");
    QTest::newRow("equal outputs") << QByteArray("a = sigmoid(x)\nb = sigmoid(x)\noutput a\noutput b")
                                   << QByteArray("Sigmoid[a] Sigmoid[b]") << QByteArray("Sigmoid[a] Sigmoid[b]");
    QTest::newRow("views of views")
        << QByteArray("a = expand_dims(x) axis=0\nb = expand_dims(a) axis=0\ny = tanh(b)\noutput y")
        << QByteArray("Unsqueeze[a] Unsqueeze[b] Tanh[y]") << QByteArray("Reshape[b,a] Tanh[y]");
    QTest::newRow("a view with other consumers")
        << QByteArray(
               "a = expand_dims(x) axis=0\nb = expand_dims(a) axis=0\nc = tanh(a)\ny = broadcast_add(b,c)\noutput y")
        << QByteArray("Unsqueeze[a] Unsqueeze[b] Tanh[c] Add[y]")
        << QByteArray("Unsqueeze[a] Unsqueeze[b] Tanh[c] Add[y]");
    QTest::newRow("concats along one axis")
        << QByteArray("t = tanh(x)\na = Concat(x,t) dim=1\ny = Concat(x,a,x) dim=1\noutput y")
        << QByteArray("Tanh[t] Concat[a] Concat[y]") << QByteArray("Tanh[t] Concat[y,a]");
    QTest::newRow("concats along two axes") << QByteArray("a = Concat(x,x) dim=0\nb = Concat(a,a) dim=1\noutput b")
                                            << QByteArray("Concat[a] Concat[b]") << QByteArray("Concat[a] Concat[b]");
    const auto pieces = [](const char* name, const char* first, const char* second, const char* merged) {
        QTest::newRow(name) << QByteArray("a = slice_axis(x) axis=1 ") + first + "\nb = slice_axis(x) axis=1 " +
                                   second + "\ny = broadcast_mul(a,b)\noutput y\noutput b"
                            << QByteArray("Slice[a] Slice[b] Mul[y]") << QByteArray(merged);
    };
    pieces("slices without the end", "begin=0 end=1", "begin=1 end=2", "Slice[a] Slice[b] Mul[y]");
    pieces("slices of the whole axis", "begin=0 end=2", "begin=-1 end=None", "Split[a,b] Mul[y]");
    pieces("slices in another order", "begin=2 end=None", "begin=0 end=2", "Split[a,b] Mul[y]");
    pieces("slices with a gap", "begin=0 end=1", "begin=2 end=3", "Slice[a] Slice[b] Mul[y]");
    pieces("overlapping slices", "begin=0 end=2", "begin=1 end=3", "Slice[a] Slice[b] Mul[y]");
    QTest::newRow("slices along two axes")
        << QByteArray("a = slice_axis(x) axis=0 begin=0 end=1\nb = slice_axis(x) axis=1 begin=1 end=3\n"
                      "y = broadcast_mul(a,x)\noutput y\noutput b")
        << QByteArray("Slice[a] Slice[b] Mul[y]") << QByteArray("Slice[a] Slice[b] Mul[y]");
    const QByteArray large = "t = tile(x) reps=(500,400)\n";
    QTest::newRow("constant with the shape of the other operand")
        << large + "o = ones_like(t)\ny = elemwise_add(o,t)\noutput y"
        << QByteArray("Tile[t] ConstantOfShape[o] Add[y]") << QByteArray("Tile[t] Add[y,o]");
    QTest::newRow("constant that determines the shape")
        << large + "o = ones_like(t)\ns = slice_axis(x) axis=1 begin=0 end=1\nq = slice_axis(s) axis=0 begin=0 "
                   "end=1\ny = broadcast_add(o,q)\noutput y"
        << QByteArray("ConstantOfShape[o] Slice[s] Slice[q] Add[y]")
        << QByteArray("ConstantOfShape[o] Slice[q,s] Add[y]");
    const QByteArray image = "x4 = expand_dims(x) axis=0\nx5 = expand_dims(x4) axis=0\nk = weight 2x1x2x3\n";
    const QByteArray conv = "y = Convolution(p,k) kernel=(2,3) num_filter=2 no_bias=True pad=(0,2)\noutput y";
    const auto padded = [&](const char* name, const char* how, const char* after, bool isFolded) {
        QTest::newRow(name) << image + "p = Pad(x5) " + how + '\n' + conv + after
                            << QByteArray("Unsqueeze[x4] Unsqueeze[x5] Pad[p] Conv[y]")
                            << (isFolded ? QByteArray("Reshape[x5,x4] Conv[y,p]")
                                         : QByteArray("Reshape[x5,x4] Pad[p] Conv[y]"));
    };
    padded("zeros around", "mode=constant pad_width=(0,0,0,0,1,2,0,3)", "", true);
    padded("ones around", "mode=constant pad_width=(0,0,0,0,1,2,0,3) constant_value=1", "", false);
    padded("edges around", "mode=edge pad_width=(0,0,0,0,1,2,0,3)", "", false);
    padded("more samples", "mode=constant pad_width=(0,1,0,0,1,2,0,3)", "", false);
    padded("zero padding with other consumers", "mode=constant pad_width=(0,0,0,0,1,2,0,3)", "\noutput p", false);
    QTest::newRow("batch norm") << QByteArray(
                                       "x4 = expand_dims(x) axis=0\nx5 = expand_dims(x4) axis=0\nk = weight 2x1x1x1\n"
                                       "g = weight 2\nm = weight 2\nv = weight 2\n"
                                       "c = Convolution(x5,k) kernel=(1,1) num_filter=2 no_bias=True\n"
                                       "y = BatchNorm(c,g,g,m,v) fix_gamma=False eps=0.1\noutput y")
                                << QByteArray("Unsqueeze[x4] Unsqueeze[x5] Conv[c] BatchNormalization[y]")
                                << QByteArray("Reshape[x5,x4] Conv[c,y]");
}

void TestRewrite::optimizes()
{
    QFETCH(const QByteArray, source);
    QFETCH(const QByteArray, plain);
    QFETCH(const QByteArray, merged);
    const QByteArray text = "x = input 2x3\n" + source;
    const Graph graph = textGraph(text.toStdString());
    QCOMPARE(nodes(converted(text, false), graph), plain);
    QCOMPARE(nodes(converted(text, true), graph), merged);

    const std::vector<Tensor> inputs{numbers({2, 3})};
    ConvertOptions optimized;
    optimized.optimize = true;
    const auto before = test::computed(graph, inputs);
    const auto after = test::computed(graph, inputs, optimized);
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        QCOMPARE(after[i].dims(), before[i].dims());
        const auto a = after[i].toDoubles();
        const auto b = before[i].toDoubles();
        for (std::size_t k = 0; k < a.size(); ++k) {
            QVERIFY(std::abs(a[k] - b[k]) < 1e-5);
        }
    }
}

void TestRewrite::keepsRandomNodes()
{
    const QByteArray text = "a = _random_uniform() shape=(2,3)\nb = _random_uniform() shape=(2,3)\n"
                            "y = elemwise_sub(a,b)\noutput y";
    const Graph graph = textGraph(text.toStdString());
    QCOMPARE(nodes(converted(text, true), graph).count("RandomUniform["), 2);
}

void TestRewrite::keepsEqualOutputs()
{
    const QByteArray text = "x = input 2x3\na = tanh(x)\noutput a\noutput a";
    const auto conversion = converted(text, true);
    QCOMPARE(conversion.model.whole().proto->graph().output_size(), 2);
    const std::vector<Tensor> inputs{numbers({2, 3})};
    const auto outputs = test::computed(textGraph(text.toStdString()), inputs);
    QCOMPARE(outputs[0].toDoubles(), outputs[1].toDoubles());
}

QTEST_GUILESS_MAIN(TestRewrite)
#include "tst_rewrite.moc"
