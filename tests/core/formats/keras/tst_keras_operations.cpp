// What operations of Keras 3 compute, by numbers that can be worked out by hand.

#include "tests/core/formats/keras/keras_json.h"

#include <limits>

using namespace crosswalk;
using namespace crosswalk::test;

class TestKerasOperations : public QObject {
    Q_OBJECT
private slots:
    void computesWhatKerasDoes_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QList<qint64>>("dims");
        QTest::addColumn<QList<double>>("input");
        QTest::addColumn<QList<double>>("expected");
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        constexpr double infinity = std::numeric_limits<double>::infinity();
        const auto row = [](const char* name, const QByteArray& type, const QByteArray& shape, const QByteArray& which,
                            const QByteArray& arguments, QList<qint64> dims, QList<double> input,
                            QList<double> expected) {
            const QByteArray call = R"({"args": [)" + arguments + R"(], "kwargs": {}})";
            QTest::newRow(name) << model(3, shape, type, which, call) << std::move(dims) << std::move(input)
                                << std::move(expected);
        };
        row("cube root", "float32", "[1, 2]", operation("Cbrt", ""), "x", {1, 2}, {8, -27}, {2, -3});
        row("infinities replaced", "float32", "[1, 2]",
            operation("NanToNum", R"("nan": 2.0, "posinf": 9.0, "neginf": null)"), "x", {1, 2}, {nan, infinity},
            {2, 9});
        row("sinc of 0 is 1", "float32", "[1, 2]", operation("Sinc", ""), "x", {1, 2}, {0, 0.5}, {1, 0.63661977});
        row("Heaviside of 0 is the second operand", "float32", "[1, 3]", operation("Heaviside", ""), "x, 0.25", {1, 3},
            {-1, 0, 2}, {0, 0.25, 1});
        row("fmod has the sign of the dividend", "int32", "[1, 2]", operation("Fmod", ""), "x, 3", {1, 2}, {-7, 7},
            {-1, 1});
        row("fmax leaves out NaN", "float32", "[1, 2]", operation("Fmax", ""), "x, 1.0", {1, 2}, {nan, 5}, {1, 5});
        row("signs of bits", "float32", "[1, 3]", operation("Signbit", ""), "x", {1, 3}, {-0.0, 0, -2}, {1, 0, 1});
        row("right shift of a negative number", "int32", "[1, 2]", operation("RightShift", ""), "x, 2", {1, 2}, {-7, 9},
            {-2, 2});
        row("bits", "int32", "[1, 2]", operation("BitwiseXor", ""), "x, 5", {1, 2}, {3, 8}, {6, 13});
        row("saturating cast", "float32", "[1, 3]", operation("SaturateCast", R"("dtype": "uint8")"), "x", {1, 3},
            {-4, 300, 7.9}, {0, 255, 7});
        row("round to decimals", "float32", "[1, 2]", operation("Round", R"("decimals": 1)"), "x", {1, 2},
            {0.26, -1.34}, {0.3, -1.3});
        row("a deviation of half precision", "float16", "[1, 2]",
            operation("Std", R"("axis": null, "keepdims": false)"), "x", {1, 2}, {3, -5}, {4});
        row("a normalization of half precision", "float16", "[1, 2]",
            operation("LayerNorm", R"("axis": -1, "epsilon": 1e-7, "rms_scaling": false)"), "x", {1, 2}, {400, -400},
            {1, -1});
        row("integer power", "int32", "[1, 2]", operation("Power", ""), "x, 3", {1, 2}, {-2, 3}, {-8, 27});
        row("power of booleans with numbers", "bool", "[1, 2]", operation("Add", ""), "x, 1", {1, 2}, {1, 0}, {2, 1});
        row("sum of booleans", "bool", "[1, 3]", operation("Sum", R"("axis": null, "keepdims": false)"), "x", {1, 3},
            {1, 0, 1}, {2});
        row("an array has a type", "uint8", "[1, 2]", operation("Subtract", ""),
            R"(x, {"class_name": "__numpy__", "config": {"value": [104, 117], "dtype": "int64"}})", {1, 2}, {4, 200},
            {-100, 83});
        row("a number has the type of the tensor", "uint8", "[1, 2]", operation("Subtract", ""), "x, 5", {1, 2}, {4, 9},
            {255, 4});
        row("a quotient by a number outside the range of the integers", "uint8", "[1, 2]", operation("Divide", ""),
            "x, 512", {1, 2}, {1, 255}, {0.001953125, 0.498046875});
        row("a quotient of a number outside the range of the integers", "int8", "[1, 2]", operation("TrueDivide", ""),
            "300, x", {1, 2}, {2, -3}, {150, -100});
        row("a number outside the range of the integers wraps", "uint8", "[1, 2]", operation("Multiply", ""), "x, 300",
            {1, 2}, {2, 3}, {88, 132});
        row("bounds outside the range of the integers wrap", "int8", "[1, 2]", operation("Clip", ""), "x, -1, 300",
            {1, 2}, {-2, 127}, {-1, 44});
        row("a content outside the range of the integers wraps", "uint8", "[1, 2]", operation("FullLike", ""), "x, 300",
            {1, 2}, {4, 9}, {44, 44});
        row("a margin outside the range of the integers wraps", "uint8", "[1, 1]",
            operation("Pad", R"("pad_width": [[0, 0], [1, 1]], "mode": "constant", "constant_values": -1)"), "x",
            {1, 1}, {4}, {255, 4, 255});
        row("the place of a tensor or of an array", "uint8", "[1, 2]", operation("Where", ""),
            R"([true, false], x, {"class_name": "__numpy__", "config": {"value": [300, 300], "dtype": "int32"}})",
            {1, 2}, {4, 9}, {4, 300});
        row("arrays to choose from", "float32", "[1, 2]", operation("Select", ""),
            R"([x], [{"class_name": "__numpy__", "config": {"value": [5, 6], "dtype": "int64"}}], 0.5)", {1, 2}, {0, 1},
            {0, 6});
        row("an array joined with integers", "int32", "[1, 1]", operation("Concatenate", R"("axis": 1)"),
            R"([x, {"class_name": "__numpy__", "config": {"value": [[0.5]], "dtype": "float32"}}])", {1, 1}, {3},
            {3, 0.5});
        row("a product of letters with an array", "float32", "[1, 2]",
            operation("Einsum", R"("subscripts": "bi,i->b")"),
            R"(x, {"class_name": "__numpy__", "config": {"value": [2, 3], "dtype": "int64"}})", {1, 2}, {0.5, 1}, {4});
        row("product of int8", "int8", "[1, 2]", operation("Matmul", ""),
            R"(x, {"class_name": "__numpy__", "config": {"value": [[100], [100]], "dtype": "int8"}})", {1, 2}, {100, 1},
            {10100});
        row("maximum from a number", "float32", "[1, 2]",
            operation("Max", R"("axis": 1, "keepdims": false, "initial": 1.5)"), "x", {1, 2}, {-3, 1}, {1.5});
        row("minimum from a number as an integer", "int32", "[1, 2]",
            operation("Min", R"("axis": 1, "keepdims": false, "initial": 2.7)"), "x", {1, 2}, {5, 3}, {2});
        row("product in a type", "float32", "[1, 2]",
            operation("Prod", R"("axis": 1, "keepdims": false, "dtype": "int32")"), "x", {1, 2}, {2.5, 3.5}, {6});
        row("running sum in a type", "float32", "[1, 3]", operation("Cumsum", R"("axis": 1, "dtype": "int32")"), "x",
            {1, 3}, {0.5, 1.5, 2.5}, {0, 1, 3});
        row("running product in a type", "float32", "[1, 2]", operation("Nancumprod", R"("axis": 1, "dtype": "int32")"),
            "x", {1, 2}, {1.5, 2.5}, {1, 2});
        row("running sum of small integers wraps around", "uint8", "[1, 2]", operation("Cumsum", R"("axis": 1)"), "x",
            {1, 2}, {200, 100}, {200, 44});
        row("sum of small integers without NaN", "uint8", "[1, 2]",
            operation("Nansum", R"("axis": 1, "keepdims": false)"), "x", {1, 2}, {200, 100}, {300});
        row("converted to a type", "float32", "[1, 2]", operation("ConvertToTensor", R"("dtype": "int32")"), "x",
            {1, 2}, {1.5, -2.5}, {1, -2});
        row("normalized over all elements", "float32", "[2, 1]",
            operation("Normalize", R"("axis": null, "order": 2, "epsilon": null)"), "x", {2, 1}, {3, 4}, {0.6, 0.8});
        row("normalized by the norm of a matrix", "float32", "[2, 2]",
            operation("Normalize", R"("axis": [0, 1], "order": 1, "epsilon": null)"), "x", {2, 2}, {1, 2, 3, 4},
            {1.0 / 6, 2.0 / 6, 3.0 / 6, 4.0 / 6});
        row("clipped on one side", "float32", "[1, 2]", operation("Clip", R"("x_min": null, "x_max": 1.0)"), "x",
            {1, 2}, {-9, 9}, {-9, 1});
        row("one shift of several axes", "float32", "[2, 2]", operation("Roll", R"("shift": 1, "axis": [0, 1])"), "x",
            {2, 2}, {1, 2, 3, 4}, {4, 3, 2, 1});
        row("attention with a constant mask", "float32", "[1, 2, 1, 1]", operation("DotProductAttention", ""),
            R"(x, x, x, null, {"class_name": "__numpy__", "config": {"value": [[true, false], [false, true]],
               "dtype": "bool"}})",
            {1, 2, 1, 1}, {1, 2}, {1, 2});
        row("median between two", "float32", "[1, 4]", operation("Median", R"("axis": 1, "keepdims": false)"), "x",
            {1, 4}, {4, 1, 3, 2}, {2.5});
        row("median with NaN", "float32", "[1, 3]", operation("Median", R"("axis": 1, "keepdims": false)"), "x", {1, 3},
            {4, nan, 3}, {nan});
        row("median without NaN", "float32", "[1, 4]", operation("Nanmedian", R"("axis": 1, "keepdims": false)"), "x",
            {1, 4}, {4, nan, 3, 9}, {4});
        row("quantile", "float32", "[1, 3]",
            operation("Quantile", R"("axis": 1, "method": "linear", "keepdims": false)"), "x, 0.25", {1, 3}, {1, 2, 4},
            {1.5});
        row("mean without NaN", "float32", "[1, 3]", operation("Nanmean", R"("axis": 1, "keepdims": false)"), "x",
            {1, 3}, {4, nan, 2}, {3});
        row("place of the largest without NaN", "float32", "[1, 3]",
            operation("Nanargmax", R"("axis": 1, "keepdims": false)"), "x", {1, 3}, {4, nan, 5}, {2});
        row("norm of order 3", "float32", "[1, 2]", operation("Norm", R"("ord": 3, "axis": 1, "keepdims": false)"), "x",
            {1, 2}, {3, -6}, {6.2402515});
        row("running product", "float32", "[1, 4]", operation("Cumprod", R"("axis": 1)"), "x", {1, 4}, {1, 2, 3, 4},
            {1, 2, 6, 24});
        row("differences", "float32", "[1, 4]", operation("Diff", R"("n": 2, "axis": -1)"), "x", {1, 4}, {1, 2, 4, 8},
            {1, 2});
        row("integral", "float32", "[1, 3]", operation("Trapezoid", R"("x": null, "dx": 0.5, "axis": -1)"), "x", {1, 3},
            {1, 3, 5}, {3});
        row("normalized vector", "float32", "[1, 2]",
            operation("Normalize", R"("axis": -1, "order": 1, "epsilon": null)"), "x", {1, 2}, {3, -1}, {0.75, -0.25});
        row("softmax over all elements", "float32", "[2, 1]", operation("Softmax", R"("axis": null)"), "x", {2, 1},
            {0, 1.0986123}, {0.25, 0.75});
        row("sorted when flattened", "float32", "[2, 2]", operation("Sort", R"("axis": null)"), "x", {2, 2},
            {3, 1, 2, 0}, {0, 1, 2, 3});
        row("rotation", "float32", "[2, 2]", operation("Rot90", R"("k": 1, "axes": [0, 1])"), "x", {2, 2}, {1, 2, 3, 4},
            {2, 4, 1, 3});
        row("diagonal below", "float32", "[2, 2]", operation("Diagonal", R"("offset": -1, "axis1": 0, "axis2": 1)"),
            "x", {2, 2}, {1, 2, 3, 4}, {3});
        row("triangle without the diagonal", "float32", "[2, 2]", operation("Triu", R"("k": 1)"), "x", {2, 2},
            {1, 2, 3, 4}, {0, 2, 0, 0});
        row("circular padding", "float32", "[1, 2]",
            operation("Pad", R"("pad_width": [[0, 0], [1, 2]], "mode": "wrap")"), "x", {1, 2}, {1, 2}, {2, 1, 2, 1, 2});
        row("mirrored padding", "float32", "[1, 2]",
            operation("Pad", R"("pad_width": [[0, 0], [1, 1]], "mode": "symmetric")"), "x", {1, 2}, {1, 2},
            {1, 1, 2, 2});
        row("several axes moved", "float32", "[2, 1, 2]",
            operation("Moveaxis", R"("source": [0, 2], "destination": [2, 0])"), "x", {2, 1, 2}, {1, 2, 3, 4},
            {1, 3, 2, 4});
        row("rolled when flattened", "float32", "[2, 2]", operation("Roll", R"("shift": 1, "axis": null)"), "x", {2, 2},
            {1, 2, 3, 4}, {4, 1, 2, 3});
        row("repeats of each element", "float32", "[1, 2]", operation("Repeat", R"("repeats": [2, 1], "axis": 1)"), "x",
            {1, 2}, {5, 6}, {5, 5, 6});
        row("part beyond the end", "float32", "[1, 3]", operation("Slice", R"("shape": [1, 2])"), "x, [0, 2]", {1, 3},
            {1, 2, 3}, {2, 3});
        row("vandermonde", "float32", "[2]", operation("Vander", R"("N": 3, "increasing": false)"), "x", {2}, {2, 3},
            {4, 2, 1, 9, 3, 1});
        row("powers on a scale", "float32", "[1]",
            operation("Logspace", R"("num": 3, "endpoint": true, "base": 2, "axis": 0)"), "x, x", {1}, {3}, {8, 8, 8});
        row("kronecker", "float32", "[1, 2]", operation("Kron", ""), "x, x", {1, 2}, {1, 2}, {1, 2, 2, 4});
        row("determinant's sign", "float32", "[2, 2]", operation("Slogdet", ""), "x", {2, 2}, {0, 2, 3, 0}, {-1});
        row("inverse", "float32", "[2, 2]", operation("Inv", ""), "x", {2, 2}, {2, 0, 0, 4}, {0.5, 0, 0, 0.25});
        row("tensordot", "float32", "[2, 2]", operation("Tensordot", R"("axes": 1)"), "x, x", {2, 2}, {1, 2, 3, 4},
            {7, 10, 15, 22});
        row("correlation", "float32", "[3]", operation("Correlate", R"("mode": "same")"), "x, x", {3}, {1, 2, 3},
            {8, 14, 8});
        row("cholesky", "float32", "[2, 2]", operation("Cholesky", R"("upper": true)"), "x", {2, 2}, {4, 2, 2, 5},
            {2, 1, 0, 2});
        row("segments", "float32", "[3]", operation("SegmentMax", R"("num_segments": 2, "sorted": false)"),
            "x, [1, 1, 0]", {3}, {1, 5, 2}, {2, 5});
        row("places among boundaries", "float32", "[1, 3]", operation("Digitize", ""), "x, [0.0, 1.0]", {1, 3},
            {-1, 1, 0.5}, {0, 2, 1});
        row("sets", "int32", "[1, 3]", operation("IsIn", R"("assume_unique": false, "invert": true)"), "x, [2, 4]",
            {1, 3}, {1, 2, 4}, {1, 0, 0});
        row("elements replaced", "float32", "[1, 3]", operation("ScatterUpdate", R"("reduction": null)"),
            "x, [[0, 1]], [9.0]", {1, 3}, {1, 2, 3}, {1, 9, 3});
        row("first half of a transform", "float32", "[1, 4]", operation("RFFT", R"("fft_length": null)"), "x", {1, 4},
            {1, 2, 3, 4}, {10, -2, -2});
        row("overlapping parts", "float32", "[1, 3]",
            operation("ExtractSequences", R"("sequence_length": 2, "sequence_stride": 1)"), "x", {1, 3}, {1, 2, 3},
            {1, 2, 2, 3});
        row("patches", "float32", "[1, 1, 3, 1]",
            operation(
                "ExtractPatches",
                R"("size": [1, 2], "strides": 1, "dilation_rate": 1, "padding": "valid", "data_format": "channels_last")"),
            "x", {1, 1, 3, 1}, {1, 2, 3}, {1, 2, 2, 3});
        row("hue", "float32", "[1, 1, 1, 3]", operation("RGBToHSV", R"("data_format": null)"), "x", {1, 1, 1, 3},
            {0, 0.5, 0.25}, {0.4166667, 1, 0.5});
        row("colours of a hue", "float32", "[1, 1, 1, 3]", operation("HSVToRGB", R"("data_format": null)"), "x",
            {1, 1, 1, 3}, {0.5, 1, 0.5}, {0, 0.5, 0.5});
        row("convolution", "float32", "[1, 3, 1]",
            operation("Conv", R"("strides": 1, "padding": "same", "data_format": "channels_last", "dilation_rate": 1)"),
            "x, [[[1.0]], [[2.0]], [[1.0]]]", {1, 3, 1}, {1, 2, 3}, {4, 8, 8});
        row("columns of windows", "float32", "[1, 1, 1, 3]",
            operation("Unfold", R"("kernel_size": [1, 2], "dilation": 1, "padding": 0, "stride": 1)"), "x",
            {1, 1, 1, 3}, {1, 2, 3}, {1, 2, 2, 3});
        row("smoothed resizing", "float32", "[1, 1, 4, 1]",
            operation("Resize", R"("size": [1, 2], "interpolation": "bilinear", "antialias": true)"), "x", {1, 1, 4, 1},
            {0, 0, 4, 4}, {0.5714286, 3.4285714});
        row("resizing to one pixel", "float32", "[1, 1, 4, 1]",
            operation("Resize", R"("size": [1, 1], "interpolation": "bilinear", "antialias": false)"), "x",
            {1, 1, 4, 1}, {0, 2, 6, 9}, {4});
        row("resizing of integers", "int32", "[1, 1, 2, 1]",
            operation("Resize", R"("size": [1, 4], "interpolation": "bilinear", "antialias": false)"), "x",
            {1, 1, 2, 1}, {0, 7}, {0, 2, 5, 7});
    }
    void computesWhatKerasDoes()
    {
        QFETCH(QByteArray, json);
        QFETCH(QList<qint64>, dims);
        QFETCH(QList<double>, input);
        QFETCH(QList<double>, expected);
        compareWithKeras(json, dims, input, expected);
    }

    void refusesSizesThatOverflow_data()
    {
        QTest::addColumn<QByteArray>("layers");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const QByteArray& layers, const QByteArray& message) {
            QTest::newRow(name) << layers << message;
        };
        row("center crop", namedLayer("CenterCrop", "b", "'height': 4611686018427387905, 'width': 2"),
            "a size of 4611686018427387905 x 2");
        row("resizing to an aspect",
            namedLayer("Resizing", "b",
                       "'height': 2, 'width': 9223372036854775807, "
                       "'crop_to_aspect_ratio': true"),
            "a size of 2 x 9223372036854775807");
    }
    void refusesSizesThatOverflow()
    {
        QFETCH(QByteArray, layers);
        QFETCH(QByteArray, message);
        TemporaryFiles files;
        const QByteArray json = sequential("3.0.0", "[null, 4, 4, 1]", layers);
        const auto model = readModel({.model = files.write("model.json", json.toStdString())});
        QVERIFY2(model, model ? "" : model.problem().message.c_str());
        const auto made = convert(*model.value().graph, {});
        const Diagnostic& problem = made ? made.value().problems.at(0) : made.problem();
        QVERIFY2(problem.message.find(message.toStdString()) != std::string::npos, problem.message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestKerasOperations)
#include "tst_keras_operations.moc"
