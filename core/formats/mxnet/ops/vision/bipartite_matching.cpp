// _contrib_bipartite_matching: rows and columns paired by the best scores first.

#include "core/convert/emit.h"
#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/precision.h"

#include <algorithm>
#include <limits>

namespace crosswalk::mxnet {
namespace {

OnnxValue number(const NodeContext& ctx, OnnxValue like, double value)
{
    return emit::scalarLike(ctx, like, value);
}

/// Marks of -1 for each row (axis 1) or column (axis 2) of the scores (B, R, C).
OnnxValue unmarked(const NodeContext& ctx, OnnxValue scores, std::int64_t axis)
{
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, scores, 0), emit::dimVector(ctx, scores, axis)}, 0);
    const OnnxValue marks = emit::expand(ctx, number(ctx, scores, -1), dims);
    ctx.onnx.refine(marks, {ctx.shape(scores)[0], ctx.shape(scores)[static_cast<std::size_t>(axis)]});
    return marks;
}

OnnxValue isFree(const NodeContext& ctx, OnnxValue marks)
{
    return ctx.emit("Less", {marks, number(ctx, marks, 0)});
}

OnnxValues bipartiteMatching(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool isAscending = attributes.boolean("is_ascend", false);
    const auto threshold = static_cast<double>(static_cast<float>(attributes.number("threshold")));
    const std::int64_t limit = attributes.integer("topk", -1);
    const std::size_t rank = ctx.rank(ctx.input(0));
    if (rank < 2 || !isFloating(ctx.element(ctx.input(0)))) {
        ctx.invalid("bipartite_matching takes matrices of scores, floats of at least 2 dimensions");
    }
    const std::int64_t rowCount = ctx.fixedDim(ctx.input(0), -2);
    const std::int64_t columnCount = ctx.fixedDim(ctx.input(0), -1);
    const Precision precision(ctx, ctx.input(0));
    OnnxValue scores = emit::reshape(ctx, precision.widen(ctx.input(0)), Ints{-1, rowCount, columnCount});
    scores = isAscending ? ctx.emit("Neg", {scores}) : scores;
    const OnnxValue least = number(ctx, scores, isAscending ? -threshold : threshold);
    const OnnxValue taken = number(ctx, scores, -std::numeric_limits<double>::infinity());
    std::int64_t turns = std::min(rowCount, columnCount);
    if (limit > 0) {
        turns = std::min(turns, limit + 1); // MXNet stops behind the first match too many
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
    OnnxValues results;
    for (std::size_t i = 0; i < 2; ++i) {
        ShapeTerms terms = termsOf(ctx, ctx.input(0));
        terms.erase(terms.end() - (i == 0 ? 1 : 2));
        results.push_back(precision.restore(reshapeTo(ctx, marks[i], terms)));
    }
    return results;
}

constexpr OpRow rows[] = {
    {"_contrib_bipartite_matching", bipartiteMatching, "Loop of ArgMax"},
};

} // namespace

std::span<const OpRow> bipartiteMatchingOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
