// Regions of interest that are pooled and aligned, in ONNX Runtime.

#include "tests/support/form_values.h"

#include "core/convert/forms/vision/deformable_roi_pooling.h"
#include "core/convert/forms/vision/roi_align.h"
#include "core/convert/forms/vision/roi_pooling.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

namespace {

/// A plane in which every place (y, x) has the value 10 y + x, so that the mean of samples is the value of their
/// middle.
Tensor plane(std::int64_t channels, std::int64_t size, ElementType type = ElementType::Float32)
{
    Reals values;
    for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t y = 0; y < size; ++y) {
            for (std::int64_t x = 0; x < size; ++x) {
                values.push_back(static_cast<double>(100 * c + 10 * y + x));
            }
        }
    }
    return numbers({1, channels, size, size}, values, type);
}

Bins binsOf(std::int64_t height, std::int64_t width, double scale = 1)
{
    return {.height = height, .width = width, .scale = scale};
}

} // namespace

class TestRegions : public QObject {
    Q_OBJECT
private slots:
    void alignsRegions_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<bool>("isShifted");
        QTest::addColumn<std::int64_t>("samples");
        for (const int opset : {15, 17, 22}) {
            for (const bool isShifted : {false, true}) {
                for (const std::int64_t samples : {0, 2}) {
                    QTest::addRow("opset %d, %d, %d samples", opset, int(isShifted), int(samples))
                        << opset << isShifted << samples;
                }
            }
        }
    }
    void alignsRegions()
    {
        QFETCH(int, opset);
        QFETCH(bool, isShifted);
        QFETCH(std::int64_t, samples);
        FormRun run(atOpset(opset));
        const OnnxValue images = run.input(plane(2, 8));
        // In pixels (2, 1) to (6, 5), and (1, 2) to (1.5, 2.5), which is one pixel large without the shift.
        const OnnxValue regions = run.input(numbers({2, 5}, {0, 4, 2, 12, 10, 0, 2, 4, 3, 5}));
        const auto got = run.run({roiAlign(run.context(), images, regions,
                                           {.bins = binsOf(2, 2, 0.5), .samples = samples, .isShifted = isShifted})});
        const double shift = isShifted ? 5.5 : 0; // half a pixel in y and in x
        const double size = isShifted ? 0.5 : 1;
        Reals wanted;
        for (const double channel : {0.0, 100.0}) {
            for (const double y : {2.0, 4.0}) {
                for (const double x : {3.0, 5.0}) {
                    wanted.push_back(channel + 10 * y + x - shift);
                }
            }
        }
        for (const double channel : {0.0, 100.0}) {
            for (const double y : {0.25, 0.75}) {
                for (const double x : {0.25, 0.75}) {
                    wanted.push_back(channel + 10 * (2 + y * size) + 1 + x * size - shift);
                }
            }
        }
        QVERIFY(isNear(got[0], {2, 2, 2, 2}, wanted, 1e-4));
    }

    void alignsOwnChannels()
    {
        FormRun run;
        const OnnxValue images = run.input(plane(4, 8));
        const OnnxValue regions = run.input(numbers({1, 4}, {2, 1, 6, 5}));
        RoiAlign how{.bins = binsOf(2, 2), .samples = 2, .isNumbered = false, .ownChannels = true};
        const auto got = run.run({roiAlign(run.context(), images, regions, how)});
        QVERIFY(isNear(got[0], {1, 1, 2, 2}, {23, 125, 243, 345}, 1e-4));
    }

    /// A region of 4 x 2 around (x 4, y 3), turned by a quarter: its width then runs along y.
    void alignsTurnedRegions()
    {
        FormRun run;
        const OnnxValue images = run.input(plane(1, 8));
        const OnnxValue regions = run.input(numbers({2, 6}, {0, 4, 3, 4, 2, 0, 0, 4, 3, 4, 2, 90}));
        const auto got = run.run({rotatedRoiAlign(run.context(), images, regions, binsOf(1, 2), 2)});
        QVERIFY(isNear(got[0], {2, 1, 1, 2}, {33, 35, 44, 24}, 1e-3));
    }

    void poolsMaxima_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<ElementType>("type");
        QTest::newRow("operator") << 17 << ElementType::Float32;
        QTest::newRow("masks") << 22 << ElementType::Float32;
        QTest::newRow("double") << 17 << ElementType::Float64;
    }
    void poolsMaxima()
    {
        QFETCH(int, opset);
        QFETCH(ElementType, type);
        FormRun run(atOpset(opset));
        const OnnxValue images = run.input(plane(1, 6, type));
        // Pixels 1 to 4 of both axes, in bins of two; the second region is of no image.
        const OnnxValue regions = run.input(numbers({2, 5}, {0, 1, 1, 4, 4, -1, 1, 1, 4, 4}, type));
        const auto got = run.run({maxRoiPooling(run.context(), images, regions, binsOf(2, 2))});
        QVERIFY(isNear(got[0], {2, 1, 2, 2}, {22, 24, 42, 44, 0, 0, 0, 0}));
    }

    void poolsPositions()
    {
        FormRun run;
        const OnnxValue images = run.input(plane(4, 6));
        const OnnxValue regions = run.input(numbers({1, 5}, {0, 0, 0, 3, 3}));
        Bins bins = binsOf(2, 2);
        bins.channels = 1;
        bins.groups = 2;
        // Pixels 0 to 3: means of two by two, each in a channel of its own.
        const auto got = run.run({positionSensitivePooling(run.context(), images, regions, bins)});
        QVERIFY(isNear(got[0], {1, 1, 2, 2}, {5.5, 107.5, 225.5, 327.5}, 1e-4));
    }

    /// The region's edges are half a pixel before the first pixel and behind the last one; samples begin at a bin's
    /// edge.
    void poolsMovedSamples()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue images = run.input(plane(4, 8));
        const OnnxValue regions = run.input(numbers({1, 5}, {0, 1, 1, 4, 4}));
        Bins bins = binsOf(2, 2);
        bins.channels = 1;
        bins.groups = 2;
        const RegionSamples samples{.parts = 2, .perBin = 2, .reach = 0.25};
        // An offset of 1 moves by a quarter of the region, one pixel: in the first bin along x.
        const OnnxValue offsets = run.input(numbers({1, 2, 2, 2}, {1, 0, 0, 0, 0, 0, 0, 0}));
        const auto got = run.run({deformableRoiPooling(ctx, images, regions, {}, bins, samples),
                                  deformableRoiPooling(ctx, images, regions, offsets, bins, samples)});
        // Samples at 0.5 and 1.5, and at 2.5 and 3.5.
        QVERIFY(isNear(got[0], {1, 1, 2, 2}, {11, 113, 231, 333}, 1e-4));
        QVERIFY(isNear(got[1], {1, 1, 2, 2}, {12, 113, 231, 333}, 1e-4));
    }
};

QTEST_APPLESS_MAIN(TestRegions)
#include "tst_regions.moc"
