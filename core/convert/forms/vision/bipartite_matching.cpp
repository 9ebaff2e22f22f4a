#include "core/convert/forms/vision/bipartite_matching.h"

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"

#include <algorithm>
#include <limits>

namespace crosswalk::forms {
namespace {

/// Marks of -1 for each row (axis 1) or column (axis 2) of the scores (B, R, C).
OnnxValue unmarked(const NodeContext& ctx, OnnxValue scores, std::int64_t axis)
{
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, scores, 0), emit::dimVector(ctx, scores, axis)}, 0);
    const OnnxValue marks = emit::expand(ctx, emit::scalarLike(ctx, scores, -1), dims);
    ctx.onnx.refine(marks, {ctx.shape(scores)[0], ctx.shape(scores)[static_cast<std::size_t>(axis)]});
    return marks;
}

OnnxValue isFree(const NodeContext& ctx, OnnxValue marks)
{
    return ctx.emit("Less", {marks, emit::scalarLike(ctx, marks, 0)});
}

} // namespace

MatchedPairs matchedPairs(const NodeContext& ctx, OnnxValue scores, const BipartiteMatching& how)
{
    const std::int64_t rowCount = ctx.fixedDim(scores, -2);
    const std::int64_t columnCount = ctx.fixedDim(scores, -1);
    const Precision precision(ctx, scores);
    const OnnxValue given = scores;
    scores = emit::reshape(ctx, precision.widen(given), Ints{-1, rowCount, columnCount});
    scores = how.smallestFirst ? ctx.emit("Neg", {scores}) : scores;
    const OnnxValue least = emit::scalarLike(ctx, scores, how.smallestFirst ? -how.threshold : how.threshold);
    const OnnxValue taken = emit::scalarLike(ctx, scores, -std::numeric_limits<double>::infinity());
    std::int64_t turns = std::min(rowCount, columnCount);
    if (how.mostPairs) {
        turns = std::min(turns, *how.mostPairs);
    }
    const OnnxValue rowNumbers = countTo(ctx, rowCount);
    const OnnxValue columnNumbers = countTo(ctx, columnCount);
    const OnnxValue width = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(columnCount));
    const auto step = [&](OnnxValue, const OnnxValues& marks) -> OnnxValues {
        const OnnxValue freeRows = emit::unsqueeze(ctx, isFree(ctx, marks[0]), {2});
        const OnnxValue freeColumns = emit::unsqueeze(ctx, isFree(ctx, marks[1]), {1});
        const OnnxValue left = ctx.emit("Where", {ctx.emit("And", {freeRows, freeColumns}), scores, taken});
        const OnnxValue flat = emit::reshape(ctx, left, Ints{-1, rowCount * columnCount});
        const OnnxValue best = ctx.emit("ArgMax", {flat}, {{"axis", 1}, {"keepdims", 1}}); // the first of equal ones
        const OnnxValue score = ctx.emit("GatherElements", {flat, best}, {{"axis", 1}});
        const OnnxValue fits = ctx.emit("Greater", {score, least});
        const OnnxValue row = ctx.emit("Div", {best, width});
        const OnnxValue column = ctx.emit("Sub", {best, ctx.emit("Mul", {row, width})});
        const auto marked = [&](OnnxValue old, OnnxValue own, OnnxValue numbers, OnnxValue partner) {
            const OnnxValue isOne = ctx.emit("And", {ctx.emit("Equal", {own, numbers}), fits});
            const OnnxValue next = ctx.emit("Where", {isOne, emit::cast(ctx, partner, ctx.element(old)), old});
            ctx.onnx.refine(next, ctx.shape(old));
            return next;
        };
        return {marked(marks[0], row, rowNumbers, column), marked(marks[1], column, columnNumbers, row)};
    };
    const OnnxValues marks = loop(ctx, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(turns)),
                                  {unmarked(ctx, scores, 1), unmarked(ctx, scores, 2)}, step);
    OnnxValue results[2];
    for (std::size_t i = 0; i < 2; ++i) {
        ShapeTerms terms = termsOf(ctx, given);
        terms.eraseAt(terms.size() - (i == 0 ? 1 : 2));
        results[i] = precision.restore(reshapeTo(ctx, marks[i], terms));
    }
    return {results[0], results[1]};
}

} // namespace crosswalk::forms
