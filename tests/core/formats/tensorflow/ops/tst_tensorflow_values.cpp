// What operators of TensorFlow compute, by numbers that can be worked out by hand.

#include "core/formats/read_model.h"
#include "tests/support/computed.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_files.h"
#include "tests/support/tensorflow_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

using Numbers = std::vector<double>;

Tensor integers(std::vector<std::int64_t> dims, const std::vector<std::int32_t>& values)
{
    return Tensor::of<std::int32_t>(ElementType::Int32, std::move(dims), values);
}

/// The graph that a file with these nodes holds.
std::shared_ptr<const Graph> graphOf(const std::vector<Message>& nodes)
{
    const TemporaryFiles files;
    return readModel({.model = files.write("model.pb", graphDef(nodes).content())}).value().graph;
}

/// What a graph of one output computes, its elements.
Numbers valuesOf(const std::vector<Message>& nodes, const std::vector<Tensor>& inputs)
{
    return computed(*graphOf(nodes), inputs).front().toDoubles();
}

/// Code of the first problem that is an error; empty where the graph converts.
QByteArray errorOf(const std::vector<Message>& nodes, const ConvertOptions& options = {})
{
    const auto conversion = convert(*graphOf(nodes), options);
    if (!conversion) {
        const std::string_view code = conversion.problem().code.text();
        return {code.data(), static_cast<qsizetype>(code.size())};
    }
    for (const Diagnostic& problem : conversion.value().problems) {
        if (problem.severity == Severity::Error) {
            return {problem.code.text().data(), static_cast<qsizetype>(problem.code.text().size())};
        }
    }
    return {};
}

Message stitch(std::string_view op)
{
    return nodeDef("output", op, {"first", "second", "x", "y"}, {{"T", typeAttr(1)}, {"N", intAttr(2)}});
}

Message diagonalOp(std::string_view name, const std::vector<std::string_view>& inputs)
{
    return nodeDef("output", name, inputs, {{"T", typeAttr(1)}});
}

} // namespace

class TestTensorflowValues : public QObject {
    Q_OBJECT
private slots:
    void leavesOutRestsOfLoweredLoops();
    void explainsOperatorsWithoutTranslation();
    void stitchesByConstantIndices();
    void stitchesByComputedIndices();
    void stitchesNothing();
    void placesDiagonalsByComputedNumbers();
    void countsDiagonalsByComputedNumbers();
    void keepsTheStateOfEmptySamples();
    void clampsLengthsOfLoops();
    void comparesStrings();
    void splitsStrings();
    void joinsStringsOfAxes();
    void joinsAlongASelectedAxis();
    void permutesByComputedAxes();
    void takesTensorsAsConditions();
    void warnsOfInputsWithoutShape();
    void resizesToSizesOfConstants();
    void resizesToTheNearestPixel_data();
    void resizesToTheNearestPixel();
    void countsInRows();
    void padsSymmetricallyByComputedNumbers();
    void updatesInTurn();
    void reducesNothing();
    void shapesByComputedZeros();
    void joinsPartsOfUnknownRank();
    void combinesSetsOfSeveralAxes();
    void convolvesByOpenFilters();
    void feedsDefaultsThatAreNamed();
    void findsExtremesBesideNan();
    void averagesNothing();
    void averagesLargeIntegers();
    void placesEdgesInBinsInDoublePrecision();
    void broadcastsLogitsToLabels();
    void mergesStatisticsIntoMovingOnes();
    void refusesLabelsThatAResultRepeats();
    void looksKeysUp();
    void reportsPoolsOfInfinities();
    void computesWithStoredComplexNumbers();
    void countsRangesInSinglePrecision();
    void refusesRangesThatLeadAway();
    void refusesACycleOfIdentities();
    void refusesDimensionsThatOverflow();
    void refusesMoreLayersThanAreSupported();
    void refusesTextsThatAreNotAllowed();
    void refusesBlocksWithoutElements();
    void refusesConstantLoopVariables();
    void joinsElementsOfDifferentLengths();
    void gathersOneElement();
    void rollsNothing();
    void padsScalars();
};

void TestTensorflowValues::leavesOutRestsOfLoweredLoops()
{
    const auto placeholder = [](std::string_view name) {
        return nodeDef(name, "Placeholder", {}, {{"dtype", typeAttr(1)}});
    };
    const auto graph = graphOf({placeholder("x"), placeholder("unused"), placeholder("unused_control_flow_input_3"),
                                nodeDef("output", "Neg", {"x"}, {{"T", typeAttr(1)}})});
    QCOMPARE(graph->inputs.size(), 2U);
    QCOMPARE(graph->value(graph->inputs[1]).name, std::string("unused:0"));
}

void TestTensorflowValues::explainsOperatorsWithoutTranslation()
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(R"(x = Placeholder dtype=float shape=[2]
table = HashTableV2 shared_name=words
found = LookupTableFindV2(table, x, x) Tin=float Tout=float
call = PyFunc(x) token=f Tin={float} Tout={float}
module = XlaCallModule(x) Tin={float} Tout={float}
other = Nonesuch(x)
y = AddN(found, call, module, other) N=4
)"))});
    QVERIFY(model);
    const auto converted = convert(*model.value().graph, {});
    QVERIFY(converted);
    std::map<std::string, std::string> messages;
    for (const Diagnostic& problem : converted.value().problems) {
        if (problem.code == Code("unsupported-operator")) {
            messages.emplace(problem.node, problem.message);
            QVERIFY(QByteArray::fromStdString(problem.hint)
                        .contains("--custom-op " + QByteArray::fromStdString(problem.op) + "="));
        }
    }
    const std::map<std::string, std::string> expected{
        {"table", "operator HashTableV2 is a lookup table, which is filled outside of the graph"},
        {"found", "operator LookupTableFindV2 reads a lookup table, which is filled outside of the graph"},
        {"call", "operator PyFunc calls a Python function, which the file does not contain"},
        {"module", "operator XlaCallModule calls a StableHLO module"},
        {"other", "operator Nonesuch has no translation"},
    };
    QVERIFY(messages == expected);
}

/// TensorFlow's maximum begins with the lowest finite number: every part of what is pooled must be above it.
void TestTensorflowValues::reportsPoolsOfInfinities()
{
    const auto isReported = [](std::string_view second) {
        const Message window = Message().message(1, Message().bytes(3, "\x01\x02\x02\x01"));
        const auto graph = graphOf({placeholder("x", {1, 2, 2, 1}), unary("relu", "Relu", "x"),
                                    unary("tanh", "Tanh", "x"), constant("axis", intTensor({}, {3}), 3),
                                    nodeDef("joined", "ConcatV2", {"relu", second, "axis"},
                                            {{"T", typeAttr(1)}, {"N", intAttr(2)}, {"Tidx", typeAttr(3)}}),
                                    nodeDef("output", "MaxPool", {"joined"},
                                            {{"T", typeAttr(1)},
                                             {"ksize", window},
                                             {"strides", window},
                                             {"padding", textAttr("VALID")},
                                             {"data_format", textAttr("NHWC")}})});
        return std::ranges::any_of(convert(*graph, {}).value().problems, [](const Diagnostic& problem) {
            return problem.code == Code("pool-of-infinities");
        });
    };
    QVERIFY(!isReported("tanh"));
    QVERIFY(isReported("x"));
}

void TestTensorflowValues::computesWithStoredComplexNumbers()
{
    constexpr std::uint64_t complex64 = 8;
    const std::array<float, 4> pairs{1, 2, 3, -1}; // 1 + 2i, 3 - i
    const auto bytes = std::as_bytes(std::span(pairs));
    const Message content = Message()
                                .number(1, complex64)
                                .message(2, shapeProto({2}))
                                .bytes(4, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}); // NOLINT
    QCOMPARE(errorOf({constant("output", content, complex64)}), QByteArray("unsupported-output"));
    QCOMPARE(errorOf({placeholder("x", {4}), constant("length", intTensor({1}, {4}), 3),
                      nodeDef("spectrum", "RFFT", {"x", "length"}, {{"Tcomplex", typeAttr(complex64)}}),
                      nodeDef("output", "Identity", {"spectrum"}, {{"T", typeAttr(complex64)}})}),
             QByteArray("unsupported-output"));
    const std::vector<Message> nodes{
        placeholder("x", {2}), constant("k", content, complex64),
        nodeDef("pairs", "Complex", {"x", "x"}, {{"T", typeAttr(1)}, {"Tout", typeAttr(complex64)}}),
        nodeDef("product", "Mul", {"pairs", "k"}, {{"T", typeAttr(complex64)}}),
        nodeDef("output", "Real", {"product"}, {{"T", typeAttr(complex64)}, {"Tout", typeAttr(1)}})};
    const std::array<float, 2> x{2, 5};
    QCOMPARE(valuesOf(nodes, {Tensor::of<float>(ElementType::Float32, {2}, x)}), (Numbers{-2, 20}));
}

void TestTensorflowValues::looksKeysUp()
{
    const auto numbers = [](const std::vector<std::int64_t>& values) {
        return Tensor::ints(values).reshaped({2, static_cast<std::int64_t>(values.size()) / 2});
    };
    const auto graphWith = [](const Message& missing) {
        return std::vector<Message>{
            placeholder("x", {2, -1}, 9),
            nodeDef("table", "HashTableV2", {}, {{"key_dtype", typeAttr(9)}, {"value_dtype", typeAttr(9)}}),
            nodeDef("keys", "Const", {},
                    {{"dtype", typeAttr(9)}, {"value", Message().message(8, longTensor({3}, {7, -2, 7}))}}),
            nodeDef("values", "Const", {},
                    {{"dtype", typeAttr(9)}, {"value", Message().message(8, longTensor({3}, {70, 20, 70}))}}),
            nodeDef("init", "InitializeTableV2", {"table", "keys", "values"},
                    {{"Tkey", typeAttr(9)}, {"Tval", typeAttr(9)}}),
            missing,
            nodeDef("y", "LookupTableFindV2", {"table", "x", "missing"},
                    {{"Tin", typeAttr(9)}, {"Tout", typeAttr(9)}})};
    };
    const Message missing = nodeDef("missing", "Const", {},
                                    {{"dtype", typeAttr(9)}, {"value", Message().message(8, longTensor({}, {-1}))}});
    QCOMPARE(valuesOf(graphWith(missing), {numbers({7, 0, -2, 7})}), (Numbers{70, -1, 20, 70}));
    QCOMPARE(errorOf(graphWith(placeholder("missing", {}, 9))), "unsupported-attribute");
    std::vector<Message> size = graphWith(missing);
    size.back() = nodeDef("y", "LookupTableSizeV2", {"table"}, {});
    QCOMPARE(valuesOf(size, {}), (Numbers{2}));
}

void TestTensorflowValues::stitchesByConstantIndices()
{
    const auto stitched = [](std::string_view op, const std::vector<std::int32_t>& first,
                             const std::vector<std::int32_t>& second) {
        return valuesOf({constant("first", intTensor({2}, first), 3), constant("second", intTensor({2}, second), 3),
                         placeholder("x", {2, 2}), placeholder("y", {2, 2}), stitch(op)},
                        {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {5, 6, 7, 8})});
    };
    QCOMPARE(stitched("DynamicStitch", {3, 0}, {2, 1}), (Numbers{3, 4, 7, 8, 5, 6, 1, 2}));
    QCOMPARE(stitched("DynamicStitch", {1, 0}, {1, 2}), (Numbers{3, 4, 5, 6, 7, 8}));
    QCOMPARE(stitched("DynamicStitch", {0, 0}, {1, 1}), (Numbers{3, 4, 7, 8}));
    QCOMPARE(stitched("ParallelDynamicStitch", {3, 0}, {2, 1}), (Numbers{3, 4, 7, 8, 5, 6, 1, 2}));
    QCOMPARE(errorOf({constant("first", intTensor({1}, {-1}), 3), constant("second", intTensor({1}, {0}), 3),
                      placeholder("x", {1, 2}), placeholder("y", {1, 2}), stitch("DynamicStitch")}),
             "invalid-attribute");
}

void TestTensorflowValues::stitchesByComputedIndices()
{
    const std::vector<Message> nodes{placeholder("first", {-1}, 3), placeholder("second", {-1, 2}, 3),
                                     placeholder("x", {-1, 2}), placeholder("y", {-1, 2, 2}), stitch("DynamicStitch")};
    const auto stitched = [&](const std::vector<std::int32_t>& first, const std::vector<std::int32_t>& second) {
        return valuesOf(nodes, {integers({2}, first), integers({1, 2}, second), floats({2, 2}, {1, 2, 3, 4}),
                                floats({1, 2, 2}, {5, 6, 7, 8})});
    };
    QCOMPARE(stitched({3, 0}, {2, 1}), (Numbers{3, 4, 7, 8, 5, 6, 1, 2}));
    QCOMPARE(stitched({1, 0}, {1, 2}), (Numbers{3, 4, 5, 6, 7, 8}));
    QCOMPARE(stitched({0, 0}, {0, 0}), (Numbers{7, 8}));

    // Many repeats, which a runtime may well write in another order.
    std::vector<std::int32_t> indices;
    std::vector<float> rows;
    for (int i = 0; i < 600; ++i) {
        indices.push_back((i * 7) % 10);
        rows.push_back(static_cast<float>(i));
    }
    const auto graph =
        graphOf({placeholder("first", {-1}, 3), placeholder("x", {-1}),
                 nodeDef("output", "DynamicStitch", {"first", "x"}, {{"T", typeAttr(1)}, {"N", intAttr(1)}})});
    const std::vector<Tensor> inputs{integers({600}, indices), floats({600}, rows)};
    QCOMPARE(computed(*graph, inputs).front().toDoubles(), (Numbers{590, 593, 596, 599, 592, 595, 598, 591, 594, 597}));
}

void TestTensorflowValues::stitchesNothing()
{
    const std::vector<Message> nodes{placeholder("first", {-1}, 3), placeholder("second", {-1}, 3),
                                     placeholder("x", {-1, 2}), placeholder("y", {-1, 2}), stitch("DynamicStitch")};
    const Tensor none = integers({0}, {});
    const Tensor rows = floats({0, 2}, {});
    QCOMPARE(valuesOf(nodes, {none, none, rows, rows}), Numbers{});
}

void TestTensorflowValues::placesDiagonalsByComputedNumbers()
{
    const Message k = placeholder("k", {2}, 3);
    const Message size = constant("size", intTensor({}, {-1}), 3);
    const Message zero = constant("zero", floatTensor({}, {0}));
    const Tensor main = integers({2}, {0, 0});
    QCOMPARE(
        valuesOf({placeholder("x", {2}), k, size, zero, diagonalOp("MatrixDiagV2", {"x", "k", "size", "size", "zero"})},
                 {floats({2}, {1, 2}), main}),
        (Numbers{1, 0, 0, 2}));
    QCOMPARE(
        valuesOf({placeholder("x", {2, 2}), placeholder("y", {2}), k, diagonalOp("MatrixSetDiagV2", {"x", "y", "k"})},
                 {floats({2, 2}, {1, 2, 3, 4}), floats({2}, {8, 9}), main}),
        (Numbers{8, 2, 3, 9}));
    QCOMPARE(valuesOf({placeholder("x", {2, 2}), placeholder("y", {2, 2}), k,
                       diagonalOp("MatrixSetDiagV2", {"x", "y", "k"})},
                      {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {6, 0, 8, 9}), integers({2}, {0, 1})}),
             (Numbers{8, 6, 3, 9}));
}

/// The rank of the result depends on whether the two numbers differ: the export has that of different ones, and fails
/// for others.
void TestTensorflowValues::countsDiagonalsByComputedNumbers()
{
    const std::vector<Message> operands{placeholder("x", {2, 2}), placeholder("k", {2}, 3),
                                        constant("size", intTensor({}, {-1}), 3),
                                        constant("zero", floatTensor({}, {0}))};
    const auto result = [&](std::string_view op, const std::vector<std::string_view>& inputs,
                            const std::vector<std::int32_t>& k) {
        std::vector<Message> nodes = operands;
        nodes.push_back(diagonalOp(op, inputs));
        return valuesOf(nodes, {floats({2, 2}, {1, 2, 3, 4}), integers({2}, k)});
    };
    const std::vector<std::string_view> matrix{"x", "k", "size", "size", "zero"};
    QCOMPARE(result("MatrixDiagV2", matrix, {0, 1}), (Numbers{3, 1, 0, 4}));
    QVERIFY_EXCEPTION_THROWN(result("MatrixDiagV2", matrix, {0, 0}), ModelError);
    const std::vector<std::string_view> part{"x", "k", "zero"};
    QCOMPARE(result("MatrixDiagPartV2", part, {0, 1}), (Numbers{2, 0, 1, 4}));
    QVERIFY_EXCEPTION_THROWN(result("MatrixDiagPartV2", part, {0, 0}), ModelError);
}

void TestTensorflowValues::keepsTheStateOfEmptySamples()
{
    // Two samples of one unit, of the lengths 0 and 1; all weights are zero, so a step halves the cell state.
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(R"(
x = Const float[1,2,4] 0 0 0 0 0 0 0 0
w = Const float[1,4] 0 0 0 0
y0 = Const float[2,1] 0 0
c0 = Placeholder dtype=float shape=[2,1]
lengths = Placeholder dtype=int32 shape=[2]
zero = Const int32[] 0
one = Const int32[] 1
steps = Range(zero, one, one) Tidx=int32
column = ExpandDims(lengths, one) T=int32
mask = Less(steps, column) T=int32
order = Const int32[2] 1 0
major = Transpose(mask, order) T=bool
float = Cast(major) SrcT=bool DstT=float
lstm = NativeLstm2(x, w, y0, c0, float, zero, one)
output = Identity(lstm:3)
)"))});
    QVERIFY(model);
    const std::vector<Tensor> inputs{floats({2, 1}, {4, 4}), integers({2}, {0, 1})};
    QCOMPARE(computed(*model.value().graph, inputs).front().toDoubles(), (Numbers{4, 2}));
}

void TestTensorflowValues::clampsLengthsOfLoops()
{
    // An RNN of one unit that adds up its inputs, of ones, in two steps.
    const auto finalStates = [](std::string_view shape, Tensor lengths) {
        const TemporaryFiles files;
        const auto lines = fmt::format(R"(
x = Const float[2,4,1] 1 1 1 1 1 1 1 1
h0 = Placeholder dtype=float shape=[4,1]
lengths = Placeholder dtype=int32 shape={}
zero = Const int32[] 0
two = Const int32[] 2
loop = While(zero, h0, x, lengths) T={{int32,float,float,int32}} cond=@less body=@step
output = Identity(loop:1)
function less(i:int32, h, x, l:int32) -> truth:bool=compare:z:0
two = Const int32[] 2
compare = Less(i, two:output:0) T=int32
end
function step(i:int32, h, x, l:int32) -> i_next:int32=add:z:0, h_next=held:output:0, x_next=x, l_next:int32=l
one = Const int32[] 1
zero = Const int32[] 0
axis = Const int32[] 1
kernel = Const float[2,1] 1 1
add = AddV2(i, one:output:0) T=int32
row = GatherV2(x, i, zero:output:0) Tparams=float Tindices=int32 Taxis=int32
both = ConcatV2(row:output:0, h, axis:output:0) N=2 Tidx=int32
product = MatMul(both:output:0, kernel:output:0)
relu = Relu(product:product:0)
ended = GreaterEqual(i, l) T=int32
held = Select(ended:z:0, h, relu:activations:0)
end
)",
                                       shape);
        const auto model = readModel({.model = files.write("model.pb", graphDefOf(lines))});
        const std::vector<Tensor> inputs = {floats({4, 1}, {4, 4, 4, 4}), std::move(lengths)};
        return computed(*model.value().graph, inputs).front().toDoubles();
    };
    QCOMPARE(finalStates("[4]", integers({4}, {0, 1, -1, 9})), (Numbers{4, 5, 4, 6}));
    QCOMPARE(finalStates("[]", integers({}, {1})), (Numbers{5, 5, 5, 5}));
}

/// What the lines of a graph compute, the elements of its output; by default at opset 17.
Numbers computedBy(std::string_view lines, const std::vector<Tensor>& inputs, int opset = 17)
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(lines))});
    ConvertOptions options;
    options.opset = opset;
    return computed(*model.value().graph, inputs, options).front().toDoubles();
}

/// As tf.linspace selects the axis of its Concat.
void TestTensorflowValues::joinsAlongASelectedAxis()
{
    QCOMPARE(computedBy(R"(
x = Placeholder dtype=float shape=[2]
zero = Const int32[] 0
one = Const int32[] 1
size = Size(x) out_type=int32
rest = Sub(size, one) T=int32
axis = SelectV2(yes, zero, rest) T=int32
yes = Const bool[] 1
output = ConcatV2(x, x, axis) N=2 Tidx=int32
)",
                        {Tensor::of<float>(ElementType::Float32, {2}, std::array{1.0F, 2.0F})}, 17),
             (Numbers{1, 2, 1, 2}));
}

/// Softmax of Keras over several axes permutes them so. Sub does not propagate numbers before opset 14.
void TestTensorflowValues::permutesByComputedAxes()
{
    for (const int opset : {13, 17}) {
        QCOMPARE(computedBy(R"(
x = Placeholder dtype=float shape=[1,2]
two = Const int32[] 2
one = Const int32[] 1
last = Sub(two, one) T=int32
first = Sub(last, one) T=int32
order = Pack(last, first) N=2 T=int32 axis=0
output = Transpose(x, order) Tperm=int32
)",
                            {Tensor::of<float>(ElementType::Float32, {1, 2}, std::array{1.0F, 2.0F})}, opset),
                 (Numbers{1, 2}));
    }
}

/// A scalar is true if it is not 0, a non-scalar tensor if it has elements.
void TestTensorflowValues::takesTensorsAsConditions()
{
    const auto branch = [](std::string_view shape, const Tensor& condition) {
        return computedBy(fmt::format(R"(
condition = Placeholder dtype=float {}
output = If(condition) Tcond=float Tin={{}} Tout={{float}} then_branch=@yes else_branch=@no
function yes() -> y=one:output:0
one = Const float[] 1
end
function no() -> y=two:output:0
two = Const float[] 2
end
)",
                                      shape),
                          {condition})
            .front();
    };
    QCOMPARE(branch("shape=[]", floats({}, {3})), 1);
    QCOMPARE(branch("shape=[]", floats({}, {0})), 2);
    QCOMPARE(branch("shape=[2]", floats({2}, {0, 0})), 1);
    QCOMPARE(branch("shape=[0]", floats({0}, {})), 2);
    QCOMPARE(branch("shape=[?]", floats({1}, {0})), 1);
    QCOMPARE(branch("", floats({}, {3})), 1);
    QCOMPARE(branch("", floats({}, {0})), 2);
    QCOMPARE(branch("", floats({2}, {0, 0})), 1);
    QCOMPARE(branch("", floats({0}, {})), 2);
}

/// onnx's checker rejects them, also where nothing reads them.
void TestTensorflowValues::warnsOfInputsWithoutShape()
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(R"(
x = Placeholder dtype=float shape=[2]
u = Placeholder dtype=float
output = Relu(x)
)"))});
    const auto problems = convert(*model.value().graph, {}).value().problems;
    QCOMPARE(problems.size(), std::size_t{1});
    QCOMPARE(problems.front().severity, Severity::Warning);
    QCOMPARE(problems.front().code, Code("unknown-shape"));
    QCOMPARE(problems.front().hint, "use --shape u:0=...");
}

/// ONNX Runtime computes such sizes when it loads the model, and then does not find them where axes are named.
void TestTensorflowValues::resizesToSizesOfConstants()
{
    for (const int opset : {17, 18}) {
        QCOMPARE(computedBy(R"(
x = Placeholder dtype=float shape=[?,1,1,1]
shape = Shape(x) out_type=int32
zero = Const int32[1] 0
one = Const int32[1] 1
two = Const int32[1] 2
axis = Const int32[] 0
height = StridedSlice(shape, one, two, one) Index=int32 T=int32
number = Cast(height) SrcT=int32 DstT=float
half = Const float[] 0.4
ratio = RealDiv(number, half)
whole = Floor(ratio)
length = Cast(whole) SrcT=float DstT=int32
size = ConcatV2(length, length, axis) N=2 T=int32 Tidx=int32
output = ResizeBilinear(x, size) align_corners=false half_pixel_centers=true
)",
                            {Tensor::of<float>(ElementType::Float32, {1, 1, 1, 1}, std::array{3.0F})}, opset),
                 (Numbers{3, 3, 3, 3}));
    }
}

void TestTensorflowValues::resizesToTheNearestPixel_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<bool>("hasHalfPixels");
    QTest::addColumn<Numbers>("pixels");
    QTest::newRow("float32") << QByteArray("float") << false << Numbers{0, 7, 14, 21, 28, 35, 42};
    QTest::newRow("int64") << QByteArray("int64") << false << Numbers{0, 7, 14, 21, 28, 35, 42};
    QTest::newRow("half pixels") << QByteArray("float") << true << Numbers{3, 10, 17, 24, 31, 38, 45};
}

/// Of 49 pixels the second of seven is the one at 7, not the one that rounding leads to.
void TestTensorflowValues::resizesToTheNearestPixel()
{
    QFETCH(const QByteArray, type);
    QFETCH(const bool, hasHalfPixels);
    QFETCH(const Numbers, pixels);
    Numbers ramp(49);
    std::iota(ramp.begin(), ramp.end(), 0.0);
    const Tensor row = Tensor::of<double>(ElementType::Float64, {1, 49, 1, 1}, ramp);
    const std::string text = fmt::format("x = Placeholder dtype={0} shape=[1,49,1,1]\n"
                                         "size = Const int32[2] 7 1\n"
                                         "output = ResizeNearestNeighbor(x, size) T={0} align_corners=false "
                                         "half_pixel_centers={1}\n",
                                         type.toStdString(), hasHalfPixels);
    const ElementType element = type == "int64" ? ElementType::Int64 : ElementType::Float32;
    QCOMPARE(computedBy(text, {row.converted(element)}, 17), pixels);
}

void TestTensorflowValues::comparesStrings()
{
    for (const int opset : {17, 20}) {
        QCOMPARE(computedBy(R"(
x = Placeholder dtype=int32 shape=[2,1]
y = Placeholder dtype=int32 shape=[3]
a = AsString(x) T=int32
b = AsString(y) T=int32
output = NotEqual(a, b) T=string
)",
                            {integers({2, 1}, {7, 8}), integers({3}, {8, 7, 9})}, opset),
                 (Numbers{1, 0, 1, 0, 1, 1}));
    }
}

void TestTensorflowValues::splitsStrings()
{
    const auto strings = [](std::string_view name, const std::vector<std::int64_t>& dims,
                            const std::vector<std::string_view>& values) {
        Message tensor = Message().number(1, std::uint64_t{7}).message(2, shapeProto(dims));
        for (const std::string_view value : values) {
            tensor.bytes(8, value);
        }
        return constant(name, tensor, 7);
    };
    // Rows and columns of the tokens, their number, and the number of columns.
    const auto split = [&](const std::vector<std::string_view>& words, const std::string_view separator,
                           const Message& operation) {
        const auto graph = graphOf({strings("words", {static_cast<std::int64_t>(words.size())}, words),
                                    strings("separator", {}, {separator}), operation});
        std::vector<Numbers> results;
        const std::vector<Tensor> outputs = computed(*graph, {}, {.opset = 20});
        for (const Tensor& output : outputs) {
            results.push_back(output.type() == ElementType::String ? Numbers{static_cast<double>(output.elements())}
                                                                   : output.toDoubles());
        }
        return results;
    };
    const auto version2 = [](std::int64_t limit) {
        return nodeDef("output", "StringSplitV2", {"words", "separator"}, {{"maxsplit", intAttr(limit)}});
    };
    using Results = std::vector<Numbers>;
    QCOMPARE(split({"a,,b", "", "c"}, ",", version2(-1)), (Results{{0, 0, 0, 1, 0, 2, 1, 0, 2, 0}, {5}, {3, 3}}));
    QCOMPARE(split({"a,,b", ","}, ",", version2(1)), (Results{{0, 0, 0, 1, 1, 0, 1, 1}, {4}, {2, 2}}));
    QCOMPARE(split({" a\tb  ", "", "\n c"}, "", version2(-1)), (Results{{0, 0, 0, 1, 2, 0}, {3}, {3, 2}}));
    QCOMPARE(split({}, ",", version2(-1)), (Results{{}, {0}, {0, 0}}));
    const auto version1 = [](bool skipsEmpty) {
        return nodeDef("output", "StringSplit", {"words", "separator"},
                       {{"skip_empty", Message().number(5, std::uint64_t{skipsEmpty})}});
    };
    QCOMPARE(split({"a,;b", ";"}, ",;", version1(true)), (Results{{0, 0, 0, 1}, {2}, {2, 2}}));
    QCOMPARE(split({"a  b", ""}, " ", version1(false)), (Results{{0, 0, 0, 1, 0, 2}, {3}, {2, 3}}));
    const auto errorAt = [&](const std::string_view separator, const Message& operation) {
        return errorOf({strings("words", {1}, {"a"}), strings("separator", {}, {separator}), operation}, {.opset = 20});
    };
    QCOMPARE(errorAt(",", version1(true)), QByteArray());
    for (const auto& [separator, operation] :
         {std::pair("", version2(2)), std::pair("", version1(true)), std::pair("\xc3\xa9", version1(true)),
          std::pair(",;", version1(false))}) {
        QCOMPARE(errorAt(separator, operation), QByteArray("unsupported-attribute"));
    }
}

void TestTensorflowValues::joinsStringsOfAxes()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=int32 shape=[?,2]
words = AsString(x) T=int32
axes = Const int32[2] 1 0
joined = ReduceJoin(words, axes)
output = StringToNumber(joined) out_type=float
)";
    QCOMPARE(computedBy(lines, {integers({2, 2}, {1, 2, 3, 4})}, 20), (Numbers{1234}));
    constexpr std::string_view separated = R"(
x = Placeholder dtype=int32 shape=[?,2]
words = AsString(x) T=int32
axis = Const int32[1] -1
joined = ReduceJoin(words, axis) separator=. keep_dims=true
output = StringToNumber(joined) out_type=float
)";
    QCOMPARE(computedBy(separated, {integers({2, 2}, {1, 5, 3, 25})}, 20), (Numbers{1.5, 3.25}));
}

void TestTensorflowValues::countsInRows()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=int32 shape=[?,?]
w = Placeholder dtype=float shape=[?,?]
size = Const int32[] 3
output = DenseBincount(x, size, w) Tidx=int32 T=float
)";
    const Tensor numbers = integers({2, 3}, {1, 1, 7, 0, 2, 1});
    QCOMPARE(computedBy(lines, {numbers, floats({2, 3}, {1, 2, 3, 4, 5, 6})}), (Numbers{0, 3, 0, 4, 6, 5}));
}

void TestTensorflowValues::padsSymmetricallyByComputedNumbers()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=float shape=[?]
pads = Placeholder dtype=int32 shape=[1,2]
output = MirrorPad(x, pads) Tpaddings=int32 mode=SYMMETRIC
)";
    QCOMPARE(computedBy(lines, {floats({3}, {1, 2, 3}), integers({1, 2}, {2, 3})}), (Numbers{2, 1, 1, 2, 3, 3, 2, 1}));
}

/// ScatterND reduces by addition from opset 16 and by extremes from 18: before, one update comes after the other.
void TestTensorflowValues::updatesInTurn()
{
    const auto updated = [](std::string_view op, int opset) {
        const std::string lines = "x = Placeholder dtype=float shape=[3]\n"
                                  "i = Placeholder dtype=int32 shape=[2,2,1]\n"
                                  "u = Placeholder dtype=float shape=[2,2]\n"
                                  "output = " +
                                  std::string(op) + "(x, i, u) Tindices=int32\n";
        return computedBy(
            lines, {floats({3}, {1, 2, 3}), integers({2, 2, 1}, {0, 2, 0, 0}), floats({2, 2}, {5, -1, 4, 7})}, opset);
    };
    for (const int opset : {15, 18}) {
        QCOMPARE(updated("TensorScatterAdd", opset), (Numbers{17, 2, 2}));
        QCOMPARE(updated("TensorScatterSub", opset), (Numbers{-15, 2, 4}));
        QCOMPARE(updated("TensorScatterMax", opset), (Numbers{7, 2, 3}));
        QCOMPARE(updated("TensorScatterMin", opset), (Numbers{1, 2, -1}));
    }
}

void TestTensorflowValues::reducesNothing()
{
    const auto reduced = [](std::string_view op) {
        return computedBy("x = Placeholder dtype=bool shape=[2,?]\naxis = Const int32[1] 1\noutput = " +
                              std::string(op) + "(x, axis) Tidx=int32\n",
                          {floats({2, 0}, {}).converted(ElementType::Bool)});
    };
    QCOMPARE(reduced("Any"), (Numbers{0, 0}));
    QCOMPARE(reduced("All"), (Numbers{1, 1}));
    const Numbers mean = computedBy(
        "x = Placeholder dtype=float shape=[1,0]\naxis = Const int32[1] 1\noutput = Mean(x, axis) Tidx=int32\n",
        {floats({1, 0}, {})});
    QVERIFY(mean.size() == 1 && std::isnan(mean.front()));
}

/// A computed size of 0 is a size, and copies no dimension.
void TestTensorflowValues::shapesByComputedZeros()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=float shape=[3,0]
dims = Placeholder dtype=int32 shape=[2]
y = Reshape(x, dims) Tshape=int32
output = Shape(y)
)";
    QCOMPARE(computedBy(lines, {floats({3, 0}, {}), integers({2}, {0, 5})}), (Numbers{0, 5}));
}

/// Inference does not know the rank of y, but all parts of a concatenation have one rank.
void TestTensorflowValues::joinsPartsOfUnknownRank()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=float shape=[?,2]
dims = Placeholder dtype=int32 shape=[?]
zero = Const float[] 0
y = Fill(dims, zero) T=float index_type=int32
axis = Const int32[] 0
output = ConcatV2(x, y, axis) N=2 T=float Tidx=int32
)";
    QCOMPARE(computedBy(lines, {floats({1, 2}, {1, 2}), integers({2}, {2, 2})}), (Numbers{1, 2, 0, 0, 0, 0}));
}

void TestTensorflowValues::combinesSetsOfSeveralAxes()
{
    const auto indices = [](std::string_view operation) {
        return computedBy("a = Placeholder dtype=int32 shape=[2,1,?]\nb = Placeholder dtype=int32 shape=[2,1,?]\n"
                          "s = DenseToDenseSetOperation(a, b) T=int32 set_operation=" +
                              std::string(operation) + "\noutput = Identity(s) T=int64\n",
                          {integers({2, 1, 3}, {5, 1, 5, 2, 2, 0}), integers({2, 1, 2}, {5, 4, 2, 2})});
    };
    QCOMPARE(indices("a-b"), (Numbers{0, 0, 0, 1, 0, 0}));
    QCOMPARE(indices("b-a"), (Numbers{0, 0, 0}));
    QCOMPARE(indices("intersection"), (Numbers{0, 0, 0, 1, 0, 0}));
    QCOMPARE(indices("union"), (Numbers{0, 0, 0, 0, 0, 1, 0, 0, 2, 1, 0, 0, 1, 0, 1}));
}

void TestTensorflowValues::convolvesByOpenFilters()
{
    const auto convolved = [](std::uint64_t stride, std::string_view padding) {
        Message strides;
        for (const std::uint64_t step : {std::uint64_t{1}, std::uint64_t{1}, stride, std::uint64_t{1}}) {
            strides.number(3, step);
        }
        return valuesOf(
            {placeholder("x", {1, 1, 4, 1}), placeholder("w", {-1, -1, -1, -1}),
             nodeDef("output", "Conv2D", {"x", "w"},
                     {{"T", typeAttr(1)}, {"strides", Message().message(1, strides)}, {"padding", textAttr(padding)}})},
            {floats({1, 1, 4, 1}, {1, 2, 3, 4}), floats({1, 2, 1, 1}, {1, 10})});
    };
    QCOMPARE(convolved(1, "SAME"), (Numbers{21, 32, 43, 4}));
    QCOMPARE(convolved(2, "VALID"), (Numbers{21, 43}));
    QVERIFY_EXCEPTION_THROWN(convolved(2, "SAME"), ModelError);
}

/// A placeholder with a default value beside others is an input if its shape is given.
void TestTensorflowValues::feedsDefaultsThatAreNamed()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=float shape=[2]
default = Const float[2] 10 20
y = PlaceholderWithDefault(default) dtype=float shape=[2]
output = Add(x, y)
)";
    QCOMPARE(computedBy(lines, {floats({2}, {1, 2})}), (Numbers{11, 22}));
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(lines))});
    ConvertOptions options;
    options.shapes["y:0"] = {Dim(2)};
    const auto conversion = convert(*model.value().graph, options);
    QVERIFY(conversion && !conversion.value().hasErrors());
}

/// An extreme beside NaN is NaN wherever that stands; its index leaves NaN out.
void TestTensorflowValues::findsExtremesBesideNan()
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const float most = std::numeric_limits<float>::max();
    const auto reduced = [&](std::string_view op, int opset) {
        const std::string lines = fmt::format(R"(
x = Placeholder dtype=float shape=[4,2]
axes = Const int32[1] 1
output = {}(x, axes) T=float keep_dims=false
)",
                                              op);
        return computedBy(lines, {floats({4, 2}, {nan, 1, 1, nan, inf, -inf, -2, -1})}, opset);
    };
    for (const int opset : {11, 17, 20}) {
        const Numbers largest = reduced("Max", opset);
        const Numbers smallest = reduced("Min", opset);
        QVERIFY(std::isnan(largest[0]) && std::isnan(largest[1]));
        QVERIFY(std::isnan(smallest[0]) && std::isnan(smallest[1]));
        QCOMPARE((Numbers{largest[2], largest[3]}), (Numbers{inf, -1}));
        QCOMPARE((Numbers{smallest[2], smallest[3]}), (Numbers{-inf, -2}));
    }

    const auto index = [&](std::string_view op, const std::vector<float>& row) {
        const std::string lines = fmt::format(R"(
x = Placeholder dtype=float shape=[3]
axis = Const int32[] 0
output = {}(x, axis) T=float output_type=int64
)",
                                              op);
        return computedBy(lines, {floats({3}, row)});
    };
    QCOMPARE(index("ArgMax", {nan, 1, 2}), (Numbers{2}));
    QCOMPARE(index("ArgMax", {1, 2, nan}), (Numbers{1}));
    QCOMPARE(index("ArgMax", {-inf, nan, -inf}), (Numbers{0}));
    QCOMPARE(index("ArgMax", {-inf, -most, nan}), (Numbers{0}));
    QCOMPARE(index("ArgMax", {1, inf, inf}), (Numbers{1}));
    QCOMPARE(index("ArgMin", {nan, 2, 1}), (Numbers{2}));
    QCOMPARE(index("ArgMin", {inf, most, nan}), (Numbers{0}));
}

void TestTensorflowValues::averagesNothing()
{
    constexpr std::string_view lines = R"(
x = Placeholder dtype=float shape=[-1,2]
axes = Const int32[1] 0
output = Mean(x, axes) T=float keep_dims=false
)";
    const Numbers none = computedBy(lines, {floats({0, 2}, {})});
    QVERIFY(none.size() == 2 && std::isnan(none[0]) && std::isnan(none[1]));
    QCOMPARE(computedBy(lines, {floats({2, 2}, {1, 2, 3, 4})}), (Numbers{2, 3}));
}

void TestTensorflowValues::averagesLargeIntegers()
{
    QCOMPARE(computedBy(R"(
x = Placeholder dtype=int32 shape=[2]
axes = Const int32[1] 0
output = Mean(x, axes) T=int32 keep_dims=false
)",
                        {integers({2}, {2147483647, 2147483644})}),
             Numbers{2147483645});
}

/// In float32 the range is 1 wide, and 0.2 - 0.1 is more than a tenth of it.
void TestTensorflowValues::placesEdgesInBinsInDoublePrecision()
{
    QCOMPARE(computedBy(R"(
x = Placeholder dtype=float shape=[1]
range = Const float[2] 0.1 1.1
bins = Const int32[] 10
output = HistogramFixedWidth(x, range, bins) T=float dtype=int32
)",
                        {floats({1}, {0.2F})}),
             (Numbers{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

void TestTensorflowValues::broadcastsLogitsToLabels()
{
    const Numbers loss = computedBy(R"(
x = Placeholder dtype=float shape=[2,1]
labels = Const float[2,2] 1 1 0.5 0.5
output = SoftmaxCrossEntropyWithLogits(x, labels) T=float
)",
                                    {floats({2, 1}, {5, 1})});
    QVERIFY(loss.size() == 2 && std::abs(loss[0] - 2 * std::log(2)) < 1e-6 && std::abs(loss[1] - std::log(2)) < 1e-6);
}

void TestTensorflowValues::mergesStatisticsIntoMovingOnes()
{
    const auto statistic = [](std::string_view output) {
        const std::vector<Message> nodes{placeholder("x", {2, 1, 1, 1}), placeholder("one", {1}),
                                         placeholder("ten", {1}),
                                         nodeDef("norm", "FusedBatchNormV3", {"x", "one", "one", "ten", "ten"},
                                                 {{"T", typeAttr(1)},
                                                  {"U", typeAttr(1)},
                                                  {"is_training", Message().number(5, std::uint64_t{1})},
                                                  {"exponential_avg_factor", Message().number(4, 0.25F)},
                                                  {"data_format", textAttr("NHWC")}}),
                                         nodeDef("output", "Identity", {output}, {{"T", typeAttr(1)}})};
        return valuesOf(nodes, {floats({2, 1, 1, 1}, {1, 3}), floats({1}, {1}), floats({1}, {10})});
    };
    QCOMPARE(statistic("norm:1"), Numbers{0.25 * 2 + 0.75 * 10});
    QCOMPARE(statistic("norm:2"), Numbers{0.25 * 2 + 0.75 * 10}); // of a sample: over n - 1
    QCOMPARE(statistic("norm:3"), Numbers{2});
}

void TestTensorflowValues::refusesLabelsThatAResultRepeats()
{
    const auto einsum = [](std::string_view equation) {
        return errorOf({placeholder("x", {2}),
                        nodeDef("output", "Einsum", {"x"},
                                {{"T", typeAttr(1)}, {"N", intAttr(1)}, {"equation", textAttr(equation)}})});
    };
    QCOMPARE(einsum("i->ii"), QByteArray("unsupported-attribute"));
    QCOMPARE(einsum("i->i"), QByteArray());
}

/// 0.3 / 0.1 is 3 in float32, but more than 3 in float64: neither number is exact in binary.
void TestTensorflowValues::countsRangesInSinglePrecision()
{
    const std::string lines = "zero = Const float[] 0\nstep = Const float[] 0.1\n";
    const std::string range = "output = Range(zero, end, step) Tidx=float\n";
    const Numbers expected{0, 0.1F, 0.2F};
    QCOMPARE(computedBy(lines + "end = Const float[] 0.3\n" + range, {}), expected);
    const std::string open = lines + "end = Placeholder dtype=float shape=[]\n" + range;
    QCOMPARE(computedBy(open, {floats({}, {0.3F})}), expected);
    QCOMPARE(computedBy(open, {floats({}, {0})}), Numbers());
    QCOMPARE(computedBy(open, {floats({}, {0.7F})}).size(), std::size_t{7});
}

void TestTensorflowValues::refusesRangesThatLeadAway()
{
    const auto error = [](int start, int end, int step) {
        return errorOf({constant("start", intTensor({}, {start}), 3), constant("end", intTensor({}, {end}), 3),
                        constant("step", intTensor({}, {step}), 3),
                        nodeDef("output", "Range", {"start", "end", "step"}, {{"Tidx", typeAttr(3)}})});
    };
    QCOMPARE(error(5, 0, -2), QByteArray());
    QCOMPARE(error(3, 3, -1), QByteArray());
    QCOMPARE(error(5, 0, 1), QByteArray("invalid-attribute"));
    QCOMPARE(error(0, 5, -1), QByteArray("invalid-attribute"));
    QCOMPARE(error(0, 5, 0), QByteArray("invalid-attribute"));
    const std::vector<std::string_view> operands{"none", "none", "none"};
    QCOMPARE(errorOf({constant("none", intTensor({0}, {}), 3),
                      nodeDef("output", "Range", operands, {{"Tidx", typeAttr(3)}})}),
             QByteArray("invalid-attribute"));
    QCOMPARE(errorOf({constant("none", floatTensor({0}, {})),
                      nodeDef("output", "Range", operands, {{"Tidx", typeAttr(1)}})}),
             QByteArray("invalid-attribute"));
}

void TestTensorflowValues::refusesACycleOfIdentities()
{
    QCOMPARE(
        errorOf({placeholder("x", {2}), nodeDef("a", "Identity", {"b"}, {{"T", typeAttr(10)}}),
                 nodeDef("b", "Identity", {"a"}, {{"T", typeAttr(10)}}),
                 nodeDef("branch", "Switch", {"x", "a"}, {{"T", typeAttr(1)}}), unary("output", "Neg", "branch:1")}),
        QByteArray("damaged"));
}

void TestTensorflowValues::refusesDimensionsThatOverflow()
{
    const auto error = [](const std::vector<std::int64_t>& shape) {
        return errorOf({placeholder("x", shape), nodeDef("output", "Neg", {"x"}, {{"T", typeAttr(1)}})});
    };
    constexpr std::int64_t largest = std::int64_t{1} << 40;
    QCOMPARE(error({largest, 1 << 22}), QByteArray());
    QCOMPARE(error({largest + 1}), QByteArray("too-large"));
    QCOMPARE(error({largest, 0, 1 << 23}), QByteArray("too-large"));
}

/// 3 gates of 2 units, one layer: 2 * 3 + 2 * 2 weights and 2 * 2 biases each.
void TestTensorflowValues::refusesMoreLayersThanAreSupported()
{
    const auto error = [](std::int64_t layers, std::int64_t units) {
        return errorOf({placeholder("x", {5, 1, 3}), placeholder("h", {layers, 1, units}), placeholder("c", {}),
                        placeholder("params", {42}),
                        nodeDef("output", "CudnnRNN", {"x", "h", "c", "params"},
                                {{"T", typeAttr(1)},
                                 {"rnn_mode", textAttr("gru")},
                                 {"input_mode", textAttr("linear_input")},
                                 {"direction", textAttr("unidirectional")},
                                 {"is_training", Message().number(5, std::uint64_t{0})}})});
    };
    QCOMPARE(error(1, 2), QByteArray());
    QCOMPARE(error(1024, 2), QByteArray("wrong-weight"));
    QCOMPARE(error(1025, 2), QByteArray("unsupported-attribute"));
    QCOMPARE(error(1, (1 << 20) + 1), QByteArray("unsupported-attribute"));
}

void TestTensorflowValues::refusesTextsThatAreNotAllowed()
{
    const auto error = [](std::string_view format) {
        return errorOf(
            {placeholder("x", {1, 2, 2, 3}), constant("b", floatTensor({3}, {1, 2, 3})),
             nodeDef("output", "BiasAdd", {"x", "b"}, {{"T", typeAttr(1)}, {"data_format", textAttr(format)}})});
    };
    QCOMPARE(error("NHWC"), QByteArray());
    QCOMPARE(error("nhwc"), QByteArray("invalid-attribute"));
    QCOMPARE(error(""), QByteArray("invalid-attribute"));
}

void TestTensorflowValues::refusesBlocksWithoutElements()
{
    const auto error = [](int block, int before) {
        return errorOf({placeholder("x", {1, 4, 2}), constant("blocks", intTensor({1}, {block}), 3),
                        constant("pads", intTensor({1, 2}, {before, 0}), 3),
                        nodeDef("output", "SpaceToBatchND", {"x", "blocks", "pads"},
                                {{"T", typeAttr(1)}, {"Tblock_shape", typeAttr(3)}, {"Tpaddings", typeAttr(3)}})});
    };
    QCOMPARE(error(2, 0), QByteArray());
    QCOMPARE(error(-2, 0), QByteArray("invalid-attribute"));
    QCOMPARE(error(2, -2), QByteArray("invalid-attribute"));
}

void TestTensorflowValues::refusesConstantLoopVariables()
{
    const auto error = [](std::string_view isConstant) {
        const TemporaryFiles files;
        const auto model = readModel({.model = files.write("model.pb", graphDefOf(fmt::format(R"(
x = Placeholder dtype=float shape=[]
limit = Const float[] 4
two = Const float[] 2
i = Enter(x) frame_name=loop is_constant={}
limit/in = Enter(limit) frame_name=loop is_constant=true
two/in = Enter(two) frame_name=loop is_constant=true
merge = Merge(i, next)
less = Less(merge, limit/in)
cond = LoopCond(less)
switch = Switch(merge, cond)
double = Mul(switch:1, two/in)
next = NextIteration(double)
output = Exit(switch)
)",
                                                                                              isConstant)))});
        const auto conversion = convert(*model.value().graph, {});
        return conversion ? std::string() : conversion.problem().message;
    };
    QCOMPARE(error("false"), std::string());
    QVERIFY2(error("true").find("is_constant is true") != std::string::npos, error("true").c_str());
}

/// As AutoGraph writes `for i in tf.range(4)`: the step of the counter is a loop variable. The elements are the first
/// i + 1 numbers, in order or from the last one on.
void TestTensorflowValues::joinsElementsOfDifferentLengths()
{
    const auto lines = [](std::string_view index) {
        return fmt::format(R"(
x = Placeholder dtype=float shape=[4]
shape = Const int32[1] -1
zero = Const int32[] 0
one = Const int32[] 1
size = Const int32[] 4
limit = Const int32[] 4
leading = Const int64[0]
empty = TensorListReserve(shape, size) element_dtype=float shape_type=int32
loop = While(zero, one, limit, empty, x) T={{int32,int32,int32,variant,float}} cond=@less body=@step
joined = TensorListConcatV2(loop:3, shape, leading) element_dtype=float shape_type=int32
output = Identity(joined)
function less(i:int32, d:int32, n:int32, l:variant, v) -> truth:bool=compare:z:0
compare = Less(i, n) T=int32
end
function step(i:int32, d:int32, n:int32, l:variant, v) -> i_next:int32=add:z:0, d_next:int32=d, n_next:int32=n, l_next:variant=set:output_handle:0, v_next=v
zero = Const int32[] 0
one = Const int32[] 1
three = Const int32[] 3
begin = Const int32[1] 0
step = Const int32[1] 1
add = AddV2(i, d) T=int32
back = Sub(three:output:0, i) T=int32
count = AddV2(i, one:output:0) T=int32
end = ExpandDims(count:z:0, zero:output:0) T=int32 Tdim=int32
part = StridedSlice(v, begin:output:0, end:output:0, step:output:0) T=float Index=int32
set = TensorListSetItem(l, {}, part:output:0) element_dtype=float
end
)",
                           index);
    };
    const std::vector<Tensor> inputs{floats({4}, {1, 2, 3, 4})};
    QCOMPARE(computedBy(lines("i"), inputs), (Numbers{1, 1, 2, 1, 2, 3, 1, 2, 3, 4}));

    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(lines("back:z:0")))});
    QVERIFY(model);
    const auto conversion = convert(*model.value().graph, {});
    QVERIFY(conversion && conversion.value().hasErrors());
    QVERIFY(conversion.value().problems.front().message.find("may have different lengths") != std::string::npos);
}

void TestTensorflowValues::gathersOneElement()
{
    QCOMPARE(computedBy(R"(
x = Placeholder dtype=float shape=[2,3]
place = Placeholder dtype=int32 shape=[2]
output = GatherNd(x, place) Tparams=float Tindices=int32
)",
                        {floats({2, 3}, {1, 2, 3, 4, 5, 6}), integers({2}, {1, 0})}),
             (Numbers{4}));
}

void TestTensorflowValues::rollsNothing()
{
    const std::string_view lines = R"(
x = Placeholder dtype=float shape=[?]
shift = Const int32[] 1
axis = Const int32[] 0
output = Roll(x, shift, axis) T=float Tshift=int32 Taxis=int32
)";
    QCOMPARE(computedBy(lines, {floats({0}, {})}), Numbers());
    QCOMPARE(computedBy(lines, {floats({3}, {1, 2, 3})}), (Numbers{3, 1, 2}));
}

void TestTensorflowValues::padsScalars()
{
    for (const std::string_view op : {"Pad(x, paddings)", "MirrorPad(x, paddings) mode=REFLECT"}) {
        const auto lines = fmt::format(
            "x = Placeholder dtype=float shape=[]\npaddings = Const int32[0,2]\noutput = {} T=float Tpaddings=int32\n",
            op);
        QCOMPARE(computedBy(lines, {floats({}, {5})}), (Numbers{5}));
    }
}

QTEST_GUILESS_MAIN(TestTensorflowValues)
#include "tst_tensorflow_values.moc"
