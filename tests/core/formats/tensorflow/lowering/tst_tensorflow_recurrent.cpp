// What recurrent layers compute that lowering finds, by numbers that can be worked out by hand.

#include "core/formats/read_model.h"
#include "tests/support/computed.h"
#include "tests/support/temporary_files.h"
#include "tests/support/tensorflow_text.h"

#include <QtTest>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

using Numbers = std::vector<double>;

/// A loop over an RNN of one unit without weights of its own: h' = relu(x + h), so that ones count the steps.
struct LoopText {
    std::string values; ///< x, h0, y, l (lengths) and n (limit) around the loop
    std::string counter = "int32";
    std::string rows = "2"; ///< of the list
    std::string step = {};  ///< more lines of the body, which has x, y, i, h, l, `row` (of x) and `new` (h')
    std::string state = "new:activations:0";
    std::string row = "new:activations:0"; ///< element of the list
    std::string output = "stack";
};

std::string textOf(const LoopText& loop)
{
    return fmt::format(R"({values}
zero = Const {t}[] 0
wideZero = Const int64[] 0
element = Const int32[1] -1
size = Const int32[] {rows}
rows = TensorListReserve(element, size) element_dtype=float
loop = While(zero, h0, rows, x, y, l, n, wideZero) T={{{t},float,variant,float,float,{t},{t},int64}} cond=@less body=@step
stack = TensorListStack(loop:2, element) element_dtype=float
output = Identity({output}) T={outputType}
function less(i:{t}, h, r:variant, x, y, l:{t}, n:{t}, k:int64) -> truth:bool=compare:z:0
compare = Less(i, n) T={t}
end
function step(i:{t}, h, r:variant, x, y, l:{t}, n:{t}, k:int64) -> i_next:{t}=add:z:0, h_next={state}, r_next:variant=set:output_handle:0, x_next=x, y_next=y, l_next:{t}=l, n_next:{t}=n, k_next:int64=addWide:z:0
one = Const {t}[] 1
zero = Const int32[] 0
axis = Const int32[] 1
kernel = Const float[2,1] 1 1
add = AddV2(i, one:output:0) T={t}
wideOne = Const int64[] 1
addWide = AddV2(k, wideOne:output:0) T=int64
row = GatherV2(x, i, zero:output:0) Tparams=float Tindices={t} Taxis=int32
both = ConcatV2(row:output:0, h, axis:output:0) N=2 Tidx=int32
product = MatMul(both:output:0, kernel:output:0)
new = Relu(product:product:0)
index = Cast(i) SrcT={t} DstT=int32
{step}set = TensorListSetItem(r, index:y:0, {row}) element_dtype=float
end
)",
                       fmt::arg("values", loop.values), fmt::arg("t", loop.counter), fmt::arg("rows", loop.rows),
                       fmt::arg("step", loop.step), fmt::arg("state", loop.state), fmt::arg("row", loop.row),
                       fmt::arg("output", loop.output),
                       fmt::arg("outputType", loop.output == "loop"     ? loop.counter
                                              : loop.output == "loop:7" ? "int64"
                                                                        : "float"));
}

Tensor resultOf(const std::string& text, const std::vector<Tensor>& inputs, int opset = 17)
{
    const TemporaryFiles files;
    const auto model = readModel({.model = files.write("model.pb", graphDefOf(text))}).value();
    ConvertOptions options;
    options.opset = opset;
    options.outputs = {"output"};
    return computed(*model.graph, inputs, options).front();
}

} // namespace

class TestTensorflowRecurrent : public QObject {
    Q_OBJECT
private slots:
    void countsInTheTypesOfCounters();
};

void TestTensorflowRecurrent::countsInTheTypesOfCounters()
{
    LoopText loop{.values = R"(
x = Const float[3,2,1] 1 1 1 1 1 1
h0 = Const float[2,1] 0 1
y = Const float[] 0
l = Const int64[2] 2 2
n = Placeholder dtype=int64 shape=[])",
                  .counter = "int64",
                  .output = "loop:1"};
    const std::vector<Tensor> inputs{Tensor::filled(ElementType::Int64, {}, 2)};
    QCOMPARE(resultOf(textOf(loop), inputs).toDoubles(), (Numbers{2, 3}));
    loop.output = "loop";
    QCOMPARE(resultOf(textOf(loop), inputs).toDoubles(), Numbers{2});
    loop.counter = "int32";
    loop.output = "loop:7"; // a second counter, of int64
    loop.values = R"(
x = Const float[3,2,1] 1 1 1 1 1 1
h0 = Const float[2,1] 0 1
y = Const float[] 0
l = Const int32[2] 2 2
n = Placeholder dtype=int32 shape=[])";
    const Tensor count = resultOf(textOf(loop), {Tensor::filled(ElementType::Int32, {}, 2)});
    QVERIFY(count.type() == ElementType::Int64);
    QCOMPARE(count.toDoubles(), Numbers{2});
}

QTEST_GUILESS_MAIN(TestTensorflowRecurrent)
#include "tst_tensorflow_recurrent.moc"
