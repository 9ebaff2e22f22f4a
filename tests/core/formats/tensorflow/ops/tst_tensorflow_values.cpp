// What operators of TensorFlow compute, by numbers that can be worked out by hand.

#include "core/formats/read_model.h"
#include "tests/support/computed.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_files.h"
#include "tests/support/tensorflow_text.h"

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
QByteArray errorOf(const std::vector<Message>& nodes)
{
    const auto conversion = convert(*graphOf(nodes), {});
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
    void stitchesByConstantIndices();
    void stitchesByComputedIndices();
    void stitchesNothing();
    void placesDiagonalsByComputedNumbers();
    void countsDiagonalsByComputedNumbers();
    void keepsTheStateOfEmptySamples();
    void clampsLengthsOfLoops();
};

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
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(R"(
x = Const float[2,4,1] 1 1 1 1 1 1 1 1
h0 = Placeholder dtype=float shape=[4,1]
lengths = Placeholder dtype=int32 shape=[4]
zero = Const int32[] 0
two = Const int32[] 2
loop = While(zero, h0, x, lengths) T={int32,float,float,int32} cond=@less body=@step
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
)"))});
    QVERIFY(model);
    const std::vector<Tensor> inputs{floats({4, 1}, {4, 4, 4, 4}), integers({4}, {0, 1, -1, 9})};
    QCOMPARE(computed(*model.value().graph, inputs).front().toDoubles(), (Numbers{4, 5, 4, 6}));
}

QTEST_GUILESS_MAIN(TestTensorflowValues)
#include "tst_tensorflow_values.moc"
