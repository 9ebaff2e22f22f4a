// Convolutions of all kinds, in ONNX Runtime, against sums of products.

#include "tests/support/form_values.h"

#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/nn/deformable_convolution.h"
#include "core/convert/forms/nn/transposed_convolution.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

namespace {

/// Images (1, C, H, W).
struct Image {
    Image(const Tensor& tensor)
        : channels(tensor.dims()[1])
        , height(tensor.dims()[2])
        , width(tensor.dims()[3])
        , pixels(tensor.toDoubles())
    {
    }
    double at(std::int64_t c, std::int64_t y, std::int64_t x) const
    {
        const bool isInside = y >= 0 && y < height && x >= 0 && x < width;
        return isInside ? pixels[static_cast<std::size_t>((c * height + y) * width + x)] : 0;
    }

    std::int64_t channels;
    std::int64_t height;
    std::int64_t width;
    Reals pixels;
};

struct Result {
    Dims dims;
    Reals values;
};

double element(const Reals& weight, const Dims& dims, std::int64_t a, std::int64_t b, std::int64_t y, std::int64_t x)
{
    return weight[static_cast<std::size_t>(((a * dims[1] + b) * dims[2] + y) * dims[3] + x)];
}

Result convolved(const Tensor& data, const Tensor& kernel, const Window& window, std::int64_t groups, const Dims& begin,
                 const Dims& end)
{
    const Image image(data);
    const Reals weight = kernel.toDoubles();
    const Dims& dims = kernel.dims();
    const std::int64_t height = (image.height + begin[0] + end[0] - window.reach(0)) / window.stride[0] + 1;
    const std::int64_t width = (image.width + begin[1] + end[1] - window.reach(1)) / window.stride[1] + 1;
    Result result{{1, dims[0], height, width}, {}};
    for (std::int64_t f = 0; f < dims[0]; ++f) {
        const std::int64_t first = f / (dims[0] / groups) * dims[1];
        for (std::int64_t y = 0; y < height; ++y) {
            for (std::int64_t x = 0; x < width; ++x) {
                double sum = 0;
                for (std::int64_t c = 0; c < dims[1]; ++c) {
                    for (std::int64_t i = 0; i < dims[2]; ++i) {
                        for (std::int64_t k = 0; k < dims[3]; ++k) {
                            sum += element(weight, dims, f, c, i, k) *
                                   image.at(first + c, y * window.stride[0] - begin[0] + i * window.dilate[0],
                                            x * window.stride[1] - begin[1] + k * window.dilate[1]);
                        }
                    }
                }
                result.values.push_back(sum);
            }
        }
    }
    return result;
}

/// Every pixel adds the kernel to the result, whose ends are cut.
Result spreadOut(const Tensor& data, const Tensor& kernel, const Window& window, std::int64_t groups,
                 const TransposedEnds& ends)
{
    const Image image(data);
    const Reals weight = kernel.toDoubles();
    const Dims& dims = kernel.dims();
    const auto sizeOf = [&](std::size_t i, std::int64_t size) {
        return window.stride[i] * (size - 1) + window.reach(i) - ends.begin[i] - ends.end[i];
    };
    const std::int64_t height = sizeOf(0, image.height);
    const std::int64_t width = sizeOf(1, image.width);
    Result result{{1, dims[1] * groups, height, width}, {}};
    result.values.assign(elementsOf(result.dims), 0);
    for (std::int64_t c = 0; c < dims[0]; ++c) {
        const std::int64_t group = c / (dims[0] / groups);
        for (std::int64_t f = 0; f < dims[1]; ++f) {
            for (std::int64_t y = 0; y < image.height; ++y) {
                for (std::int64_t x = 0; x < image.width; ++x) {
                    for (std::int64_t i = 0; i < dims[2]; ++i) {
                        for (std::int64_t k = 0; k < dims[3]; ++k) {
                            const std::int64_t row = y * window.stride[0] + i * window.dilate[0] - ends.begin[0];
                            const std::int64_t column = x * window.stride[1] + k * window.dilate[1] - ends.begin[1];
                            if (row < 0 || row >= height || column < 0 || column >= width) {
                                continue;
                            }
                            const std::int64_t filter = group * dims[1] + f;
                            result.values[static_cast<std::size_t>((filter * height + row) * width + column)] +=
                                image.at(c, y, x) * element(weight, dims, c, f, i, k);
                        }
                    }
                }
            }
        }
    }
    return result;
}

void addTypes()
{
    QTest::addColumn<ElementType>("type");
    QTest::newRow("float32") << ElementType::Float32;
    QTest::newRow("float64") << ElementType::Float64;
}

} // namespace

class TestConvolution : public QObject {
    Q_OBJECT
private slots:
    void convolves_data() { addTypes(); }
    void convolves()
    {
        QFETCH(ElementType, type);
        const Tensor image = scattered({1, 4, 6, 7}, type);
        const Tensor weight = scattered({6, 2, 3, 2}, type, 5);
        const Tensor bias = numbers({6}, {1, 2, 3, 4, 5, 6}, type);
        const Window window{{3, 2}, {1, 2}, {2, 1}};
        const Dims begin{1, 0};
        const Dims end{2, 1};
        FormRun run;
        const auto got =
            run.run({convolution(run.context(), {.window = window,
                                                 .padding = {.x = run.input(image), .begin = begin, .end = end},
                                                 .weight = run.stored(weight),
                                                 .bias = run.stored(bias),
                                                 .groups = 2})});
        Result wanted = convolved(image, weight, window, 2, begin, end);
        const std::size_t plane = wanted.values.size() / 6;
        for (std::size_t i = 0; i < wanted.values.size(); ++i) {
            wanted.values[i] += static_cast<double>(i / plane + 1);
        }
        QVERIFY(isNear(got[0], wanted.dims, wanted.values));
    }

    void transposes_data() { addTypes(); }
    void transposes()
    {
        QFETCH(ElementType, type);
        const Tensor image = scattered({1, 4, 3, 4}, type);
        const Tensor weight = scattered({4, 3, 3, 2}, type, 9);
        const Window window{{3, 2}, {2, 3}, {1, 2}};
        const TransposedEnds cases[] = {{{0, 0}, {0, 0}}, {{1, 0}, {0, 1}}, {{1, 1}, {0, -1}}, {{0, 1}, {1, -1}}};
        for (const TransposedEnds& ends : cases) {
            FormRun run;
            const auto got = run.run(
                {transposedConvolution(run.context(), run.input(image), run.stored(weight), {}, window, 2, ends)});
            const Result wanted = spreadOut(image, weight, window, 2, ends);
            QVERIFY(isNear(got[0], wanted.dims, wanted.values));
        }
    }

    void transposesToComputedSizes()
    {
        const Tensor image = scattered({1, 2, 3, 4});
        const Tensor weight = scattered({2, 1, 3, 3}, ElementType::Float32, 3);
        const Window window{{3, 3}, {2, 2}, {1, 1}};
        for (const bool isCentered : {false, true}) { // whole: 7 x 9
            FormRun run;
            const OnnxValue sizes = run.input(numbers({2}, {6, 8}, ElementType::Int64));
            const auto got = run.run({transposedConvolutionTo(run.context(), run.input(image), run.stored(weight),
                                                              window, sizes, isCentered)});
            const Result wanted = spreadOut(image, weight, window, 1, {{0, 0}, {1, 1}});
            QVERIFY(isNear(got[0], wanted.dims, wanted.values));
        }
        FormRun run;
        const OnnxValue sizes = run.input(numbers({2}, {5, 6}, ElementType::Int64));
        const auto got = run.run(
            {transposedConvolutionTo(run.context(), run.input(image), run.stored(weight), window, sizes, true)});
        const Result wanted = spreadOut(image, weight, window, 1, {{1, 1}, {1, 2}});
        QVERIFY(isNear(got[0], wanted.dims, wanted.values));
    }

    /// Offsets of whole pixels read the moved image.
    void readsAtOffsets_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<bool>("keepsLastPixel");
        QTest::newRow("gathered") << 18 << false;
        QTest::newRow("operator") << 19 << false;
        QTest::newRow("gathered, last pixel") << 18 << true;
        QTest::newRow("operator, last pixel") << 19 << true;
    }
    void readsAtOffsets()
    {
        QFETCH(int, opset);
        QFETCH(bool, keepsLastPixel);
        const Tensor image = scattered({1, 2, 4, 5});
        const Tensor weight = scattered({3, 2, 2, 2}, ElementType::Float32, 7);
        const Window window{{2, 2}, {1, 1}, {1, 1}};
        // All four positions of the kernel move one row down: output (3, 4), of which the last row reads beyond.
        Reals offsets(std::size_t{8 * 3 * 4}, 0.0);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            offsets[i] = i / 12 % 2 == 0 ? 1 : 0;
        }
        FormRun run(atOpset(opset));
        DeformableConvolution how{.window = window, .pad = {0, 0}, .filters = 3};
        how.keepsLastPixel = keepsLastPixel;
        const auto got = run.run({deformableConvolution(
            run.context(),
            {.x = run.input(image), .offsets = run.input(numbers({1, 8, 3, 4}, offsets)), .weight = run.stored(weight)},
            how)});
        const Result wanted = convolved(image, weight, window, 1, {-1, 0}, {1, 0});
        QVERIFY(isNear(got[0], wanted.dims, wanted.values));
    }

    void readsBetweenPixels_data() { readsAtOffsets_data(); }
    void readsBetweenPixels()
    {
        QFETCH(int, opset);
        QFETCH(bool, keepsLastPixel);
        FormRun run(atOpset(opset));
        DeformableConvolution how{.window = {{1, 1}, {1, 1}, {1, 1}}, .pad = {0, 0}, .filters = 1};
        how.keepsLastPixel = keepsLastPixel;
        const OnnxValue x = run.input(numbers({1, 1, 1, 3}, {10, 20, 40}));
        // Along the row: a quarter on, half on, half beyond the last pixel.
        const OnnxValue offsets = run.input(numbers({1, 2, 1, 3}, {0, 0, 0, 0.25, 0.5, 0.5}));
        const OnnxValue weight = run.stored(numbers({1, 1, 1, 1}, {2}));
        const OnnxValue bias = run.stored(numbers({1}, {1}));
        DeformableOperands operands{.x = x, .offsets = offsets, .weight = weight, .bias = bias};
        const OnnxValue plain = deformableConvolution(run.context(), operands, how);
        const double beyond = keepsLastPixel ? 81 : 41;
        if (keepsLastPixel) {
            QVERIFY(isNear(run.run({plain})[0], {1, 1, 1, 3}, {26, 61, beyond}));
            return;
        }
        operands.mask = run.input(numbers({1, 1, 1, 3}, {1, 0.5, 2}));
        const auto got = run.run({plain, deformableConvolution(run.context(), operands, how)});
        QVERIFY(isNear(got[0], {1, 1, 1, 3}, {26, 61, beyond}));
        QVERIFY(isNear(got[1], {1, 1, 1, 3}, {26, 31, 81}));
    }
};

QTEST_APPLESS_MAIN(TestConvolution)
#include "tst_convolution.moc"
