// Images that are resized, sampled, cut and rearranged, in ONNX Runtime.

#include "tests/support/form_values.h"

#include "core/convert/forms/vision/box_crops.h"
#include "core/convert/forms/vision/grid_sampling.h"
#include "core/convert/forms/vision/image_resize.h"
#include "core/convert/forms/vision/nearest_places.h"
#include "core/convert/forms/vision/resize.h"
#include "core/convert/forms/vision/space_to_depth.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

namespace {

void addTypes()
{
    QTest::addColumn<ElementType>("type");
    QTest::newRow("float32") << ElementType::Float32;
    QTest::newRow("float64") << ElementType::Float64;
}

} // namespace

class TestImages : public QObject {
    Q_OBJECT
private slots:
    void repeatsPixels_data() { addTypes(); }
    void repeatsPixels()
    {
        QFETCH(ElementType, type);
        FormRun run;
        const auto got = run.run({enlarge(run.context(), run.input(numbers({1, 1, 1, 2}, {1, 2}, type)), 2)});
        QVERIFY(isNear(got[0], {1, 1, 2, 4}, {1, 1, 2, 2, 1, 1, 2, 2}));
    }

    void resizesBy()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({1, 1, 1, 4}, {0, 10, 20, 30}));
        const OnnxValue one = ctx.onnx.ints({1});
        const auto to = [&](std::int64_t width, const Resizing& how) {
            return resizeTo(ctx, x, one, ctx.onnx.ints({width}), how);
        };
        const auto got = run.run(
            {to(7, {.coordinates = Coordinates::AlignCorners}), to(2, {}), to(1, {}),
             to(1, {.coordinates = Coordinates::HalfPixelFromFirst}), to(8, {.coordinates = Coordinates::Asymmetric}),
             to(3, {.isLinear = false, .coordinates = Coordinates::Asymmetric}),
             to(3, {.isLinear = false, .coordinates = Coordinates::AlignCorners, .roundsUp = true}),
             enlarge(ctx, x, 3, 2)});
        QVERIFY(isNear(got[0], {1, 1, 1, 7}, {0, 5, 10, 15, 20, 25, 30}));
        QVERIFY(isNear(got[1], {1, 1, 1, 2}, {5, 25}));
        QVERIFY(isNear(got[2], {1, 1, 1, 1}, {15}));
        QVERIFY(isNear(got[3], {1, 1, 1, 1}, {0}));
        QVERIFY(isNear(got[4], {1, 1, 1, 8}, {0, 5, 10, 15, 20, 25, 30, 30}));
        QVERIFY(isNear(got[5], {1, 1, 1, 3}, {0, 10, 20}));
        QVERIFY(isNear(got[6], {1, 1, 1, 3}, {0, 20, 30}));
        QVERIFY(isNear(got[7], {1, 1, 1, 8}, {0, 0, 10, 10, 20, 20, 30, 30}));
    }

    void predictsWhatResizeReads_data()
    {
        QTest::addColumn<std::int64_t>("from");
        QTest::addColumn<std::int64_t>("to");
        QTest::addColumn<bool>("hasHalfPixels");
        QTest::addColumn<bool>("isRead");
        const auto row = [](std::int64_t from, std::int64_t to, bool hasHalfPixels, bool isRead) {
            QTest::addRow("%d to %d%s", int(from), int(to), hasHalfPixels ? " with half pixels" : "")
                << from << to << hasHalfPixels << isRead;
        };
        row(5, 10, false, true);
        row(20, 30, false, true);
        row(7, 7, false, true);
        row(10, 7, false, true);
        row(224, 32, false, false); // of the second element it is 6.9999995
        row(14, 16, false, false);
        row(300, 10, false, false);
        row(5, 10, true, true);
        row(9, 4, true, true);
        row(6, 3, true, true);
        row(36, 10, true, false);
        row(300, 10, true, false);
    }
    void predictsWhatResizeReads()
    {
        QFETCH(std::int64_t, from);
        QFETCH(std::int64_t, to);
        QFETCH(bool, hasHalfPixels);
        QFETCH(bool, isRead);
        const Resizing how{.isLinear = false,
                           .coordinates = hasHalfPixels ? Coordinates::HalfPixel : Coordinates::Asymmetric,
                           .roundsUp = hasHalfPixels};
        Ints places;
        for (std::int64_t i = 0; i < to; ++i) {
            places.push_back(hasHalfPixels ? (2 * i + 1) * from / (2 * to) : i * from / to);
        }
        const float scale = static_cast<float>(to) / static_cast<float>(from);
        QCOMPARE(resizeReads(places, from, scale, how), isRead);
        FormRun run;
        const NodeContext& ctx = run.context();
        Reals ramp(static_cast<std::size_t>(from));
        std::iota(ramp.begin(), ramp.end(), 0.0);
        const OnnxValue x = run.input(numbers({1, 1, 1, from}, ramp));
        const auto got = run.run({resizeTo(ctx, x, ctx.onnx.ints({1}), ctx.onnx.ints({to}), how)});
        const Reals wanted(places.begin(), places.end());
        QVERIFY(!isRead || isNear(got[0], {1, 1, 1, to}, wanted));
        places.back() = (places.back() + 1) % (from + 1);
        QVERIFY(!resizeReads(places, from, scale, how));
    }

    void selectsPlaces()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}));
        QVERIFY(elementsAt(ctx, x, 1, {0, 1, 2, 3}) == x);
        const auto got =
            run.run({elementsAt(ctx, x, 1, {0, 2}), elementsAt(ctx, x, 1, {1, 2}), elementsAt(ctx, x, 1, {3}),
                     elementsAt(ctx, x, 1, {0, 0, 3}), elementsAt(ctx, x, 0, {0, 0, 1, 1})});
        QVERIFY(isNear(got[0], {2, 2}, {0, 2, 4, 6}));
        QVERIFY(isNear(got[1], {2, 2}, {1, 2, 5, 6}));
        QVERIFY(isNear(got[2], {2, 1}, {3, 7}));
        QVERIFY(isNear(got[3], {2, 3}, {0, 0, 3, 4, 4, 7}));
        QVERIFY(isNear(got[4], {4, 4}, {0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7}));
        QCOMPARE(nearestPlaces(224, 32, [](float place) { return place * 7; })->at(1), 7);
        QVERIFY(!nearestPlaces(0, 3, [](float place) { return place; }));
    }

    void resizesLinearly_data() { addTypes(); }
    void resizesLinearly()
    {
        QFETCH(ElementType, type);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({1, 1, 2, 2}, {0, 4, 8, 12}, type));
        const auto to = [&](std::int64_t height, std::int64_t width, Coordinates coordinates) {
            return bilinearResize(ctx, x, ctx.onnx.ints({height}), ctx.onnx.ints({width}), coordinates);
        };
        const OnnxValue same = to(2, 2, Coordinates::AlignCorners);
        QVERIFY(same == x);
        const auto got = run.run({to(3, 3, Coordinates::AlignCorners), to(2, 4, Coordinates::HalfPixelFromFirst),
                                  to(1, 1, Coordinates::HalfPixelFromFirst), to(1, 1, Coordinates::HalfPixel)});
        QVERIFY(isNear(got[0], {1, 1, 3, 3}, {0, 2, 4, 4, 6, 8, 8, 10, 12}));
        QVERIFY(isNear(got[1], {1, 1, 2, 4}, {0, 1, 3, 4, 8, 9, 11, 12}));
        QVERIFY(isNear(got[2], {1, 1, 1, 1}, {0}));
        QVERIFY(isNear(got[3], {1, 1, 1, 1}, {6}));
    }

    /// Of five pixels, three averages: of 0 to 1, 1 to 3 and 3 to 4.
    void averagesAdaptively_data() { addTypes(); }
    void averagesAdaptively()
    {
        QFETCH(ElementType, type);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({1, 1, 1, 5}, {1, 3, 5, 7, 9}, type));
        const OnnxValue even = run.input(numbers({1, 1, 2, 2}, {1, 3, 5, 7}, type));
        const auto got =
            run.run({adaptiveAverage(ctx, x, 1, 3), adaptiveAverage(ctx, x, 1, 1), adaptiveAverage(ctx, even, 1, 2)});
        QVERIFY(isNear(got[0], {1, 1, 1, 3}, {2, 5, 8}));
        QVERIFY(isNear(got[1], {1, 1, 1, 1}, {5}));
        QVERIFY(isNear(got[2], {1, 1, 1, 2}, {3, 5}));
    }

    void filtersPixels()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(numbers({1, 4, 1}, {0, 10, 20, 30}));
        const OnnxValue constant = run.input(numbers({1, 1, 4, 1}, {5, 5, 5, 5}));
        const auto to = [&](std::int64_t width, PixelFilter filter) {
            return resizedImages(ctx, x, {1, width}, filter);
        };
        const auto got = run.run({to(2, PixelFilter::Nearest), to(2, PixelFilter::Linear), to(2, PixelFilter::Area),
                                  to(3, PixelFilter::Area), resizedImages(ctx, constant, {1, 7}, PixelFilter::Cubic),
                                  resizedImages(ctx, constant, {1, 9}, PixelFilter::Lanczos)});
        QVERIFY(isNear(got[0], {1, 2, 1}, {0, 20}));
        QVERIFY(isNear(got[1], {1, 2, 1}, {5, 25}));
        QVERIFY(isNear(got[2], {1, 2, 1}, {5, 25}));
        QVERIFY(isNear(got[3], {1, 3, 1}, {2.5, 15, 27.5})); // a pixel and a third of the next
        QVERIFY(isNear(got[4], {1, 1, 7, 1}, Reals(7, 5)));
        QVERIFY(isNear(got[5], {1, 1, 9, 1}, Reals(9, 5)));
    }

    void samplesGrids_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<ElementType>("type");
        QTest::newRow("gathered") << 15 << ElementType::Float32;
        QTest::newRow("operator") << 17 << ElementType::Float32;
        QTest::newRow("double, gathered") << 17 << ElementType::Float64;
        QTest::newRow("double, operator") << 20 << ElementType::Float64;
    }
    void samplesGrids()
    {
        QFETCH(int, opset);
        QFETCH(ElementType, type);
        FormRun run(atOpset(opset));
        const NodeContext& ctx = run.context();
        const OnnxValue images = run.input(numbers({1, 1, 2, 2}, {0, 4, 8, 12}, type));
        const OnnxValue identity = run.input(numbers({1, 6}, {1, 0, 0, 0, 1, 0}, type));
        const OnnxValue moved = run.input(numbers({1, 6}, {1, 0, 1, 0, 1, 0}, type)); // half a size to the right
        const OnnxValue flow = run.input(numbers({1, 2, 2, 2}, {1, 0, 0, 0, 0, 1, 0, 0}, type));
        const auto got = run.run({sampledAlong(ctx, images, affineGrid(ctx, identity, {3, 3})),
                                  sampledAlong(ctx, images, affineGrid(ctx, moved, {2, 3})),
                                  sampledAlong(ctx, images, warpedGrid(ctx, flow))});
        QVERIFY(isNear(got[0], {1, 1, 3, 3}, {0, 2, 4, 4, 6, 8, 8, 10, 12}));
        QVERIFY(isNear(got[1], {1, 1, 2, 3}, {2, 4, 2, 10, 12, 6}));
        QVERIFY(isNear(got[2], {1, 1, 2, 2}, {4, 12, 8, 12}));
    }

    void movesBlocks_data()
    {
        QTest::addColumn<ElementType>("type");
        QTest::newRow("float32") << ElementType::Float32;
        QTest::newRow("int64") << ElementType::Int64;
    }
    void movesBlocks()
    {
        QFETCH(ElementType, type);
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(counted({1, 1, 2, 4}, type));
        const OnnxValue deep = spaceToDepth(ctx, x, 2);
        const OnnxValue wide = run.input(counted({1, 8, 1, 1}, type));
        const auto got = run.run({deep, depthToSpace(ctx, deep, 2), depthToSpace(ctx, wide, 2)});
        QVERIFY(isNear(got[0], {1, 4, 1, 2}, {1, 3, 2, 4, 5, 7, 6, 8}));
        QVERIFY(isNear(got[1], {1, 1, 2, 4}, counted({8}).toDoubles()));
        QVERIFY(isNear(got[2], {1, 2, 2, 2}, {1, 3, 5, 7, 2, 4, 6, 8}));
    }

    /// Columns put back count every pixel as often as windows meet it.
    void makesColumns()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const Window window{{2, 2}, {1, 1}, {1, 1}};
        const OnnxValue columns = imageToColumns(ctx, run.input(counted({1, 1, 2, 3})), window, {0, 0});
        const OnnxValue padded = imageToColumns(ctx, run.input(counted({1, 1, 1, 1})), window, {1, 1});
        const auto got = run.run({columns, padded, columnsToImage(ctx, columns, window, {0, 0}, {2, 3}),
                                  columnsToImage(ctx, padded, window, {1, 1}, {1, 1})});
        QVERIFY(isNear(got[0], {1, 4, 2}, {1, 2, 2, 3, 4, 5, 5, 6}));
        QVERIFY(isNear(got[1], {1, 4, 4}, {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0}));
        QVERIFY(isNear(got[2], {1, 1, 2, 3}, {1, 4, 3, 4, 10, 6}));
        QVERIFY(isNear(got[3], {1, 1, 1, 1}, {4}));
    }

    /// The left half of the second image's width, and a box that reaches out of it.
    void cutsBoxes()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue images = run.input(numbers({2, 1, 3, 1}, {1, 2, 3, 10, 20, 30}));
        const OnnxValue boxes = run.input(numbers({2, 4}, {0, 0, 0, 0.5, 0, 0.5, 0, 1.5}));
        const OnnxValue owner = run.input(numbers({2}, {1, 0}, ElementType::Int32));
        BoxCrops how{
            .images = images, .boxes = boxes, .imageOfBox = owner, .size = ctx.onnx.ints({1, 3}), .beyond = -1};
        const OnnxValue linear = boxCrops(ctx, how);
        how.isNearest = true;
        const auto got = run.run({linear, boxCrops(ctx, how)});
        QVERIFY(isNear(got[0], {2, 1, 3, 1}, {10, 15, 20, 2, 3, -1}));
        QVERIFY(isNear(got[1], {2, 1, 3, 1}, {10, 20, 20, 2, 3, -1}));
    }
};

QTEST_APPLESS_MAIN(TestImages)
#include "tst_images.moc"
