// Boxes that overlap, are decoded, suppressed and matched, in ONNX Runtime.

#include "tests/support/form_values.h"

#include "core/convert/forms/vision/bipartite_matching.h"
#include "core/convert/forms/vision/boxes.h"
#include "core/convert/forms/vision/row_suppression.h"
#include "core/convert/forms/vision/suppression.h"

#include <QtTest>

using namespace crosswalk;
using namespace crosswalk::forms;
using namespace crosswalk::test;

class TestBoxes : public QObject {
    Q_OBJECT
private slots:
    void overlapsBoxes()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue corners = run.input(numbers({2, 4}, {0, 0, 2, 2, 5, 5, 6, 6}));
        const OnnxValue others = run.input(numbers({3, 4}, {1, 1, 3, 3, 0, 0, 2, 2, 6, 6, 5, 5}));
        const OnnxValue centers = run.input(numbers({1, 4}, {1, 1, 2, 2}));
        const auto got = run.run({overlapOfAll(ctx, corners, others, false), overlapOfAll(ctx, centers, centers, true),
                                  cornersToCenter(ctx, corners), centerToCorners(ctx, centers)});
        QVERIFY(isNear(got[0], {2, 3}, {1.0 / 7, 1, 0, 0, 0, 0}));
        QVERIFY(isNear(got[1], {1, 1}, {1}));
        QVERIFY(isNear(got[2], {2, 4}, {1, 1, 2, 2, 5.5, 5.5, 1, 1}));
        QVERIFY(isNear(got[3], {1, 4}, {0, 0, 2, 2}));
    }

    void decodesBoxes()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue moves = run.input(numbers({1, 1, 4}, {1, -1, std::log(2), 5}));
        const OnnxValue anchors = run.input(numbers({1, 1, 4}, {0, 0, 2, 4}));
        BoxDecoding how{.isCenter = false, .shift = {0.5, 1}};
        how.clip = 1;
        // The middle (1, 2) moves by half a width and back by a height; the size grows by 2 and by e.
        const auto got = run.run({decodedBoxes(ctx, moves, anchors, how)});
        const double half = 2 * std::exp(1.0);
        QVERIFY(isNear(got[0], {1, 1, 4}, {0, -2 - half, 4, -2 + half}));
    }

    /// What encoding computes is what decoding needs.
    void encodesBoxes()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue anchors = run.input(numbers({1, 2, 4}, {0, 0, 2, 2, 1, 1, 3, 5}));
        const OnnxValue references = run.input(numbers({1, 2, 4}, {4, 4, 5, 8, 0, 0, 3, 3}));
        const EncodedBoxes encoded = encodedBoxes(ctx, {.samples = run.input(numbers({1, 2}, {1, 0})),
                                                        .matches = run.input(numbers({1, 2}, {1, 0})),
                                                        .anchors = anchors,
                                                        .references = references,
                                                        .means = run.input(numbers({4}, {0, 0, 0, 0})),
                                                        .deviations = run.input(numbers({4}, {1, 1, 1, 1}))});
        const OnnxValue decoded = decodedBoxes(ctx, encoded.moves, anchors, {.isCenter = false});
        const auto got = run.run({encoded.moves, encoded.masks, decoded});
        const double growth = std::log(1.5);
        QVERIFY(isNear(got[0], {1, 2, 4}, {0.25, 0.25, growth, growth, 0, 0, 0, 0}));
        QVERIFY(isNear(got[1], {1, 2, 4}, {1, 1, 1, 1, 0, 0, 0, 0}));
        QVERIFY(isNear(got[2], {1, 2, 4}, {0, 0, 3, 3, 1, 1, 3, 5}));
    }

    /// Rows (class, score, corners): the second overlaps with the better fourth by 7 / 9, the third is alone, the first
    /// has no score.
    void suppressesRows_data()
    {
        QTest::addColumn<int>("opset");
        QTest::newRow("11") << 11;
        QTest::newRow("17") << 17;
    }
    void suppressesRows()
    {
        QFETCH(int, opset);
        const Tensor rows = numbers({1, 4, 6}, {0, 0,   0, 0, 1,  1,  //
                                                1, 0.5, 0, 0, 8,  8,  //
                                                0, 0.4, 9, 9, 12, 12, //
                                                0, 0.9, 0, 0, 8,  7});
        const Reals best{0, 0.9, 0, 0, 8, 7};
        const Reals second{1, 0.5, 0, 0, 8, 8};
        const Reals third{0, 0.4, 9, 9, 12, 12};
        const Reals none(6, -1);
        const auto joined = [](std::initializer_list<Reals> parts) {
            Reals all;
            for (const Reals& part : parts) {
                all.insert(all.end(), part.begin(), part.end());
            }
            return all;
        };
        FormRun run(atOpset(opset));
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(rows);
        RowSuppression how{.id = 0};
        const OnnxValue perClass = suppressedRows(ctx, x, how);
        how.perClass = false;
        const OnnxValue together = suppressedRows(ctx, x, how);
        how.overlap = 0.9;
        const OnnxValue tolerant = suppressedRows(ctx, x, how);
        how.most = 2;
        const OnnxValue limited = suppressedRows(ctx, x, how);
        how.background = 0;
        how.toCenter = true;
        const OnnxValue foreground = suppressedRows(ctx, x, how);
        const auto got = run.run({perClass, together, tolerant, limited, foreground});
        QVERIFY(isNear(got[0], {1, 4, 6}, joined({best, second, third, none})));
        QVERIFY(isNear(got[1], {1, 4, 6}, joined({best, third, none, none})));
        QVERIFY(isNear(got[2], {1, 4, 6}, joined({best, second, third, none})));
        QVERIFY(isNear(got[3], {1, 4, 6}, joined({best, second, none, none})));
        QVERIFY(isNear(got[4], {1, 4, 6}, joined({{1, 0.5, 4, 4, 8, 8}, none, none, none})));
    }

    void selectsBoxes()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue boxes = run.input(numbers({4, 4}, {0, 0, 8, 8, 9, 9, 12, 12, 0, 0, 8, 7, 20, 20, 21, 21}));
        const OnnxValue scores = run.input(numbers({4}, {0.5, 0.4, 0.9, 0.1}));
        BoxSelection given{
            .boxes = boxes, .scores = scores, .most = ctx.onnx.ints({10}), .overlap = run.input(numbers({}, {0.5}))};
        const OnnxValue all = selectedBoxes(ctx, given);
        given.leastScore = run.input(numbers({}, {0.2}));
        const OnnxValue good = selectedBoxes(ctx, given);
        given.most = ctx.onnx.ints({1});
        const auto got = run.run({all, good, selectedBoxes(ctx, given)});
        QCOMPARE(got[0].toInts(), (Dims{2, 1, 3}));
        QCOMPARE(got[1].toInts(), (Dims{2, 1}));
        QCOMPARE(got[2].toInts(), (Dims{2}));
    }

    void ordersRows()
    {
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue keys = run.input(numbers({2, 3}, {1, 3, 2, 5, 5, 7}));
        const OnnxValue marks = run.input(numbers({2, 3}, {0, 1, 1, 0, 1, 0}, ElementType::Bool));
        const auto got = run.run({descending(ctx, keys), markedFirst(ctx, marks), bestFirst(ctx, keys, marks, -1),
                                  bestFirst(ctx, keys, marks, 1)});
        QCOMPARE(got[0].toInts(), (Dims{1, 2, 0, 2, 0, 1}));
        QCOMPARE(got[1].toInts(), (Dims{1, 2, 0, 1, 0, 2}));
        QCOMPARE(got[2].dims(), (Dims{2, 2}));
        QCOMPARE(got[2].toInts()[0], 1);
        QCOMPARE(got[2].toInts()[1], 2);
        QCOMPARE(got[2].toInts()[2], 1);
        QCOMPARE(got[3].toInts(), (Dims{1, 1}));
    }

    /// The best score pairs first: (1, 0) with 9, then (0, 1) with 5, which leaves row 2 without a column.
    void matchesPairs()
    {
        const Tensor scores = numbers({3, 2}, {8, 5, 9, 7, 1, 4});
        FormRun run;
        const NodeContext& ctx = run.context();
        const OnnxValue x = run.input(scores);
        const MatchedPairs all = matchedPairs(ctx, x, {});
        const MatchedPairs above = matchedPairs(ctx, x, {.threshold = 5});
        const MatchedPairs one = matchedPairs(ctx, x, {.mostPairs = 1});
        const MatchedPairs smallest = matchedPairs(ctx, x, {.smallestFirst = true, .threshold = 6});
        const auto got = run.run({all.columnOfRow, all.rowOfColumn, above.columnOfRow, one.rowOfColumn,
                                  smallest.columnOfRow, smallest.rowOfColumn});
        QVERIFY(isNear(got[0], {3}, {1, 0, -1}));
        QVERIFY(isNear(got[1], {2}, {1, 0}));
        QVERIFY(isNear(got[2], {3}, {-1, 0, -1}));
        QVERIFY(isNear(got[3], {2}, {1, -1}));
        QVERIFY(isNear(got[4], {3}, {1, -1, 0}));
        QVERIFY(isNear(got[5], {2}, {2, 0}));
    }
};

QTEST_APPLESS_MAIN(TestBoxes)
#include "tst_boxes.moc"
