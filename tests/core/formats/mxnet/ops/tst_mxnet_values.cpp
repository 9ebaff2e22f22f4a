// What operators of MXNet compute, by numbers that can be worked out by hand.

#include "core/formats/read_model.h"
#include "tests/support/computed.h"
#include "tests/support/mxnet_files.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace crosswalk;
using test::floats;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

using Numbers = std::vector<float>;

std::vector<Numbers> valuesOf(const QByteArray& text, const std::vector<Tensor>& inputs)
{
    Graph graph = test::textGraph(text.toStdString(), true);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        graph.value(graph.inputs[i]).type = {inputs[i].type(), shapeOf(inputs[i].dims())};
    }
    std::vector<Numbers> results;
    for (const Tensor& tensor : test::computed(graph, inputs)) {
        const auto doubles = tensor.toDoubles();
        results.emplace_back(doubles.begin(), doubles.end());
    }
    return results;
}

bool isNear(const Numbers& got, const Numbers& wanted)
{
    return std::equal(got.begin(), got.end(), wanted.begin(), wanted.end(), [](float a, float b) {
        return a == b || std::abs(a - b) < 1e-5F || (std::isnan(a) && std::isnan(b));
    });
}

/// A loop over x from the begin state, the node `begin`; the variables of its body are x and the state.
Graph loopGraph(const test::TemporaryFiles& files, const std::string& begin, const std::string& body)
{
    using test::variable;
    const std::string loop = fmt::format(
        R"j({{"op": "_foreach", "name": "f", "inputs": [[0, 0], [1, 0]], "subgraphs": [{}],
             "attrs": {{"in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]", "num_outputs": "2",
                        "num_out_data": "1", "num_args": "3"}}}})j",
        body);
    const auto path =
        files.write("net-symbol.json", test::symbolFile({variable("x"), begin, loop}, "[[2, 0], [2, 1]]"));
    return *readModel({.model = path}).value().graph;
}

std::vector<std::int64_t> sizes(const Tensor& tensor)
{
    return {tensor.dims().begin(), tensor.dims().end()};
}

using Sizes = std::vector<std::int64_t>;

} // namespace

class TestMxnetValues : public QObject {
    Q_OBJECT
private slots:
    void computes_data()
    {
        QTest::addColumn<QByteArray>("operation"); ///< of a, b and c
        QTest::addColumn<std::vector<Tensor>>("inputs");
        QTest::addColumn<Numbers>("wanted");
        const auto row = [](const char* name, const char* operation, std::vector<Tensor> inputs, Numbers wanted) {
            QTest::newRow(name) << QByteArray(operation) << std::move(inputs) << std::move(wanted);
        };
        const Tensor lower = floats({2, 2}, {2, 7, 1, 2});
        row("eigenvalues of the lower triangle", "_npi_eigvalsh(a)", {lower}, {1, 3});
        row("eigenvalues of the upper triangle", "_npi_eigvalsh(a) UPLO=U", {lower}, {-5, 9});
        row("eigenvalues of one number", "_npi_eigvalsh(a)", {floats({1, 1}, {4})}, {4});
        const Tensor tall = floats({3, 2}, {0, 3, 2, 0, 0, 0});
        row("a pseudoinverse", "_npi_pinv_scalar_rcond(a)", {tall}, {0, 0.5, 0, 1.0F / 3, 0, 0});
        row("a pseudoinverse without small values", "_npi_pinv_scalar_rcond(a) rcond=0.7", {tall},
            {0, 0, 0, 1.0F / 3, 0, 0});
        row("a pseudoinverse with a cutoff each", "_npi_pinv(a,b)", {tall, floats({}, {0.7F})},
            {0, 0, 0, 1.0F / 3, 0, 0});
        const Tensor image = floats({1, 1, 1, 2}, {1, 2});
        row("a local response with a negative factor", "LRN(a) nsize=1 alpha=-1 knorm=5 beta=1", {image}, {0.25F, 2});
        row("a local response with exponent 0", "LRN(a) nsize=1 beta=0", {image}, {1, 2});
        const Tensor bytes = floats({4}, {2, 5, 3, 0}).converted(ElementType::UInt8);
        row("a quadratic of bytes", "_contrib_quadratic(a) a=2 b=-1 c=3", {bytes}, {9, 48, 18, 3});
        row("a quadratic with fractions of bytes", "_contrib_quadratic(a) a=0.5 b=-1.25 c=3", {bytes}, {2, 9, 3, 3});
        const Tensor signedBytes = floats({4}, {-3, -1, 2, 4}).converted(ElementType::Int8);
        const Tensor integers = floats({4}, {-3, 1, 2, 4}).converted(ElementType::Int32);
        row("a smooth loss of integers", "smooth_l1(a) scalar=1.5", {integers}, {2, 0, 1, 3});
        row("a smooth loss of bytes", "smooth_l1(a) scalar=2", {signedBytes}, {2, 0, 1, 3});
        row("a mask of bytes", "SequenceMask(a,b) use_sequence_length=1 value=300.7",
            {floats({2, 2}, {1, 2, 3, 4}).converted(ElementType::UInt8), floats({2}, {1, 2})}, {1, 2, 44, 4});
        row("a number in a part of bytes", "_slice_assign_scalar(a) begin=(1,) end=(3,) scalar=-1.5", {bytes},
            {2, 255, 255, 0});
        row("a range of bytes", "_contrib_arange_like(a) start=-2 step=100", {bytes}, {254, 98, 198, 42});
        row("bounds of bytes", "clip(a) a_min=-1.5 a_max=2.7", {bytes}, {2, 2, 2, 0});
        row("a lower bound of integers", "clip(a) a_min=-1.5 a_max=1e10", {integers}, {-1, 1, 2, 4});
        const Tensor wide = Tensor::of<std::int32_t>(ElementType::Int32, {2}, std::vector{16777217, 16777219});
        row("a bound that integers round to",
            "clip(a) a_min=0 a_max=16777216\nz = _minus_scalar(y) scalar=16777200\noutput z", {wide}, {17, 16});
        row("a truth of a fraction", "_npi_logical_and_scalar(a) scalar=0.5 is_int=1", {integers}, {0, 0, 0, 0});
        row("a truth of a real number", "_npi_logical_and_scalar(a) scalar=0.5 is_int=0", {integers}, {1, 1, 1, 1});
        row("a mean by a count that wraps", "mean(a)", {Tensor::filled(ElementType::UInt8, {260}, 1)}, {1});
        const Tensor dependent = floats({2, 3}, {1, 2, 3, 2, 4, 6});
        row("a rank", "_npi_matrix_rank_none_tol(a)", {dependent}, {1});
        row("a rank of a tall matrix", "_npi_matrix_rank_none_tol(a)", {tall}, {2});
        row("a rank within a tolerance", "_npi_matrix_rank(a,b)", {tall, floats({}, {2.5F})}, {1});
        const Tensor data = floats({2, 3}, {0, 1, 2, 3, 4, 5});
        const Tensor rows = floats({2}, {0, 1});
        const Tensor columns = floats({3}, {1, 0, 1});
        row("a number by a mask of rows", "_npi_boolean_mask_assign_scalar(a,b) value=9 start_axis=0", {data, rows},
            {0, 1, 2, 9, 9, 9});
        row("a number by a mask of columns", "_npi_boolean_mask_assign_scalar(a,b) value=9 start_axis=1",
            {data, columns}, {9, 1, 9, 9, 4, 9});
        row("values by a mask of rows", "_npi_boolean_mask_assign_tensor(a,b,c) start_axis=0",
            {data, rows, floats({1, 3}, {7, 8, 9})}, {0, 1, 2, 7, 8, 9});
        row("values by a mask of columns", "_npi_boolean_mask_assign_tensor(a,b,c) start_axis=1",
            {data, columns, floats({2, 2}, {6, 7, 8, 9})}, {6, 1, 7, 8, 4, 9});
        row("a value for each row", "_npi_boolean_mask_assign_tensor(a,b,c) start_axis=1",
            {data, columns, floats({2}, {7, 8})}, {7, 1, 7, 8, 4, 8});
        row("a value by a mask of all", "_npi_boolean_mask_assign_tensor(a,b,c) start_axis=0",
            {data, floats({2, 3}, {0, 0, 1, 1, 0, 0}), floats({2}, {7, 8})}, {0, 1, 7, 8, 4, 5});
        row("a logarithm of gamma at the ends", "gammaln(a)", {floats({4}, {-infinity, infinity, -2, 1})},
            {infinity, infinity, infinity, 0});
        const Tensor whole = Tensor::of<std::int32_t>(ElementType::Int32, {4}, {{5, 6, 0, -5}});
        row("an error function of integers, cut off", "erf(a)", {whole}, {0, 1, 0, 0});
        const Tensor doubles = Tensor::of<double>(ElementType::Float64, {4}, {{1.0, -1.0, 0.0, 8.0}});
        row("an error function of doubles", "erf(a)", {doubles}, {0.84270079F, -0.84270079F, 0, 1});
        row("gelu of doubles", "LeakyReLU(a) act_type=gelu", {doubles}, {0.84134475F, -0.15865525F, 0, 8});
        row("an angle of integers, cut off", "_npi_rarctan2_scalar(a) scalar=1 is_int=True",
            {Tensor::of<std::int32_t>(ElementType::Int32, {3}, {{3, 1, 0}})}, {0, 0, 1});
        row("levels below zero of bytes", "one_hot(a) depth=2 dtype=uint8 off_value=-1", {floats({1}, {1})}, {255, 1});
        row("bounds the wrong way round", "clip(a) a_min=2 a_max=-1", {floats({3}, {-5, 0, 3})}, {2, -1, -1});
        // exp(ln n) = n: the softmax of logarithms is their numbers by the sum of the row. The label is not read.
        const auto logarithms = [](const Numbers& numbers) {
            Numbers result(numbers.size());
            std::transform(numbers.begin(), numbers.end(), result.begin(), [](float n) { return std::log(n); });
            return result;
        };
        row("a connectionist classification", "WarpCTC(a,b) label_length=2 input_length=2",
            {floats({4, 2}, logarithms({1, 3, 1, 1, 1, 4, 9, 1})), floats({4}, {1, 0, 1, 1})},
            {0.25, 0.75, 0.5, 0.5, 0.2F, 0.8F, 0.9F, 0.1F});
        const Tensor sixByTwo = floats({6, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
        row("elements of rows", "batch_take(a,b)", {sixByTwo, floats({2, 3}, {0, 1, 1, 0, 5, -1})},
            {0, 3, 5, 6, 9, 10});
        row("the first elements", "Reshape(a) shape=(1,2)", {data}, {0, 1});
        row("as many rows as fit", "Reshape(a) shape=(4,-1)", {data}, {0, 1, 2, 3});
    }

    void computes()
    {
        QFETCH(QByteArray, operation);
        QFETCH(std::vector<Tensor>, inputs);
        QFETCH(Numbers, wanted);
        QByteArray text;
        for (const char name : {'a', 'b', 'c'}) {
            text += inputs.size() > static_cast<std::size_t>(name - 'a') ? QByteArray(1, name) + " = input\n" : "";
        }
        const Numbers got = valuesOf(text + "y = " + operation + "\noutput y", inputs).front();
        QVERIFY2(isNear(got, wanted), qPrintable(QStringLiteral("%1 of %2 values, the first %3")
                                                     .arg(got.size())
                                                     .arg(wanted.size())
                                                     .arg(got.empty() ? 0.0 : static_cast<double>(got.front()))));
    }

    /// Only numpy's squeeze makes scalars.
    void aSqueezeOfOneElementKeepsADimension()
    {
        for (const bool numpyShapes : {false, true}) {
            const Graph graph = test::textGraph("a = input 1x1\ny = squeeze(a)\noutput y", numpyShapes);
            QCOMPARE(sizes(test::computed(graph, std::vector{floats({1, 1}, {3})}).front()), (Sizes{1}));
        }
    }

    void takesInTheShapeOfTheIndices()
    {
        const Graph graph = test::textGraph("a = input 3x2\nb = input 3x1\ny = batch_take(a,b)\noutput y");
        const auto y =
            test::computed(graph, std::vector{floats({3, 2}, {0, 1, 2, 3, 4, 5}), floats({3, 1}, {1, 0, 1})});
        QCOMPARE(sizes(y[0]), (Sizes{3, 1}));
    }

    void splitsUnevenlyWithTheLargerPartsFirst_data()
    {
        QTest::addColumn<QByteArray>("split");
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<int>("opset");
        for (const int opset : {17, 18}) {
            for (const char* shape : {"10x1", "Nx1"}) {
                QTest::addRow("%s, opset %d", shape, opset) << QByteArray("_split_v2") << QByteArray(shape) << opset;
            }
        }
        QTest::newRow("columns") << QByteArray("_npi_hsplit") << QByteArray("1x10") << 17;
    }
    void splitsUnevenlyWithTheLargerPartsFirst()
    {
        QFETCH(QByteArray, split);
        QFETCH(QByteArray, shape);
        QFETCH(int, opset);
        const bool ofRows = split == "_split_v2";
        const Graph graph =
            test::textGraph("x = input " + shape.toStdString() + "\na, b, c, d = " + split.toStdString() +
                            "(x) sections=4 axis=" + (ofRows ? "0" : "1") + "\noutput a\noutput b\noutput c\noutput d");
        const Tensor x = floats(ofRows ? Sizes{10, 1} : Sizes{1, 10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        const auto parts = test::computed(graph, std::vector{x}, {.opset = opset});
        const std::vector<Numbers> wanted{{0, 1, 2}, {3, 4, 5}, {6, 7}, {8, 9}};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto got = parts[i].toDoubles();
            QVERIFY(std::equal(got.begin(), got.end(), wanted[i].begin(), wanted[i].end()));
        }
    }

    /// A size of 0 is that of the data. One column of ones before d shows its rows.
    void infersOpenSizesFromTheData_data()
    {
        QTest::addColumn<QByteArray>("path"); ///< from x, 2x4x3, to d of two rows
        const auto row = [](const char* name, const char* path) { QTest::newRow(name) << QByteArray(path); };
        row("a squeezed slice", "s = slice_axis(x) axis=1 begin=1 end=2\nd = squeeze(s) axis=1");
        row("a slice", "s = slice(x) begin=(None,1) end=(None,2)\nd = squeeze(s) axis=(1,)");
        row("a reshaped slice", "s = slice_axis(x) axis=1 begin=1 end=2\nd = Reshape(s) shape=(0,-1)");
        row("a flattened tensor", "d = Flatten(x)");
        row("a transposed one", "s = transpose(x) axes=(1,0,2)\na, b, c, d = SliceChannel(s) num_outputs=4 axis=0 "
                                "squeeze_axis=1");
        row("an inserted axis", "s = expand_dims(x) axis=0\nt = squeeze(s) axis=0\nd = Flatten(t)");
        row("a softmax", "s = softmax(x) axis=1\nd = Flatten(s)");
        row("a maximum", "s = Flatten(x)\nd = _maximum(s,s)");
        row("bounds", "s = clip(x) a_min=0 a_max=1\nt = sqrt(s)\nu = _rdiv_scalar(t) scalar=2\nd = Flatten(u)");
        row("a choice", "s = Flatten(x)\nd = where(s,s,s)");
    }
    void infersOpenSizesFromTheData()
    {
        QFETCH(QByteArray, path);
        for (const std::string batch : {"2", "N"}) {
            const Graph graph = test::textGraph("x = input " + batch + "x4x3\n" + path.toStdString() +
                                                "\nk = _ones() shape=(0,1)\ny = Concat(k,d) dim=1\noutput y");
            const Tensor y = test::computed(graph, std::vector{floats({2, 4, 3}, Numbers(24, 0.5))}).front();
            QCOMPARE(sizes(y).front(), 2);
            QCOMPARE(y.toDoubles().front(), 1.0);
        }
    }

    void anOpenSizeThatIsNotKnownBroadcasts()
    {
        const Graph graph = test::textGraph("x = input 3x2\nk = _ones() shape=(0,3)\nt = transpose(k)\n"
                                            "y = elemwise_add(t,x)\noutput y");
        const Tensor y = test::computed(graph, std::vector{floats({3, 2}, Numbers(6, 1))}).front();
        QCOMPARE(sizes(y), (Sizes{3, 2}));
        QCOMPARE(y.toDoubles().back(), 2.0);
    }

    void openSizesThatMatterAreRefused_data()
    {
        QTest::addColumn<QByteArray>("use"); ///< of k, and of x with four columns
        const auto row = [](const char* name, const char* use) { QTest::newRow(name) << QByteArray(use); };
        row("as a result", "y = _plus_scalar(k) scalar=1");
        row("as a shape", "y = shape_array(k)");
        row("as a sum", "y = sum(k) axis=0");
        row("beside others", "s = sort(x) axis=0\ny = Concat(k,s) dim=1");
    }
    void openSizesThatMatterAreRefused()
    {
        QFETCH(QByteArray, use);
        const auto result =
            convert(test::textGraph("x = input 2x4\nk = _ones() shape=(0,4)\n" + use.toStdString() + "\noutput y"), {});
        QCOMPARE(result.value().problems.front().attribute, std::string("shape"));
        QVERIFY(result.value().hasErrors());
    }

    /// h = x + h for each row x, a matrix, from zeros of an open size.
    void aLoopStartsFromZerosOfAnOpenSize()
    {
        const test::TemporaryFiles files;
        const Graph graph = loopGraph(files, test::node("_zeros", "h", "[]", R"j({"shape": "(0, 2)"})j"),
                                      test::symbolFile({test::variable("x"), test::variable("h"),
                                                        test::node("elemwise_add", "s", "[[0, 0], [1, 0]]")},
                                                       R"j([[2, 0], [2, 0]], "arg_nodes": [0, 1])j"));
        const auto outputs = test::computed(graph, std::vector{floats({2, 3, 2}, Numbers(12, 1))},
                                            {.shapes = {{"x", shapeOf({2, 3, 2})}}});
        QCOMPARE(sizes(outputs[1]), (Sizes{3, 2}));
        const auto state = outputs[1].toDoubles();
        QVERIFY(std::all_of(state.begin(), state.end(), [](double value) { return value == 2; }));
    }

    /// A step of a vector is a vector of one element, as MXNet has no scalars without numpy's shapes.
    void aLoopOverAVectorHasStepsOfOneElement()
    {
        const test::TemporaryFiles files;
        const Graph graph = loopGraph(files, test::variable("h"),
                                      test::symbolFile({test::variable("x"), test::variable("h"),
                                                        test::node("elemwise_add", "s", "[[0, 0], [1, 0]]")},
                                                       R"j([[2, 0], [2, 0]], "arg_nodes": [0, 1])j"));
        const auto outputs = test::computed(graph, std::vector{floats({4}, {1, 2, 3, 4}), floats({1}, {10})},
                                            {.shapes = {{"x", shapeOf({4})}, {"h", shapeOf({1})}}});
        QCOMPARE(sizes(outputs[0]), (Sizes{4, 1}));
        QCOMPARE(outputs[1].toDoubles().front(), 20.0);
    }

    /// u diag(s) v is the matrix again, and each row of v has its largest element positive.
    void factorsIntoSingularVectors()
    {
        const Numbers matrix = {1, -5, 2, 3, 1, -1};
        const auto got =
            valuesOf("a = input\nu, s, v = _npi_svd(a)\noutput u\noutput s\noutput v", {floats({2, 3}, matrix)});
        const Numbers& u = got[0];
        const Numbers& s = got[1];
        const Numbers& v = got[2];
        QVERIFY(s[0] > s[1]);
        Numbers product(6);
        for (std::size_t i = 0; i < 6; ++i) {
            product[i] = u[i / 3 * 2] * s[0] * v[i % 3] + u[i / 3 * 2 + 1] * s[1] * v[3 + i % 3];
        }
        QVERIFY(isNear(product, matrix));
        for (const auto row : {v.begin(), v.begin() + 3}) {
            QVERIFY(*std::max_element(row, row + 3) > -*std::min_element(row, row + 3));
        }
    }

    /// Each element is dropped by a chance of its own, or together with those along the axes that the node names.
    void dropsWhereItAlwaysDrops()
    {
        const std::vector<Tensor> ones{floats({4, 1000}, Numbers(4000, 1))};
        const Numbers got = valuesOf("a = input\ny = Dropout(a) p=0.75 mode=always\noutput y", ones).front();
        const auto kept = std::count(got.begin(), got.end(), 4.0F);
        QCOMPARE(kept + std::count(got.begin(), got.end(), 0.0F), 4000);
        QVERIFY(kept > 800 && kept < 1200);
        const Numbers rows = valuesOf("a = input\ny = Dropout(a) p=0.5 mode=always axes=(0,)\noutput y", ones).front();
        QVERIFY(std::equal(rows.begin(), rows.begin() + 1000, rows.begin() + 3000));
        QVERIFY(std::count(rows.begin(), rows.begin() + 1000, 0.0F) > 400);
        const Numbers plain = valuesOf("a = input\ny = Dropout(a) p=0.75\noutput y", ones).front();
        QCOMPARE(std::count(plain.begin(), plain.end(), 1.0F), 4000);
    }
};

QTEST_GUILESS_MAIN(TestMxnetValues)
#include "tst_mxnet_values.moc"
