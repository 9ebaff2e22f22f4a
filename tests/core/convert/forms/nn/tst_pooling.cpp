// Poolings and paddings of windows, in ONNX Runtime, against sums over the windows.

#include "tests/support/form_values.h"

#include "core/convert/forms/nn/pooling.h"
#include "core/convert/forms/nn/window_padding.h"

#include <QtTest>
#include <limits>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The windows of one image of one channel: what `merge` makes of the elements, and of how many there are.
Reals byWindow(const Tensor& image, const Pooling& how, const Dims& size,
               const std::function<double(const Reals& elements)>& merge)
{
    const Reals pixels = image.toDoubles();
    const std::int64_t height = image.dims()[2];
    const std::int64_t width = image.dims()[3];
    Reals merged;
    for (std::int64_t y = 0; y < size[0]; ++y) {
        for (std::int64_t x = 0; x < size[1]; ++x) {
            Reals elements;
            for (std::int64_t i = 0; i < how.window.kernel[0]; ++i) {
                for (std::int64_t k = 0; k < how.window.kernel[1]; ++k) {
                    const std::int64_t row = y * how.window.stride[0] - how.begin[0] + i;
                    const std::int64_t column = x * how.window.stride[1] - how.begin[1] + k;
                    if (row >= 0 && row < height && column >= 0 && column < width) {
                        elements.push_back(pixels[static_cast<std::size_t>(row * width + column)]);
                    }
                }
            }
            merged.push_back(merge(elements));
        }
    }
    return merged;
}

double largest(const Reals& elements)
{
    return elements.empty() ? -infinity : *std::ranges::max_element(elements);
}

double total(const Reals& elements)
{
    return std::accumulate(elements.begin(), elements.end(), 0.0);
}

double mean(const Reals& elements)
{
    return total(elements) / static_cast<double>(elements.size());
}

Tensor pooled(const Tensor& x, const Pooling& how, bool isOpen = false)
{
    FormRun run;
    const OnnxValue input = isOpen ? run.input(x, Shape{Dim(1), Dim(1), Dim(), Dim()}) : run.input(x);
    return run.run({pool(run.context(), input, how)}).front();
}

/// Asymmetric padding, 3 x 2 windows by steps of 2 and 1.
Pooling uneven(PoolKind kind)
{
    return {.kind = kind, .window = {{3, 2}, {2, 1}, {1, 1}}, .begin = {0, 1}, .end = {2, 0}};
}

} // namespace

class TestPooling : public QObject {
    Q_OBJECT
private slots:
    void padsAsymmetrically_data()
    {
        QTest::addColumn<ElementType>("type");
        QTest::newRow("float32") << ElementType::Float32;
        QTest::newRow("float64") << ElementType::Float64;
    }
    void padsAsymmetrically()
    {
        QFETCH(ElementType, type);
        const Tensor image = scattered({1, 1, 6, 5}, type);
        const Dims size{3, 5};
        const Dims dims{1, 1, 3, 5};
        const Pooling how = uneven(PoolKind::Max);
        QVERIFY(isNear(pooled(image, how), dims, byWindow(image, how, size, largest)));
        QVERIFY(isNear(pooled(image, uneven(PoolKind::Sum)), dims, byWindow(image, how, size, total)));
        Pooling average = uneven(PoolKind::Average);
        QVERIFY(isNear(pooled(image, average), dims,
                       byWindow(image, how, size, [](const Reals& elements) { return total(elements) / 6; })));
        average.countPadding = false;
        QVERIFY(isNear(pooled(image, average), dims, byWindow(image, how, size, mean)));
    }

    void takesIntegers()
    {
        const Tensor image = numbers({1, 1, 2, 3}, {-5, 7, 1, 2, -9, -4}, ElementType::Int32);
        const Pooling how{.window = {{2, 2}, {1, 1}, {1, 1}}, .begin = {0, 0}, .end = {1, 0}};
        const Tensor y = pooled(image, how);
        QCOMPARE(y.type(), ElementType::Int32);
        QVERIFY(isNear(y, {1, 1, 2, 2}, {7, 7, 2, -4}, 0));
    }

    /// Five pixels, windows of two by steps of two: the third window reaches one beyond the last pixel.
    void roundsUp_data()
    {
        QTest::addColumn<bool>("isOpen");
        QTest::newRow("fixed") << false;
        QTest::newRow("open") << true;
    }
    void roundsUp()
    {
        QFETCH(bool, isOpen);
        const Tensor image = counted({1, 1, 5, 5});
        Pooling how{.kind = PoolKind::Max, .window = {{2, 2}, {2, 2}, {1, 1}}, .begin = {0, 0}, .end = {0, 0}};
        QVERIFY(isNear(pooled(image, how, isOpen), {1, 1, 2, 2}, {7, 9, 17, 19}));
        how.rounding = PoolRounding::Up;
        QVERIFY(isNear(pooled(image, how, isOpen), {1, 1, 3, 3}, {7, 9, 10, 17, 19, 20, 22, 24, 25}));
        how.kind = PoolKind::Average;
        QVERIFY(isNear(pooled(image, how, isOpen), {1, 1, 3, 3}, {4, 6, 7.5, 14, 16, 17.5, 21.5, 23.5, 25}));
        how.countRounding = true; // the room counts
        QVERIFY(isNear(pooled(image, how, isOpen), {1, 1, 3, 3}, {4, 6, 3.75, 14, 16, 8.75, 10.75, 11.75, 6.25}));
        how.rounding = PoolRounding::PerStride;
        how.countPadding = false;
        if (!isOpen) {
            QVERIFY(isNear(pooled(image, how), {1, 1, 3, 3}, {4, 6, 7.5, 14, 16, 17.5, 21.5, 23.5, 25}));
        }
    }

    /// Windows that lie in the padding alone.
    void meetsNoElement()
    {
        const Tensor image = numbers({1, 1, 1, 2}, {3, 5});
        Pooling how{.kind = PoolKind::Max, .window = {{1, 2}, {1, 2}, {1, 1}}, .begin = {0, 2}, .end = {0, 0}};
        how.least = -1;
        QVERIFY(isNear(pooled(image, how), {1, 1, 1, 2}, {-1, 5}));
        how.kind = PoolKind::Average;
        how.countPadding = false;
        QVERIFY(isNear(pooled(image, how), {1, 1, 1, 2}, {0, 4}));
        how.dividesByZero = true;
        QVERIFY(isNear(pooled(image, how), {1, 1, 1, 2}, {std::numeric_limits<double>::quiet_NaN(), 4}));
    }

    void takesPowers()
    {
        const Tensor image = numbers({1, 1, 1, 4}, {1, -2, 3, -4});
        Pooling how{.kind = PoolKind::Lp, .window = {{1, 2}, {1, 2}, {1, 1}}, .begin = {0, 0}, .end = {0, 0}};
        how.p = 1;
        QVERIFY(isNear(pooled(image, how), {1, 1, 1, 2}, {-1, -1}));
        how.p = 2;
        QVERIFY(isNear(pooled(image, how), {1, 1, 1, 2}, {std::sqrt(5.0), 5}));
        how.p = 3;
        QVERIFY(isNear(pooled(image, how), {1, 1, 1, 2}, {-std::cbrt(7.0), -std::cbrt(37.0)}));
    }

    void poolsGlobally()
    {
        const Tensor image = numbers({1, 2, 2, 2}, {1, 2, 3, 4, -1, -2, -3, -6});
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(image);
        const auto got =
            run.run({globalPool(ctx, x, PoolKind::Max, 1, false), globalPool(ctx, x, PoolKind::Average, 1, false),
                     globalPool(ctx, x, PoolKind::Sum, 1, true), globalPool(ctx, x, PoolKind::Lp, 2, false)});
        QVERIFY(isNear(got[0], {1, 2, 1, 1}, {4, -1}));
        QVERIFY(isNear(got[1], {1, 2, 1, 1}, {2.5, -3}));
        QVERIFY(isNear(got[2], {1, 1, 1, 2}, {0, -2}));
        QVERIFY(isNear(got[3], {1, 2, 1, 1}, {std::sqrt(30.0), std::sqrt(50.0)}));
    }

    void averagesWhatIsPresent()
    {
        FormRun run;
        const OnnxValue x = run.input(numbers({1, 1, 1, 4}, {0, 4, 6, 8}));
        const OnnxValue ones = run.input(numbers({1, 1, 1, 4}, {0, 1, 1, 1}));
        const auto got = run.run({averageOfPresent(run.context(), x, ones, {{1, 2}, {1, 1}, {1, 1}})});
        QVERIFY(isNear(got[0], {1, 1, 1, 3}, {4, 5, 7}));
    }

    /// SAME: ceil(size / stride) windows, the odd element of padding at the end.
    void padsToSameSize()
    {
        FormRun run;
        const OnnxValue x = run.input(counted({1, 1, 5, 6}));
        // (3 - 1) 2 + 3 - 5 = 2, and (2 - 1) 4 + 3 - 6 = 1
        const WindowPadding padding = samePadding(run.context(), x, {{3, 3}, {2, 4}, {1, 1}}, 0);
        QVERIFY(!padding.isSame);
        QCOMPARE(padding.begin, (Dims{1, 0}));
        QCOMPARE(padding.end, (Dims{1, 1}));
        const WindowPadding dilated = samePadding(run.context(), x, {{3, 3}, {1, 1}, {2, 1}}, 0);
        QCOMPARE(dilated.begin, (Dims{2, 1}));
        QCOMPARE(dilated.end, (Dims{2, 1}));
        QCOMPARE(validPadding(x, {{3, 3}, {2, 4}, {1, 1}}).end, (Dims{0, 0}));
    }

    /// With open sizes the padding is ONNX's own, or computed when the model runs.
    void padsOpenSizes()
    {
        const Tensor image = counted({1, 1, 5, 6});
        const Shape open{Dim(1), Dim(1), Dim(), Dim()};
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(image, open);
        const Window plain{{3, 3}, {2, 4}, {1, 1}};
        const WindowPadding same = samePadding(ctx, x, {{3, 4}, {2, 4}, {1, 1}}, -7);
        QVERIFY(same.isSame);
        const WindowPadding computed = samePadding(ctx, x, plain, -7);
        QVERIFY(!computed.isSame);
        const WindowPadding dilated = samePadding(ctx, x, {{2, 2}, {2, 2}, {3, 1}}, -7);
        OnnxAttributes attributes{{"kernel_shape", Ints{3, 4}}, {"strides", Ints{2, 4}}};
        same.appendTo(attributes);
        const auto got = run.run({ctx.emit("MaxPool", {same.x}, attributes), computed.x, dilated.x});
        QCOMPARE(got[0].dims(), (Dims{1, 1, 3, 2}));
        QCOMPARE(got[1].dims(), (Dims{1, 1, 7, 7})); // one before and after, and one after
        QCOMPARE(got[1].toDoubles()[0], -7.0);
        QCOMPARE(got[1].toDoubles()[7], 1.0);
        QCOMPARE(got[2].dims(), (Dims{1, 1, 8, 6})); // (3 - 1) 2 + 4 - 5 = 3 rows
    }
};

QTEST_APPLESS_MAIN(TestPooling)
#include "tst_pooling.moc"
