// What recurrent layers compute that lowering finds, by numbers that can be worked out by hand.

#include "core/convert/select_outputs.h"
#include "core/formats/read_model.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "tests/support/computed.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_text.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <numeric>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

using Numbers = std::vector<double>;

/// A loop over an RNN of one unit: h' = relu(x + h), so that ones count the steps.
struct LoopText {
    std::string values; ///< x, h0, y, l (lengths) and n (limit) around the loop
    std::string counter = "int32";
    std::string input = "input:product:0";
    std::string step = {}; ///< more lines of the body, which has x, y, i, h, l and `new` (h')
    std::string state = "new:activations:0";
    std::string row = "new:activations:0"; ///< element of the list
    std::string otherRow = "new:activations:0";
    std::string output = "stack"; ///< of the list; "stack2": of the other one; "loop": the counter, "loop:1": the state
    std::string outputType = "float";
};

std::string textOf(const LoopText& loop)
{
    return fmt::format(R"({values}
zero = Const {t}[] 0
first = Const int32[] 0
element = Const int32[1] -1
size = Const int32[] 3
rows = TensorListReserve(element, size) element_dtype=float
loop = While(zero, h0, rows, x, y, l, n, first, rows) T={{{t},float,variant,float,float,{t},{t},int32,variant}} cond=@less body=@step
stack = TensorListStack(loop:2, element) element_dtype=float
stack2 = TensorListStack(loop:8, element) element_dtype=float
output = Identity({output}) T={outputType}
function less(i:{t}, h, r:variant, x, y, l:{t}, n:{t}, k:int32, r2:variant) -> truth:bool=compare:z:0
compare = Less(i, n) T={t}
end
function step(i:{t}, h, r:variant, x, y, l:{t}, n:{t}, k:int32, r2:variant) -> i_next:{t}=add:z:0, h_next={state}, r_next:variant=set:output_handle:0, x_next=x, y_next=y, l_next:{t}=l, n_next:{t}=n, k_next:int32=k_add:z:0, r2_next:variant=set2:output_handle:0
one = Const {t}[] 1
zero = Const int32[] 0
kernel = Const float[1,1] 1
add = AddV2(i, one:output:0) T={t}
k_one = Const int32[] 1
k_add = AddV2(k, k_one:output:0) T=int32
row = GatherV2(x, i, zero:output:0) Tparams=float Tindices={t} Taxis=int32
input = MatMul(row:output:0, kernel:output:0)
kept = MatMul(h, kernel:output:0)
sum = AddV2({input}, kept:product:0)
new = Relu(sum:z:0)
{step}set = TensorListSetItem(r, k, {row}) element_dtype=float
set2 = TensorListSetItem(r2, k, {otherRow}) element_dtype=float
end
)",
                       fmt::arg("values", loop.values), fmt::arg("t", loop.counter), fmt::arg("input", loop.input),
                       fmt::arg("step", loop.step), fmt::arg("state", loop.state), fmt::arg("row", loop.row),
                       fmt::arg("otherRow", loop.otherRow), fmt::arg("output", loop.output),
                       fmt::arg("outputType", loop.outputType));
}

/// Three steps for two samples. `shapeOfY`: "[3,2]"; without, y is a number that nothing reads.
std::string valuesWith(std::string_view lengths, std::string_view shapeOfY = {})
{
    const std::string y =
        shapeOfY.empty() ? "Const float[] 0" : fmt::format("Placeholder dtype=float shape={}", shapeOfY);
    return fmt::format(R"(
y = {}
x = Placeholder dtype=float shape=[3,2,1]
h0 = Placeholder dtype=float shape=[2,1]
l = Const int32[2] {}
n = Const int32[] 3)",
                       y, lengths);
}

const Tensor onesOfSteps = Tensor::filled(ElementType::Float32, {3, 2, 1}, 1);

/// `held` is the old state past the end of a sample, `zeroed` is zero there.
constexpr std::string_view masks = R"(ended = GreaterEqual(i, l) T=int32
held = Select(ended:z:0, h, new:activations:0)
zeros = ZerosLike(new:activations:0)
zeroed = Select(ended:z:0, zeros:y:0, new:activations:0)
)";

/// `other` is an element of y.
constexpr std::string_view readsOther =
    "other = GatherV2(y, i, zero:output:0) Tparams=float Tindices=int32 Taxis=int32\n";

struct LoopResult {
    Tensor tensor;
    bool isFused = false;  ///< no loop is left
    bool hasLayer = false; ///< a recurrent layer is in the graph
};

LoopResult resultOf(const std::string& text, const std::vector<Tensor>& inputs, int opset = 17)
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(text))}).value();
    ConvertOptions options;
    options.opset = opset;
    options.outputs = {"output"};
    const LoweredGraph lowered = tensorflow::lower(withOutputs(*model.graph, options.outputs), options);
    const auto has = [&](std::string_view op) {
        return std::ranges::any_of(lowered.graph.nodes(), [&](const Node& node) { return node.op == op; });
    };
    return {computed(*model.graph, inputs, options).front(), !has("While"), has("RecurrentLayer")};
}

} // namespace

class TestTensorflowRecurrent : public QObject {
    Q_OBJECT
private slots:
    void countsInTheTypesOfCounters();
    void broadcastsSamples_data();
    void broadcastsSamples();
    void broadcastsUnrolledSamples_data();
    void broadcastsUnrolledSamples();
    void computesBlocksOfOpenStates();
    void keepsStatesWithoutSteps();
    void writesRows_data();
    void writesRows();
};

void TestTensorflowRecurrent::countsInTheTypesOfCounters()
{
    LoopText loop{.values = R"(
n = Placeholder dtype=int64 shape=[]
x = Placeholder dtype=float shape=[3,2,1]
h0 = Const float[2,1] 0 1
y = Const float[] 0
l = Const int64[2] 2 2)",
                  .counter = "int64",
                  .output = "loop:1"};
    const Tensor two = Tensor::filled(ElementType::Int64, {}, 2);
    const LoopResult state = resultOf(textOf(loop), {two, onesOfSteps});
    QVERIFY(state.isFused);
    QCOMPARE(state.tensor.toDoubles(), (Numbers{2, 3}));
    LoopText open = loop;
    open.values.replace(open.values.find(" shape=[]"), 9, "");
    QCOMPARE(resultOf(textOf(open), {two, onesOfSteps}).tensor.toDoubles(), (Numbers{2, 3}));
    for (const auto& [output, type, element] :
         {std::tuple{"loop", "int64", ElementType::Int64}, std::tuple{"loop:7", "int32", ElementType::Int32}}) {
        loop.output = output;
        loop.outputType = type;
        const Tensor count = resultOf(textOf(loop), {two}).tensor;
        QVERIFY(count.type() == element);
        QCOMPARE(count.toDoubles(), Numbers{2});
    }
}

void TestTensorflowRecurrent::broadcastsSamples_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("dims"); // of x, all ones
    QTest::addColumn<QList<double>>("expected");
    const auto row = [](const char* name, std::string_view values, const QList<int>& dims,
                        const QList<double>& expected, std::string_view input = "input:product:0") {
        const LoopText loop{.values = std::string(values) + "\ny = Const float[] 0\nl = Const int32[] 3\n"
                                                            "n = Const int32[] 3",
                            .input = std::string(input)};
        QTest::newRow(name) << QByteArray::fromStdString(textOf(loop)) << dims << expected;
    };
    const QList<double> sums{6, 8, 7, 9, 8, 10};
    constexpr std::string_view added = "row:output:0";
    row("one input", R"(
x = Placeholder dtype=float shape=[3,1,1]
h0 = Placeholder dtype=float shape=[?,1])",
        {3, 1, 1}, sums);
    row("one input, by chance", R"(
x = Placeholder dtype=float shape=[3,?,1]
b = Placeholder dtype=float shape=[?,1]
h0 = ZerosLike(b))",
        {3, 1, 1}, {1, 1, 2, 2, 3, 3});
    row("state of a batch", R"(
x = Placeholder dtype=float shape=[3,?,1]
b = Placeholder dtype=float shape=[2,1]
h0 = Identity(b))",
        {3, 1, 1}, sums);
    row("added numbers", R"(
x = Placeholder dtype=float shape=[3]
h0 = Placeholder dtype=float shape=[2,1])",
        {3}, sums, added);
    row("added vectors", R"(
x = Placeholder dtype=float shape=[3,1]
h0 = Placeholder dtype=float shape=[2,1])",
        {3, 1}, sums, added);
}

void TestTensorflowRecurrent::broadcastsSamples()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QList<int>, dims);
    QFETCH(const QList<double>, expected);
    const Tensor x = Tensor::filled(ElementType::Float32, {dims.begin(), dims.end()}, 1);
    const LoopResult now = resultOf(text.toStdString(), {x, floats({2, 1}, {5, 7})});
    const std::vector<double> numbers = now.tensor.toDoubles();
    QCOMPARE(QList<double>(numbers.begin(), numbers.end()), expected);
    QVERIFY(now.isFused);
}

/// Two steps of an LSTM of two units whose gates are all 1/2, so that c' = c / 2 and h' = c' / 2, or of an RNN of one
/// unit.
void TestTensorflowRecurrent::broadcastsUnrolledSamples_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<double>>("expected");
    const auto lstm = [](std::string_view h0, std::string_view c0) {
        std::string text = fmt::format(R"(
x = Placeholder dtype=float shape=[2,?,1]
h0 = {}
c0 = {}
wx = Const float[1,8] 0 0 0 0 0 0 0 0
wh = Const float[2,8] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
axis = Const int32[] 1
parts = Unpack(x) num=2 axis=0
)",
                                       h0, c0);
        for (int i = 1; i < 3; ++i) {
            text += fmt::format(R"(xw{0} = MatMul(parts:{1}, wx)
hw{0} = MatMul(h{1}, wh)
sum{0} = AddV2(xw{0}, hw{0})
gates{0} = Split(axis, sum{0}) num_split=4
i{0} = Sigmoid(gates{0}:0)
j{0} = Relu(gates{0}:1)
f{0} = Sigmoid(gates{0}:2)
o{0} = Sigmoid(gates{0}:3)
kept{0} = Mul(c{1}, f{0})
new{0} = Mul(i{0}, j{0})
c{0} = AddV2(kept{0}, new{0})
out{0} = Relu(c{0})
h{0} = Mul(out{0}, o{0})
)",
                                i, i - 1);
        }
        return QByteArray::fromStdString(text + "output = Identity(h2)\n");
    };
    const QList<double> eighths{1, 2, 1, 2};
    QTest::newRow("one sample") << lstm("Const float[1,2] 1 1", "Const float[1,2] 8 16") << eighths;
    QTest::newRow("vector") << lstm("Const float[2,2] 0 0 0 0", "Const float[2] 8 16") << eighths;
    QTest::newRow("number") << lstm("Const float[1,2] 0 0", "Const float[] 8") << QList<double>{1, 1, 1, 1};
    QTest::newRow("one sample of the first input") << QByteArray(R"(
x = Placeholder dtype=float shape=[2,1]
h0 = Const float[1,1] 5
x0 = Const float[1,1] 3
w = Const float[1,1] 1
xw = MatMul(x0, w)
hw = MatMul(h0, w)
sum = AddV2(xw, hw)
h1 = Relu(sum)
xw1 = MatMul(x, w)
hw1 = MatMul(h1, w)
sum1 = AddV2(xw1, hw1)
output = Relu(sum1)
)") << QList<double>{9, 9};
}

void TestTensorflowRecurrent::broadcastsUnrolledSamples()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QList<double>, expected);
    const bool isPart = text.contains("shape=[2,1]");
    const Tensor x = Tensor::filled(ElementType::Float32, isPart ? Ints{2, 1} : Ints{2, 2, 1}, 1);
    const LoopResult now = resultOf(text.toStdString(), {x});
    const std::vector<double> numbers = now.tensor.toDoubles();
    QCOMPARE(QList<double>(numbers.begin(), numbers.end()), expected);
    QCOMPARE(now.hasLayer, !isPart);
}

void TestTensorflowRecurrent::computesBlocksOfOpenStates()
{
    const std::string_view text = R"(
x = Placeholder dtype=float shape=[2,1,1]
c0 = Placeholder dtype=float shape=[?,?]
h0 = Const float[1,2] 0 0
w = Const float[3,8] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
b = Const float[8] 0 0 0 0 0 0 0 0
p = Const float[2] 0 0
two = Const int64[] 2
lstm = BlockLSTMV2(two, x, c0, h0, w, p, p, p, b) use_peephole=false
output = Identity(lstm:1)
)";
    const std::vector<Tensor> inputs{floats({2, 1, 1}, {1, 1}), floats({1, 2}, {4, 8})};
    QCOMPARE(resultOf(std::string(text), inputs).tensor.toDoubles(), (Numbers{2, 4, 1, 2}));
}

void TestTensorflowRecurrent::keepsStatesWithoutSteps()
{
    const LoopText loop{.values = R"(
x = Placeholder dtype=float shape=[?,2,1]
h0 = Placeholder dtype=float shape=[2,1]
y = Const float[] 0
l = Const int32[] 0
shape = Shape(x) out_type=int32
begin = Const int32[1] 0
end = Const int32[1] 1
n = StridedSlice(shape, begin, end, end) T=int32 Index=int32 shrink_axis_mask=1)",
                        .output = "loop:1"};
    const Tensor states = floats({2, 1}, {5, 7});
    const LoopResult none = resultOf(textOf(loop), {floats({0, 2, 1}, {}), states});
    QVERIFY(none.isFused);
    QCOMPARE(none.tensor.toDoubles(), (Numbers{5, 7}));
    QCOMPARE(resultOf(textOf(loop), {onesOfSteps, states}).tensor.toDoubles(), (Numbers{8, 10}));
}

void TestTensorflowRecurrent::writesRows_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QList<int>>("dims"); // of y
    QTest::addColumn<QList<double>>("expected");
    QTest::addColumn<bool>("isFused");
    QTest::addColumn<int>("opset");
    const auto row = [](const char* name, const LoopText& loop, const QList<int>& dims, const QList<double>& expected,
                        bool isFused = true, int opset = 17) {
        QTest::newRow(name) << QByteArray::fromStdString(textOf(loop)) << dims << expected << isFused << opset;
    };
    const std::string values = valuesWith("1 2");
    const std::string empty = valuesWith("0 2");
    const std::string step{masks};
    const std::string held = "held:output:0";
    const std::string zeroed = "zeroed:output:0";
    row("held", {.values = values, .step = step, .state = held, .row = held, .otherRow = held}, {}, {6, 6, 6, 7, 6, 7});
    row("held and zeroed",
        {.values = values, .step = step, .state = held, .row = held, .otherRow = zeroed, .output = "stack2"}, {},
        {6, 6, 0, 7, 0, 0});
    row("held without steps", {.values = empty, .step = step, .state = held, .row = held, .otherRow = held}, {},
        {5, 6, 5, 7, 5, 7});
    row("lengths at opset 11", {.values = empty, .step = step, .state = held, .row = zeroed, .otherRow = zeroed}, {},
        {0, 6, 0, 7, 0, 0}, true, 11);

    const std::string other{readsOther};
    row("of a longer sequence", {.values = valuesWith("3 3", "[4,2,1]"), .step = other, .row = "other:output:0"},
        {4, 2, 1}, {1, 2, 3, 4, 5, 6}, false);
    row("without features",
        {.values = valuesWith("1 2", "[3,2]"),
         .step = step + other +
                 "otherZeros = ZerosLike(other:output:0)\n"
                 "part = Select(ended:z:0, otherZeros:y:0, other:output:0)\n",
         .state = held,
         .row = "part:output:0",
         .otherRow = zeroed},
        {3, 2}, {1, 2, 0, 4, 0, 0});
    row("numbers by a vector",
        {.values = valuesWith("3 3", "[3]"),
         .step = other + "tens = Const float[3] 1 10 100\nproducts = Mul(other:output:0, tens:output:0)\n",
         .row = "products:z:0"},
        {3}, {1, 10, 100, 2, 20, 200, 3, 30, 300}, false);
}

void TestTensorflowRecurrent::writesRows()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QList<int>, dims);
    QFETCH(const QList<double>, expected);
    QFETCH(const bool, isFused);
    QFETCH(const int, opset);
    std::vector<Tensor> inputs;
    if (!dims.isEmpty()) {
        std::vector<float> y(std::accumulate(dims.begin(), dims.end(), std::size_t{1}, std::multiplies<>()));
        std::iota(y.begin(), y.end(), 1.0F);
        inputs.push_back(floats({dims.begin(), dims.end()}, y));
    }
    if (dims.isEmpty() || !isFused) { // the layer itself is not in the export if all rows are of y
        inputs.insert(inputs.end(), {onesOfSteps, floats({2, 1}, {5, 5})});
    }
    const LoopResult now = resultOf(text.toStdString(), inputs, opset);
    const std::vector<double> numbers = now.tensor.toDoubles();
    QCOMPARE(QList<double>(numbers.begin(), numbers.end()), expected);
    QCOMPARE(now.isFused, isFused);
}

QTEST_GUILESS_MAIN(TestTensorflowRecurrent)
#include "tst_tensorflow_recurrent.moc"
