// --optimize of an ONNX source: fewer nodes, the same numbers, and what each node stands for.

#include "tests/support/onnx_run.h"

#include <QtTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

Tensor ramp(std::vector<std::int64_t> dims)
{
    std::vector<float> values;
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        values.push_back(static_cast<float>((i * 7) % 11) / 4.0F - 1.0F);
    }
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values);
}

const ConvertOptions optimized{.optimize = true};

/// "Conv[conv,norm] Relu[a]": the nodes' operators, with the names of their source nodes.
QByteArray nodesOf(const Conversion& conversion, const OnnxModel& source)
{
    QByteArrayList list;
    for (int i = 0; i < conversion.model.whole().proto->graph().node_size(); ++i) {
        QByteArrayList sources;
        for (const NodeId id : conversion.sources[static_cast<std::size_t>(i)]) {
            sources << QByteArray::fromStdString(source.proto->graph().node(static_cast<int>(id.index)).name());
        }
        list << QByteArray::fromStdString(conversion.model.whole().proto->graph().node(i).op_type()) + '[' +
                    sources.join(',') + ']';
    }
    return list.join(' ');
}

/// That targets say what sources say, and the nodes of the file too.
void checkLinks(const Conversion& conversion, const OnnxModel& source)
{
    for (std::uint32_t i = 0; i < conversion.sources.size(); ++i) {
        std::vector<std::string> names;
        for (const NodeId id : conversion.sources[i]) {
            const auto& targets = conversion.targets[id.index];
            QVERIFY(std::find(targets.begin(), targets.end(), i) != targets.end());
            names.push_back('"' + source.proto->graph().node(static_cast<int>(id.index)).name() + '"');
        }
        std::string recorded;
        for (const auto& entry : conversion.model.whole().proto->graph().node(static_cast<int>(i)).metadata_props()) {
            recorded += entry.key() == "crosswalk.source" ? entry.value() : std::string();
        }
        QCOMPARE(recorded, fmt::format("[{}]", fmt::join(names, ",")));
    }
    for (std::uint32_t i = 0; i < conversion.targets.size(); ++i) {
        QCOMPARE(conversion.targets[i].empty(), conversion.verdicts[i] == Verdict::Folded);
    }
}

} // namespace

class TestOnnxOptimize : public QObject {
    Q_OBJECT
private slots:
    void computesTheSameWithFewerNodes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("nodes");
        const QByteArray conv =
            "g (float[N,1,4,4] x) => (float[N,2,4,4] y) <float[2,1,1,1] k = {2, 3}, float[2] s = {1, 2}, "
            "float[2] b = {3, 4}, float[2] m = {5, 6}, float[2] v = {7, 8}> {";
        QTest::newRow("a norm goes into its Conv")
            << conv + "[c] c = Conv(x, k) [n] n = BatchNormalization(c, s, b, m, v) [r] y = Relu(n) }"
            << QByteArray("Conv[c,n] Relu[r]");
        QTest::newRow("a norm of what others read stays")
            << conv + "[c] c = Conv(x, k) [n] n = BatchNormalization(c, s, b, m, v) [r] y = Add(n, c) }"
            << QByteArray("Conv[c] BatchNormalization[n] Add[r]");
        QTest::newRow("constants go into the nodes that read them")
            << QByteArray("g (float[N,2,2] x) => (float[N,4] y) {"
                          "[a] a = Constant <value_ints = [-1]> () [b] b = Constant <value = int64[1] {4}> ()"
                          "[s] s = Concat <axis = 0> (a, b) [r] y = Reshape(x, s) }")
            << QByteArray("Reshape[r]");
        QTest::newRow("equal nodes and views")
            << QByteArray("g (float[N,4] x) => (float[N,2,2] y) <int64[1] one = {1}, int64[3] s = {-1, 2, 2}> {"
                          "[a] a = Neg(x) [b] b = Neg(x) [c] c = Add(a, b)"
                          "[u] u = Unsqueeze(c, one) [v] v = Reshape(u, s) [w] y = Neg(v) }")
            << QByteArray("Neg[a,b] Add[c] Reshape[v,u] Neg[w]");
        QTest::newRow("nodes that do nothing")
            << QByteArray("g (float[2,3] x) => (float[2,3] y) <int64[2] s = {2, 3}, float r = {0.5}> {"
                          "[a] a = Identity(x) [b] b = Dropout(a, r) [c] c = Cast <to = 1> (b) [d] d = Reshape(c, s)"
                          "[e] e = Transpose(d) [f] f = Transpose(e) [n] y = Neg(f) }")
            << QByteArray("Neg[n]");
        QTest::newRow("transpositions one after the other")
            << QByteArray("g (float[2,3,4] x) => (float[4,2,3] y) {"
                          "[a] a = Transpose <perm = [1, 0, 2]> (x) [b] b = Transpose <perm = [2, 1, 0]> (a)"
                          "[n] y = Neg(b) }")
            << QByteArray("Transpose[b,a] Neg[n]");
        QTest::newRow("transpositions that others read")
            << QByteArray("g (float[2,3] x) => (float[2,3] y, float[2,3] z, float[3,2] w) {"
                          "[a] a = Transpose(x) [b] b = Transpose(a) [c] c = Transpose(a)"
                          "[n] y = Neg(b) [m] z = Abs(c) [o] w = Relu(a) }")
            << QByteArray("Transpose[a] Neg[n] Abs[m] Relu[o]");
        QTest::newRow("transpositions that nothing reads any more")
            << QByteArray("g (float[2,3] x) => (float[2,3] y, float[2,3] z) {"
                          "[a] a = Transpose(x) [b] b = Transpose(a) [c] c = Transpose(a)"
                          "[n] y = Neg(b) [m] z = Abs(c) }")
            << QByteArray("Neg[n] Abs[m]");
        QTest::newRow("casts there and back")
            << QByteArray("g (float[2,3] x) => (float[2,3] y) <float zero = {0}> {"
                          "[g] g = Greater(x, zero) [a] a = Cast <to = 1> (g) [b] b = Cast <to = 9> (a)"
                          "[w] y = Where(b, x, zero) }")
            << QByteArray("Greater[g] Where[w]");
        QTest::newRow("casts by way of another type")
            << QByteArray("g (float[2,3] x) => (int64[2,3] y) <float zero = {0}> {"
                          "[g] g = Greater(x, zero) [a] a = Cast <to = 1> (g) [b] b = Cast <to = 7> (a)"
                          "[n] y = Neg(b) }")
            << QByteArray("Greater[g] Cast[b,a] Neg[n]");
        QTest::newRow("a cast that rounds")
            << QByteArray("g (float[2,3] x) => (float[2,3] y) {"
                          "[a] a = Cast <to = 7> (x) [b] b = Cast <to = 1> (a) [n] y = Neg(b) }")
            << QByteArray("Cast[a] Cast[b] Neg[n]");
        QTest::newRow("a mask that is read, an output, and what a body reads")
            << QByteArray("g (float[2,3] x, bool c) => (float[2,3] y, float[2,3] z, bool[2,3] m) {"
                          "[d] d, m = Dropout(x) [z] z = Identity(d) [k] k = Identity(d)"
                          "[i] y = If (c) <then_branch = t () => (float[2,3] p) { p = Neg(k) },"
                          "else_branch = e () => (float[2,3] q) { q = Abs(d) }> }")
            << QByteArray("Dropout[d] Identity[z] Identity[k] If[i]");
        QTest::newRow("pieces of a value")
            << QByteArray("g (float[N,5] x) => (float[N,2] y, float[N,1] z) <int64[1] a = {1}, int64[1] b = {0}, "
                          "int64[1] c = {2}, int64[1] d = {-1}, int64[1] e = {9}, int64[1] f = {4}> {"
                          "[p] p = Slice(x, c, d, a) [q] q = Slice(x, b, c, a) [r] z = Slice(x, f, e, a)"
                          "[s] y = Add(p, q) }")
            << QByteArray("Split[p,q,r] Add[s]");
        QTest::newRow("bodies see what they read")
            << QByteArray("g (float[2,3] x, bool c) => (float[2,3] y) <float[3] w = {1, 2, 3}> {"
                          "[a] a = Neg(x) [b] b = Neg(x) [k] k = Constant <value = float[1] {2}> ()"
                          "[i] y = If (c) <then_branch = t () => (float[2,3] p) { p = Mul(b, k) },"
                          "else_branch = e () => (float[2,3] q) { q = Add(a, b) }> }")
            << QByteArray("Neg[a] Neg[b] If[i]");
    }
    void computesTheSameWithFewerNodes()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, nodes);
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, text.toStdString());
        std::vector<NamedTensor> inputs;
        for (const auto& input : model.proto->graph().input()) {
            std::vector<std::int64_t> dims;
            for (const auto& dim : input.type().tensor_type().shape().dim()) {
                dims.push_back(dim.has_dim_value() ? dim.dim_value() : 3);
            }
            inputs.push_back({input.name(), input.type().tensor_type().elem_type() == ::onnx::TensorProto::BOOL
                                                ? Tensor::scalar(ElementType::Bool, 1)
                                                : ramp(dims)});
        }
        for (const int opset : {11, 13, 17, 22, 26}) {
            const Conversion plain = converted(model, {.opset = opset});
            ConvertOptions options = optimized;
            options.opset = opset;
            const Conversion conversion = converted(model, options);
            if (opset < 12 && text.contains("m = Dropout")) { // its mask cannot be expressed there
                QVERIFY(conversion.hasErrors());
                continue;
            }
            QVERIFY(conversion.problems.empty());
            QCOMPARE(nodesOf(conversion, model), nodes);
            checkLinks(conversion, model);
            const auto before = runOnnx(plain.model.whole(), folder, inputs);
            const auto after = runOnnx(conversion.model.whole(), folder, inputs);
            QCOMPARE(after.size(), before.size());
            const auto wanted = before[0].tensor.toDoubles();
            const auto got = after[0].tensor.toDoubles();
            QCOMPARE(after[0].tensor.dims(), before[0].tensor.dims());
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QVERIFY(std::abs(got[i] - wanted[i]) < 1e-5);
            }
        }
    }

    void valuesThatVanishHaveNoName()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[N,2,2] x) => (float[N,4] y) <float[2] unread = {1, 2}> {
            [s] s = Constant <value_ints = [-1, 4]> ()
            [n] n = Neg(x) [m] m = Neg(x) [a] a = Add(n, m) [r] y = Reshape(a, s) })");
        const Conversion conversion = converted(model, optimized);
        const Graph graph = graphOf(model);
        for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
            const std::string& name = graph.value(ValueId{i}).name;
            const bool isGone = name == "m" || name == "unread";
            QCOMPARE(conversion.valueNames[i], isGone ? std::string() : name);
        }
    }

    void whatWasRenamedAndOpenedKeepsItsName()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[1,4] x) => (float[1,2,2] y) <int64[3] s = {1, 2, 2}> {
            [n] n = Neg(x) [m] m = Neg(x) [a] a = Add(n, m) [r] y = Reshape(a, s) })");
        ConvertOptions options = optimized;
        options.shapes["x"] = Shape{Dim("N"), 4};
        options.renames = {{"x", "in"}, {"y", "out"}};
        const Conversion conversion = converted(model, options);
        QVERIFY(!conversion.hasErrors());
        const auto outputs = runOnnx(conversion.model.whole(), folder, {{"in", ramp({3, 4})}});
        QCOMPARE(outputs[0].name, std::string("out"));
        QCOMPARE(outputs[0].tensor.dims(), (std::vector<std::int64_t>{3, 2, 2}));
    }

    void whatAFileSaysOfItsFirstSourceIsJoined()
    {
        const TemporaryFolder folder;
        OnnxModel model =
            modelOf(folder, R"(g (float[2] x) => (float[2] y) { [a] a = Neg(x) [b] b = Neg(x) [c] y = Add(a, b) })");
        auto* format = model.proto->add_metadata_props();
        format->set_key("crosswalk.source_format");
        format->set_value("mxnet");
        for (int i = 0; i < 3; ++i) {
            auto* entry = model.proto->mutable_graph()->mutable_node(i)->add_metadata_props();
            entry->set_key("crosswalk.source");
            entry->set_value(fmt::format("[\"first{}\"]", i));
        }
        const Conversion conversion = converted(model, optimized);
        QCOMPARE(conversion.model.whole().proto->graph().node(0).metadata_props_size(), 1);
        QCOMPARE(conversion.model.whole().proto->graph().node(0).metadata_props(0).value(),
                 std::string("[\"first0\",\"first1\"]"));
    }

    void weightsThatARunMayReplaceStay()
    {
        const TemporaryFolder folder;
        OnnxModel model =
            modelOf(folder, R"(g (float[N,3] x) => (float[N,3] y) <float[3] w = {1, 2, 3}, float[1,3] v = {4, 5, 6}> {
                [s] s = Add(w, v) [a] y = Add(x, s) })");
        QCOMPARE(nodesOf(converted(model, optimized), model), QByteArray("Add[a]"));
        addInput(model, "w", {ElementType::Float32, Shape{3}});
        const Conversion conversion = converted(model, optimized);
        QCOMPARE(nodesOf(conversion, model), QByteArray("Add[s] Add[a]"));
        QCOMPARE(conversion.problems.front().code.text(), std::string_view("replaceable-weights"));
        QCOMPARE(conversion.problems.front().message,
                 std::string("1 weight is also an input, which a run may replace: its consumers are not folded"));

        model.proto->set_ir_version(3);
        addInput(model, "v", {ElementType::Float32, Shape{1, 3}});
        const Conversion old = converted(model, optimized);
        QCOMPARE(nodesOf(old, model), QByteArray("Add[a]"));
        QCOMPARE(old.model.whole().proto->graph().input_size(), 1);
        QVERIFY(old.irVersion >= 4);
        checkModel(old.model.whole());
    }

    void whatAFileStatesWronglyIsNotBelieved()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, R"(g (float[N,4] x) => (float[N,2,2] y)
            <int64[1] one = {1}, int64[3] s = {-1, 2, 2}, float[1,1,4] u, float[1,2,2] v> {
            [u] u = Unsqueeze(x, one) [v] v = Reshape(u, s) [n] y = Neg(v) })");
        const Conversion conversion = converted(model, optimized);
        QCOMPARE(nodesOf(conversion, model), QByteArray("Reshape[v,u] Neg[n]"));
        QCOMPARE(runOnnx(conversion.model.whole(), folder, {{"x", ramp({3, 4})}})[0].tensor.dims(),
                 (std::vector<std::int64_t>{3, 2, 2}));
        const OnnxModel sizes = modelOf(folder, R"(g (float[N,3] x, int64[2] s) => (float[N,3] y) {
            [c] c = ConstantOfShape(s) [a] y = Add(x, c) })");
        const Conversion broadcast = converted(sizes, optimized);
        QCOMPARE(nodesOf(broadcast, sizes), QByteArray("ConstantOfShape[c] Add[a]"));
        QCOMPARE(runOnnx(broadcast.model.whole(), folder, {{"x", ramp({1, 3})}, {"s", Tensor::ints(Ints{4, 3})}})[0]
                     .tensor.dims(),
                 (std::vector<std::int64_t>{4, 3}));
    }

    void aSwitchWithoutAValueIsNotRead()
    {
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(
            folder, "g (float[2] x) => (float[2] y) <float r = {0.5}, bool[0] t = {}> { y = Dropout(x, r, t) }");
        QCOMPARE(nodesOf(converted(model, optimized), model), QByteArray("Dropout[]"));
    }

    void olderModelsAreLeftAndThatIsSaid()
    {
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, R"(g (float[2] x) => (float[2] y) { a = Neg(x) b = Neg(x) y = Add(a, b) })");
        model.proto->mutable_opset_import(0)->set_version(9);
        const Conversion conversion = converted(model, optimized);
        QCOMPARE(conversion.model.whole().proto->graph().node_size(), 3);
        QCOMPARE(conversion.problems.front().code.text(), std::string_view("not-optimized"));
    }
};

QTEST_APPLESS_MAIN(TestOnnxOptimize)
#include "tst_onnx_optimize.moc"
