#include "core/convert/conversion.h"
#include "core/formats/read_model.h"
#include "core/onnx/proto.h"
#include "tests/support/computed.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_text.h"

#include <QtTest>
#include <onnx/onnx_pb.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

std::shared_ptr<const Graph> graphOf(std::string_view text)
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(text))});
    return model ? model.value().graph : nullptr;
}

constexpr std::string_view accumulator = R"(x = Placeholder dtype=float shape=[2]
v = VarHandleOp dtype=float shape=[2] value=float[2]:1,2
old = ReadVariableOp(v) dtype=float
write = AssignAddVariableOp(v, x) dtype=float ^old
y = Mul(old, x) ^write
)";

QByteArray namesOf(const auto& values)
{
    QByteArray names;
    for (const auto& value : values) {
        names += (names.isEmpty() ? "" : " ") + QByteArray::fromStdString(value.name());
    }
    return names;
}

} // namespace

/// Variables that a graph writes, and defaults of inputs, in the exported model.
class TestTensorflowStates : public QObject {
    Q_OBJECT
private slots:
    void storedContentIsTheDefault();
    void storedContentIsConstantUnlessSelected();
    void statesHaveTheDeclaredSizes();
    void placeholdersAloneHaveDefaults();
    void slicesAreWritten();
    void scalarsAreWrittenToRows();
    void operationsRun();
    void operationsWithoutEffectAreNoOutputs();
};

void TestTensorflowStates::storedContentIsTheDefault()
{
    const auto graph = graphOf(accumulator);
    QVERIFY(graph);
    for (const bool optimize : {false, true}) {
        const auto converted = convert(*graph, {.outputs = {"y", "v"}, .optimize = optimize});
        QVERIFY(converted && !converted.value().hasErrors());
        const OnnxModel& model = converted.value().model.whole();
        QCOMPARE(namesOf(model.proto->graph().input()), QByteArray("x:0 v"));
        QCOMPARE(namesOf(model.proto->graph().output()), QByteArray("y:0 v/next"));
        QCOMPARE(namesOf(model.proto->graph().initializer()), QByteArray("v"));
        QCOMPARE(model.weights.size(), std::size_t{1});
        QCOMPARE(model.weights[0].toDoubles(), (std::vector<double>{1, 2}));
        const std::map<std::string, std::string> states{{"v", "v/next"}};
        QVERIFY(converted.value().states == states);
    }
    const std::vector<Tensor> inputs{floats({2}, {3, 5})};
    const auto results = computed(*graph, inputs, {.outputs = {"y", "v"}});
    QCOMPARE(results.size(), std::size_t{2});
    QCOMPARE(results[0].toDoubles(), (std::vector<double>{3, 10}));
    QCOMPARE(results[1].toDoubles(), (std::vector<double>{4, 7}));
}

void TestTensorflowStates::storedContentIsConstantUnlessSelected()
{
    const auto graph = graphOf(accumulator);
    QVERIFY(graph);
    const auto converted = convert(*graph, {});
    QVERIFY(converted);
    QCOMPARE(namesOf(converted.value().model.whole().proto->graph().input()), QByteArray("x:0"));
    QCOMPARE(namesOf(converted.value().model.whole().proto->graph().output()), QByteArray("y:0"));
    QCOMPARE(converted.value().problems.size(), std::size_t{1});
    const Diagnostic& problem = converted.value().problems[0];
    QVERIFY(problem.severity == Severity::Warning && problem.code == Code("state-not-exported"));
    QCOMPARE(problem.node, std::string("v"));
}

/// A write can change a size that the variable declares as open.
void TestTensorflowStates::statesHaveTheDeclaredSizes()
{
    const auto graph = graphOf(R"(x = Placeholder dtype=float shape=[2,1]
axis = Const int32[] 0
v = VarHandleOp dtype=float shape=[?,1] value=float[1,1]:1
before = ReadVariableOp(v) dtype=float
joined = ConcatV2(before, x, axis) N=2 Tidx=int32
write = AssignVariableOp(v, joined) dtype=float
y = Neg(joined) ^write
)");
    QVERIFY(graph);
    const auto converted = convert(*graph, {.outputs = {"y", "v"}});
    QVERIFY(converted && !converted.value().hasErrors());
    const OnnxModel& model = converted.value().model.whole();
    QCOMPARE(namesOf(model.proto->graph().input()), QByteArray("x:0 v"));
    const auto& shape = model.proto->graph().input(1).type().tensor_type().shape();
    QVERIFY(!shape.dim(0).has_dim_value());
    QCOMPARE(shape.dim(1).dim_value(), std::int64_t{1});
    QCOMPARE(namesOf(model.proto->graph().initializer()), QByteArray("v"));
    QVERIFY(converted.value().states == (std::map<std::string, std::string>{{"v", "v/next"}}));
}

/// A constant default is no constant to the lowering, which would store it in the branches. An input that the options
/// name is fed.
void TestTensorflowStates::placeholdersAloneHaveDefaults()
{
    const auto graph = graphOf(R"(default = Const float[2] 10 20
x = PlaceholderWithDefault(default) dtype=float shape=[-1]
axes = Const int32[1] 0
sum = Sum(x, axes) keep_dims=false
limit = Const float[] 20
isLarge = Greater(sum, limit)
side = Switch(x, isLarge)
large = Neg(side:1)
small = Identity(side:0)
merged = Merge(small, large) N=2
output = Identity(merged)
)");
    QVERIFY(graph);
    const auto initializers = [&](const ConvertOptions& options) {
        return namesOf(convert(*graph, options).value().model.whole().proto->graph().initializer());
    };
    QVERIFY(initializers({}).split(' ').contains("x:0"));
    QVERIFY(!initializers({.shapes = {{"x:0", Shape{Dim(2)}}}}).split(' ').contains("x:0"));
    QCOMPARE(computed(*graph, {}).front().toDoubles(), (std::vector<double>{-10, -20}));
    const std::vector<Tensor> fed{floats({3}, {1, 2, 3})};
    QCOMPARE(computed(*graph, fed).front().toDoubles(), (std::vector<double>{1, 2, 3}));
}

void TestTensorflowStates::slicesAreWritten()
{
    const std::string_view slice = "begin = Const int32[1] 1\nend = Const int32[1] 3\nsteps = Const int32[1] 2\n";
    const std::string byHandle = R"(x = Placeholder dtype=float shape=[2]
v = VarHandleOp dtype=float shape=[4] value=float[4]:1,2,3,4
write = ResourceStridedSliceAssign(v, begin, end, steps, x) T=float Index=int32 begin_mask=1
read = ReadVariableOp(v) dtype=float ^write
y = Neg(read)
)";
    const std::string byReference = R"(x = Placeholder dtype=float shape=[2]
v = VariableV2 dtype=float shape=[4] value=float[4]:1,2,3,4
write = StridedSliceAssign(v, begin, end, steps, x) T=float Index=int32 begin_mask=1
y = Neg(write)
)";
    for (const std::string& text : {byHandle, byReference}) {
        const auto graph = graphOf(std::string(slice) + text);
        QVERIFY(graph);
        const auto results = computed(*graph, std::vector<Tensor>{floats({2}, {10, 20})}, {.outputs = {"y", "v"}});
        QCOMPARE(results.size(), std::size_t{2});
        QCOMPARE(results[0].toDoubles(), (std::vector<double>{-10, -2, -20, -4}));
        QCOMPARE(results[1].toDoubles(), (std::vector<double>{10, 2, 20, 4}));
    }
}

void TestTensorflowStates::scalarsAreWrittenToRows()
{
    const auto graph = graphOf(R"(i = Placeholder dtype=int32 shape=[?]
last = Const int32[] 2
nine = Const float[] 9
three = Const float[] 3
v = VarHandleOp dtype=float shape=[3,2] value=float[3,2]:1,2,3,4,5,6
first = ResourceScatterSub(v, i, three) dtype=float Tindices=int32
second = ResourceScatterUpdate(v, last, nine) dtype=float Tindices=int32 ^first
read = ReadVariableOp(v) dtype=float ^second
y = Neg(read)
)");
    QVERIFY(graph);
    const std::vector<std::int32_t> rows{1, 0, 1};
    const std::vector<Tensor> inputs{Tensor::of<std::int32_t>(ElementType::Int32, {3}, rows)};
    QCOMPARE(computed(*graph, inputs).front().toDoubles(), (std::vector<double>{2, 1, 3, 2, -9, -9}));
}

void TestTensorflowStates::operationsRun()
{
    const auto graph = graphOf(R"(x = Placeholder dtype=float shape=[2]
unused = Placeholder dtype=float shape=[2]
v = VarHandleOp dtype=float shape=[2]
w = VarHandleOp dtype=float shape=[2]
first = AssignVariableOp(v, x) dtype=float
double = AddV2(x, x)
second = AssignVariableOp(w, double) dtype=float
init = NoOp ^first ^second
y = Relu(unused)
)");
    QVERIFY(graph);
    const auto converted = convert(*graph, {.outputs = {"init"}});
    QVERIFY(converted && converted.value().problems.empty());
    QCOMPARE(namesOf(converted.value().model.whole().proto->graph().input()), QByteArray("x:0"));
    QCOMPARE(namesOf(converted.value().model.whole().proto->graph().output()), QByteArray("v/next w/next"));
    QVERIFY(converted.value().states.empty()); // the model does not read them
}

void TestTensorflowStates::operationsWithoutEffectAreNoOutputs()
{
    const auto graph = graphOf("x = Placeholder dtype=float shape=[2]\nnothing = NoOp ^x\ny = Relu(x)\n");
    QVERIFY(graph);
    const auto converted = convert(*graph, {.outputs = {"nothing"}});
    QVERIFY(!converted && converted.problem().code == Code("unknown-output"));
    QCOMPARE(converted.problem().message, std::string("nothing computes no tensor and writes no variable"));
}

QTEST_GUILESS_MAIN(TestTensorflowStates)
#include "tst_tensorflow_states.moc"
