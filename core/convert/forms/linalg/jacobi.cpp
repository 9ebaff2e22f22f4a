#include "core/convert/forms/linalg/jacobi.h"

#include "core/convert/emit.h"
#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/shape_terms.h"

#include <algorithm>

namespace crosswalk::forms::linear {
namespace {

OnnxValue row(const NodeContext& ctx, OnnxValue a, OnnxValue place)
{
    return emit::gather(ctx, a, emit::unsqueeze(ctx, place, {0}), rankOf(ctx, a) - 2);
}

/// Sum of the products along the last axis, which stays.
OnnxValue dot(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {a, b}), {rankOf(ctx, a) - 1}, true);
}

/// The input of a rotation: elements (p, p), (q, q) and (p, q) of a symmetric matrix, each (..., 1, 1).
struct Corner {
    OnnxValue first;
    OnnxValue second;
    OnnxValue off;
};

/// The rotation of rows p and q that makes `off` zero, as a matrix.
OnnxValue rotation(const NodeContext& ctx, const Corner& corner, OnnxValue p, OnnxValue q, OnnxValue identity)
{
    const auto number = [&](double value) { return emit::scalarLike(ctx, corner.off, value); };
    const OnnxValue zero = number(0);
    const OnnxValue one = number(1);
    const OnnxValue isZero = ctx.emit("Equal", {corner.off, zero});
    const OnnxValue twice = ctx.emit("Add", {corner.off, corner.off});
    const OnnxValue apart = ctx.emit("Sub", {corner.second, corner.first});
    const OnnxValue ratio = ctx.emit("Div", {apart, ctx.emit("Where", {isZero, one, twice})});
    const auto root = [&](OnnxValue x) { return ctx.emit("Sqrt", {ctx.emit("Add", {ctx.emit("Mul", {x, x}), one})}); };
    const OnnxValue sign = ctx.emit("Where", {ctx.emit("Less", {ratio, zero}), number(-1), one});
    const OnnxValue smaller = ctx.emit("Div", {sign, ctx.emit("Add", {ctx.emit("Abs", {ratio}), root(ratio)})});
    const OnnxValue tangent = ctx.emit("Where", {isZero, zero, smaller});
    const OnnxValue cosine = ctx.emit("Div", {one, root(tangent)});
    const OnnxValue sine = ctx.emit("Mul", {tangent, cosine});
    const auto outer = [&](OnnxValue i, OnnxValue k) {
        return ctx.emit("MatMul", {transposedMatrices(ctx, row(ctx, identity, i)), row(ctx, identity, k)});
    };
    const OnnxValue kept = ctx.emit("Add", {outer(p, p), outer(q, q)});
    const OnnxValue crossed = ctx.emit("Sub", {outer(q, p), outer(p, q)});
    const OnnxValue turned =
        ctx.emit("Add", {ctx.emit("Mul", {kept, ctx.emit("Sub", {cosine, one})}), ctx.emit("Mul", {crossed, sine})});
    return ctx.emit("Add", {identity, turned});
}

/// Turns every pair of `size` rows, in sweeps after which nothing changes any more in the precision of the type.
OnnxValues turned(const NodeContext& ctx, std::int64_t size, const OnnxValues& states,
                  const std::function<OnnxValues(const OnnxValues& states, OnnxValue p, OnnxValue q)>& step)
{
    if (size < 2) {
        return states;
    }
    Ints firsts;
    Ints seconds;
    for (std::int64_t p = 0; p < size; ++p) {
        for (std::int64_t q = p + 1; q < size; ++q) {
            firsts.push_back(p);
            seconds.push_back(q);
        }
    }
    const auto pairs = static_cast<std::int64_t>(firsts.size());
    const std::int64_t sweeps = size == 2 ? 2 : ctx.element(states.front()) == ElementType::Float64 ? 14 : 10;
    const OnnxValue count = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(pairs));
    const OnnxValue turns = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(pairs * sweeps));
    const OnnxValue p = ctx.onnx.ints(firsts);
    const OnnxValue q = ctx.onnx.ints(seconds);
    return loop(ctx, turns, states, [&](OnnxValue turn, const OnnxValues& now) -> OnnxValues {
        const OnnxValue pair = ctx.emit("Mod", {turn, count});
        return step(now, emit::gather(ctx, p, pair, 0), emit::gather(ctx, q, pair, 0));
    });
}

OnnxValue plainIdentity(const NodeContext& ctx, OnnxValue like, std::int64_t size)
{
    return identities(ctx, ctx.onnx.constant(Tensor::filled(ctx.element(like), {size, size}, 0)), size);
}

/// Sorts the numbers on the last axis; also returns their original indices.
OnnxValues sorted(const NodeContext& ctx, OnnxValue numbers, bool isAscending)
{
    const std::int64_t axis = rankOf(ctx, numbers) - 1;
    return ctx.onnx.add("TopK", {numbers, emit::dimVector(ctx, numbers, axis)},
                        {{"axis", axis}, {"largest", isAscending ? 0 : 1}}, 2);
}

OnnxValue rowsAt(const NodeContext& ctx, OnnxValue rows, OnnxValue places)
{
    const std::int64_t axis = rankOf(ctx, places) - 1;
    const OnnxValue all = expandTo(ctx, emit::unsqueeze(ctx, places, {axis + 1}), termsOf(ctx, rows));
    return ctx.emit("GatherElements", {rows, all}, {{"axis", axis}});
}

/// 1, or -1 where the largest element of the row is negative; (..., m, 1).
OnnxValue signsOf(const NodeContext& ctx, OnnxValue rows)
{
    const std::int64_t axis = rankOf(ctx, rows) - 1;
    const OnnxValue largest = ctx.emit("ArgMax", {ctx.emit("Abs", {rows})}, {{"axis", axis}, {"keepdims", 1}});
    const OnnxValue said = ctx.emit("GatherElements", {rows, largest}, {{"axis", axis}});
    const OnnxValue isNegative = ctx.emit("Less", {said, emit::scalarLike(ctx, said, 0)});
    return ctx.emit("Where", {isNegative, emit::scalarLike(ctx, said, -1), emit::scalarLike(ctx, said, 1)});
}

} // namespace

Eigen eigen(const NodeContext& ctx, OnnxValue symmetric)
{
    const std::int64_t n = ctx.fixedDim(symmetric, -1);
    const OnnxValue identity = plainIdentity(ctx, symmetric, n);
    const OnnxValues ends = turned(
        ctx, n, {symmetric, identities(ctx, symmetric, n)},
        [&](const OnnxValues& now, OnnxValue p, OnnxValue q) -> OnnxValues {
            const auto element = [&](OnnxValue i, OnnxValue k) {
                return emit::gather(ctx, row(ctx, now[0], i), emit::unsqueeze(ctx, k, {0}), rankOf(ctx, symmetric) - 1);
            };
            const OnnxValue turn = rotation(ctx, {element(p, p), element(q, q), element(p, q)}, p, q, identity);
            return {ctx.emit("MatMul", {ctx.emit("MatMul", {turn, now[0]}), transposedMatrices(ctx, turn)}),
                    ctx.emit("MatMul", {turn, now[1]})};
        });
    const OnnxValue diagonal =
        emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {ends[0], identity}), {rankOf(ctx, symmetric) - 1}, false);
    const OnnxValues order = sorted(ctx, diagonal, true);
    const OnnxValue vectors = rowsAt(ctx, ends[1], order[1]);
    return {order[0], ctx.emit("Mul", {vectors, signsOf(ctx, vectors)})};
}

Singular singular(const NodeContext& ctx, OnnxValue a)
{
    const std::int64_t m = ctx.fixedDim(a, -2);
    const OnnxValue identity = plainIdentity(ctx, a, m);
    // The rows become orthogonal to each other: their lengths are the singular values.
    const OnnxValues ends =
        turned(ctx, m, {a, identities(ctx, a, m)}, [&](const OnnxValues& now, OnnxValue p, OnnxValue q) -> OnnxValues {
            const OnnxValue first = row(ctx, now[0], p);
            const OnnxValue second = row(ctx, now[0], q);
            const Corner corner{dot(ctx, first, first), dot(ctx, second, second), dot(ctx, first, second)};
            const OnnxValue turn = rotation(ctx, corner, p, q, identity);
            return {ctx.emit("MatMul", {turn, now[0]}), ctx.emit("MatMul", {turn, now[1]})};
        });
    const std::int64_t last = rankOf(ctx, a) - 1;
    const OnnxValue lengths = emit::squeeze(ctx, ctx.emit("Sqrt", {dot(ctx, ends[0], ends[0])}), {last});
    const OnnxValues order = sorted(ctx, lengths, false);
    const OnnxValue rows = rowsAt(ctx, ends[0], order[1]);
    const OnnxValue sizes = emit::unsqueeze(ctx, order[0], {last});
    const OnnxValue isZero = ctx.emit("Equal", {sizes, emit::scalarLike(ctx, sizes, 0)});
    const OnnxValue right =
        ctx.emit("Div", {rows, ctx.emit("Where", {isZero, emit::scalarLike(ctx, sizes, 1), sizes})});
    const OnnxValue signs = signsOf(ctx, right);
    return {order[0], ctx.emit("Mul", {rowsAt(ctx, ends[1], order[1]), signs}), ctx.emit("Mul", {right, signs})};
}

} // namespace crosswalk::forms::linear
