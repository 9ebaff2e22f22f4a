// Passes of --optimize on models in ONNX's text form: the operators that remain, and equal results.

#include "tests/support/onnx_run.h"

#include <QtTest>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::test;

namespace {

/// Unknown dimensions have size `open`.
std::vector<NamedTensor> run(const OnnxModel& model, const TemporaryFolder& folder, std::int64_t open)
{
    std::vector<NamedTensor> inputs;
    for (const auto& input : model.proto->graph().input()) {
        std::vector<std::int64_t> dims;
        for (const auto& dim : input.type().tensor_type().shape().dim()) {
            dims.push_back(dim.has_dim_value() ? dim.dim_value() : open);
        }
        const Tensor values = variedTensor(dims);
        inputs.push_back({input.name(), input.type().tensor_type().elem_type() == ::onnx::TensorProto::INT64
                                            ? values.converted(ElementType::Int64)
                                            : values});
    }
    return runOnnx(model, folder, inputs);
}

} // namespace

class TestOptimize : public QObject {
    Q_OBJECT
private slots:
    void computesTheSame_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("nodes");
        const QByteArray conv = "g (float[N,1,4,4] x) => (float[N,2,4,4] y) <float[2,1,1,1] k = {2, 3}, ";
        QTest::newRow("bias of a convolution")
            << conv + "float[2,1,1] b = {1, 2}> { c = Conv(x, k) y = Add(b, c) }" << QByteArray("Conv");
        QTest::newRow("second bias of a convolution")
            << conv + "float[2] a = {3, 4}, float[1,2,1,1] b = {1, 2}> { c = Conv(x, k, a) y = Add(c, b) }"
            << QByteArray("Conv");
        QTest::newRow("bias of a transposed convolution")
            << QByteArray("g (float[N,2,4,4] x) => (float[N,1,4,4] y) <float[2,1,1,1] k = {2, 3}, "
                          "float[1,1,1] b = {1}> { c = ConvTranspose(x, k) y = Add(c, b) }")
            << QByteArray("ConvTranspose");
        QTest::newRow("bias behind a Transpose")
            << QByteArray("g (float[N,1,4,4] x) => (float[N,4,4,2] y) <float[2,1,1,1] k = {2, 3}, float[2] b = {1, 2}> "
                          "{ c = Conv(x, k) t = Transpose <perm = [0, 2, 3, 1]> (c) y = Add(t, b) }")
            << QByteArray("Conv Transpose");
        QTest::newRow("addition along another axis")
            << conv + "float[4] b = {1, 2, 3, 4}> { c = Conv(x, k) y = Add(c, b) }" << QByteArray("Conv Add");
        QTest::newRow("addition to what others read")
            << conv + "float[2,1,1] b = {1, 2}> { c = Conv(x, k) a = Add(c, b) y = Mul(a, c) }"
            << QByteArray("Conv Add Mul");

        const QByteArray half = "> { s = Shape(x) n = Gather(s, i) r = Mod(n, m) e = Sub(n, r) y = Div(e, d) }";
        QTest::newRow("half of a size")
            << "g (float[N,4] x) => (int64 y) <int64 i = {0}, int64 m = {2}, int64 d = {2}" + half
            << QByteArray("Shape Gather Div");
        QTest::newRow("half of a size, as a list")
            << "g (float[N,4] x) => (int64[1] y) <int64 i = {0}, int64[1] m = {2}, int64 d = {2}" + half
            << QByteArray("Shape Gather Mod Sub Div");

        const QByteArray product = "g (float[N,2] x) => (float[N,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}, ";
        QTest::newRow("product and row") << product + "float[3] b = {1, 2, 3}> { m = MatMul(x, w) y = Add(m, b) }"
                                         << QByteArray("Gemm");
        QTest::newRow("scaled product and row")
            << product + "float[3] b = {1, 2, 3}, float s = {0.5}> { m = MatMul(x, w) n = Mul(s, m) y = Add(b, n) }"
            << QByteArray("Gemm");
        QTest::newRow("product and a column that broadcasts it")
            << QByteArray("g (float[1,2] x, float[4,3] b) => (float[4,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}> "
                          "{ m = MatMul(x, w) y = Add(m, b) }")
            << QByteArray("MatMul Add");
        QTest::newRow("product of three dimensions")
            << QByteArray("g (float[N,4,2] x) => (float[N,4,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}, "
                          "float[3] b = {1, 2, 3}> { m = MatMul(x, w) y = Add(m, b) }")
            << QByteArray("MatMul Add");

        const QByteArray directions =
            "g (float[3,N,2] x) => (float[3,N,4] y, float[1,N,2] h) <float[1,2,2] w = {0.5, 0.1, -0.3, 0.2}, "
            "float[1,2,2] r = {0.1, 0.4, 0.3, -0.2}, float[1,2,2] u = {0.3, -0.2, 0.6, 0.1}, "
            "float[1,2,2] v = {-0.1, 0.2, 0.4, 0.3}, int64[1] first = {-1}, int64[1] end = {-9223372036854775807}, "
            "int64[1] time = {0}, int64[1] one = {1}> { ";
        const QByteArray reversed = "b = Slice(x, first, end, time, first) ";
        const QByteArray joined = "i = Squeeze(f, one) m = Squeeze(l, one) n = Slice(m, first, end, time, first) "
                                  "y = Concat <axis = 2> (i, n) h = Identity(k) }";
        QTest::newRow("layers of both directions") << directions + "f = RNN <hidden_size = 2> (x, w, r) " + reversed +
                                                          "l, k = RNN <hidden_size = 2> (b, u, v) " + joined
                                                   << QByteArray("RNN Split Transpose Reshape");
        QTest::newRow("layers of both directions and other activations")
            << directions + "f = RNN <hidden_size = 2, activations = [\"Relu\"]> (x, w, r) " + reversed +
                   "l, k = RNN <hidden_size = 2> (b, u, v) " + joined
            << QByteArray("RNN Split Transpose Reshape");
        QTest::newRow("layers of both directions and other limits")
            << directions + "f = RNN <hidden_size = 2, clip = 0.2> (x, w, r) " + reversed +
                   "l, k = RNN <hidden_size = 2> (b, u, v) " + joined
            << QByteArray("RNN RNN Concat Squeeze");
        QTest::newRow("backward layer that starts from the forward one")
            << directions + "f, e = RNN <hidden_size = 2> (x, w, r) " + reversed +
                   "l, k = RNN <hidden_size = 2> (b, u, v, , , e) " + joined
            << QByteArray("RNN RNN Concat Squeeze");
        QTest::newRow("backward layer whose steps are not reversed again")
            << directions + "f = RNN <hidden_size = 2> (x, w, r) " + reversed +
                   "l, k = RNN <hidden_size = 2> (b, u, v) i = Squeeze(f, one) m = Squeeze(l, one) "
                   "y = Concat <axis = 2> (i, m) h = Identity(k) }"
            << QByteArray("RNN Slice RNN Concat Squeeze");
        const QByteArray squeezed = "g (float[2,1,3] x, float[2,1,3] z, float[2,3,1] w) => (float[2,6] y) "
                                    "<int64[1] one = {1}, int64[1] two = {2}> { a = Squeeze(x, one) ";
        QTest::newRow("joined Squeezes") << squeezed + "b = Squeeze(z, one) y = Concat <axis = -1> (a, b) }"
                                         << QByteArray("Concat Squeeze");
        QTest::newRow("joined Squeezes of other axes")
            << squeezed + "b = Squeeze(w, two) y = Concat <axis = 1> (a, b) }" << QByteArray("Squeeze Squeeze Concat");
        QTest::newRow("joined Squeezes, one of which is read elsewhere")
            << squeezed + "b = Squeeze(z, one) c = Concat <axis = 1> (a, b) d = Sin(a) e = Concat <axis = 1> (d, d) "
                          "y = Add(c, e) }"
            << QByteArray("Squeeze Squeeze Concat Sin Concat Add");
        QTest::newRow("joined states of two layers")
            << QByteArray("g (float[1,N,2] a, float[1,N,2] b, float[1,N,2] c, float[1,N,2] d) => (float[2,N,4] y) "
                          "<int64[1] first = {0}> { e = Squeeze(a, first) f = Squeeze(b, first) "
                          "g = Squeeze(c, first) h = Squeeze(d, first) i = Concat <axis = 1> (e, f) "
                          "j = Concat <axis = 1> (g, h) k = Unsqueeze(i, first) l = Unsqueeze(j, first) "
                          "y = Concat <axis = 0> (k, l) }")
            << QByteArray("Concat Concat Concat");
        QTest::newRow("equal Transposes in front of a Concat that others hide")
            << QByteArray("g (float[3,1,N,2] a, float[3,1,N,2] b) => (float[2,N,3,2] y) "
                          "<int64[1] first = {0}, int64[1] one = {1}> { c = Squeeze(a, one) d = Squeeze(b, one) "
                          "e = Transpose <perm = [1, 0, 2]> (c) f = Transpose <perm = [1, 0, 2]> (d) "
                          "g = Unsqueeze(e, first) h = Unsqueeze(f, first) y = Concat <axis = 0> (g, h) }")
            << QByteArray("Concat Transpose");
        const QByteArray lengths =
            "g (float[2,3,2] x) => (float[2,3,4] y, float[1,2,2] h, float[1,2,2] g) "
            "<float[1,6,2] w = {0.5, 0.1, -0.3, 0.2, 0.7, 0.1, 0.2, 0.3, -0.5, 0.1, 0.4, 0.2}, "
            "float[1,6,2] r = {0.1, 0.4, 0.3, -0.2, 0.6, 0.1, 0.3, 0.1, -0.4, 0.2, 0.5, 0.1}, "
            "float[1,6,2] u = {0.2, 0.1, 0.6, -0.2, 0.3, 0.1, 0.7, 0.3, -0.1, 0.1, 0.4, 0.9}, "
            "int32[2] steps = {3, 1}, int64[2] long = {3, 1}, int64[2] other = {2, 1}, int64[1] one = {1}> "
            "{ t = Transpose <perm = [1, 0, 2]> (x) f, g = GRU <hidden_size = 2> (t, w, r, , steps) ";
        const QByteArray back = "s = Transpose <perm = [1, 0, 2]> (b) l, h = GRU <hidden_size = 2> (s, u, r, , steps) "
                                "i = Squeeze(f, one) j = Transpose <perm = [1, 0, 2]> (i) m = Squeeze(l, one) "
                                "n = Transpose <perm = [1, 0, 2]> (m) ";
        QTest::newRow("layers of both directions over samples of different lengths")
            << lengths + "b = ReverseSequence <batch_axis = 0, time_axis = 1> (x, long) " + back +
                   "o = ReverseSequence <batch_axis = 0, time_axis = 1> (n, long) y = Concat <axis = 2> (j, o) }"
            << QByteArray("Transpose GRU Split Transpose Reshape");
        QTest::newRow("samples that are reversed in part")
            << lengths + "b = ReverseSequence <batch_axis = 0, time_axis = 1> (x, other) " + back +
                   "o = ReverseSequence <batch_axis = 0, time_axis = 1> (n, other) y = Concat <axis = 2> (j, o) }"
            << QByteArray("Transpose GRU ReverseSequence Transpose GRU Squeeze Transpose Squeeze "
                          "Transpose ReverseSequence Concat");
        QTest::newRow("an output that is transposed back")
            << QByteArray("g (float[N,2,3] x) => (float[N,2,3] y, int64[3] z) "
                          "{ a = Neg(x) t = Transpose <perm = [2, 0, 1]> (a) z = Shape(t) "
                          "y = Transpose <perm = [1, 2, 0]> (t) }")
            << QByteArray("Neg Transpose Shape Transpose");
        QTest::newRow("product of transposed halves")
            << QByteArray(
                   "g (float[2,N,2] x) => (float[N,2,1] y) <int64[2] rows = {-1, 2}, int64[3] dims = {-1, 2, 1}, "
                   "float16[2,1] w = {1, 2}> { h = Cast <to = 10> (x) t = Transpose <perm = [1, 0, 2]> (h) "
                   "f = Reshape(t, rows) m = MatMul(f, w) r = Reshape(m, dims) y = Cast <to = 1> (r) }")
            << QByteArray("Cast Transpose MatMul Cast");
        QTest::newRow("brain floats as bytes")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) { b = Cast <to = 16> (x) f = Cast <to = 1> (b) "
                          "i = Cast <to = 3> (f) y = Cast <to = 1> (i) }")
            << QByteArray("Cast Cast Cast Cast");
        QTest::newRow("remainders of numbers")
            << QByteArray("g (int64[N,2] x) => (int64[N,2] y) <int64[2] a = {-7, 7}, int64[2] b = {3, -3}> "
                          "{ m = Mod(a, b) y = Add(x, m) }")
            << QByteArray("Add");
        QTest::newRow("neutral numbers")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) <float one = {1}, float[1,1] zero = {0}> "
                          "{ a = Mul(one, x) b = Add(a, zero) c = Neg(b) d = Div(c, one) y = Sub(d, zero) }")
            << QByteArray("Neg");
        const QByteArray layers =
            "g (float[2,2,2] x) => (float[M,3] y, float[M,3] t) <float[2,3] w = {1, 2, 3, 4, 5, 6}, "
            "float[2,3] v = {6, 5, 4, 3, 2, 1}, float[3] b = {1, 2, 3}, float[3] c = {3, 2, 1}, ";
        const QByteArray sums = "{ p = MatMul(x, w) q = MatMul(x, v) a = Add(p, b) d = Add(c, q) ";
        QTest::newRow("reshaped layers") << layers + "int64[2] r = {-1, 3}> " + sums +
                                                "y = Reshape(a, r) t = Reshape(d, r) }"
                                         << QByteArray("Reshape Gemm Gemm");
        QTest::newRow("layers of heads")
            << layers + "int64[4] r = {2, 2, 3, 1}, int64[2] s = {-1, 3}> " + sums +
                   "e = Reshape(a, r) f = Reshape(d, r) m = Transpose <perm = [0, 3, 1, 2]> (e) "
                   "n = Transpose <perm = [3, 0, 1, 2]> (f) k = Sin(m) l = Sin(n) y = Reshape(k, s) t = Reshape(l, s) }"
            << QByteArray("Reshape Gemm Gemm Reshape Reshape Sin Sin Reshape Reshape");
        QTest::newRow("layers, one of them reshaped")
            << layers + "int64[2] r = {-1, 3}> " + sums + "e = Sin(d) y = Reshape(a, r) t = Reshape(e, r) }"
            << QByteArray("MatMul MatMul Add Add Sin Reshape Reshape");
        QTest::newRow("a sum with zeros")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) <float[2] zeros = {0, 0}, float[2] ones = {1, 1}> "
                          "{ a = Add(zeros, x) b = Neg(a) y = Mul(b, ones) }")
            << QByteArray("Neg");
        QTest::newRow("zeros that repeat the other operand")
            << QByteArray(
                   "g (float[N,1] x) => (float[N,2] y) <float[2] zeros = {0, 0}> { a = Neg(x) y = Add(a, zeros) }")
            << QByteArray("Neg Add");
        QTest::newRow("a sum with zeros and another number")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) <float[2] a = {0, 2}> { b = Neg(x) y = Add(b, a) }")
            << QByteArray("Neg Add");
        QTest::newRow("a neutral number that adds an axis")
            << QByteArray("g (float[2] x) => (float[1,2] y) <float[1,1] one = {1}> { a = Mul(x, one) y = Neg(a) }")
            << QByteArray("Mul Neg");
        QTest::newRow("maximum of a maximum")
            << QByteArray("g (float[N] x, float[N] z) => (float[N] y) <float a = {0.5}, float b = {1}> "
                          "{ m = Max(x, a) n = Max(z, m, b) y = Min(n, x) }")
            << QByteArray("Max Min");
        QTest::newRow("views that only move axes of size one")
            << QByteArray("g (float[5,1,1,4] x) => (float[1,5,4] y) <int64[1] a = {1}> { s = Squeeze(x, a) "
                          "t = Transpose <perm = [1, 0, 2]> (s) y = Neg(t) }")
            << QByteArray("Reshape Neg");
        QTest::newRow("a view of the same shape")
            << QByteArray("g (float[3,N,2] x) => (float[3,N,2] y) <int64[3] s = {3, -1, 2}> "
                          "{ v = Reshape(x, s) y = Neg(v) }")
            << QByteArray("Neg");
        QTest::newRow("constant functions")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) <float[2] v = {2, 3}, float[4] p = {1, 2, 3, 4}> "
                          "{ r = Sqrt(v) i = Reciprocal(r) a, b = Split(p) n = Neg(a) s = Mul(i, n) t = Mul(s, b) "
                          "y = Mul(x, t) }")
            << QByteArray("Mul");
        QTest::newRow("constant output")
            << QByteArray("g (float[2] x) => (int64[3] y, float[2] z) <int64 a = {1}, int64 b = {7}, int64 d = {2}> "
                          "{ y = Range(a, b, d) z = Neg(x) }")
            << QByteArray("Neg");

        QTest::newRow("all elements of a vector")
            << QByteArray("g (int64[2] x) => (int32[2] y) <int64 zero = {0}, int64 one = {1}, int64[1] first = {0}> "
                          "{ a = Gather(x, zero) b = Gather(x, one) c = Cast <to = 6> (a) d = Cast <to = 6> (b) "
                          "e = Unsqueeze(c, first) f = Unsqueeze(d, first) y = Concat <axis = 0> (e, f) }")
            << QByteArray("Cast");
        QTest::newRow("elements of a vector in another order")
            << QByteArray("g (int64[2] x) => (int32[2] y) <int64 zero = {0}, int64 one = {1}, int64[1] first = {0}> "
                          "{ a = Gather(x, one) b = Gather(x, zero) c = Cast <to = 6> (a) d = Cast <to = 6> (b) "
                          "e = Unsqueeze(c, first) f = Unsqueeze(d, first) y = Concat <axis = 0> (e, f) }")
            << QByteArray("Gather Gather Cast Cast Unsqueeze Unsqueeze Concat");
        QTest::newRow("an element, three times")
            << QByteArray("g (float x) => (float[3] y) <int64[1] first = {0}> "
                          "{ v = Unsqueeze(x, first) y = Concat <axis = 0> (v, v, v) }")
            << QByteArray("Expand");
        QTest::newRow("indices of 32 bits")
            << QByteArray("g (float[4] x, int64[1] i) => (float[M] y) <int64[1] end = {9223372036854775807}, "
                          "int64[1] first = {0}> { n = Cast <to = 6> (i) w = Cast <to = 7> (n) "
                          "y = Slice(x, w, end, first) }")
            << QByteArray("Cast Slice");
        QTest::newRow("all rows in order")
            << QByteArray("g (float[3,N] x) => (float[3,N] y) <int32[3] i = {0, 1, 2}> { r = Gather(x, i) y = Neg(r) }")
            << QByteArray("Neg");
        QTest::newRow("some rows in order")
            << QByteArray("g (float[4,N] x) => (float[3,N] y) <int32[3] i = {0, 1, 2}> { r = Gather(x, i) y = Neg(r) }")
            << QByteArray("Gather Neg");
        QTest::newRow("the smaller of equal values")
            << QByteArray("g (float[N] x) => (float[N] y) { m = Min(x, x) y = Neg(m) }") << QByteArray("Neg");
        QTest::newRow("clipped numbers")
            << QByteArray("g (float[4] x) => (float[M] y) <int64[2] s = {-2, 9}, int64 low = {0}, int64 high = {3}, "
                          "int64[1] first = {0}, int64[1] one = {1}> { c = Clip(s, low, high) a, b = Split(c) "
                          "y = Slice(x, a, b, first, one) }")
            << QByteArray("Slice");
        QTest::newRow("rectified parts")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) <float[2] c = {0.5, -0.25}> { p = Relu(x) m = Neg(x) "
                          "q = Relu(m) t = Mul(c, q) y = Add(p, t) }")
            << QByteArray("PRelu");
        QTest::newRow("rectified parts of two values")
            << QByteArray("g (float[N,2] x, float[N,2] z) => (float[N,2] y) <float[2] c = {0.5, -0.25}> "
                          "{ p = Relu(x) m = Neg(z) q = Relu(m) t = Mul(c, q) y = Add(p, t) }")
            << QByteArray("Relu Neg Relu Mul Add");
        const QByteArray rows = "g (float[N,3,2] x) => (float[N,3,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}, "
                                "int64[2] flat = {-1, 2}, int64[1] last = {3}, ";
        QTest::newRow("product of rows")
            << rows + "int64[2] i = {0, 1}> { r = Reshape(x, flat) m = MatMul(r, w) s = Shape(x) d = Gather(s, i) "
                      "t = Concat <axis = 0> (d, last) y = Reshape(m, t) }"
            << QByteArray("MatMul");
        QTest::newRow("product of rows, the number of which is left to Reshape")
            << rows + "int64[3] t = {-1, 3, 3}> { r = Reshape(x, flat) m = MatMul(r, w) y = Reshape(m, t) }"
            << QByteArray("MatMul");
        QTest::newRow("product of rows in another order")
            << QByteArray("g (float[4,3,2] x) => (float[3,4,3] y) <float[2,3] w = {1, 2, 3, 4, 5, 6}, "
                          "int64[2] flat = {-1, 2}, int64[3] t = {3, 4, 3}> "
                          "{ r = Reshape(x, flat) m = MatMul(r, w) y = Reshape(m, t) }")
            << QByteArray("Reshape MatMul Reshape");
        QTest::newRow("a permutation around an axis of size one")
            << QByteArray("g (float[A,1,B,2] x) => (float[1,B,A,2] y) <int64[1] one = {1}, int64[1] zero = {0}> "
                          "{ s = Squeeze(x, one) t = Transpose <perm = [1, 0, 2]> (s) u = Unsqueeze(t, zero) "
                          "y = Neg(u) }")
            << QByteArray("Transpose Neg");
        QTest::newRow("a permutation without the axis of size one")
            << QByteArray("g (float[A,1,B,2] x) => (float[B,A,2] y) <int64[1] one = {1}> "
                          "{ s = Squeeze(x, one) t = Transpose <perm = [1, 0, 2]> (s) y = Neg(t) }")
            << QByteArray("Squeeze Transpose Neg");
        QTest::newRow("a Squeeze that repeats an axis")
            << QByteArray("g (float[A,1,B,2] x) => (float[1,B,A,2] y) <int64[2] ones = {1, -3}, int64[1] zero = {0}> "
                          "{ s = Squeeze(x, ones) t = Transpose <perm = [1, 0, 2]> (s) u = Unsqueeze(t, zero) "
                          "y = Neg(u) }")
            << QByteArray("Transpose Neg");
        QTest::newRow("equal weights")
            << QByteArray("g (float[N,2] x) => (float[N,2] y) <float[2] a = {1, 2}, float[2] b = {1, 2}, "
                          "float[2] c = {2, 1}> { p = Mul(x, a) q = Mul(x, b) r = Mul(x, c) s = Max(p, r) "
                          "y = Min(s, q) }")
            << QByteArray("Mul Mul Max Min");
        QTest::newRow("products of bytes")
            << QByteArray("g (float[2,3] x, float[3,2] z) => (int32[2,2] y) { a = Cast <to = 3> (x) "
                          "b = Cast <to = 3> (z) c = Cast <to = 6> (a) d = Cast <to = 6> (b) y = MatMul(c, d) }")
            << QByteArray("Cast Cast MatMulInteger");
        QTest::newRow("sizes that are multiples")
            << QByteArray("g (float[N,2,3,3] x) => (float[N,2,6,9] y) <int64[1] c = {2}, int64[2] s = {6, 9}> "
                          "{ d = Shape <start = 0, end = 1> (x) t = Concat <axis = 0> (d, c, s) "
                          "y = Resize <mode = \"linear\"> (x, , , t) }")
            << QByteArray("Resize");
        QTest::newRow("sizes that are no multiples")
            << QByteArray("g (float[N,2,3,3] x) => (float[N,2,7,9] y) <int64[1] c = {2}, int64[2] s = {7, 9}> "
                          "{ d = Shape <start = 0, end = 1> (x) t = Concat <axis = 0> (d, c, s) "
                          "y = Resize <mode = \"linear\"> (x, , , t) }")
            << QByteArray("Shape Concat Resize");
        const QByteArray rnn =
            "g (float[2,N,1] x) => (float[2,1,N,1] y) <float[1,1,1] w = {0.5}, float[1,1,1] r = {0.25}, "
            "float[1] one = {1}, float[1] zero = {0}, float number = {";
        const QByteArray initial = "}, int64[1] unit = {1}> { n = Shape <start = 1, end = 2> (x) "
                                   "s = Concat <axis = 0> (unit, n, unit) h = Expand(number, s) "
                                   "y, z = RNN <hidden_size = 1> (x, w, r, , , h) }";
        QTest::newRow("an initial state of zeros") << rnn + "0" + initial << QByteArray("RNN");
        QTest::newRow("an initial state of ones") << rnn + "1" + initial << QByteArray("Shape Concat Expand RNN");

        QTest::newRow("dimensions taken apart and joined")
            << QByteArray("g (float[A,B,4] x) => (float[A,B,2] y) <int64 zero = {0}, int64 one = {1}, "
                          "int64[1] first = {0}, int32[1] two = {2}, int64[2] rows = {-1, 2}, int64[1] last = {1}, "
                          "int64[1] end = {9}> { s = Shape(x) i = Cast <to = 6> (s) a = Gather(i, zero) "
                          "b = Gather(i, one) p = Unsqueeze(a, first) q = Unsqueeze(b, first) "
                          "t = Concat <axis = 0> (p, q, two) u = Cast <to = 7> (t) r = Reshape(x, rows) "
                          "v = Slice(r, first, last, last) w = Concat <axis = 1> (v, v) c = Neg(w) "
                          "h, k = Split <axis = 0> (c) y = Reshape(h, u) }")
            << QByteArray("Shape Concat Reshape Slice Concat Neg Split Reshape");
        QTest::newRow("copied dimensions")
            << QByteArray("g (float[A,B,4] x) => (float[A,B,2,2] y) <int64[2] i = {0, 1}, int64[2] t = {2, 2}> "
                          "{ n = Neg(x) s = Shape(n) a = Gather(s, i) u = Concat <axis = 0> (a, t) y = Reshape(x, u) }")
            << QByteArray("Reshape");
        QTest::newRow("shapes that are composed of as few nodes as possible")
            << QByteArray(
                   "g (float[A,4] x, float[B,2] z) => (float[A,2,2] y, int64[2] w) <int64[1] i = {0}, "
                   "int64[2] t = {2, 2}> { n = Sigmoid(x) m = Shape(n) a = Gather(m, i) p = Shape(z) "
                   "b = Gather(p, i) w = Concat <axis = 0> (a, b) u = Concat <axis = 0> (a, t) y = Reshape(x, u) }")
            << QByteArray("Sigmoid Shape Gather Shape Gather Concat Reshape");
        QTest::newRow("expansion to the own shape")
            << QByteArray("g (float[A,4] x) => (float[A,4] y) { n = Neg(x) s = Shape(x) e = Expand(n, s) y = Abs(e) }")
            << QByteArray("Neg Abs");
        QTest::newRow("a computed shape in which 0 is a size")
            << QByteArray("g (float[A,6] x) => (float[B,2,3] y) <int64 zero = {0}, int64 two = {2}, int64[1] i = {0}, "
                          "int64[2] t = {2, 3}> { s = Shape(x) a = Gather(s, zero) p = Mul(a, two) h = Div(p, two) "
                          "u = Unsqueeze(h, i) v = Concat <axis = 0> (u, t) y = Reshape <allowzero = 1> (x, v) }")
            << QByteArray("Reshape");
        QTest::newRow("a shape with a size of 0")
            << QByteArray("g (float[A,6] x, float[B,0] z) => (float[B,C] y) <int64[1] i = {0}, int64[1] t = {0}> { "
                          "s = Shape(z) a = Gather(s, i) v = Concat <axis = 0> (a, t) "
                          "r = Reshape <allowzero = 1> (z, v) y = Sigmoid(r) }")
            << QByteArray("Shape Concat Reshape Sigmoid");
        QTest::newRow("magnitudes of sizes")
            << QByteArray("g (float[A,1,3] x) => (float[A,2,3] y) <int64 zero = {0}, int64[1] i = {0}, "
                          "int64[2] t = {2, -1}> { n = Neg(x) s = Shape(x) a = Gather(s, zero) u = Unsqueeze(a, i) "
                          "v = Concat <axis = 0> (u, t) m = Abs(v) y = Expand(n, m) }")
            << QByteArray("Neg Expand");
        QTest::newRow("floor division of a size")
            << QByteArray("g (float[A,2] x) => (int64 y) <int64 zero = {0}, int64 two = {2}> { s = Shape(x) "
                          "a = Gather(s, zero) r = Mod(a, two) d = Sub(a, r) y = Div(d, two) }")
            << QByteArray("Shape Gather Div");
        QTest::newRow("floor division of a number")
            << QByteArray("g (int64[2] x) => (int64[2] y) <int64 two = {2}> { r = Mod(x, two) d = Sub(x, r) "
                          "y = Div(d, two) }")
            << QByteArray("Mod Sub Div");
        const QByteArray resize =
            "g (float[A,2,B,C] x) => (float[D,E,F,G] y) <int64[1] channels = {2}, int64[1] two = {2}> "
            "{ n = Shape <start = 0, end = 1> (x) h = Shape <start = 2, end = 3> (x) "
            "w = Shape <start = 3, end = 4> (x) ";
        const QByteArray resized = "s = Concat <axis = 0> (n, channels, p, q) "
                                   "y = Resize <mode = \"linear\", coordinate_transformation_mode = \"align_corners\"> "
                                   "(x, , , s) }";
        QTest::newRow("sizes that are multiples")
            << resize + "p = Mul(h, two) q = Mul(two, w) " + resized << QByteArray("Resize");
        QTest::newRow("sizes that are multiples of others")
            << resize + "p = Mul(w, two) q = Mul(two, w) " + resized << QByteArray("Shape Shape Mul Mul Concat Resize");
        QTest::newRow("an expansion to the own size of an axis")
            << QByteArray("g (float[A,4] x) => (float[A,4] y) <int64[2] s = {1, 4}> { e = Expand(x, s) y = Neg(e) }")
            << QByteArray("Neg");
        QTest::newRow("an operand expanded to the other's shape")
            << QByteArray("g (float[2,3] x, float[2,1] z) => (float[2,3] y) <int64[2] s = {2, 3}> { "
                          "e = Expand(z, s) d = Div(x, e) c = Less(x, d) y = Where(c, d, e) }")
            << QByteArray("Div Less Where");
        QTest::newRow("an operand expanded beyond the other's shape")
            << QByteArray("g (float[1,3] x, float[2,1] z) => (float[2,3] y) <int64[2] s = {2, 3}> { "
                          "e = Expand(z, s) y = Div(x, e) }")
            << QByteArray("Expand Div");
        QTest::newRow("slices of everything, and a Pad of nothing")
            << QByteArray("g (float[A,4] x) => (float[A,4] y) <int64[1] zero = {0}, int64[1] one = {1}, "
                          "int64[1] four = {4}, int64[1] end = {9223372036854775807}, int64[4] none = {0, 0, 0, 0}> { "
                          "a = Slice(x, zero, end, zero, one) b = Slice(a, zero, four, one) p = Pad(b, none) "
                          "y = Neg(p) }")
            << QByteArray("Neg");
        QTest::newRow("reversed slices")
            << QByteArray("g (float[A,4] x) => (float[A,4] y) <int64[1] back = {-1}, int64[1] one = {1}, "
                          "int64[1] end = {-9223372036854775807}> { b = Slice(x, back, end, one, back) y = Neg(b) }")
            << QByteArray("Slice Neg");
        QTest::newRow("slices along several axes")
            << QByteArray("g (float[A,6,5] x) => (float[A,2,3] y) <int64[1] one = {1}, int64[1] two = {2}, "
                          "int64[1] five = {5}, int64[1] last = {-1}> { a = Slice(x, one, five, one, two) "
                          "b = Slice(a, two, five, last) y = Neg(b) }")
            << QByteArray("Slice Neg");
        QTest::newRow("slices along one axis")
            << QByteArray("g (float[A,6] x) => (float[A,2] y) <int64[1] one = {1}, int64[1] three = {3}, "
                          "int64[1] five = {5}> { a = Slice(x, one, five, one) y = Slice(a, one, three, one) }")
            << QByteArray("Slice Slice");
        QTest::newRow("normalization behind a convolution whose shape is read")
            << QByteArray("g (float[A,1,2,2] x) => (float[A,2,2,2] y, int64[4] s) <float[2,1,1,1] k = {2, 3}, "
                          "float[2] c = {1, 2}, float[2] v = {4, 9}> { a = Conv(x, k) "
                          "b = BatchNormalization(a, c, c, c, v) s = Shape(a) y = Relu(b) }")
            << QByteArray("Conv Shape Relu");
        QTest::newRow("normalization behind a convolution that is read")
            << QByteArray("g (float[A,1,2,2] x) => (float[A,2,2,2] y) <float[2,1,1,1] k = {2, 3}, "
                          "float[2] c = {1, 2}, float[2] v = {4, 9}> { a = Conv(x, k) "
                          "b = BatchNormalization(a, c, c, c, v) y = Add(a, b) }")
            << QByteArray("Conv BatchNormalization Add");
        const QByteArray gate =
            "g (float[A,4] x) => (float[A,4] y) <float three = {3}, float zero = {0}, float six = {6}, "
            "float sixth = {0.16666667}, float[1,1,1] wide = {3}> { ";
        QTest::newRow("hard sigmoid") << gate + "a = Add(x, three) c = Clip(a, zero, six) y = Mul(c, sixth) }"
                                      << QByteArray("HardSigmoid");
        QTest::newRow("hard swish") << gate +
                                           "a = Add(x, three) c = Clip(a, zero, six) s = Mul(c, sixth) y = Mul(x, s) }"
                                    << QByteArray("HardSwish");
        QTest::newRow("a clipped line with another slope")
            << gate + "a = Add(x, three) c = Clip(a, zero, six) y = Mul(c, three) }" << QByteArray("Add Clip Mul");
        QTest::newRow("a clipped line that is read")
            << gate + "a = Add(x, three) c = Clip(a, zero, six) m = Mul(c, sixth) y = Sub(m, c) }"
            << QByteArray("Add Clip Mul Sub");

        QTest::newRow("functions of stored numbers")
            << QByteArray(
                   "g (float[2,2] x) => (float[2,2] y) <float[2,3] a = {1, -2, 3, -4, 5, -6}, "
                   "float[3,2] b = {1, 2, 3, 4, 5, 6}, int64[2] i = {1, 0}, float one = {1}, int64[2] n = {4, 9}, "
                   "float half = {-0.5}> { r = Relu(a) m = MatMul(r, b) g = Gather(m, i) t = Sigmoid(g) u = Tanh(t) "
                   "e = Exp(u) l = Log(e) v = Max(l, one, t) w = Min(v, e) c = Less(w, one) d = Not(c) o = Or(c, d) "
                   "p = And(o, d) s = Where(p, w, one) q = Cast <to = 1> (n) z = Pow(q, half) k = Mul(s, z) "
                   "y = Add(x, k) }")
            << QByteArray("Add");
        QTest::newRow("a NaN among stored numbers")
            << QByteArray("g (float[2] x) => (float[2] y) <float[2] a = {-1, 4}> { r = Sqrt(a) m = Max(r, a) "
                          "c = Less(m, x) y = Where(c, x, x) }")
            << QByteArray("Max Less Where");
    }
    /// ONNX Runtime moves Transposes through a Resize, and permutes its sizes: they must be those of all axes.
    void resizesBesideTransposes()
    {
        const TemporaryFolder folder;
        const OnnxModel model =
            modelOf(folder, "g (float[A,B,C,2] x, float[A,D,E,2] z) => (float[A,D,E,2] y) <int64[1] two = {2}> { "
                            "n = Neg(z) t = Transpose <perm = [0, 3, 1, 2]> (x) a = Shape <start = 0, end = 1> (x) "
                            "h = Shape <start = 1, end = 3> (n) s = Concat <axis = 0> (a, two, h) "
                            "r = Resize <mode = \"linear\"> (t, , , s) "
                            "u = Transpose <perm = [0, 2, 3, 1]> (r) y = Add(u, z) }");
        const Conversion before = converted(model, {.opset = 21});
        const Conversion after = converted(model, {.opset = 21, .optimize = true});
        QCOMPARE(operators(after.model.whole()), QByteArray("Transpose Shape Shape Concat Resize Transpose Add"));
        const std::vector<NamedTensor> inputs{{"x", variedTensor({3, 2, 3, 2})}, {"z", variedTensor({3, 4, 5, 2})}};
        const auto wanted = runOnnx(before.model.whole(), folder, inputs)[0].tensor.toDoubles();
        QCOMPARE(runOnnx(after.model.whole(), folder, inputs)[0].tensor.toDoubles(), wanted);
    }

    void runsProductsOfTransposedHalves_data()
    {
        QTest::addColumn<QByteArray>("order");
        QTest::addColumn<QByteArray>("nodes");
        QTest::newRow("matrix on the right") << QByteArray("1, 0, 2") << QByteArray("p = MatMul(t, w)");
        QTest::newRow("matrix on the left") << QByteArray("1, 0, 2") << QByteArray("p = MatMul(w, t)");
        QTest::newRow("first axis last") << QByteArray("1, 2, 0") << QByteArray("p = MatMul(t, w)");
        QTest::newRow("first axis last, matrix on the left") << QByteArray("1, 2, 0") << QByteArray("p = MatMul(w, t)");
        QTest::newRow("a Slice between")
            << QByteArray("1, 0, 2")
            << QByteArray("b = Constant <value_ints = [0]> () e = Constant <value_ints = [1]> () s = Slice(t, b, e, b) "
                          "p = MatMul(s, w)");
    }

    /// ONNX Runtime crashes on the unchanged product, so the expected values are computed in single precision.
    void runsProductsOfTransposedHalves()
    {
        QFETCH(const QByteArray, order);
        QFETCH(const QByteArray, nodes);
        const auto text = [&](const QByteArray& type, const QByteArray& code, const QByteArray& matrix) {
            return "g (float[2,2,2] x) => (float[A,2,2] y) <" + type + "[2,2] w = {" + matrix +
                   "}> { h = Cast <to = " + code + "> (x) t = Transpose <perm = [" + order + "]> (h) " + nodes +
                   " y = Cast <to = 1> (p) }";
        };
        const QByteArray half = text("float16", "10", "15360, 16384, 16896, 17408"); // the bits of 1, 2, 3, 4
        const QByteArray single = text("float", "1", "1, 2, 3, 4");
        const TemporaryFolder folder;
        const auto halves =
            run(converted(modelOf(folder, half.toStdString()), {.optimize = true}).model.whole(), folder, 2);
        const auto singles = run(converted(modelOf(folder, single.toStdString()), {}).model.whole(), folder, 2);
        const auto got = halves[0].tensor.toDoubles();
        const auto wanted = singles[0].tensor.toDoubles();
        QCOMPARE(got.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            QVERIFY(std::abs(got[i] - wanted[i]) < 0.02);
        }
    }

    void runsProductsOfCastTransposes_data()
    {
        QTest::addColumn<QByteArray>("nodes");
        QTest::newRow("computed halves") << QByteArray("h = Cast <to = 10> (x) t = Transpose <perm = [1, 0, 2]> (h) "
                                                       "v = Cast <to = 10> (w) p = MatMul(t, v) q = Relu(p) "
                                                       "y = Cast <to = 1> (q)");
        QTest::newRow("cast to single precision")
            << QByteArray("h = Cast <to = 6> (x) t = Transpose <perm = [1, 0, 2]> (h) c = Cast <to = 1> (t) "
                          "p = MatMul(c, w) y = Relu(p)");
        QTest::newRow("matrix on the left")
            << QByteArray("h = Cast <to = 6> (x) t = Transpose <perm = [1, 2, 0]> (h) c = Cast <to = 1> (t) "
                          "p = MatMul(w, c) y = Relu(p)");
    }

    /// ONNX Runtime crashes on the unchanged products, but not if the matrix has an axis of size 1 for the batch.
    void runsProductsOfCastTransposes()
    {
        QFETCH(const QByteArray, nodes);
        const TemporaryFolder folder;
        const auto resultOf = [&](const char* matrix, const ConvertOptions& options) {
            const std::string text = fmt::format("g (float[N,2,2] x, float[{}] w) => (float[A,B,C] y) {{ {} }}", matrix,
                                                 nodes.toStdString());
            const Conversion conversion = converted(modelOf(folder, text), options);
            return run(conversion.model.whole(), folder, 3)[0].tensor;
        };
        const Tensor wanted = resultOf("1,2,2", {});
        const Tensor got = resultOf("2,2", {.optimize = true});
        QCOMPARE(got.dims(), wanted.dims());
        QCOMPARE(got.toDoubles(), wanted.toDoubles());
    }

    void runsProductsOfTransposesAndVectors_data()
    {
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<QByteArray>("same"); ///< computes the same, without a product
        QTest::newRow("transposed matrices") << QByteArray("t = Transpose <perm = [0, 2, 1]> (x) y = MatMul(t, v)")
                                             << QByteArray("y = Einsum <equation = \"nij,i->nj\"> (x, v)");
        QTest::newRow("scaled")
            << QByteArray("t = Transpose <perm = [0, 2, 1]> (x) s = Mul(two, t) i = Div(s, four) y = MatMul(i, v)")
            << QByteArray("e = Einsum <equation = \"nij,i->nj\"> (x, v) y = Div(e, two)");
        QTest::newRow("sums of transposed matrices")
            << QByteArray("t = Transpose <perm = [0, 2, 1]> (x) s = Add(t, t) y = MatMul(s, v)")
            << QByteArray("e = Einsum <equation = \"nij,i->nj\"> (x, v) y = Mul(e, two)");
        QTest::newRow("joined transposed matrices")
            << QByteArray("t = Transpose <perm = [0, 2, 1]> (x) n = Neg(t) c = Concat <axis = 0> (t, n) "
                          "y = MatMul(c, v)")
            << QByteArray("n = Neg(x) c = Concat <axis = 0> (x, n) y = Einsum <equation = \"nij,i->nj\"> (c, v)");
        const QByteArray casts = "h = Cast <to = 6> (x) ";
        QTest::newRow("a batch that is cast")
            << casts + "t = Transpose <perm = [1, 0, 2]> (h) c = Cast <to = 1> (t) y = MatMul(c, w)"
            << casts + "c = Cast <to = 1> (h) y = Einsum <equation = \"nij,j->in\"> (c, w)";
        QTest::newRow("a vector on the left")
            << casts + "t = Transpose <perm = [1, 0, 2]> (h) c = Cast <to = 1> (t) y = MatMul(u, c)"
            << casts + "c = Cast <to = 1> (h) y = Einsum <equation = \"nij,n->ij\"> (c, u)";
    }

    /// ONNX Runtime computes some of these products without the Transpose, and crashes on the others.
    void runsProductsOfTransposesAndVectors()
    {
        QFETCH(const QByteArray, nodes);
        QFETCH(const QByteArray, same);
        const TemporaryFolder folder;
        const auto resultOf = [&](const QByteArray& text) {
            OnnxModel model =
                modelOf(folder, fmt::format("g (float[N,2,3] x, float[2] v, float[3] w, float[N] u) => (float[A,B] y) "
                                            "<float two = {{2}}, float four = {{4}}> {{ {} }}",
                                            text.toStdString()));
            for (auto& node : *model.proto->mutable_graph()->mutable_node()) { // added nodes need other names
                node.set_name(node.output(0));
            }
            return run(converted(model, {.optimize = true}).model.whole(), folder, 3)[0].tensor;
        };
        const Tensor got = resultOf(nodes);
        const Tensor wanted = resultOf(same);
        QCOMPARE(got.dims(), wanted.dims());
        for (std::size_t i = 0; i < wanted.toDoubles().size(); ++i) {
            QVERIFY(std::abs(got.toDoubles()[i] - wanted.toDoubles()[i]) < 1e-5);
        }
    }

    /// ONNX Runtime infers the length of the Slice, and rejects a Range to an element of the shape if that was cast.
    void runsRangesToSizes()
    {
        const TemporaryFolder folder;
        const OnnxModel model =
            modelOf(folder, "g (float[3,3] x) => (int32[N] y, int32[2] z) <int64[1] zero = {0}, int64[1] one = {1}, "
                            "int64 first = {0}, int32 start = {0}, int32 delta = {1}> { end = Add(one, one) "
                            "w = Slice(x, zero, end, zero) s = Shape(w) z = Cast <to = 6> (s) "
                            "c = Cast <to = 6> (s) n = Gather(c, first) y = Range(start, n, delta) }");
        const Conversion conversion = converted(model, {.optimize = true});
        QVERIFY(conversion.problems.empty());
        const auto outputs = run(conversion.model.whole(), folder, 3);
        QCOMPARE(outputs[0].tensor.toInts(), (Ints{0, 1}));
        QCOMPARE(outputs[1].tensor.toInts(), (Ints{2, 3}));
    }

    void keepsAProductAlongNoAxis()
    {
        const TemporaryFolder folder;
        OnnxModel model = modelOf(folder, "g (float[2] x) => (float[2] y) <int64[2] v = {2, 3}> { p = ReduceProd "
                                          "<noop_with_empty_axes = 1> (v) f = Cast <to = 1> (p) y = Mul(x, f) }");
        model.proto->mutable_opset_import(0)->set_version(18);
        const Conversion conversion = converted(model, {.optimize = true});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(operators(conversion.model.whole()), QByteArray("ReduceProd Cast Mul"));
    }

    /// onnx checks axes, repeats and sizes only where they are stored: a model that computes wrong ones is valid.
    void keepsModelsWithWrongOperands_data()
    {
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<QByteArray>("node");
        QTest::newRow("axis") << QByteArray("c = Mul(a, b) y = ReduceL1(x, c)") << QByteArray("ReduceL1");
        QTest::newRow("axis that keeps its value")
            << QByteArray("c = Identity(six) y = ReduceL1(x, c)") << QByteArray("ReduceL1");
        QTest::newRow("axis that is a size")
            << QByteArray("c = Shape <start = 1, end = 2> (x) y = ReduceL1(x, c)") << QByteArray("ReduceL1");
        QTest::newRow("element of a list")
            << QByteArray("c = Concat <axis = 0> (six) d = Slice(c, z, a) y = ReduceL1(x, d)")
            << QByteArray("ReduceL1");
        QTest::newRow("list of repeats") << QByteArray("c = Mul(a, b) d = Expand(c, b) y = Tile(x, d)")
                                         << QByteArray("Tile");
        QTest::newRow("operand of another node")
            << QByteArray("p = Mul(a, b) c = Concat <axis = 0> (a, p) t = Tile(w, c) y = Concat <axis = 0> (x, t)")
            << QByteArray("Concat");
        QTest::newRow("part of a shape")
            << QByteArray("s = Shape <end = 1> (x) p = Mod(b, a) q = Add(p, b) c = Concat <axis = 0> (s, q) "
                          "t = Expand(w, c) y = Concat <axis = 0> (x, t)")
            << QByteArray("Concat");
    }

    void keepsModelsWithWrongOperands()
    {
        QFETCH(const QByteArray, nodes);
        QFETCH(const QByteArray, node);
        const TemporaryFolder folder;
        const QByteArray text =
            "g (float[N,5] x) => (float[M,K] y) <int64[1] a = {2}, int64[1] b = {3}, int64[1] six = {6}, "
            "int64[1] z = {0}, float[1,1] w = {7}> { " +
            nodes + " }";
        OnnxModel model = modelOf(folder, text.toStdString());
        model.proto->mutable_opset_import(0)->set_version(18);
        for (auto& each : *model.proto->mutable_graph()->mutable_node()) {
            each.set_name("node " + each.output(0));
        }
        checkModel(model);
        const Conversion conversion = converted(model, {.optimize = true});
        QCOMPARE(conversion.problems.size(), 1);
        const Diagnostic& problem = conversion.problems.front();
        QCOMPARE(problem.code, Code("not-optimized"));
        QCOMPARE(problem.severity, Severity::Warning);
        QCOMPARE(problem.node, "node y");
        QCOMPARE(QByteArray::fromStdString(problem.op), node);
        QCOMPARE(operators(conversion.model.whole()), operators(model));
        checkModel(conversion.model.whole());
    }

    void computesTheSame()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, nodes);
        const TemporaryFolder folder;
        const OnnxModel model = modelOf(folder, text.toStdString());
        const Conversion conversion = converted(model, {.optimize = true});
        QVERIFY(conversion.problems.empty());
        QCOMPARE(operators(conversion.model.whole()), nodes);
        for (const std::int64_t open : {3, 1}) {
            const auto before = run(converted(model, {}).model.whole(), folder, open);
            const auto after = run(conversion.model.whole(), folder, open);
            QCOMPARE(after.size(), before.size());
            for (std::size_t k = 0; k < before.size(); ++k) {
                QCOMPARE(after[k].tensor.dims(), before[k].tensor.dims());
                const auto wanted = before[k].tensor.toDoubles();
                const auto got = after[k].tensor.toDoubles();
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    QVERIFY(std::abs(got[i] - wanted[i]) < 1e-4);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestOptimize)
#include "tst_optimize.moc"
