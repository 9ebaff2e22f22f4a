// TorchScript archives that the tests write, read into graphs, converted and run.

#include "core/convert/conversion.h"
#include "core/formats/pytorch/torchscript/script_parser.h"
#include "core/formats/read_model.h"
#include "core/graph/attributes.h"
#include "core/graph/source_location.h"
#include "tests/support/onnx_run.h"
#include "tests/support/zip_files.h"

#include <QtTest>
#include <fmt/format.h>

using namespace crosswalk;
using namespace crosswalk::test;
using namespace std::string_literals;

namespace {

std::string pickledText(const std::string& text)
{
    return "X"s + static_cast<char>(text.size()) + "\0\0\0"s + text;
}

/// A float32 tensor of shape (2, 2), or an int64 or float64 one without dimensions.
std::string pickledTensor(const std::string& storage, const std::string& key, bool isMatrix, bool isTransposed = false,
                          const std::string& metadata = {})
{
    const std::string strides = isTransposed ? "(K\x01K\x02t" : "(K\x02K\x01t";
    const std::string sizes = isMatrix ? "(K\x02K\x02t" + strides : "(t(t";
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickledText("storage") + "ctorch\n" + storage + "\n" +
           pickledText(key) + pickledText("cpu") + "K\x04tQK\0"s + sizes + "\x89" + "ccollections\nOrderedDict\n)R" +
           metadata + "tR";
}

template <class T>
std::string bytesOf(std::initializer_list<T> values)
{
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)}; // NOLINT: as bytes
}

/// An archive of one module with the weight w = [[1, 2], [3, 4]], its transpose t in the same storage, and the
/// constants 0.5 (float64) and 2 (int64).
std::string archive(const std::string& body, const std::string& arguments = "x: Tensor", int version = 3,
                    const ZipPart& further = {"m/further", ""})
{
    const std::string code =
        "class Model(Module):\n  __parameters__ = [\"w\", \"t\", ]\n  w : Tensor\n  t : Tensor\n  training : bool\n"
        "  size : Final[int] = 3\n  def forward(self: __torch__.Model,\n    " +
        arguments + ") -> Tensor:\n" + body;
    const std::string data = "\x80\x02" + "c__torch__\nModel\n)\x81}("s + pickledText("w") +
                             pickledTensor("FloatStorage", "0", true) + pickledText("t") +
                             pickledTensor("FloatStorage", "0", true, true) + pickledText("training") + "\x89" + "ub.";
    const std::string constants =
        "\x80\x02("s + pickledTensor("DoubleStorage", "0", false) + pickledTensor("LongStorage", "1", false) + "t.";
    return zipFile({{"m/data.pkl", data},
                    {"m/code/__torch__.py", code},
                    {"m/data/0", bytesOf<float>({1, 2, 3, 4})},
                    {"m/constants.pkl", constants},
                    {"m/constants/0", bytesOf<double>({0.5, 0, 0, 0})},
                    {"m/constants/1", bytesOf<std::int64_t>({2, 0, 0, 0})},
                    {"m/version", std::to_string(version) + "\n"},
                    further});
}

/// The first arguments of what makes a tensor: a storage, an offset, and sizes and strides, which are pickled.
std::string storedPart(const std::string& storage, const std::string& key, const std::string& shape, char offset = 0)
{
    return "((" + pickledText("storage") + "ctorch\n" + storage + "\n" + pickledText(key) + pickledText("cpu") +
           "K\x0ftQK"s + offset + shape;
}

/// An archive of another class Model with one or two storages.
std::string archiveOf(const std::string& code, const std::string& data, const std::string& first,
                      const std::string& second = {})
{
    return zipFile({{"m/data.pkl", data},
                    {"m/code/__torch__.py", code},
                    {"m/data/0", first},
                    {"m/data/1", second},
                    {"m/constants.pkl", "\x80\x02)."},
                    {"m/version", "3\n"}});
}

} // namespace

class TestTorchscript : public QObject {
    Q_OBJECT
private slots:
    void init() { m_files = std::make_unique<TemporaryFiles>(); }

    void computes_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<std::vector<double>>("result"); // for x = [[1, 2], [-3, 2]]
        QTest::addColumn<QByteArray>("nodes");           // empty: any
        const auto row = [](const char* name, const std::string& body, const std::vector<double>& result,
                            const QByteArray& nodes = {}) { QTest::newRow(name) << body << result << nodes; };
        row("a product with a weight", "    return torch.matmul(x, self.w)\n", {7, 10, 3, 2}, "MatMul");
        row("the transpose of a weight, in its storage", "    return torch.add(x, self.t)\n", {2, 5, -1, 6});
        row("a number that a trace stored", "    return torch.mul(x, CONSTANTS.c0)\n", {0.5, 1, -1.5, 1}, "Mul");
        row("an inverse and its status", "    y, _0 = torch.linalg_inv_ex(x)\n    return torch.add(y, _0)\n",
            {0.25, -0.25, 0.375, 0.125});
        row("the nearest of few pixels",
            "    y = torch.upsample_nearest1d(torch.view(torch.arange(14, dtype=6), [1, 1, 14]), [16], None)\n"
            "    return torch.mul(x, torch.select(y, 2, 8))\n",
            {7, 14, -21, 14});
        row("a loop of which nothing is read",
            "    n = int(torch.sum(x))\n    for _0 in range(n):\n      y = torch.neg(x)\n    return torch.add(x, x)\n",
            {2, 4, -6, 4});
        row("ignored targets of infinite losses",
            "    s = torch.masked_fill(x, torch.lt(x, 0), -inf)\n"
            "    return torch.add(x, torch.nll_loss_nd(s, torch.tensor([1, -100]), None, 1, -100))\n",
            {-1, 0, -5, 0});
        row("ignored targets of an infinite weight",
            "    w = torch.masked_fill(torch.select(self.w, 0, 0), torch.tensor([True, False]), inf)\n"
            "    return torch.add(x, torch.nll_loss_nd(x, torch.tensor([1, -100]), w, 1, -100))\n",
            {-1, 0, -5, 0});
        row("a factor of the upper triangle",
            "    y = torch.linalg_cholesky(torch.tensor([[4., 2.], [9., 5.]]), upper=True)\n"
            "    return torch.add(y, torch.mul(x, 0))\n",
            {2, 1, 0, 2});
        row("a solution of matrices for each of several systems",
            "    a = torch.stack([x, torch.mul(x, 2), torch.mul(x, 4)])\n"
            "    return torch.sum(torch.linalg_solve(a, torch.mul(self.w, 8)), [0])\n",
            {-7, -7, 10.5, 17.5});
        row("solutions of one vector by several systems",
            "    a = torch.stack([x, torch.mul(x, 2), torch.mul(x, 4)])\n"
            "    return torch.slice(torch.linalg_solve(a, torch.tensor([8., 16.])), 0, 1, 3)\n",
            {-1, 2.5, -0.5, 1.25});
        row("solutions of several right-hand sides by one system",
            "    y = torch.linalg_solve(x, torch.stack([self.w, torch.mul(self.w, 7)]))\n"
            "    return torch.round(torch.sum(y, [0]))\n",
            {-4, -4, 6, 10});
        row("padded sequences of numbers",
            "    y, n, = torch._pack_padded_sequence(x, torch.tensor([2, 1]), True)\n"
            "    z, _0, = torch._pad_packed_sequence(y, n, True, 9., 0)\n    return z\n",
            {1, 2, -3, 9});
        row("padded sequences of matrices",
            "    y, n, = torch._pack_padded_sequence(torch.reshape(x, [2, 2, 1, 1]), torch.tensor([2, 1]), True)\n"
            "    z, _0, = torch._pad_packed_sequence(y, n, True, 9., 0)\n    return z\n",
            {1, 2, -3, 9});
        row("rounded to steps with zero points that are fractions",
            "    s = torch.tensor([1., 0.5])\n    z = torch.tensor([0.25, 0.5])\n"
            "    return torch.fake_quantize_per_channel_affine(torch.add(x, 0.375), s, z, 1, -2, 9)\n",
            {1.75, 2.25, -2.25, 2.25});
        row("frames that are aligned to their windows",
            "    w = torch.tensor([1., 2.])\n    y = torch.reshape(x, [4])\n"
            "    z = torch.stft(y, 4, 2, 2, w, False, True, True, True)\n"
            "    return torch.select(torch.view_as_real(z), 2, 0)\n",
            {5, 1, -4, -4, 3, 7});
        row("frames of a signal that is closed to a circle",
            "    y = torch.stft(torch.reshape(x, [4]), 4, 4, 4, None, True, \"circular\", False, True, True)\n"
            "    return torch.select(torch.select(torch.view_as_real(y), 2, 0), 0, 0)\n",
            {2, 2});
        row("the loss of integers is one",
            "    y = torch.l1_loss(torch.to(x, 4), torch.to(self.w, 4), 2)\n"
            "    return torch.mul(x, torch.bitwise_or(y, 1))\n",
            {9, 18, -27, 18});
        row("a margin of integers is one",
            "    y = torch.hinge_embedding_loss(torch.to(x, 4), self.w, 2.5, 0)\n"
            "    return torch.to(torch.bitwise_or(y, 0), 6)\n",
            {1, 2, 2, 2});
        row("a loss of the type of its first operand",
            "    y = torch.huber_loss(x, torch.to(self.w, 7), 0, 10.)\n"
            "    return torch.to(torch.sub(torch.add(y, 1.000000001), 1), 6)\n",
            {0, 0, 18, 2});
        row("cosines of two types",
            "    y = torch.cosine_similarity(x, torch.to(torch.neg(x), 7), 1)\n"
            "    return torch.to(torch.round(y), 6)\n",
            {-1, -1});
        row("distances of two types",
            "    return torch.to(torch.pairwise_distance(x, torch.to(self.w, 7), 1., 0.), 6)\n", {0, 8});
        row("a loss of probabilities of another type",
            "    y = torch.cross_entropy_loss(torch.mul(x, 0), torch.to(self.w, 7), None, 2)\n"
            "    return torch.to(torch.round(torch.mul(x, y)), 6)\n",
            {7, 14, -21, 14});
        row("frames of double precision, added up again",
            "    y = torch.reshape(torch.add(torch.to(x, 7), 1.e-9), [4])\n"
            "    w = torch.tensor([1., 2., 1.], dtype=7)\n"
            "    s = torch.stft(y, 3, 2, 3, w, True, \"circular\", False, True, True)\n"
            "    z = torch.sub(torch.istft(s, 3, 2, 3, w, True, False, True, 4), torch.reshape(x, [4]))\n"
            "    return torch.to(torch.reshape(torch.round(torch.mul(z, 1.e+10)), [2, 2]), 6)\n",
            {10, 10, 10, 10});
        row("frames of single precision under a window of double precision",
            "    w = torch.tensor([1., 1., 1., 1.000000001], dtype=7)\n"
            "    a = torch.view_as_real(torch.stft(torch.reshape(x, [4]), 4, 4, 4, w, False, True, True))\n"
            "    return torch.to(torch.gt(torch.select(torch.select(a, 2, 0), 0, 0), 2), 6)\n",
            {1});
        row("a logarithm to a base", "    return torch.mul(x, torch.log(torch.mul(torch.size(x, 0), 4.), 2))\n",
            {3, 6, -9, 6});
        row("a solution by factors", "    return torch.cholesky_solve(x, torch.tril(x))\n", {1, 8, 0, 2});
        // Distributions of a single number.
        row("normal numbers without deviation", "    return torch.normal(x, 0.)\n", {1, 2, -3, 2});
        row("normal numbers in place", "    return torch.normal_(torch.clone(x), 5., 0.)\n", {5, 5, 5, 5});
        row("logarithmic normal numbers", "    return torch.log_normal_(torch.clone(x), 0., 0.)\n", {1, 1, 1, 1});
        row("uniform numbers of a point", "    return torch.uniform_(torch.clone(x), 2., 2.)\n", {2, 2, 2, 2});
        row("certain tosses", "    return torch.bernoulli(torch.clamp(x, 0, 1))\n", {1, 1, 0, 1});
        row("tosses of one probability", "    return torch.bernoulli(x, 1.)\n", {1, 1, 1, 1});
        row("certain tosses in place", "    return torch.bernoulli_(torch.clone(x), torch.clamp(x, 0, 1))\n",
            {1, 1, 0, 1});
        row("random integers of one", "    return torch.add(x, torch.randint(3, 4, [2, 2]))\n", {4, 5, 0, 5});
        row("a permutation", "    return torch.add(x, torch.sum(torch.randperm(4)))\n", {7, 8, 3, 8});
        row("indices of one weight",
            "    _0 = torch.multinomial(torch.to(torch.eq(x, 2), 6), 1)\n    return torch.mul(x, _0)\n", {1, 2, -3, 2});
        row("indices of one weight, again and again",
            "    _0 = torch.multinomial(torch.to(torch.eq(x, 2), 6), 2, True)\n    return torch.mul(x, _0)\n",
            {1, 2, -3, 2});
        row("a success at once", "    return torch.geometric_(torch.clone(x), 1.)\n", {1, 1, 1, 1});
        row("counts of nothing", "    return torch.poisson(torch.mul(x, 0))\n", {0, 0, 0, 0});
        row("bfloat16, rounded after each operator", "    return torch.to(torch.mul(torch.to(x, 15), 1.01), 6)\n",
            {1.0078125, 2.015625, -3.03125, 2.015625});
        row("bfloat16 beside a number that is rounded to it",
            "    y = torch.to(torch.mul(torch.to(torch.div(x, x), 15), 0.1), 15)\n"
            "    return torch.add(torch.to(torch.eq(y, 0.1), 6), torch.to(torch.fmod(y, 0.1), 6))\n",
            {1, 1, 1, 1});
        row("the largest number of bfloat16",
            "    y = torch.nan_to_num(torch.mul(torch.to(x, 15), inf))\n"
            "    return torch.div(torch.to(y, 6), 3.3895313892515355e+38)\n",
            {1, 1, -1, 1});
        row("bfloat16 and single precision, both without dimensions",
            "    y = torch.add(torch.to(torch.sum(x), 15), torch.mul(torch.sum(x), 0.001))\n"
            "    return torch.mul(x, torch.gt(torch.to(y, 7), 2.001))\n",
            {1, 2, -3, 2});
        row("a limit of single precision of bfloat16",
            "    y = torch.clamp(torch.to(x, 15), torch.add(x, 0.001))\n"
            "    return torch.to(torch.gt(torch.to(y, 6), x), 6)\n",
            {1, 1, 1, 1});
        row("a loss of bfloat16 against single precision",
            "    y = torch.mse_loss(torch.to(x, 15), torch.add(x, 1.001), 0)\n"
            "    return torch.to(torch.gt(torch.to(y, 6), 1.001), 6)\n",
            {1, 1, 1, 1});
        row("broadcast tensors that keep their types",
            "    _0, z, = torch.broadcast_tensors([torch.to(x, 15), torch.add(x, 0.001)])\n"
            "    return torch.to(torch.gt(z, x), 6)\n",
            {1, 1, 1, 1});
        row("half precision, normalized in single", "    return torch.to(torch.layer_norm(torch.to(x, 5), [2]), 6)\n",
            {-1, 1, -1, 1}, "Cast Cast ReduceMean Sub Mul ReduceMean Add Sqrt Div Cast Cast");
        row("variances of half precision, in single",
            "    y = torch.to(torch.var(torch.to(x, 5), [1], True, True), 6)\n    return torch.mul(x, y)\n",
            {0.5, 1, -37.5, 25}, "Cast Cast ReduceMean Sub Mul ReduceSum Div Cast Cast Mul");
        row("a scaled product of half precision, in single",
            "    h = torch.to(x, 5)\n    return torch.to(torch.addmm(h, h, h, beta=1, alpha=0.5), 6)\n",
            {-1.5, 5, -7.5, 1}, "Cast Cast MatMul Mul Add Cast Cast");
        row("an outer product, scaled before it overflows",
            "    a = torch.select(x, 0, 0)\n    return torch.addr(x, a, a, beta=0, alpha=0.5)\n", {0.5, 1, 1, 2},
            "Gather Mul Unsqueeze Unsqueeze Mul");
        row("half precision, divided by a number of single precision",
            "    return torch.to(torch.div(torch.mul(torch.to(x, 5), 20000.), 1.e5), 6)\n",
            {0.199951171875, 0.39990234375, -0.60009765625, 0.39990234375});
        row("half precision, multiplied by a number that it rounds to 0",
            "    y = torch.mul(torch.mul(torch.to(x, 5), 20000.), 1.e-8)\n    return torch.to(torch.ne(y, 0), 6)\n",
            {1, 1, 1, 1});
        row("bytes divided by a number that is no byte",
            "    n = torch.to(torch.abs(x), 0)\n    return torch.add(torch.true_divide(n, 256), torch.true_divide(n, "
            "-4))\n",
            {-0.24609375, -0.4921875, -0.73828125, -0.4921875});
        row("bytes divided by a tensor without dimensions",
            "    return torch.true_divide(torch.to(torch.abs(x), 0), torch.mul(CONSTANTS.c1, 128))\n",
            {0.00390625, 0.0078125, 0.01171875, 0.0078125});
        row("bytes within bounds that are no bytes", "    return torch.to(torch.clamp(torch.to(x, 1), -129, 300), 6)\n",
            {1, 2, -3, 2});
        row("half precision, divided down by a number of single precision",
            "    y = torch.to(torch.div(x, x), 5)\n    return torch.to(torch.floor_divide(y, 0.1), 6)\n", {9, 9, 9, 9});
        row("truth of no elements",
            "    n = torch.slice(x, 0, 0, 0)\n    y = torch.any(torch.gt(n, 0), 0)\n    z = torch.all(torch.to(n, 0), "
            "0)\n"
            "    return torch.add(torch.add(torch.mul(x, 0), torch.mul(torch.to(y, 6), 5)), torch.to(z, 6))\n",
            {1, 1, 1, 1});
        row("truth of bytes beside a number that is no byte",
            "    y = torch.logical_or(torch.to(torch.lt(x, 0), 0), torch.mul(CONSTANTS.c1, 128))\n"
            "    return torch.to(y, 6)\n",
            {0, 0, 1, 0});
        row("a product of wide integers",
            "    n = torch.add(torch.mul(torch.eye(2, dtype=4), 9007199254740992), torch.eye(2, dtype=4))\n"
            "    y = torch.matmul(torch.to(x, 4), n)\n"
            "    return torch.to(torch.fmod(y, 4503599627370496), 6)\n",
            {1, 2, -3, 2});
        row("bytes shifted by all their bits",
            "    return torch.to(torch.__rshift__(torch.to(torch.mul(torch.abs(x), 100), 0), 8), 6)\n", {0, 0, 0, 0});
        row("bits shifted in place through a view",
            "    n = torch.to(x, 4)\n    _0 = torch.__ilshift__(torch.select(n, 0, 0), 1)\n    return torch.to(n, 6)\n",
            {2, 4, -3, 2});
        row("an augmented assignment",
            "    m = torch.gt(x, 0)\n    _0 = torch.__iand__(m, torch.lt(x, 2))\n    return torch.to(m, 6)\n",
            {1, 0, 0, 0});
        row("a range to a computed floating-point number",
            "    return torch.mul(x, torch.arange(torch.mul(torch.size(x, 0), 0.75)))\n", {0, 2, 0, 2});
        row("a range in computed steps",
            "    return torch.mul(x, torch.arange(0, 1, torch.div(1, torch.size(x, 0))))\n", {0, 1, 0, 1});
        row("a range of integers from a fraction to a computed one",
            "    return torch.mul(x, torch.arange(0.5, torch.mul(torch.size(x, 0), 1.5), 1.5, dtype=4))\n",
            {0, 2, 0, 2});
        row("a range of integers between fractions", "    return torch.mul(x, torch.arange(0.5, 3., 1.5, dtype=4))\n",
            {0, 2, 0, 2});
        row("equal steps of integers between fractions",
            "    return torch.mul(x, torch.reshape(torch.linspace(0.7, 5.2, 4, dtype=4), [2, 2]))\n", {0, 2, -9, 10});
        row("a part that counts from the end", "    return torch.narrow(x, 0, -2, 2)\n", {1, 2, -3, 2});
        row("a part that counts from the end by a computed number",
            "    return torch.narrow(x, 0, int(torch.sum(torch.mul(x, -1))), 2)\n", {1, 2, -3, 2});
        row("a write to a part that counts from the end",
            "    y = torch.clone(x)\n    _0 = torch.add_(torch.narrow(y, 0, -1, 1), 1)\n    return y\n", {1, 2, -2, 3});
        row("a diagonal of bools", "    return torch.to(torch.eye(2, dtype=11), 6)\n", {1, 0, 0, 1});
        row("int16 above 0", "    return torch.to(torch.relu(torch.to(x, 2)), 6)\n", {1, 2, 0, 2});
        row("a diagonal of int16", "    return torch.to(torch.diag_embed(torch.to(torch.select(x, 0, 0), 2)), 6)\n",
            {1, 0, 0, 2});
        row("an equation without a result", "    return torch.einsum(\"Ba,ac\", [x, self.w])\n", {7, 10, 3, 2});
        row("the epsilon of doubles",
            "    y = torch.rms_norm(torch.mul(torch.to(x, 7), 0.0001), [2])\n"
            "    return torch.to(torch.round(torch.mul(y, 10)), 6)\n",
            {6, 13, -12, 8});
        row("an empty vector of floats, and integers",
            "    y = torch.cat([torch.empty([0]), torch.to(x, 4)])\n    return torch.mul_(y, 0.5)\n",
            {0.5, 1, -1.5, 1});
        row("the size of complex numbers",
            "    z = torch.view_as_complex(x)\n    y = torch.mul(z, torch.size(z, 0))\n"
            "    return torch.view_as_real(y)\n",
            {2, 4, -6, 4});
        row("functions of numbers are float64",
            "    f = torch.sin(torch.size(x, 0))\n    g = torch.fmod(torch.size(x, 1), 3)\n"
            "    return torch.mul_(torch.to(torch.mul(x, g), 4), torch.div(f, 0.9))\n",
            {2, 4, -6, 4});
        row("functions of numbers that the model computes",
            "    f = torch.cos(torch.item(torch.select(torch.select(x, 0, 0), 0, 0)))\n"
            "    return torch.to(torch.lt(torch.abs(torch.sub(torch.mul(x, f), torch.mul(x, 0.5403023058681398))), "
            "1.e-6), 6)\n",
            {1, 1, 1, 1});
        row("the memory of a view of a view",
            "    v = torch.unsqueeze(torch.t(x), 0)\n    return torch.as_strided(v, [2, 2], [2, 1], 0)\n",
            {1, 2, -3, 2});
        row("the memory of a part from its start",
            "    v = torch.select(x, 0, 1)\n    return torch.as_strided(v, [2, 2], [1, 1], 0)\n", {1, 2, 2, -3});
        row("the memory of a copy in the order of its elements",
            "    v = torch.contiguous(torch.t(x))\n    return torch.as_strided(v, [2, 2], [2, 1], 0)\n", {1, -3, 2, 2});
        row("a stored tensor without dimensions is promoted as a tensor",
            "    y = torch.maximum(torch.to(x, 4), CONSTANTS.c0)\n    z = torch.mul(torch.mul(y, 1.e38), 1.e38)\n"
            "    return torch.to(torch.div(torch.div(z, 1.e38), 1.e38), 6)\n",
            {1, 2, 0.5, 2});
        const std::string missing = "    n = torch.mul(torch.div(x, 0), 0)\n";
        row("a threshold of missing numbers",
            missing + "    return torch.to(torch.isnan(torch.threshold(n, 0.1, 20.)), 6)\n", {1, 1, 1, 1});
        row("missing numbers are not shrunk", missing + "    return torch.to(torch.isnan(torch.hardshrink(n)), 6)\n",
            {1, 1, 1, 1});
        row("a norm of missing numbers",
            "    y = torch.linalg_vector_norm(torch.log(x), inf, [1], True)\n"
            "    return torch.add(torch.mul(x, 0), torch.to(torch.isnan(y), 6))\n",
            {0, 0, 1, 1});
        row("inverse indices of unique that are not requested",
            "    _0, _1, _2 = torch._unique2(x, True, False, False)\n    return torch.add(x, torch.sum(_1))\n",
            {1, 2, -3, 2});
        row("bags up to the last offset",
            "    y, _0, _1, _2 = torch.embedding_bag(self.w, torch.tensor([0, 1, 1]), torch.tensor([0, 1, 2]), False, "
            "0, "
            "False, None, True)\n    return torch.add(torch.mul(x, 0), y)\n",
            {1, 2, 3, 4});
        row("bfloat16 and float32", "    return torch.add(torch.to(x, 15), torch.add(x, 0.00390625))\n",
            {2.00390625, 4.00390625, -5.99609375, 4.00390625});
        row("float32 added to bfloat16 in place",
            "    y = torch.to(x, 15)\n    _0 = torch.add_(y, torch.add(x, 0.00390625))\n    return torch.to(y, 6)\n",
            {2, 4, -6, 4});
        row("branches by device",
            "    _0 = torch.eq(ops.prim.type(ops.prim.device(x)), \"cpu\")\n    if _0:\n      y = torch.add(x, 1)\n    "
            "else:\n"
            "      y = torch.add(x, 2)\n    _1 = torch.eq(ops.prim.device(y), torch.device(\"cuda\", 0))\n    if _1:\n"
            "      z = torch.mul(y, 2)\n    else:\n      z = torch.cpu(y)\n"
            "    i = ops.prim.index(ops.prim.device(z))\n    if torch.__is__(i, None):\n      w = torch.mul(z, 3)\n    "
            "else:\n"
            "      w = z\n    return w\n",
            {6, 9, -6, 9}, "Add Mul");
        row("a constant of the class", "    return torch.mul(x, self.size)\n", {3, 6, -9, 6});
        row("an operator in place", "    y = torch.clone(x)\n    _0 = torch.add_(y, 1)\n    return torch.mul(y, 2)\n",
            {4, 6, -4, 6});
        row("a write through a view that is read before and after",
            "    y = torch.clone(x)\n    v = torch.select(y, 0, 1)\n    _0 = torch.mul_(v, 10)\n"
            "    _1 = torch.add_(y, 1)\n    return torch.cat([torch.flatten(y), v], 0)\n",
            {2, 3, -29, 21, -29, 21});
        row("a write to one of several parts",
            "    y = torch.clone(x)\n    a, b, = torch.chunk(y, 2, 1)\n    _0 = torch.copy_(b, a)\n    return y\n",
            {1, 1, -3, -3});
        row("a write to another shape of a tensor in new memory",
            "    y = torch.mul(x, 2)\n    v = torch.reshape(y, [4])\n    _0 = torch.fill_(torch.select(v, 0, 1), 7)\n"
            "    w = torch.flatten(torch.contiguous(torch.select(y, 0, 1)))\n    _1 = torch.add_(w, 1)\n"
            "    return torch.cat([torch.flatten(y), v], 0)\n",
            {2, 7, -5, 5, 2, 7, -5, 5});
        row("a write to a part of given size",
            "    y = torch.mul(x, 2)\n    a, b, = torch.split(y, [1, 1], 1)\n    _0 = torch.add_(b, 1)\n"
            "    c = torch.split_with_sizes(y, [1, 1], 0)\n    _1 = torch.neg_(c[1])\n    return y\n",
            {2, 5, 6, -5});
        row("a write by strides",
            "    y = torch.mul(x, 2)\n    v = torch.as_strided(y, [2], [3])\n    _0 = torch.add_(v, 1)\n"
            "    w = torch.as_strided(y, [1, 2], [4, 1], 1)\n    _1 = torch.neg_(w)\n"
            "    return torch.cat([torch.flatten(y), v], 0)\n",
            {3, -4, 6, 5, 3, 5});
        row("strides",
            "    n, m, = torch.stride(torch.neg(x))[0], torch.stride(x, 0)\n"
            "    if torch.is_contiguous(torch.mul(x, 2)):\n      y = torch.add(torch.mul(x, n), m)\n    else:\n"
            "      y = x\n    return y\n",
            {4, 6, -4, 6});
        row("removed items",
            "    l = [x, torch.neg(x), torch.mul(x, 3)]\n    torch.Delete(l, 1)\n    n = [3, 1, 2]\n"
            "    _0 = torch.remove(n, 1)\n    d = {\"a\": x, \"b\": torch.mul(x, 5)}\n    torch.Delete(d, \"a\")\n"
            "    e = torch.copy(d)\n    y = torch.pop(d, \"b\")\n    torch.update(d, {\"c\": y})\n"
            "    z = torch.add(l[1], torch.mul(d[\"c\"], n[1]))\n"
            "    return torch.add(z, torch.add(torch.len(e), torch.len(d)))\n",
            {15, 28, -37, 28});
        row("a dictionary that is emptied, and its new entries",
            "    d = {\"a\": x}\n    torch.clear(d)\n    y = torch.setdefault(d, \"a\", torch.mul(x, 2))\n"
            "    z = torch.setdefault(d, \"a\", x)\n    return torch.add(y, z)\n",
            {4, 8, -12, 8});
        row("lists of numbers",
            "    l = [3, 1, 2]\n    torch.sort(l)\n    m = sorted([2.5, 1.5])\n    torch.sort(m, True)\n"
            "    n = torch.add(torch.sum(l), torch.index(l, 3))\n"
            "    k = torch.add(torch.count([1, 2, 1], 1), torch.slice(l, None, None, -2)[1])\n"
            "    return torch.add(torch.mul(x, torch.add(n, k)), torch.mul(l[0], m[1]))\n",
            {12.5, 23.5, -31.5, 23.5});
        row("quotients with their remainders",
            "    a, b, = torch.divmod(-7, 2)\n    c, d, = torch.divmod(7.5, -2)\n"
            "    return torch.add(torch.mul(x, torch.mul(a, b)), torch.mul(c, d))\n",
            {-2, -6, 14, -6});
        row("a text with values",
            "    s = torch.percentFormat(\"%s-%d%%%f\", (\"a\", 3, 0.5))\n    if torch.eq(s, \"a-3%0.500000\"):\n"
            "      y = torch.mul(x, 2)\n    else:\n      y = x\n    return y\n",
            {2, 4, -6, 4});
        row("a tensor as numbers",
            "    l = annotate(List[List[float]], x.tolist())\n    n = annotate(int, torch.sum(x).tolist())\n"
            "    k = annotate(List[int], torch.select(x, 0, 1).tolist())\n"
            "    return torch.add(torch.mul(x, (l[1])[0]), torch.add(n, k[1]))\n",
            {1, -2, 13, -2});
        row("functions that run beside the program",
            "    y = torch.mul(x, 2)\n    fs = annotate(List[Future[Tensor]], [])\n    for i in range(2):\n"
            "      def __forked_function():\n        z = torch.add(y, i)\n        return z\n"
            "      _0 = torch.append(fs, fork(__forked_function))\n"
            "    return torch.mul(torch.wait(fs[0]), torch.wait(fs[1]))\n",
            {6, 20, 30, 20});
        row("another shape of the same memory",
            "    y = torch.clone(x)\n    v = torch.select(y, 0, 0)\n    _0 = torch.unsqueeze_(y, 0)\n"
            "    _1 = torch.add_(y, 1)\n    return torch.sub(y, v)\n",
            {0, 0, -4, 0});
        row("a view whose sizes are a list that changes",
            "    y = torch.clone(x)\n    s = [4, 1]\n    v = torch.view(y, s)\n    _0 = torch._set_item(s, 0, 2)\n"
            "    _1 = torch._set_item(s, 1, 2)\n    _2 = torch.add_(y, 1)\n"
            "    return torch.mul(v, torch.size(v, 0))\n",
            {8, 12, -8, 12});
        row("a view in the shape of a tensor that gets another one",
            "    y = torch.clone(x)\n    v = torch.expand_as(y, y)\n    _0 = torch.unsqueeze_(y, -1)\n"
            "    _1 = torch.add_(y, 1)\n    return torch.mul(v, torch.dim(v))\n",
            {4, 6, -4, 6});
        row("parts of a tensor that gets another shape",
            "    y = torch.neg(x)\n    p = torch.unbind(y)\n    q = torch.split(y, 1, 1)\n    _0 = torch.unsqueeze_(y, "
            "0)\n"
            "    _1 = torch.add_(y, 1)\n    return torch.cat([p[1], torch.flatten(q[0])], 0)\n",
            {4, -1, 0, 4});
        row("the indices of a triangle", "    return torch.mul(torch.to(torch.tril_indices(2, 2, 0), 6), 2)\n",
            {0, 2, 2, 0, 0, 2});
        row("columns", "    return torch.column_stack([x, torch.neg(x)])\n", {1, 2, -1, -2, -3, 2, 3, -2});
        row("a quantized tensor",
            "    q = torch.quantize_per_tensor(x, 0.75, 2, 13)\n"
            "    return torch.dequantize(torch.relu(torch.transpose(q, 0, 1)))\n",
            {0.75, 0, 2.25, 2.25});
        row("quantized tensors are added",
            "    q = torch.quantize_per_tensor(x, 1., 8, 13)\n    s = ops.quantized.add_relu(q, q, 4., 0)\n"
            "    return torch.mul(torch.dequantize(s), torch.q_scale(s))\n",
            {0, 16, 0, 16});
        const std::string steps = "    q = torch.quantize_per_tensor(x, 1., 8, 13)\n";
        const std::string oddSteps = "    q = torch.quantize_per_tensor(x, 1., 9, 13)\n";
        row("a quantized tensor that is changed through a view",
            steps + "    v = torch.select(q, 0, 1)\n    _0 = torch.relu_(v)\n    return torch.dequantize(q)\n",
            {1, 2, 0, 2});
        row("sizes of a quantized tensor",
            steps + "    v = torch.view(q, [torch.len(torch.size(q)), torch.size(q, 1)])\n"
                    "    return torch.mul(torch.dequantize(v), torch.dim(v))\n",
            {2, 4, -6, 4});
        row("quantized tensors with other steps are joined",
            steps + "    r = ops.quantized.mul_scalar(q, 0.5)\n    return torch.dequantize(torch.cat([q, r], 0))\n",
            {1, 2, -3, 2, 0, 1, -2, 1});
        row("parts of a quantized tensor",
            steps + "    a, b, = torch.chunk(q, 2, 1)\n    return torch.sub(torch.dequantize(a), torch.int_repr(b))\n",
            {-9, -13});
        row("the steps of a quantized sigmoid", steps + "    return torch.dequantize(torch.sigmoid(q))\n",
            {0.73046875, 0.87890625, 0.046875, 0.87890625});
        row("the steps of a quantized tangent", steps + "    return torch.dequantize(torch.tanh(q))\n",
            {0.7578125, 0.9609375, -0.9921875, 0.9609375});
        row("a quantized function", steps + "    return torch.dequantize(ops.quantized.hardswish(q, 0.5, 0))\n",
            {0.5, 1.5, 0, 1.5});
        row("quantized tensors are multiplied",
            steps + "    y = ops.quantized.mul_relu(q, q, 2., 3)\n    return torch.dequantize(y)\n", {0, 4, 8, 4});
        row("a number is added to a quantized tensor",
            steps + "    y = ops.quantized.add_scalar(q, 3)\n"
                    "    return torch.add(torch.dequantize(y), torch.q_zero_point(y))\n",
            {9, 10, 5, 10});
        row("a quantized tensor is padded",
            steps + "    return torch.dequantize(torch.pad(q, [1, 0], \"constant\", 1.4))\n", {1, 1, 2, 1, -3, 2});
        row("halves of quantized averages, rounded with the zero point",
            oddSteps + "    y = torch.avg_pool2d(torch.view(q, [1, 1, 2, 2]), [2, 2])\n"
                       "    return torch.dequantize(y)\n",
            {1});
        row("halves of quantized averages behind a convolution",
            oddSteps + "    w = torch.quantize_per_tensor(torch.ones([1, 1, 1, 1]), 1., 0, 12)\n"
                       "    p = ops.quantized.conv2d_prepack(w, None, [1, 1], [0, 0], [1, 1], 1)\n"
                       "    y = ops.quantized.conv2d(torch.view(q, [1, 1, 2, 2]), p, 1., 9)\n"
                       "    return torch.dequantize(torch.adaptive_avg_pool2d(y, [1, 1]))\n",
            {0});
        row("a quantized convolution pads with zeros",
            steps + "    w = torch.quantize_per_tensor(torch.ones([1, 1, 3, 3]), 1., 0, 12)\n"
                    "    p = ops.quantized.conv2d_prepack(w, None, [1, 1], [1, 1], [1, 1], 1)\n"
                    "    return torch.dequantize(ops.quantized.conv2d(torch.view(q, [1, 1, 2, 2]), p, 1., 9))\n",
            {2, 2, 2, 2});
        row("a quantized transposed convolution",
            steps + "    w = torch.quantize_per_tensor(torch.ones([1, 1, 1, 2]), 1., 0, 12)\n"
                    "    p = ops.quantized.conv_transpose2d_prepack(w, None, [1, 2], [0, 0], [0, 0], [1, 1], 1)\n"
                    "    y = ops.quantized.conv_transpose2d(torch.view(q, [1, 1, 2, 2]), p, 1., 9)\n"
                    "    return torch.dequantize(y)\n",
            {1, 1, 2, 2, -3, -3, 2, 2});
        row("a quantized linear layer with a bias that is computed",
            steps + "    w = torch.quantize_per_tensor(self.w, 1., 0, 12)\n"
                    "    p = ops.quantized.linear_prepack(w, torch.select(self.w, 0, 0))\n"
                    "    return torch.dequantize(ops.quantized.linear(q, p, 0.5, 9))\n",
            {6, 13, 2, 1});
        row("a write to what dropout returns at inference",
            "    y = torch.clone(x)\n    z = torch.dropout(y, 0.5, False)\n    _0 = torch.relu_(z)\n    return y\n",
            {1, 2, 0, 2});
        row("sizes are computed", "    n = torch.size(x, 0)\n    return torch.view(x, [torch.mul(n, 2), 1])\n",
            {1, 2, -3, 2});
        row("a branch that the rank decides",
            "    if torch.eq(torch.dim(x), 2):\n      y = torch.neg(x)\n    else:\n      y = torch.unsqueeze(x, 0)\n"
            "    return y\n",
            {-1, -2, 3, -2}, "Neg");
        row("a branch that the data decide",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      y = torch.mul(x, 2)\n    else:\n      y = x\n"
            "    return y\n",
            {2, 4, -6, 4});
        row("a branch that writes",
            "    y = torch.clone(x)\n    if bool(torch.gt(torch.sum(x), 1)):\n      _0 = torch.add_(y, 1)\n"
            "    else:\n      pass\n    return y\n",
            {2, 3, -2, 3});
        row("the shape of a tensor that a call writes to",
            "    y = torch.zeros([0])\n    _0 = torch.add(x, x, out=y)\n    if torch.eq(torch.dim(y), 1):\n"
            "      z = torch.mul(x, 0)\n    else:\n      z = torch.add(y, 1)\n    return z\n",
            {3, 5, -5, 5});
        row("whether all elements along no dimension are true",
            "    return torch.to(torch.all(torch.gt(x, 1), []), 6)\n", {0, 1, 0, 1});
        row("a product of summed transposes and a vector",
            "    y = torch.t(x)\n    v = torch.matmul(torch.add(y, torch.t(self.w)), torch.select(x, 0, 0))\n"
            "    return torch.add(torch.zeros([2, 2]), v)\n",
            {2, 16, 2, 16});
        row("a loop that transposes in place",
            "    y = torch.neg(x)\n    for i in range(int(torch.sum(x))):\n      _0 = torch.t_(y)\n"
            "    return torch.mul(y, 2)\n",
            {-2, -4, 6, -4});
        row("a branch that only checks",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      if bool(torch.gt(torch.sum(x), 5)):\n"
            "        ops.prim.RaiseException(\"large\")\n      else:\n        pass\n    else:\n      pass\n"
            "    return torch.neg(x)\n",
            {-1, -2, 3, -2}, "Neg");
        row("branches that add an axis in place",
            "    y = torch.neg(x)\n    if bool(torch.gt(torch.sum(x), 1)):\n      _0 = torch.unsqueeze_(y, 0)\n"
            "    else:\n      _1 = torch.unsqueeze_(y, 1)\n    _2 = torch.neg_(y)\n"
            "    return torch.add(torch.view(torch.view(y, [-1]), [2, 2]), torch.dim(y))\n",
            {4, 5, 0, 5});
        row("a value that no branch computes",
            "    u = uninitialized(int)\n    if bool(torch.gt(torch.sum(x), 1)):\n"
            "      f = torch.eq(torch.remainder(torch.size(x, 1), 2), 1)\n      if f:\n        a = torch.size(x, 0)\n"
            "      else:\n        a = u\n      g, b = f, a\n    else:\n      g, b = False, u\n"
            "    if g:\n      n = b\n    else:\n      n = torch.size(x, 1)\n    return torch.mul(x, n)\n",
            {2, 4, -6, 4});
        row("a loop whose step returns",
            "    u = uninitialized(int)\n    v = uninitialized(Tensor)\n    c, r = 0, v\n"
            "    g = torch.eq(torch.remainder(torch.size(x, 1), 2), 0)\n    while g:\n      c0 = torch.add(c, 1)\n"
            "      if torch.eq(torch.remainder(torch.size(x, 0), 2), 0):\n"
            "        g0, c1, r0 = False, u, torch.mul(x, c0)\n      else:\n"
            "        g0, c1, r0 = torch.lt(c0, 2), c0, v\n      g, c, r = g0, c1, r0\n    return torch.add(r, 1)\n",
            {2, 3, -2, 3});
        row("None in one branch",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      m = annotate(Optional[Tensor], x)\n    else:\n"
            "      m = None\n    if torch.__is__(m, None):\n      y = torch.zeros([2, 2])\n    else:\n"
            "      m0 = unchecked_cast(Tensor, m)\n      y = torch.mul(m0, 3)\n    return y\n",
            {3, 6, -9, 6});
        row("a constant loop is unrolled",
            "    y = x\n    for i in range(3):\n      y = torch.add(y, i)\n    return y\n", {4, 5, 0, 5},
            "Add Add Add");
        row("a loop over rows that appends",
            "    out = annotate(List[Tensor], [])\n    for k in range(torch.size(x, 0)):\n"
            "      _0 = torch.append(out, torch.mul(torch.select(x, 0, k), k))\n    return torch.stack(out, 1)\n",
            {0, -3, 0, 2});
        row("a loop that appends parts of different sizes",
            "    out = annotate(List[Tensor], [])\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      _0 = torch.append(out, torch.slice(torch.flatten(x), 0, torch.sub(k, 2)))\n"
            "    return torch.cat(out, 0)\n",
            {-3, 2, 2, 1, 2, -3, 2, 2, -3, 2, -3, 2, 2});
        row("a loop that appends columns whose number differs",
            "    out = annotate(List[Tensor], [])\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      y = torch.slice(torch.slice(x, 1, 0, torch.sub(3, k)), 0, 0, int(torch.max(x)))\n"
            "      _0 = torch.append(out, y)\n    return torch.cat(out, -1)\n",
            {1, 2, 1, 2, 1, 1, -3, 2, -3, 2, -3, -3});
        row("a short loop that appends parts of different sizes",
            "    out = annotate(List[Tensor], [])\n    for k in range(torch.size(x, 0)):\n"
            "      _0 = torch.append(out, torch.slice(x, 0, k))\n    return torch.cat(out, 0)\n",
            {1, 2, -3, 2, -3, 2});
        row("an item that a branch appends",
            "    out = [x]\n    if bool(torch.gt(torch.sum(x), 1)):\n      _0 = torch.append(out, torch.mul(x, 2))\n"
            "    else:\n      pass\n    return torch.mul(torch.cat(out, 1), torch.len(out))\n",
            {2, 4, 4, 8, -6, 4, -12, 8});
        row("an item that the other branch appends",
            "    out = [x]\n    if bool(torch.gt(torch.sum(x), 9)):\n      _0 = torch.append(out, torch.mul(x, 2))\n"
            "    else:\n      pass\n    return torch.stack(out)\n",
            {1, 2, -3, 2});
        row("a loop that appends some items",
            "    out = annotate(List[Tensor], [])\n    for k in range(torch.size(x, 0)):\n"
            "      r = torch.select(x, 0, k)\n      if bool(torch.gt(torch.sum(r), 0)):\n"
            "        _0 = torch.append(out, r)\n      else:\n        pass\n    return torch.stack(out)\n",
            {1, 2});
        row("sizes in a list that changes",
            "    s = torch.list(torch.size(x))\n    _0 = torch._set_item(s, 0, torch.mul(s[0], s[1]))\n"
            "    _1 = torch.pop(s, 1)\n    return torch.reshape(x, s)\n",
            {1, 2, -3, 2});
        row("the parts of an axis of fixed size",
            "    y = torch.unbind(x, 1)\n    z = torch.split(x, 1, 0)\n"
            "    return torch.cat([torch.cat(y, 0), torch.select(torch.cat(z, 1), 0, 0)], 0)\n",
            {1, -3, 2, 2, 1, 2, -3, 2});
        row("a write to an item by a computed index",
            "    w = torch.clone(self.w)\n    n = torch.floor_divide(ops.prim.NumToTensor(torch.numel(w)), 4)\n"
            "    _0 = torch.zero_(torch.slice(w, 0, int(n), 2))\n    return torch.add(x, w)\n",
            {2, 4, -3, 2});
        row("a loop that ends by the data",
            "    y = x\n    n = 0\n    _0 = True\n    while _0:\n      y0 = torch.mul(y, 2)\n      n0 = torch.add(n, "
            "1)\n"
            "      if bool(torch.gt(torch.sum(y0), 20)):\n        _1 = False\n      else:\n        _1 = True\n"
            "      _0, y, n = _1, y0, n0\n    return torch.add(y, n)\n",
            {20, 36, -44, 36});
        row("a loop that writes",
            "    y = torch.clone(x)\n    for k in range(torch.size(y, 0)):\n"
            "      _0 = torch.copy_(torch.select(y, 0, k), torch.mul(torch.select(y, 0, torch.sub(k, 1)), 2))\n"
            "    return y\n",
            {-6, 4, -12, 8});
        row("two names of one tensor that a branch makes",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      y = torch.mul(x, 2)\n      z = y\n    else:\n"
            "      y = torch.neg(x)\n      z = y\n    _0 = torch.add_(z, 1)\n    return y\n",
            {3, 5, -5, 5});
        row("sizes from before another shape",
            "    y = torch.clone(x)\n    s = torch.size(y)\n    _0 = torch.unsqueeze_(y, 0)\n"
            "    return torch.mul(y, torch.len(s))\n",
            {2, 4, -6, 4});
        row("a write to an item of a list that a loop built",
            "    out = annotate(List[Tensor], [])\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      _0 = torch.append(out, torch.mul(torch.select(x, 0, 0), k))\n    a = out[1]\n"
            "    _1 = torch.add_(a, 10)\n    return torch.slice(torch.stack(out), 0, 0, 3)\n",
            {0, 0, 11, 12, 2, 4});
        row("all pieces of a tensor joined are a copy",
            "    y = torch.clone(x)\n    z = torch.cat(torch.chunk(y, 2, 1), 1)\n    w = torch.stack(torch.unbind(y), "
            "1)\n"
            "    _0 = torch.add_(z, 1)\n    _1 = torch.add_(w, 1)\n    return y\n",
            {1, 2, -3, 2});
        row("a text that differs between two branches",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      s = \"\"\n    else:\n      s = \"why\"\n"
            "    if torch.gt(torch.len(s), 0):\n      y = x\n    else:\n      y = torch.neg(x)\n    return y\n",
            {-1, -2, 3, -2});
        row("a text with computed numbers is not empty",
            "    n = torch.sum(torch.gt(x, 0))\n    if bool(torch.gt(torch.sum(x), 1)):\n      s = \"\"\n    else:\n"
            "      s = torch.add(\"n is \", str(int(n)))\n    if torch.gt(torch.len(s), 0):\n      y = x\n    else:\n"
            "      y = torch.neg(x)\n    print(s)\n    return y\n",
            {-1, -2, 3, -2});
        row("texts of constants",
            "    s = torch.join(\",\", [\"\", torch.format(\"{}{}\", 1, True), str(-2)])\n"
            "    if torch.eq(s, \",1True,-2\"):\n      y = torch.neg(x)\n    else:\n      y = x\n    return y\n",
            {-1, -2, 3, -2});
        row("a key that is given twice", "    d = {1: x, 1: torch.neg(x)}\n    return torch.mul(d[1], torch.len(d))\n",
            {-1, -2, 3, -2});
        row("an argument that is None or not",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      m = annotate(Optional[Tensor], torch.select(x, 0, 0))\n"
            "    else:\n      m = None\n    return torch.linear(x, self.w, m)\n",
            {6, 13, 2, 1});
        row("None in a branch that tests for it",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      m = annotate(Optional[Tensor], x)\n    else:\n"
            "      m = None\n    if torch.__isnot__(m, None):\n      m0 = unchecked_cast(Tensor, m)\n"
            "      n = annotate(Optional[Tensor], torch.unsqueeze(m0, 0))\n    else:\n      n = m\n"
            "    if torch.__isnot__(n, None):\n      n0 = unchecked_cast(Tensor, n)\n"
            "      y = torch.mul(x, torch.size(n0, 2))\n    else:\n      y = x\n    return y\n",
            {2, 4, -6, 4});
        row("truths in a list",
            "    l = annotate(List[bool], [])\n    _0 = torch.append(l, False)\n"
            "    _1 = torch.append(l, bool(torch.gt(torch.sum(x), 1)))\n    if torch.any(l):\n      y = torch.neg(x)\n"
            "    else:\n      y = x\n    if torch.all(l):\n      z = torch.neg(y)\n    else:\n      z = y\n"
            "    return z\n",
            {-1, -2, 3, -2});
        row("a result that is written to a tensor",
            "    y = torch.clone(x)\n    v = torch.select(y, 0, 1)\n    _0 = torch.add(v, 1, out=v)\n    return y\n",
            {1, 2, -2, 3});
        row("another shape of what was contiguous",
            "    y = torch.contiguous(torch.clone(x))\n    z = torch.contiguous(y)\n    _0 = torch.unsqueeze_(z, 0)\n"
            "    _1 = torch.add_(z, 1)\n    return z\n",
            {2, 3, -2, 3});
        row("a write to an unsafe part",
            "    y = torch.clone(x)\n    v, w, = torch.unsafe_chunk(y, 2, 1)\n    _0 = torch.add_(v, 1)\n"
            "    return torch.add(y, w)\n",
            {4, 4, 0, 4});
        row("a write to an axis that was moved",
            "    y = torch.clone(x)\n    v = torch.select(torch.movedim(y, 0, 1), 0, 1)\n    _0 = torch.zero_(v)\n"
            "    return y\n",
            {1, 0, -3, 0});
        row("a write to what has enough dimensions",
            "    y = torch.clone(x)\n    _0 = torch.add_(torch.atleast_3d(y), 1)\n    return y\n", {2, 3, -2, 3});
        row("two names of one list in each branch",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      l = [x]\n      m = l\n"
            "    else:\n      l = [torch.neg(x)]\n      m = l\n"
            "    _0 = torch.append(m, torch.mul(x, 2))\n    return torch.sum(torch.stack(l), [0])\n",
            {3, 6, -9, 6});
        row("a packed sequence",
            "    data, sizes = torch._pack_padded_sequence(torch.unsqueeze(x, 2), torch.tensor([2, 1], dtype=4), "
            "False)\n"
            "    if torch.ne(torch.dim(data), 2):\n      ops.prim.RaiseException(\"rank\")\n    else:\n      pass\n"
            "    if torch.ne(ops.prim.type(ops.prim.device(sizes)), \"cpu\"):\n"
            "      ops.prim.RaiseException(\"device\")\n    else:\n      pass\n"
            "    y, n = torch._pad_packed_sequence(data, sizes, False, 9., -1)\n"
            "    return torch.mul(torch.reshape(y, [-1]), torch.size(data, -1))\n",
            {1, 2, -3, 9});
        row("dictionaries and tuples",
            "    d = {\"a\": x, \"b\": torch.neg(x)}\n    p = (d[\"b\"], torch.len(d))\n    a, n, = p\n"
            "    return torch.mul(a, n)\n",
            {-2, -4, 6, -4});
        row("floating-point numbers are float64",
            "    f = torch.div(torch.size(x, 0), 3)\n    return torch.mul(x, torch.mul(f, 3.))\n", {2, 4, -6, 4});
        row("an exception that is not raised",
            "    if torch.ne(torch.dim(x), 2):\n      ops.prim.RaiseException(\"no matrix\")\n    else:\n      pass\n"
            "    return torch.neg(x)\n",
            {-1, -2, 3, -2}, "Neg");
        row("parts of computed sizes",
            "    n = int(torch.sum(x))\n    v = torch.flatten(torch.stack([x, x]))\n"
            "    a, b, = torch.split_with_sizes(v, [n, torch.sub(8, n)])\n    return torch.add(x, a)\n",
            {2, 4, -2, 4});
        row("as many slices of an axis of open size as the program takes",
            "    a, b, = torch.unbind(torch.nonzero(torch.gt(x, 1)))\n    return torch.add(torch.add(x, a), b)\n",
            {2, 4, -2, 4});
        row("a shape as a tensor", "    return torch.add(x, torch._shape_as_tensor(torch.neg(x)))\n", {3, 4, -1, 4});
        row("dictionaries of pairs and of dictionaries",
            "    d = torch.dict([(\"a\", x)])\n    e = torch.dict(d)\n    _0 = torch._set_item(e, \"a\", "
            "torch.neg(x))\n"
            "    f = torch.dict()\n    _1 = torch._set_item(f, \"b\", x)\n"
            "    return torch.add(torch.add(d[\"a\"], e[\"a\"]), torch.mul(f[\"b\"], 2))\n",
            {2, 4, -6, 4});
        row("groups of rows multiplied by matrices",
            "    y = ops.transformers.grouped_mm_fallback(x, torch.stack([self.w, x]), torch.tensor([1, 2]))\n"
            "    return y\n",
            {7, 10, -9, -2});
        const auto rankRow = [&](const char* name, const std::string& tensor, int rank) { // which decides a branch
            row(name,
                "    y = " + tensor + "\n    if torch.eq(torch.dim(y), " + std::to_string(rank) +
                    "):\n      z = 2.\n    else:\n      z = \"another rank\"\n    return torch.mul(x, z)\n",
                {2, 4, -6, 4});
        };
        rankRow("the rank of elements that a mask selects", "torch.index(x, [torch.gt(x, 1)])", 1);
        rankRow("the rank of rows at indices", "torch.index(x, [torch.argmax(x, 1)])", 2);
        rankRow("the rank of elements at indices of two axes",
                "torch.index(x, [torch.nonzero(x), torch.argmax(x, 1, True)])", 2);
        rankRow("the rank of an index of integers beside a kept axis", "torch.index(x, [None, torch.nonzero(x)])", 3);
        rankRow("the rank of different elements", "torch._unique2(x)[0]", 1);
        rankRow("the rank of a flattened tensor", "torch.flatten(torch.nonzero(x))", 1);
        rankRow("the rank of a tensor of numbers in lists", "torch.tensor([[int(torch.sum(x)), 1]])", 2);
        rankRow("the rank of a number as a tensor", "torch.tensor(int(torch.sum(x)))", 0);
        row("the rank of what a branch leaves",
            "    y = x\n    if bool(torch.gt(torch.sum(x), 0)):\n      y = torch.neg(x)\n    else:\n      y = "
            "torch.mul(x, 2)\n"
            "    if torch.eq(torch.dim(y), 2):\n      z = -2.\n    else:\n      z = \"another rank\"\n"
            "    return torch.mul(y, z)\n",
            {2, 4, -6, 4});
        row("the rank of what a loop appends",
            "    ys = annotate(List[Tensor], [])\n    for _0 in range(int(torch.sum(x))):\n"
            "      _1 = torch.append(ys, torch.neg(x))\n    y = torch.stack(ys)\n"
            "    if torch.eq(torch.dim(y), 3):\n      z = -1.\n    else:\n      z = \"another rank\"\n"
            "    return torch.mul(torch.sum(y, [0]), z)\n",
            {2, 4, -6, 4});
        row("the indices of each axis",
            "    y = torch.where(torch.gt(x, 1))\n    return torch.add(torch.add(x, y[0]), y[1])\n", {2, 4, -2, 4});
        row("a loop over a tensor and a list side by side",
            "    ys = [x, torch.neg(x)]\n    z = torch.mul(x, 0)\n"
            "    for i in range(ops.prim.min([torch.len(x), torch.len(ys)])):\n"
            "      z = torch.add(z, torch.mul(torch.select(x, 0, i), ys[i]))\n    return z\n",
            {4, 0, -12, 0});
        row("a list of tensors of different sizes",
            "    ys = annotate(List[Tensor], [])\n    for i in range(65):\n"
            "      _0 = torch.append(ys, torch.masked_select(x, torch.gt(x, torch.sub(i, 63))))\n"
            "    return torch.add(x, torch.sum(torch.cat(ys)))\n",
            {145, 146, 141, 146});
        const auto sizeRow = [&](const char* name, const std::string& size) { // as often as a constant of 2
            row(name, "    return torch.sum(torch.stack(torch.mul([x], " + size + ")), [0])\n", {2, 4, -6, 4});
        };
        sizeRow("the length of a weight", "torch.len(self.w)");
        sizeRow("the size of an axis of a weight", "torch.size(self.w, -1)");
        sizeRow("the size of a new tensor", "(torch.size(torch.new_full(x, [2, int(torch.sum(x))], 3)))[0]");
        sizeRow("the size of views that are joined along another axis",
                "torch.size(torch.softmax(torch.cat([torch.view(x, [-1, 2]), x]), -1), 1)");
    }
    void computes()
    {
        QFETCH(const std::string, body);
        QFETCH(const std::vector<double>, result);
        QFETCH(const QByteArray, nodes);
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(archive(body), options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        if (!nodes.isEmpty()) {
            QCOMPARE(operators(made.model.whole()), nodes);
        }
        QCOMPARE(run(made), result);
    }

    /// The same with sizes that only a run determines: branches and loops stay in the ONNX model.
    void computesWithSymbolicSizes()
    {
        ConvertOptions options;
        options.shapes["x"] = Shape{Dim("N"), Dim("M")};
        const auto made = converted(archive("    out = annotate(List[Tensor], [])\n    n = torch.size(x, 0)\n"
                                            "    s = torch.zeros([1])\n    s0 = s\n    for k in range(n):\n"
                                            "      s0 = torch.add(s0, torch.sum(torch.select(x, 0, k)))\n"
                                            "      _0 = torch.append(out, s0)\n    return torch.cat(out, 0)\n"),
                                    options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QVERIFY(operators(made.model.whole()).contains("Loop"));
        QCOMPARE(run(made), (std::vector<double>{3, 2}));
    }

    void computesWithOpenSizes_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<std::vector<double>>("result");
        const auto row = [](const char* name, const std::string& body, const std::vector<double>& result) {
            QTest::newRow(name) << body << result;
        };
        const std::string image =
            "    y = torch.unsqueeze(torch.unsqueeze(torch.constant_pad_nd(x, [0, 1], 9), 0), 0)\n";
        row("rolled", "    return torch.roll(x, [3], [0])\n", {-3, 2, 1, 2});
        row("rolled backwards", "    return torch.roll(x, [-1], [1])\n", {2, 1, 2, -3});
        row("a pool rounded up",
            image + "    z = torch.max_pool2d(y, [2, 2], [2, 2], [0, 0], [1, 1], True)\n    return torch.neg(z)\n",
            {-2, -9});
        row("resized between corners",
            image + "    z = torch.upsample_bilinear2d(y, None, True, [0.5, 1.])\n    return torch.neg(z)\n",
            {-1, -2, -9});
        row("the rank of computed sizes",
            "    y = torch.view(x, [torch.sub(torch.mul(torch.size(x, 0), 2), 2), 1, torch.size(x, 1)])\n"
            "    return torch.permute(y, [2, 1, 0])\n",
            {1, -3, 2, 2});
        row("pieces",
            "    a, b, = torch.chunk(torch.cat([x, torch.neg(x), torch.slice(x, 0, 0, 1)], 0), 2, 0)\n"
            "    return torch.cat([b, a], 0)\n",
            {3, -2, 1, 2, 1, 2, -3, 2, -1, -2});
        row("pieces of a size",
            "    a, b, = torch.split(torch.cat([x, torch.slice(x, 0, 0, 1)], 0), 2, 0)\n    return torch.cat([b, a], "
            "0)\n",
            {1, 2, 1, 2, -3, 2});
        row("equal parts",
            "    a, b, = torch.tensor_split(torch.cat([x, torch.slice(x, 0, 0, 1)], 0), 2, 0)\n"
            "    return torch.cat([b, torch.neg(a)], 0)\n",
            {1, 2, -1, -2, 3, -2});
        row("a return out of a loop",
            "    _0 = uninitialized(Tensor)\n    n = torch.size(x, 0)\n    found = False\n    r = _0\n    i = 0\n"
            "    goes = torch.gt(n, 0)\n    while goes:\n      c = torch.lt(torch.sum(torch.select(x, 0, i)), 0)\n"
            "      if bool(c):\n        g, f, s = False, True, torch.mul(x, i)\n      else:\n"
            "        g, f, s = True, False, _0\n      j = torch.add(i, 1)\n"
            "      goes, found, r, i = torch.__and__(torch.lt(j, n), g), f, s, j\n    if found:\n      y = r\n"
            "    else:\n      y = torch.neg(x)\n    return y\n",
            {1, 2, -3, 2});
        row("a return of two values out of a loop, decided by its index",
            "    _0 = uninitialized(Tuple[Tensor, int])\n    n = torch.size(x, 0)\n    found = False\n    r = _0\n"
            "    i = 0\n    goes = torch.gt(n, 0)\n    while goes:\n      if torch.gt(i, 0):\n"
            "        g, f, s = False, True, (torch.mul(x, 2), i)\n      else:\n        g, f, s = True, False, _0\n"
            "      j = torch.add(i, 1)\n"
            "      goes, found, r, i = torch.__and__(torch.lt(j, n), g), f, s, j\n    if found:\n      a, b, = r\n"
            "      y = torch.add(a, b)\n    else:\n      y = x\n    return y\n",
            {3, 5, -5, 5});
        row("bits of sizes",
            "    n = torch.size(x, 0)\n    m = torch.mul(torch.size(x, 1), -3)\n"
            "    a = torch.add(torch.__and__(m, 7), torch.__or__(n, 5))\n"
            "    b = torch.add(torch.__xor__(m, n), torch.__lshift__(n, 3))\n"
            "    return torch.add(torch.mul(x, a), torch.add(b, torch.__rshift__(m, 1)))\n",
            {14, 23, -22, 23});
        row("a quotient with its remainder, and strides",
            "    a, b, = torch.divmod(torch.neg(torch.size(x, 0)), 3)\n"
            "    return torch.add(torch.mul(x, torch.stride(x, 0)), torch.add(torch.mul(a, 10), b))\n",
            {-7, -5, -15, -5});
        row("averages of windows that overlap", "    return torch.adaptive_avg_pool1d(torch.unsqueeze(x, 0), [3])\n",
            {1, 1.5, 2, -3, -0.5, 2});
        row("the sum of sizes", "    return torch.mul(x, torch.sum([torch.size(x, 0), torch.size(x, 1), 3]))\n",
            {7, 14, -21, 14});
        row("a gate", "    return torch.glu(torch.cat([x, torch.mul(x, 0)], 0), 0)\n", {0.5, 1, -1.5, 1});
        row("an element added to the last one",
            "    return torch.put(x, torch.tensor([-1]), torch.tensor([5.]), True)\n", {1, 2, -3, 7});
        row("a part replaced", "    return torch.slice_scatter(x, torch.mul(torch.slice(x, 0, 1, 9), 2), 0, 1, 9)\n",
            {1, 2, -6, 4});
        row("elements along an axis, broadcast",
            "    return torch.take_along_dim(x, torch.to(torch.lt(torch.slice(x, 0, 0, 1), 2), 4), 0)\n", {-3, 2});
        row("counts of numbers",
            "    return torch.mul(x, torch.slice(torch.bincount(torch.to(torch.flatten(torch.abs(x)), 4), None, 2), 0, "
            "2, "
            "3))\n",
            {2, 4, -6, 4});
        row("numbers of parts of no rows",
            "    y = torch.slice(x, 0, torch.size(x, 0), 9)\n    n = torch.len(torch.split(y, 1, 0))\n"
            "    m = torch.len(torch.chunk(y, 3, 0))\n    return torch.add(torch.mul(x, n), m)\n",
            {4, 5, 0, 5});
        row("numbers of parts of a row",
            "    y = torch.slice(x, 0, 1, 9)\n    n = torch.len(torch.split(y, 2, 0))\n"
            "    m = torch.len(torch.chunk(y, 3, 0))\n    return torch.add(torch.mul(x, n), m)\n",
            {2, 3, -2, 3});
        row("limits of sizes",
            "    n = ops.prim.max(torch.size(x, 0), int(torch.sum(x)))\n"
            "    m = ops.prim.min(torch.size(x, 1), int(torch.sum(x)))\n"
            "    if torch.ge(n, torch.size(x, 0)):\n      y = torch.mul(x, m)\n    else:\n      y = x\n    return y\n",
            {2, 4, -6, 4});
        row("normalized over computed sizes", "    return torch.layer_norm(x, [torch.size(x, 1)], None, None, 0.)\n",
            {-1, 1, -1, 1});
    }
    void computesWithOpenSizes()
    {
        QFETCH(const std::string, body);
        QFETCH(const std::vector<double>, result);
        for (const int opset : {oldestOpset, 13, 17}) {
            ConvertOptions options;
            options.opset = opset;
            options.shapes["x"] = Shape{Dim("N"), Dim("M")};
            const auto made = converted(archive(body), options);
            QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
            QCOMPARE(run(made), result);
        }
    }

    /// ONNX Runtime has no LeakyRelu of doubles from opset 19 on.
    void slopesOfDoublesAreComparisons()
    {
        for (const int opset : {13, 17, 21}) {
            ConvertOptions options;
            options.opset = opset;
            options.shapes["x"] = {2, 2};
            const auto made = converted(archive("    return torch.leaky_relu(torch.to(x, 7), 0.5)\n"), options);
            QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
            QVERIFY2(!operators(made.model.whole()).contains("LeakyRelu"), operators(made.model.whole()).constData());
            QCOMPARE(run(made), (std::vector<double>{1, 2, -1.5, 2}));
        }
    }

    void computesSizesOfFixedShapes()
    {
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(archive("    n = torch.size(x, 0)\n    p = torch.remainder(torch.sub(3, n), n)\n"
                                            "    q = torch.floordiv(torch.mul(n, 4), 3)\n"
                                            "    return torch.reshape(x, [p, torch.mul(q, 2)])\n"),
                                    options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QCOMPARE(operators(made.model.whole()), QByteArray("Reshape"));
    }

    /// Programs branch on them, and count their loops by them.
    void ranksOfResultsAreConstant_data()
    {
        QTest::addColumn<std::string>("result");
        QTest::addColumn<int>("rank");
        const auto row = [](const std::string& result, int rank) { QTest::newRow(result.c_str()) << result << rank; };
        row("torch.unsqueeze(x, 0)", 3);
        row("torch.stack([x, x], 1)", 3);
        row("torch.cat([x, self.w], 0)", 2);
        row("torch.select(x, 0, 0)", 1);
        row("torch.sum(x)", 0);
        row("torch.sum(x, [0, 1])", 0);
        row("torch.sum(x, [-1], True)", 2);
        row("torch.argmax(x, 1)", 1);
        row("torch.max(x, torch.unsqueeze(x, 0))", 3);
        row("torch.matmul(x, torch.unsqueeze(self.w, 0))", 3);
        row("torch.matmul(torch.select(x, 0, 0), self.w)", 1);
        row("torch.matmul(torch.select(x, 0, 0), torch.select(x, 0, 1))", 0);
        row("torch.linear(torch.unsqueeze(x, 0), self.w)", 3);
        row("torch.permute(torch.unsqueeze(x, 0), [2, 0, 1])", 3);
        row("torch.expand(x, [3, -1, -1])", 3);
        row("torch.view(x, [1, -1, 1])", 3);
        row("torch.flatten(torch.unsqueeze(x, 0), 1)", 2);
        row("torch.unflatten(x, 1, [2, 1])", 3);
        row("torch.embedding(self.w, torch.to(torch.gt(x, 1), 4))", 3);
        row("torch.eq(x, torch.unsqueeze(self.w, 0))", 3);
        row("torch.clamp(x, torch.unsqueeze(self.w, 0))", 3);
        row("torch.masked_fill(x, torch.gt(torch.unsqueeze(self.w, 0), 2), 0.)", 3);
        row("torch.new_zeros(x, [1, 2, 3])", 3);
        row("torch.diagonal(x)", 1);
        row("torch.unfold(x, 0, 1, 1)", 3);
        row("torch.repeat(x, [1, 2, 1, 1])", 4);
        row("torch.scaled_dot_product_attention(x, x, torch.unsqueeze(self.w, 0))", 3);
        row("torch.nonzero(x)", 2);
        row("torch.repeat_interleave(torch.unsqueeze(x, 0), 2, 1)", 3);
        row("torch.unsqueeze_(torch.neg(x), 0)", 3);
        row("torch.mul_(torch.clone(x), 2)", 2);
    }
    void ranksOfResultsAreConstant()
    {
        QFETCH(const std::string, result);
        QFETCH(const int, rank);
        const std::string content = archive("    return torch.add(x, torch.dim(" + result + "))\n");
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto model = readModel({.model = m_files->write("m.pt", content), .shapes = options.shapes});
        QVERIFY(model);
        for (const Node& node : model.value().graph->nodes()) {
            QVERIFY(node.op != "aten::dim");
        }
        const double more = rank;
        QCOMPARE(run(converted(content, options)), (std::vector<double>{1 + more, 2 + more, more - 3, 2 + more}));
    }

    /// The archive does not store the ranks of inputs.
    void infersRanks_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<int>("rank");
        const auto row = [](const char* name, const std::string& body, int rank) {
            QTest::newRow(name) << body << rank;
        };
        row("of a fully connected layer", "    return torch.relu(torch.linear(x, self.w))\n", 2);
        row("of unpacked sizes", "    a, b, c, = torch.size(torch.neg(x))\n    return torch.reshape(x, [a, -1])\n", 3);
        row("of an operand of a known result",
            "    y = torch.add(torch.select(x, 1, 0), self.w)\n    return torch.transpose(torch.cat([y, self.w]), 0, "
            "1)\n",
            -1);
        row("of a part of a matrix", "    return torch.cat([torch.select(x, 2, 0), self.w], 0)\n", 3);
        row("in a loop",
            "    s = self.w\n    for k in range(torch.size(x, 0)):\n"
            "      s = torch.cat([torch.select(x, 0, k), self.w], 0)\n    return s\n",
            3);
        row("of indices that are expanded",
            "    v, k, = torch.topk(x, 1, 1)\n    return torch.gather(self.w, 1, torch.expand(k, [-1, 1]))\n", 2);
        row("that alone leads through the program",
            "    if torch.eq(torch.dim(x), 2):\n      y = torch.unsqueeze(x, 0)\n    else:\n"
            "      if torch.eq(torch.dim(x), 3):\n        y = x\n      else:\n"
            "        ops.prim.RaiseException(\"two or three\")\n        y = x\n"
            "    return torch.add(torch.matmul(y, self.w), torch.select(x, 2, 0))\n",
            3);
        row("of branches by the rank",
            "    if torch.eq(torch.dim(x), 3):\n      y = torch.adaptive_avg_pool1d(x, [1])\n    else:\n"
            "      if torch.eq(torch.dim(x), 4):\n        y = torch.max_pool2d(x, [2, 2], [1, 1], [0, 0], [1, 1], "
            "False)\n"
            "      else:\n        ops.prim.RaiseException(\"three or four\")\n        y = x\n"
            "    return torch.conv2d(y, torch.view(self.w, [1, 1, 2, 2]), None, [1, 1], [0, 0], [1, 1], 1)\n",
            4);
        row("of both inputs of branches",
            "    k = torch.view(self.w, [1, 1, 2, 2])\n    if bool(torch.gt(torch.sum(x), 1)):\n"
            "      y = torch.conv2d(x, k, None, [1, 1], [0, 0], [1, 1], 1)\n    else:\n      y = torch.relu(x)\n"
            "    return torch.neg(y)\n",
            4);
        row("that counts a loop",
            "    s = annotate(List[float], [])\n    for _0 in range(torch.sub(torch.dim(x), 2)):\n"
            "      _1 = torch.append(s, 2.)\n    y = torch.upsample_nearest2d(torch.cat([x, x], 1), None, s)\n"
            "    return torch.neg(y)\n",
            4);
        row("of a function of single elements", "    return torch.add(x, torch.neg(x))\n", -1);
    }
    void infersRanks()
    {
        QFETCH(const std::string, body);
        QFETCH(const int, rank);
        const auto made = converted(archive(body), {});
        if (rank < 0) {
            QVERIFY(made.hasErrors());
            QCOMPARE(made.problems[0].message, std::string("the shape of x is unknown"));
            return;
        }
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QCOMPARE(made.model.whole().proto->graph().input(0).type().tensor_type().shape().dim_size(), rank);
    }

    /// Nor does it store their types.
    void infersTypes_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<ElementType>("type");
        const auto row = [](const char* name, const std::string& body, ElementType type) {
            QTest::newRow(name) << body << type;
        };
        row("of indices", "    return torch.embedding(self.w, x)\n", ElementType::Int64);
        row("of rearranged indices",
            "    y = torch.contiguous(torch.transpose(x, 0, 1))\n    return torch.embedding(self.w, torch.slice(y, "
            "1))\n",
            ElementType::Int64);
        row("of a mask", "    return torch.masked_fill(self.w, x, 0)\n", ElementType::Bool);
        row("of no operator", "    return torch.add(self.w, x)\n", ElementType::Undefined);
        row("of operators that contradict each other",
            "    y = torch.embedding(self.w, x)\n    return torch.masked_fill(y, x, 0)\n", ElementType::Undefined);
        row("of a converted mask", "    return torch.masked_fill(self.w, torch.to(x, 11), 0)\n",
            ElementType::Undefined);
    }
    void infersTypes()
    {
        QFETCH(const std::string, body);
        QFETCH(const ElementType, type);
        const auto model = read(archive(body));
        QVERIFY(model);
        const Graph& graph = *model.value().graph;
        QCOMPARE(graph.value(graph.inputs[0]).type.element, type);
    }

    /// The sizes of an input that the user leaves open.
    void keepsAxesOfUnknownSize()
    {
        ConvertOptions options;
        options.shapes["x"] = {Dim("N"), 1, 2};
        const auto all = converted(archive("    return torch.squeeze(x)\n"), options);
        QVERIFY(!all.hasErrors());
        QCOMPARE(all.problems.size(), std::size_t{1});
        QCOMPARE(all.problems[0].code, Code("assumed-shape"));
        QCOMPARE(all.model.whole().proto->graph().output(0).type().tensor_type().shape().dim_size(), 2);
        const auto one = converted(archive("    return torch.squeeze(x, 0)\n"), options);
        QVERIFY(one.hasErrors());
    }

    /// Views of conj() and of the imaginary part of one negate what they read of their storage.
    void readsNegatedTensors_data()
    {
        QTest::addColumn<std::string>("storage");
        QTest::addColumn<std::string>("mark");
        QTest::addColumn<std::string>("body");
        QTest::addColumn<std::vector<double>>("result");
        const std::string parts = "    z = torch.view_as_real(self.c)\n    return torch.mul(x, z)\n";
        QTest::newRow("conjugate") << "ComplexFloatStorage"s
                                   << "conj"s << parts << std::vector<double>{5, -12, -15, -12};
        QTest::newRow("negative") << "ComplexFloatStorage"s
                                  << "neg"s << parts << std::vector<double>{-5, -12, 15, -12};
        QTest::newRow("of real numbers") << "FloatStorage"s
                                         << "neg"s
                                         << "    return torch.mul(x, self.c)\n"s
                                         << std::vector<double>{-5, -10, 15, -10};
    }
    void readsNegatedTensors()
    {
        QFETCH(const std::string, storage);
        QFETCH(const std::string, mark);
        QFETCH(const std::string, body);
        QFETCH(const std::vector<double>, result);
        const std::string metadata = "ctorch.jit._pickle\nrestore_type_tag\n}(" + pickledText(mark) + "\x88u" +
                                     pickledText("Dict[str, bool]") + "\x86R";
        const std::string content =
            zipFile({{"m/data.pkl", "\x80\x02" + "c__torch__\nModel\n)\x81}("s + pickledText("c") +
                                        pickledTensor(storage, "0", false, false, metadata) + "ub."},
                     {"m/code/__torch__.py", "class Model(Module):\n  __buffers__ = [\"c\", ]\n  c : Tensor\n"
                                             "  def forward(self: __torch__.Model,\n    x: Tensor) -> Tensor:\n" +
                                                 body},
                     {"m/data/0", bytesOf<float>({5, 6})},
                     {"m/version", "3\n"}});
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(content, options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QCOMPARE(run(made), result);
    }

    /// Every run scales the rows alike.
    void limitedRowsAreNoState()
    {
        ConvertOptions options;
        options.shapes["x"] = {2};
        const auto made = converted(archive("    _0 = torch.embedding_renorm_(torch.detach(self.w), x, 1., 2.)\n"
                                            "    return torch.embedding(self.w, x)\n"),
                                    options);
        QVERIFY2(made.problems.empty(), made.problems.empty() ? "" : made.problems[0].message.c_str());
    }

    void writtenAttributesAreStates()
    {
        const auto model =
            read(archive("    _0 = torch.add_(self.w, 1)\n    self.size = 4\n    return torch.mul(x, self.w)\n"));
        QVERIFY(model);
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto alone = convert(*model.value().graph, options);
        QVERIFY(alone && !alone.value().hasErrors());
        QCOMPARE(alone.value().problems.size(), std::size_t{2}); // w and size
        QCOMPARE(alone.value().problems[0].code, Code("state-not-exported"));
        options.outputs = {"output_0", "w"};
        const auto made = convert(*model.value().graph, options);
        QVERIFY(made && !made.value().hasErrors());
        QCOMPARE(made.value().states, (std::map<std::string, std::string>{{"w", "w/next"}}));
    }

    void nodesHaveThePlaceInTheirProgram_data()
    {
        QTest::addColumn<std::string>("ranges");
        const auto number = [](int value) { return "K"s + static_cast<char>(value); };
        // In a text of lines that begins at line 10, from its character 13 on; after the offset of the call.
        QTest::newRow("texts in place") << "\x80\x02(" + number(0) + "((" + pickledText("def f(x):\n    return -x\n") +
                                               pickledText("net.py") + number(10) + "t" + number(13) + number(20) +
                                               "tt.";
        QTest::newRow("a table of texts") << "\x80\x02(" + pickledText("FORMAT_WITH_STRING_TABLE") + "(" +
                                                 pickledText("") + pickledText("def f(x):\n") +
                                                 pickledText("    return -x\n") + pickledText("net.py") + "t((" +
                                                 number(0) + "(((" + number(1) + number(2) + "t" + number(3) +
                                                 number(10) + "t" + number(13) + number(20) + "t" + number(1) + "ttt.";
        QTest::newRow("the calls of a trace")
            << "\x80\x02(" + number(0) + "((" +
                   pickledText("/v/site-packages/torch/nn/f.py(3): f\nnet.py(11): forward\n") + "N" + number(0) + "t" +
                   number(0) + number(9) + "tt.";
    }
    void nodesHaveThePlaceInTheirProgram()
    {
        QFETCH(std::string, ranges);
        if (ranges.find("TABLE") == std::string::npos) { // a tuple of one range
            ranges.insert(2, "(");
            ranges.insert(ranges.size() - 1, "t");
        }
        const auto model = read(zipFile(
            {{"m/data.pkl", "\x80\x02" + "c__torch__\nModel\n)\x81}("s + pickledText("training") + "\x89" + "ub."},
             {"m/code/__torch__.py",
              "class Model(Module):\n  training : bool\n  def forward(self: __torch__.Model,\n    x: "
              "Tensor) -> Tensor:\n    return torch.neg(x)\n"},
             {"m/code/__torch__.py.debug_pkl", ranges},
             {"m/version", "3\n"}}));
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto* location = attributeOf<std::string>(model.value().graph->node(NodeId{0}), sourceLocationAttribute);
        QVERIFY(location != nullptr);
        QCOMPARE(*location, std::string("net.py:11"));
    }

    void takesTheMeaningOfItsVersion()
    {
        const std::string body = "    k = torch.to(x, 4)\n    return torch.to(torch.div(k, 2), 6)\n";
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        QCOMPARE(run(converted(archive(body, "x: Tensor", 3), options)), (std::vector<double>{0, 1, -1, 1}));
        QCOMPARE(run(converted(archive(body, "x: Tensor", 4), options)), (std::vector<double>{0.5, 1, -1.5, 1}));
    }

    void refuses_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& body, const QString& message) {
            QTest::newRow(name) << body << message;
        };
        row("an axis that is reduced twice", "    return torch.sum(x, [1, -1])\n", "dim has an axis twice");
        row("a normalized shape that is not the input's", "    return torch.layer_norm(x, [3], None, None)\n",
            "normalized_shape is 3, but must be 2");
        row("a weight that is not of the normalized shape", "    return torch.layer_norm(x, [2], self.w, None)\n",
            "weight is 2x2, but must be 2");
        row("channels that the groups do not divide", "    return torch.group_norm(x, 3)\n", "3 groups do not divide");
        row("a part that is longer than the axis", "    return torch.narrow(x, 1, 1, 2)\n",
            "2 elements from 1 of an axis of 2");
        row("more parts than the program takes", "    y, = torch.unbind(x, 0)\n    return y\n",
            "it returns 2 parts, but the program takes 1");
        row("fewer parts than the program takes",
            "    a, b, c, = torch.split(x, 1, 0)\n    return torch.add(a, torch.add(b, c))\n",
            "it returns 2 parts, but the program takes 3");
        row("indices of an input whose type is not given",
            "    _0 = annotate(List[Optional[Tensor]], [x])\n    return torch.index(self.w, _0)\n",
            "an index is float32, but must be int64, int32, bool or uint8");
        row("a write at indices whose type is not given",
            "    _0 = annotate(List[Optional[Tensor]], [x])\n"
            "    return torch.index_put(self.w, _0, torch.tensor(0.))\n",
            "an index is float32");
        row("an unknown reduction", "    return torch.mse_loss(x, x, 3)\n", "reduction is 3");
        row("a tensor that may share memory",
            "    y = torch.clone(x)\n    v = torch.contiguous(torch.t(y))\n    _0 = torch.add_(v, 1)\n"
            "    return torch.neg(y)\n",
            "may share its memory");
        row("a tensor that may have the type of the other",
            "    y = torch.clone(x)\n    _0 = torch.add_(torch.type_as(y, x), 1)\n    return torch.neg(y)\n",
            "may share its memory");
        row("a tensor that may have the other size",
            "    y = torch.clone(x)\n    _0 = torch.add_(torch.sum_to_size(y, [2, 2]), 1)\n    return torch.neg(y)\n",
            "may share its memory");
        row("a tensor whose conjugate may be itself",
            "    y = torch.clone(x)\n    _0 = torch.add_(torch.conj_physical(y), 1)\n    return torch.neg(y)\n",
            "may share its memory");
        row("an alias of a tensor whose shape is changed",
            "    y = torch.clone(x)\n    v = torch.contiguous(y)\n    _0 = torch.unsqueeze_(y, 0)\n"
            "    return torch.neg(v)\n",
            "may be an alias of one whose shape is changed in place");
        row("a tensor of which the shape of an alias is changed",
            "    y = torch.clone(x)\n    v = torch.dropout(y, 0.5, False)\n    w = torch.type_as(v, x)\n"
            "    _0 = torch.t_(w)\n    return torch.neg(y)\n",
            "may be an alias of one whose shape is changed in place");
        row("a reshaped tensor that may be a copy",
            "    y = torch.add(torch.t(x), 1)\n    v = torch.reshape(y, [4])\n    _0 = torch.add_(v, 1)\n"
            "    return torch.neg(y)\n",
            "may share its memory");
        row("an operand that einsum may return a view of",
            "    y = torch.clone(x)\n    _0 = torch.add_(torch.einsum(\"ij->ji\", [y]), 1)\n    return torch.neg(y)\n",
            "may share its memory");
        row("a tensor that may have the size of the others",
            "    y = torch.clone(x)\n    v, w, = torch.broadcast_tensors([y, x])\n    _0 = torch.add_(v, 1)\n"
            "    return torch.neg(y)\n",
            "may share its memory");
        row("a list that is another one in a branch",
            "    l = [x]\n    if bool(torch.gt(torch.sum(x), 1)):\n      m = l\n    else:\n      m = [torch.neg(x)]\n"
            "    _0 = torch.append(m, x)\n    return torch.stack(l)\n",
            "may be the same as one that is changed");
        row("a list that gets two names in a loop",
            "    l = [x]\n    m = [x]\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      n = [torch.mul(x, k)]\n      l, m = n, n\n    _0 = torch.append(m, x)\n    return torch.stack(l)\n",
            "a loop changes a list that has several names");
        row("a list of two names that the first step of a loop changes",
            "    l = [x]\n    m = l\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      _0 = torch._set_item(l, 0, torch.neg(x))\n      l = [torch.mul(x, k)]\n"
            "    return torch.add(l[0], m[0])\n",
            "a loop changes a list that has several names");
        row("a weight after a write to another one of its storage",
            "    _0 = torch.add_(self.w, 1)\n    return torch.add(x, self.t)\n", "may share its memory");
        row("the first weight of a storage after a write to another one",
            "    _0 = torch.add_(self.t, 1)\n    return torch.add(x, self.w)\n", "may share its memory");
        row("a view that a branch makes, after a write to its base",
            "    if bool(torch.gt(torch.sum(x), 1)):\n      y = torch.mul(x, 2)\n      v = torch.select(y, 0, 0)\n"
            "    else:\n      y = torch.neg(x)\n      v = torch.select(y, 0, 1)\n    _0 = torch.add_(y, 1)\n    return "
            "v\n",
            "may share its memory");
        row("values of a loop that share memory, after a write",
            "    y = torch.mul(x, 2)\n    z = torch.mul(x, 3)\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      y0 = torch.add(y, 1)\n      y, z = y0, y0\n    _0 = torch.add_(z, 1)\n    return y\n",
            "may share its memory");
        row("a loop that appends what it writes to later",
            "    y = torch.clone(x)\n    out = annotate(List[Tensor], [])\n"
            "    for k in range(int(torch.sum(torch.abs(x)))):\n      _0 = torch.add_(y, 1)\n"
            "      _1 = torch.append(out, y)\n    return torch.stack(out)\n",
            "writes to tensors that may share their memory");
        row("an item behind those of a loop",
            "    out = annotate(List[Tensor], [])\n    for k in range(int(torch.sum(torch.abs(x)))):\n"
            "      _0 = torch.append(out, torch.mul(x, k))\n    _1 = torch.extend(out, [x])\n    return "
            "torch.stack(out)\n",
            "after the loop that built it");
        row("a write by strides to a part of a tensor",
            "    y = torch.mul(x, 2)\n    v = torch.as_strided(torch.select(y, 0, 1), [2], [1], 2)\n"
            "    _0 = torch.add_(v, 1)\n    return y\n",
            "a tensor that is not in new memory");
        row("a write by strides to one element twice",
            "    y = torch.mul(x, 2)\n    _0 = torch.add_(torch.as_strided(y, [2, 2], [1, 1]), 1)\n    return y\n",
            "at one place in memory");
        row("the order of a transposed tensor",
            "    if torch.is_contiguous(torch.t(x)):\n      x = torch.neg(x)\n    return x\n",
            "in memory is not known");
        row("a sorted list of computed numbers",
            "    l = [torch.size(x, 0), int(torch.sum(x))]\n    torch.sort(l)\n    return torch.mul(x, l[0])\n",
            "a list is sorted whose items the model computes");
        row("a search for a computed number",
            "    l = [3, int(torch.sum(x))]\n    return torch.mul(x, torch.index(l, 2))\n", "is searched in a list");
        row("an operator of another library", "    return ops.mylib.strange(x)\n",
            "operator mylib::strange is not part of PyTorch");
        row("a quantized operator that is not supported", "    return ops.quantized.embedding_4bit(x, x)\n",
            "operator quantized::embedding_4bit is not supported");
        row("a list that doubles",
            "    l = [1]\n    for i in range(60):\n      l = torch.add(l, l)\n    return torch.mul(x, torch.len(l))\n",
            "a list has too many items");
        const std::string chosen = "    if bool(torch.gt(torch.sum(x), 1)):\n      s = \"a\"\n    else:\n      s = "
                                   "\"b\"\n";
        const std::string counted = "    n = int(torch.sum(torch.gt(x, 0)))\n";
        const QString text = QStringLiteral("a text is used that the model chooses or computes");
        row("a text that a branch chooses",
            chosen + "    if torch.eq(s, \"a\"):\n      x = torch.neg(x)\n    return x\n", text);
        row("a text that a branch chooses, in a list",
            chosen + "    if torch.__contains__([\"a\"], s):\n      x = torch.neg(x)\n    return x\n", text);
        row("a text with a computed number",
            counted + "    if torch.eq(torch.format(\"{}\", n), \"3\"):\n      x = torch.neg(x)\n    return x\n", text);
        row("the length of a text with a computed number", counted + "    return torch.mul(x, torch.len(str(n)))\n",
            "the length of a text is used");
        row("a computed key", counted + "    d = {3: x, 2: torch.neg(x)}\n    return d[n]\n",
            "a key of a dictionary is computed");
        row("a computed key beside others", counted + "    d = {n: x, 2: torch.neg(x)}\n    return d[2]\n",
            "a key of a dictionary is computed");
        row("compared dictionaries", "    if torch.eq({1: 2}, {1: 2}):\n      x = torch.neg(x)\n    return x\n",
            "values of type Dict are compared");
        row("a branch in a branch without other results",
            "    y = torch.neg(x)\n    if bool(torch.gt(torch.sum(x), 1)):\n      if bool(torch.gt(torch.sum(x), 2)):\n"
            "        a = torch.linalg_pinv(y)\n      else:\n        a = y\n      b = a\n    else:\n      b = y\n"
            "    return b\n",
            "a branch has no form in ONNX: operator aten::linalg_pinv is not supported");
        row("a branch in a loop without other results",
            "    y = torch.neg(x)\n    for i in range(int(torch.sum(x))):\n      if torch.eq(i, 1):\n"
            "        _0 = torch.resize_(y, [4, 1])\n      else:\n        pass\n    return torch.mul(y, 2)\n",
            "a branch has no form in ONNX: operator aten::resize_ is not supported");
        row("a branch that adds an axis in place",
            "    y = torch.neg(x)\n    if bool(torch.gt(torch.sum(x), 1)):\n      _0 = torch.unsqueeze_(y, 0)\n"
            "    else:\n      pass\n    return torch.add(torch.view(torch.view(y, [-1]), [2, 2]), torch.dim(y))\n",
            "the rank of an input, which is unknown");
        row("a branch that adds an axis to a view",
            "    y = torch.t(torch.neg(x))\n    if bool(torch.gt(torch.sum(x), 1)):\n      _0 = torch.unsqueeze_(y, "
            "0)\n"
            "    else:\n      pass\n    return torch.add(torch.view(torch.reshape(y, [-1]), [2, 2]), torch.dim(y))\n",
            "changes the shape of tensor neg in place");
        row("a loop that transposes a tensor of which it returns a part",
            "    y = torch.neg(x)\n    v = y\n    for i in range(int(torch.sum(x))):\n"
            "      v = torch.select(y, 0, 0)\n      _0 = torch.t_(y)\n    _1 = torch.mul_(v, 2)\n    return y\n",
            "changes the shape of tensor neg in place");
        row("a copy that is none if a branch keeps the order of the elements",
            "    y = torch.neg(x)\n    if bool(torch.gt(torch.sum(x), 1)):\n      _0 = torch.t_(y)\n    else:\n"
            "      pass\n    _1 = torch.add_(torch.contiguous(y), 1)\n    return torch.add(x, torch.view(y, [2, 2]))\n",
            "may share its memory");
        row("a loop that adds axes to a view",
            "    y = torch.t(torch.neg(x))\n    for i in range(int(torch.sum(x))):\n      _0 = torch.unsqueeze_(y, 0)\n"
            "    return torch.add(torch.view(torch.reshape(y, [-1]), [2, 2]), torch.dim(y))\n",
            "changes the shape of tensor neg in place");
        row("a function of numbers without a form", "    return torch.mul(x, torch.lgamma(torch.item(torch.sum(x))))\n",
            "aten::lgamma is not supported for numbers that the model computes");
        row("the memory of what keeps the order of its operand",
            "    return torch.as_strided(torch.add(torch.t(x), 1), [2, 2], [2, 1], 0)\n",
            "may have another order there");
        row("the memory of a part from an unknown start",
            "    return torch.as_strided(torch.select(x, 0, 1), [2, 2], [1, 1])\n", "may have another order there");
        row("a text that triples",
            "    s = \"abc\"\n    for i in range(40):\n      s = torch.join(s, [s, s])\n"
            "    return torch.mul(x, torch.len(s))\n",
            "a text is too long");
        row("a step that has no negative number",
            "    return torch.mul(x, torch.__range_length(int(torch.sum(x)), 0, -9223372036854775808))\n",
            "the step of a range is zero, too large or not constant");
        row("a zero point beyond 64 bits", "    return torch.dequantize(torch.quantize_per_tensor(x, 0.5, 1e30, 13))\n",
            "a zero point of a quantized tensor is beyond 64 bits");
        row("parts of a number", "    return torch.unbind(2, 0)\n",
            "the first argument of aten::unbind is not a tensor");
        row("an exception that is raised",
            "    if torch.eq(torch.dim(x), 2):\n      ops.prim.RaiseException(\"no vector\")\n    else:\n"
            "      pass\n    return x\n",
            "raises an exception for these inputs: no vector");
    }
    void refuses()
    {
        QFETCH(const std::string, body);
        QFETCH(const QString, message);
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(archive(body), options);
        QVERIFY(made.hasErrors());
        const QString given = QString::fromStdString(made.problems[0].message);
        QVERIFY2(given.contains(message), qPrintable(given));
    }

    /// Unless it is disabled, autocast computes in lower precision.
    void refusesAutocast_data()
    {
        QTest::addColumn<std::string>("isEnabled");
        QTest::addColumn<bool>("isRefused");
        QTest::newRow("enabled") << "True"s << true;
        QTest::newRow("disabled") << "False"s << false;
    }
    void refusesAutocast()
    {
        QFETCH(const std::string, isEnabled);
        QFETCH(const bool, isRefused);
        const std::string name = "__torch__.torch.amp.autocast_mode.autocast";
        const ZipPart code{"m/code/__torch__/torch/amp/autocast_mode.py",
                           "class autocast:\n  _enabled : bool\n  def __init__(self: " + name +
                               ",\n    enabled: bool=True) -> NoneType:\n    self._enabled = enabled\n    return "
                               "None\n"};
        const std::string body = "    _0 = " + name + ".__new__(" + name + ")\n    _1 = (_0).__init__(" + isEnabled +
                                 ", )\n    with _0:\n      y = torch.matmul(x, self.w)\n    return y\n";
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(archive(body, "x: Tensor", 3, code), options);
        QCOMPARE(made.hasErrors(), isRefused);
        if (isRefused) {
            QVERIFY(made.problems[0].message.find("autocast") != std::string::npos);
        } else {
            QCOMPARE(run(made), (std::vector<double>{7, 10, 3, 2}));
        }
    }

    void refusesManySteps()
    {
        const auto path =
            m_files->write("m.pt", archive("    n = 0\n    for i in range(60):\n      for j in range(60):\n"
                                           "        for k in range(60):\n          n = torch.add(n, 1)\n"
                                           "    return torch.mul(x, n)\n"));
        const auto refused = readModel({.model = path});
        QVERIFY(!refused);
        QCOMPARE(refused.problem().code, Code("large-file"));
        const auto model = readModel({.model = path, .allowLarge = true});
        QVERIFY(model);
        QCOMPARE(model.value().graph->node(NodeId{0}).op, std::string("aten::mul"));
    }

    void refusesOtherShapesThanThoseItWasReadFor()
    {
        const auto model = readModel(
            {.model = m_files->write("m.pt", archive("    return torch.unbind(x, 0)\n")), .shapes = {{"x", {2, 2}}}});
        QVERIFY(model);
        QCOMPARE(model.value().graph->outputs.size(), std::size_t{2});
        ConvertOptions options;
        options.shapes["x"] = {2, 3};
        QVERIFY(!convert(*model.value().graph, options).value().hasErrors());
        options.shapes["x"] = {3, 2};
        QVERIFY(convert(*model.value().graph, options).value().hasErrors());
        options.shapes["x"] = Shape{Dim("N"), Dim(2)};
        QVERIFY(convert(*model.value().graph, options).value().hasErrors());
    }

    /// Archives of 1.1 store attributes that are neither parameters nor buffers apart.
    /// A class with __setstate__ stores what that takes: here a tuple of a weight and a number.
    void restoresStates()
    {
        const std::string code =
            "class Model(Module):\n  w : Tensor\n  n : int\n"
            "  def __setstate__(self: __torch__.Model,\n    state: Tuple[Tensor, int]) -> NoneType:\n"
            "    self.w = (state)[0]\n    self.n = torch.mul((state)[1], 2)\n    return None\n"
            "  def forward(self: __torch__.Model,\n    x: Tensor) -> Tensor:\n"
            "    return torch.mul(torch.add(x, self.w), self.n)\n";
        const std::string data =
            "\x80\x02" + "c__torch__\nModel\n)\x81("s + pickledTensor("FloatStorage", "0", true) + "K\x05tb.";
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(archiveOf(code, data, bytesOf<float>({1, 2, 3, 4})), options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QCOMPARE(run(made), (std::vector<double>{20, 40, 0, 60}));
    }

    /// Packed weights of one dimension are stored with two.
    void quantizedConvolutionsHaveTheDimensionsOfTheirNames()
    {
        const std::string code =
            "class Model(Module):\n  p : __torch__.torch.classes.quantized.Conv2dPackedParamsBase\n"
            "  def forward(self: __torch__.Model,\n    x: Tensor) -> Tensor:\n"
            "    q = torch.quantize_per_tensor(torch.view(x, [2, 2, 1]), 1., 8, 13)\n"
            "    return torch.dequantize(ops.quantized.conv1d(q, self.p, 1., 9))\n";
        const std::string settings = "ctorch._utils\n_rebuild_tensor_v2\n" +
                                     storedPart("ShortStorage", "1", "(K\x0bt(K\x01t") +
                                     "\x89"
                                     "ccollections\nOrderedDict\n)RtR";
        const std::string weight = "ctorch._utils\n_rebuild_qtensor\n" +
                                   storedPart("QInt8Storage", "0", "(K\x02K\x02K\x01K\x01t(K\x02K\x01K\x01K\x01t") +
                                   "(ctorch\nper_tensor_affine\nG\x3f\xf0\0\0\0\0\0\0K\0t\x89"s +
                                   "ccollections\nOrderedDict\n)RtR";
        const std::string data = "\x80\x02" + "c__torch__\nModel\n)\x81}("s + pickledText("p") +
                                 "c__torch__.torch.classes.quantized\nConv2dPackedParamsBase\n)\x81(" +
                                 pickledText("2") + "](" + settings + weight + "e](Netb" + "ub.";
        QVERIFY(!data.empty());
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(archiveOf(code, data, bytesOf<std::int8_t>({1, 2, 3, 4}),
                                              bytesOf<std::int16_t>({2, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0})),
                                    options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QCOMPARE(run(made), (std::vector<double>{5, 11, 1, -1}));
    }

    /// Each row of a table has a scale and a zero point, which is no integer.
    void looksUpRowsOfQuantizedTables()
    {
        const std::string code =
            "class Model(Module):\n  p : __torch__.torch.classes.quantized.EmbeddingPackedParamsBase\n"
            "  def forward(self: __torch__.Model,\n    x: Tensor) -> Tensor:\n"
            "    i = torch.to(torch.gt(x, 1), 4)\n    y = ops.quantized.embedding_byte(self.p, torch.select(i, 0, 0))\n"
            "    z = ops.quantized.embedding_bag_byte(self.p, torch.select(i, 0, 0), torch.zeros([1], dtype=4))\n"
            "    return torch.cat([y, z], 0)\n";
        const std::string end = "\x89"
                                "ccollections\nOrderedDict\n)RtR";
        const auto vector = [&](char offset) {
            return "ctorch._utils\n_rebuild_tensor_v2\n" + storedPart("FloatStorage", "1", "(K\x02t(K\x01t", offset) +
                   end;
        };
        const std::string weight =
            "ctorch._utils\n_rebuild_qtensor\n" + storedPart("QUInt8Storage", "0", "(K\x02K\x02t(K\x02K\x01t") +
            "(ctorch\nper_channel_affine_float_qparams\n" + vector(0) + vector(2) + "K\0t"s + end;
        const std::string data = "\x80\x02" + "c__torch__\nModel\n)\x81}("s + pickledText("p") +
                                 "c__torch__.torch.classes.quantized\nEmbeddingPackedParamsBase\n)\x81(K\x01](" +
                                 weight + "e](e](etb" + "ub.";
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        const auto made = converted(
            archiveOf(code, data, bytesOf<std::uint8_t>({1, 2, 3, 4}), bytesOf<float>({1, 2, 0.5, -1.5})), options);
        QVERIFY2(!made.hasErrors(), made.problems.empty() ? "" : made.problems[0].message.c_str());
        QCOMPARE(run(made), (std::vector<double>{0.5, 1.5, 9, 11, 9.5, 12.5}));
    }

    void readsAttributesOfOldArchives()
    {
        const std::string json =
            R"({"mainModule": {"torchscriptArena": {"key": "code/m.py"}, "name": "m", "attributes": [)"
            R"({"type": "Tensor", "name": "w", "id": "1"}, {"type": "int", "name": "k", "id": "0"}]}, )"
            R"("tensors": [{"dims": ["2", "2"], "offset": "0", "strides": ["1", "2"], "dataType": "FLOAT", )"
            R"("data": {"key": "tensors/0"}}]})";
        const std::string attributes = "\x80\x02(K\x03" + "ctorch.jit._pickle\nbuild_tensor_from_id\n(K\0tRt."s;
        const std::string content =
            zipFile({{"m/version", "1\n"},
                     {"m/model.json", json},
                     {"m/attributes.pkl", attributes},
                     {"m/tensors/0", bytesOf<float>({1, 2, 3, 4})},
                     {"m/code/m.py", "op_version_set = 0\ndef forward(self,\n    x: Tensor) -> Tensor:\n"
                                     "  return torch.mul(torch.add(x, self.w, alpha=1), self.k)\n"}});
        ConvertOptions options;
        options.shapes["x"] = {2, 2};
        QCOMPARE(run(converted(content, options)), (std::vector<double>{6, 15, -3, 18}));
    }

    void namesInputsAndOutputs()
    {
        const auto model = read(archive("    return {\"sum\": torch.add(x, p[0]), \"n\": torch.mul(p[1], n)}\n",
                                        "x: Tensor, p: Tuple[Tensor, Tensor], n: int, y: Optional[Tensor]=None"));
        QVERIFY(model);
        const Graph& graph = *model.value().graph;
        std::vector<std::string> names;
        for (const ValueId id : graph.inputs) {
            names.push_back(graph.value(id).name);
        }
        for (const ValueId id : graph.outputs) {
            names.push_back(graph.value(id).name);
        }
        QCOMPARE(names, (std::vector<std::string>{"x", "p_0", "p_1", "n", "sum", "n"}));
        QCOMPARE(graph.value(graph.inputs[3]).type.element, ElementType::Int64);
    }

    void methodsAreSignatures()
    {
        const auto path = m_files->write(
            "m.pt", archive("    return torch.neg(x)\n"
                            "  def double(self: __torch__.Model,\n    y: Tensor,\n    k: int) -> Tuple[Tensor, int]:\n"
                            "    return (torch.mul(y, 2), k)\n"
                            "  def _helper(self: __torch__.Model,\n    y: Tensor) -> Tensor:\n    return y\n"));
        const auto model = readModel({.model = path, .signature = "double"});
        QVERIFY(model);
        const auto& signatures = model.value().signatures;
        QCOMPARE(signatures.size(), std::size_t{2});
        QCOMPARE(signatures[0].name, std::string("double"));
        QVERIFY(signatures[0].isUsed && !signatures[1].isUsed);
        QCOMPARE(signatures[0].inputs, (std::vector<std::string>{"y", "k"}));
        QCOMPARE(signatures[0].outputs, (std::vector<std::string>{"output_0", "output_1"}));
        QCOMPARE(signatures[1].inputs, (std::vector<std::string>{"x"}));
        QCOMPARE(signatures[1].outputs, (std::vector<std::string>{"output_0"}));
        const auto byDefault = readModel({.model = path});
        QVERIFY(byDefault && byDefault.value().signatures[1].isUsed);
        const auto unknown = readModel({.model = path, .signature = "_helper"});
        QVERIFY(!unknown);
        QCOMPARE(unknown.problem().code, Code("unknown-signature"));
        QCOMPARE(unknown.problem().hint, std::string("its signatures are double, forward"));
    }

    void locatesErrorsInTheCode_data()
    {
        QTest::addColumn<std::string>("body");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& body, const QString& message) {
            QTest::newRow(name) << body << message;
        };
        row("an expression", "    return torch.add(x, )\n    y = ]\n", "__torch__.py:10:9: ");
        row("an unknown name", "    return torch.add(z, 1)\n", "__torch__.py:9:22: z is not defined");
        row("an open string", "    y = \"abc\n", "__torch__.py:9:13: a string does not end");
        row("deep nesting", "    y = " + std::string(1000, '[') + "\n", "nested too deeply");
    }
    void locatesErrorsInTheCode()
    {
        QFETCH(const std::string, body);
        QFETCH(const QString, message);
        const auto model = read(archive(body));
        QVERIFY(!model);
        QCOMPARE(model.problem().code, Code("damaged"));
        const QString given = QString::fromStdString(model.problem().message);
        QVERIFY2(given.contains(message), qPrintable(given));
    }

    void refusesNewerArchives()
    {
        const auto model = read(archive("    return x\n", "x: Tensor", 99));
        QVERIFY(!model);
        QCOMPARE(model.problem().code, Code("unsupported-version"));
    }

    void parsesWhatThePrinterWrites()
    {
        const pytorch::ScriptFile file =
            pytorch::parseScript("op_version_set = 1\nclass A(NamedTuple):\n  x : Tensor\n\n"
                                 "def f(a: int,\n    b: float=-inf) -> Tensor:\n"
                                 "  _0, c, = g(a, b, k=1.5e-05)\n  d = a if True else -3\n"
                                 "  with x as y:\n    pass\n  return (d, )\n",
                                 "f.py");
        QCOMPARE(file.classes.at("A").base, std::string("NamedTuple"));
        const pytorch::ScriptFunction& function = file.functions.at("f");
        QCOMPARE(function.parameters.size(), std::size_t{2});
        QVERIFY(std::isinf(function.parameters[1].fallback->real));
        QVERIFY(function.body[0].unpacks);
        QCOMPARE(function.body[0].values[0].names, (std::vector<std::string>{"k"}));
        QCOMPARE(function.body[3].values[0].items.size(), std::size_t{1});
    }

private:
    Result<LoadedModel> read(const std::string& content)
    {
        return readModel({.model = m_files->write("m.pt", content)});
    }

    Conversion converted(const std::string& content, const ConvertOptions& options)
    {
        const auto model = readModel({.model = m_files->write("m.pt", content), .shapes = options.shapes});
        if (!model) {
            throw ModelError(model.problem());
        }
        auto made = convert(*model.value().graph, options);
        if (!made) {
            throw ModelError(made.problem());
        }
        return std::move(made.value());
    }

    static std::vector<double> run(const Conversion& made)
    {
        const TemporaryFolder folder;
        const std::vector<float> x{1, 2, -3, 2};
        return runOnnx(made.model.whole(), folder, {{"x", Tensor::of<float>(ElementType::Float32, {2, 2}, x)}})[0]
            .tensor.toDoubles();
    }

    std::unique_ptr<TemporaryFiles> m_files;
};

QTEST_GUILESS_MAIN(TestTorchscript)
#include "tst_torchscript.moc"
