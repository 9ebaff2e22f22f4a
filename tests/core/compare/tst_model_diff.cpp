#include "core/compare/model_diff.h"
#include "core/formats/onnx/onnx_reader.h"
#include "core/onnx/onnx_model.h"
#include "tests/support/onnx_models.h"
#include "tests/support/onnx_text.h"

#include <QtTest>

#include <fmt/format.h>
#include <limits>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Graph graphFrom(const std::string& text, int opset = 17)
{
    auto proto = std::make_shared<::onnx::ModelProto>(parseModel(text));
    proto->mutable_opset_import(0)->set_version(opset);
    OnnxModel model{proto, {}};
    for (const auto& stored : proto->graph().initializer()) {
        std::vector<float> values(stored.float_data().begin(), stored.float_data().end());
        model.weights.push_back(
            Tensor::of<float>(ElementType::Float32, {stored.dims().begin(), stored.dims().end()}, values));
    }
    return graphOf(model);
}

/// "-name", "+name" and "~name what" of every node, and "what" of the model.
std::string differences(const Graph& a, const Graph& b)
{
    const ModelDiff diff = compareGraphs(a, b);
    std::string text;
    const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
    for (const Difference& difference : diff.model) {
        add(difference.what);
    }
    for (std::uint32_t i = 0; i < a.nodeCount(); ++i) {
        if (diff.ofFirst[i] == Change::Removed) {
            add("-" + a.node(NodeId{i}).name);
        }
        for (const Difference& difference : diff.differences[i]) {
            add("~" + a.node(NodeId{i}).name + " " + difference.what + " " + difference.before + " -> " +
                difference.after);
        }
    }
    for (std::uint32_t i = 0; i < b.nodeCount(); ++i) {
        if (diff.ofSecond[i] == Change::Added) {
            add("+" + b.node(NodeId{i}).name);
        }
    }
    if (diff.isEqual() != text.empty()) {
        text = "isEqual contradicts: " + text;
    }
    return text;
}

constexpr const char* plain = R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
    [a] s = Add(x, w)
    [r] t = Relu(s)
    [l] y = LeakyRelu<alpha = 0.5>(t)
})";

} // namespace

class TestModelDiff : public QObject {
    Q_OBJECT
private slots:
    void modelsAreCompared_data()
    {
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("difference");
        const auto row = [](const char* name, const char* difference, const char* after) {
            QTest::newRow(name) << QString::fromLatin1(after) << QString::fromLatin1(difference);
        };
        row("itself", "", plain);
        row("other names", "", R"(g (float[2,4] x) => (float[2,4] y) <float[4] v = {1, 2, 3, 4}> {
            [k] p = Add(x, v)
            [m] q = Relu(p)
            [n] y = LeakyRelu<alpha = 0.5>(q)
        })");
        row("an attribute", "~l attribute alpha 0.5 -> 0.25",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
            [a] s = Add(x, w)
            [r] t = Relu(s)
            [l] y = LeakyRelu<alpha = 0.25>(t)
        })");
        row("a removed attribute", "~l attribute alpha 0.5 -> ",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
            [a] s = Add(x, w)
            [r] t = Relu(s)
            [l] y = LeakyRelu(t)
        })");
        row("a weight", "~a weight w float32 4 -> 1 of 4 elements differ, by 0.5 at most",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3.5, 4}> {
            [a] s = Add(x, w)
            [r] t = Relu(s)
            [l] y = LeakyRelu<alpha = 0.5>(t)
        })");
        row("a weight's shape", "~a weight w float32 4 -> float32 1",
            R"(g (float[2,4] x) => (float[2,4] y) <float[1] w = {1}> {
            [a] s = Add(x, w)
            [r] t = Relu(s)
            [l] y = LeakyRelu<alpha = 0.5>(t)
        })");
        row("an inserted node", "~l input 0 r -> n; +n",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
            [a] s = Add(x, w)
            [r] t = Relu(s)
            [n] u = Neg(t)
            [l] y = LeakyRelu<alpha = 0.5>(u)
        })");
        row("a removed node", "-r; ~l input 0 r -> a",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
            [a] s = Add(x, w)
            [l] y = LeakyRelu<alpha = 0.5>(s)
        })");
        row("another operator", "~r operator Relu -> Neg",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
            [a] s = Add(x, w)
            [r] t = Neg(s)
            [l] y = LeakyRelu<alpha = 0.5>(t)
        })");
        row("an input's shape and another output", "input x; output t",
            R"(g (float[N,4] x) => (float[2,4] y, float[2,4] t) <float[4] w = {1, 2, 3, 4}> {
            [a] s = Add(x, w)
            [r] t = Relu(s)
            [l] y = LeakyRelu<alpha = 0.5>(t)
        })");
        row("a computed constant", "~a input 1 w -> c; +c",
            R"(g (float[2,4] x) => (float[2,4] y) <float[4] w = {1, 2, 3, 4}> {
            [c] v = Neg(w)
            [a] s = Add(x, v)
            [r] t = Relu(s)
            [l] y = LeakyRelu<alpha = 0.5>(t)
        })");
    }
    void modelsAreCompared()
    {
        QFETCH(QString, after);
        QFETCH(QString, difference);
        QCOMPARE(QString::fromStdString(differences(graphFrom(plain), graphFrom(after.toStdString()))), difference);
    }

    void opsetsAreCompared()
    {
        QCOMPARE(differences(graphFrom(plain, 17), graphFrom(plain, 18)), std::string("opset ai.onnx"));
    }

    void bodiesAreCompared()
    {
        const auto branching = [](const char* op) {
            return graphFrom(
                std::string("g (bool c, float[2] x) => (float[2] y) { [i] y = If (c) <then_branch = t () => "
                            "(float[2] p) { p = ") +
                op + "(x) }, else_branch = e () => (float[2] q) { q = Identity(x) }> }");
        };
        QCOMPARE(differences(branching("Neg"), branching("Neg")), std::string());
        QCOMPARE(differences(branching("Neg"), branching("Relu")),
                 std::string(
                     "~i attribute then_branch a graph of 1 node -> a graph of 1 node: 1 changed, 0 removed, 0 added"));
    }

    void namesOfBodyPortsAreIgnored()
    {
        const auto branching = [](const char* then) {
            return graphFrom(
                std::string("g (bool c, float[2] x) => (float[2] y) { [i] y = If (c) <then_branch = t () => ") + then +
                ", else_branch = e () => (float[2] q) { q = Identity(x) }> }");
        };
        const auto plainOne = branching("(float[2] p) { p = Neg(x) }");
        QCOMPARE(differences(plainOne, branching("(float[2] other) { other = Neg(x) }")), std::string());
        QCOMPARE(differences(plainOne, branching("(float[N] p) { p = Neg(x) }")), std::string());
        // The same nodes, with outputs in another order.
        QCOMPARE(
            differences(branching("(float[2] p, float[2] r) { [a] p = Neg(x) [b] r = Abs(x) }"),
                        branching("(float[2] r, float[2] p) { [a] p = Neg(x) [b] r = Abs(x) }")),
            std::string("~i attribute then_branch a graph of 2 nodes, output 0 a -> a graph of 2 nodes, output 0 b"));
    }

    void capturesAreComparedByTheirValue()
    {
        const auto branching = [](const char* captured, const char* other, float weight) {
            return graphFrom(fmt::format(
                "g (bool c, float[2] x) => (float[2] y, float[2] z) <float[1] w = {{{}}}> {{ [p] p = Abs(x) [q] q = "
                "Neg(x) [i] y = If (c) <then_branch = t () => (float[2] s) {{ s = Mul({}, w) }}, else_branch = e () => "
                "(float[2] t) {{ t = Add(p, q) }}> [z] z = {} }}",
                weight, captured, other));
        };
        const Graph readsP = branching("p", "Add(p, q)", 1);
        QCOMPARE(differences(readsP, branching("p", "Add(p, q)", 1)), std::string());
        const std::string differs =
            "~i attribute then_branch a graph of 1 node -> a graph of 1 node: 1 changed, 0 removed, 0 added";
        QCOMPARE(differences(readsP, branching("q", "Add(p, q)", 1)), differs);
        QCOMPARE(differences(readsP, branching("p", "Add(p, q)", 2)), differs);
    }

    void outputsAreComparedByWhatTheyReturn_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("difference");
        QTest::newRow("exchanged") << "g (float[2] x) => (float[2] a, float[2] b) { [r] a = Relu(x) [n] b = Neg(x) }"
                                   << "g (float[2] x) => (float[2] a, float[2] b) { [r] b = Relu(x) [n] a = Neg(x) }"
                                   << "output a r -> n; output b n -> r";
        QTest::newRow("another output of the node")
            << "g (float[2] x) => (float[1] a) { [s] a, b = Split<axis = 0>(x) }"
            << "g (float[2] x) => (float[1] a) { [s] b, a = Split<axis = 0>(x) }"
            << "output a s -> s:1";
        QTest::newRow("another stored value")
            << "g (float[2] x) => (float[2] a, float[1] w) <float[1] w = {1}> { [r] a = Relu(x) }"
            << "g (float[2] x) => (float[2] a, float[1] w) <float[1] w = {2}> { [r] a = Relu(x) }"
            << "weight w float32 1 -> 1 of 1 elements differ, by 1 at most";
        QTest::newRow("another order")
            << "g (float[2] x) => (float[2] a, float[2] b) { [r] a = Relu(x) [n] b = Neg(x) }"
            << "g (float[2] x) => (float[2] b, float[2] a) { [r] a = Relu(x) [n] b = Neg(x) }"
            << "order of outputs a, b -> b, a";
        QTest::newRow("another order beside other outputs")
            << "g (float[2] x) => (float[2] a, float[2] b) { [r] a = Relu(x) [n] b = Neg(x) }"
            << "g (float[2] x) => (float[2] b, float[2] x, float[2] a) { [r] a = Relu(x) [n] b = Neg(x) }"
            << "output x  -> float32 2; order of outputs a, b -> b, a";
    }
    void outputsAreComparedByWhatTheyReturn()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, difference);
        std::string found;
        const auto diff = compareGraphs(graphFrom(before.toStdString()), graphFrom(after.toStdString()));
        for (const Difference& one : diff.model) {
            found += (found.empty() ? "" : "; ") + one.what + " " + one.before + " -> " + one.after;
        }
        QCOMPARE(QString::fromStdString(found), difference);
        QCOMPARE(diff.isEqual(), difference.isEmpty());
    }

    void repeatedOutputsAreTheSame()
    {
        Graph graph = graphFrom("g (float[2] x) => (float[2] y) { [r] y = Relu(x) }");
        graph.outputs.push_back(graph.outputs.front());
        QCOMPARE(differences(graph, graph), std::string());
    }

    void inputsAreComparedByName()
    {
        const auto graph = graphFrom("g (float[2] x, float[2] y) => (float[2] z) { [s] z = Sub(x, y) }");
        QCOMPARE(differences(graph, graphFrom("g (float[2] y, float[2] x) => (float[2] z) { [s] z = Sub(y, x) }")),
                 std::string("order of inputs; ~s input 0 x -> y; ~s input 1 y -> x"));
        QCOMPARE(differences(graph, graphFrom("g (float[2] y, float[2] x) => (float[2] z) { [s] z = Sub(x, y) }")),
                 std::string("order of inputs"));
        QCOMPARE(differences(graph, graphFrom("g (float[2] x, float[2] v) => (float[2] z) { [s] z = Sub(x, v) }")),
                 std::string("input y; input v"));
    }

    void numbersAreComparedByTheirBits()
    {
        const auto elu = [](double alpha) {
            Graph graph = graphFrom("g (float[2] x) => (float[2] y) { [e] y = Elu(x) }");
            graph.node(NodeId{0}).attributes = {{"alpha", alpha}, {"more", std::vector{alpha}}};
            return graph;
        };
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(differences(elu(nan), elu(nan)), std::string());
        QCOMPARE(differences(elu(0), elu(nan)),
                 std::string("~e attribute alpha 0 -> nan; ~e attribute more [0] -> [nan]"));
        QCOMPARE(differences(elu(0), elu(-0.0)),
                 std::string("~e attribute alpha 0 -> -0; ~e attribute more [0] -> [-0]"));
    }

    void functionsAreCompared()
    {
        const auto calling = [](const std::string& function) {
            return graphOf(
                {std::make_shared<::onnx::ModelProto>(parseModel("g (float[2] x) => (float[2] y) { [f] y = local.f(x) "
                                                                 "} <domain: \"local\", opset_import: [\"\": 17]> " +
                                                                 function)),
                 {}});
        };
        const Graph relu = calling("f (a) => (b) { b = Relu(a) }");
        QCOMPARE(differences(relu, calling("f (p) => (q) { q = Relu(p) }")), std::string());
        QCOMPARE(differences(relu, calling("f (a) => (b) { b = Neg(a) }")), std::string("function local.f"));
        const Graph half = calling("f <alpha: float = 0.5> (a) => (b) { b = Elu<alpha: float = @alpha>(a) }");
        QCOMPARE(differences(half, half), std::string());
        QCOMPARE(differences(half, calling("f <alpha: float = 0.25> (a) => (b) { b = Elu<alpha: float = @alpha>(a) }")),
                 std::string("function local.f"));
        QCOMPARE(differences(half, calling("f <beta: float = 0.5> (a) => (b) { b = Elu<alpha: float = @beta>(a) }")),
                 std::string("function local.f"));
    }

    void stringsAreCompared()
    {
        const auto constant = [](const char* word) {
            return graphFrom(fmt::format(
                "g (float[2] x) => (string[2] y) {{ [c] y = Constant<value = string[2] {{\"cat\", \"{}\"}}>() }}",
                word));
        };
        QCOMPARE(differences(constant("dog"), constant("dog")), std::string());
        QCOMPARE(differences(constant("dog"), constant("fox")),
                 std::string("~c attribute value string 2 -> 1 of 2 elements differ"));
    }

    void weightsWithoutContentAreMarked()
    {
        const Graph stored = graphFrom("g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { [a] y = Add(x, w) }");
        Graph absent = stored;
        for (std::uint32_t i = 0; i < absent.valueCount(); ++i) {
            absent.value(ValueId{i}).tensor = {};
        }
        QCOMPARE(differences(stored, absent), std::string("~a input 1 w (stored) -> w (not stored)"));
    }

    void shortListsOfIntegersAreShown()
    {
        const auto reshape = [](std::vector<std::int64_t> shape) {
            Graph graph =
                graphFrom("g (float[2,4] x) => (float[N,M] y) <float[2] s = {0, 0}> { [r] y = Reshape(x, s) }");
            const auto count = static_cast<std::int64_t>(shape.size());
            for (const ValueId id : graph.node(NodeId{0}).inputs) {
                if (graph.tensorOf(id) != nullptr) {
                    graph.value(id).tensor =
                        graph.addTensor(Tensor::of<std::int64_t>(ElementType::Int64, {count}, shape));
                }
            }
            return graph;
        };
        QCOMPARE(differences(reshape({0, 512}), reshape({0, 512})), std::string());
        QCOMPARE(differences(reshape({0, 512}), reshape({2, 512})), std::string("~r weight s (0, 512) -> (2, 512)"));
        QCOMPARE(differences(reshape({0, 512}), reshape({-1})), std::string("~r weight s (0, 512) -> (-1)"));
        const std::vector<std::int64_t> many(20, 1);
        QCOMPARE(differences(reshape({0, 512}), reshape(many)), std::string("~r weight s int64 2 -> int64 20"));
    }

    void repeatedNamesAreMatchedByNeighbours()
    {
        const auto chain = [](float last) {
            std::string text = "g (float[2] x) => (float[2] v9) {";
            for (int i = 0; i < 10; ++i) {
                const std::string from = i == 0 ? "x" : "v" + std::to_string(i - 1);
                text += " [n] v" + std::to_string(i) + " = Elu<alpha = " + std::to_string(i == 7 ? last : 0.5F) + ">(" +
                        from + ")";
            }
            return graphFrom(text + " }");
        };
        QCOMPARE(differences(chain(0.5F), chain(0.5F)), std::string());
        const ModelDiff diff = compareGraphs(chain(0.5F), chain(0.25F));
        QCOMPARE(diff.ofFirst[7], Change::Changed);
        QCOMPARE(diff.count(Change::Same), std::size_t{9});
    }

    void comparisonCanBeCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(codeOf([&] { compareGraphs(graphFrom(plain), graphFrom(plain), stop.get_token()); }),
                 std::string("cancelled"));
    }
};

QTEST_APPLESS_MAIN(TestModelDiff)
#include "tst_model_diff.moc"
