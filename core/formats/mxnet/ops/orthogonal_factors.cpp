// _linalg_gelqf and _linalg_syevd: factors with orthonormal rows, by reflections and by rotations.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/creation.h"
#include "core/formats/mxnet/ops/linear_systems.h"
#include "core/formats/mxnet/ops/looping.h"
#include "core/formats/mxnet/ops/matrix.h"
#include "core/formats/mxnet/shape_terms.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValue number(const NodeContext& ctx, OnnxValue like, double value)
{
    return emit::scalarLike(ctx, like, value);
}

std::int64_t rankOf(const NodeContext& ctx, OnnxValue x)
{
    return static_cast<std::int64_t>(ctx.rank(x));
}

void expectMatrices(const NodeContext& ctx, OnnxValue a)
{
    const ElementType type = ctx.element(a);
    if (ctx.rank(a) < 2 || (type != ElementType::Float32 && type != ElementType::Float64)) {
        ctx.invalid(fmt::format("{} takes matrices of float32 or float64", ctx.node.op));
    }
}

/// Identity matrices of a size, as many as there are matrices in a.
OnnxValue identities(const NodeContext& ctx, OnnxValue a, std::int64_t size)
{
    std::vector<double> ones;
    for (std::int64_t i = 0; i < size * size; ++i) {
        ones.push_back(i % (size + 1) == 0 ? 1 : 0);
    }
    const Tensor one = Tensor::of<double>(ElementType::Float64, {size, size}, ones).converted(ctx.element(a));
    ShapeTerms terms = termsOf(ctx, a);
    terms[terms.size() - 2] = fixedTerm(size);
    terms[terms.size() - 1] = fixedTerm(size);
    return expandTo(ctx, ctx.onnx.constant(one), terms);
}

OnnxValue row(const NodeContext& ctx, OnnxValue a, OnnxValue place)
{
    return emit::gather(ctx, a, emit::unsqueeze(ctx, place, {0}), rankOf(ctx, a) - 2);
}

OnnxValue sum(const NodeContext& ctx, OnnxValue x)
{
    return emit::reduce(ctx, "ReduceSum", x, {rankOf(ctx, x) - 1}, true);
}

/// A = L Q. Householder's reflections bring one row after another to the diagonal, with LAPACK's signs; the identity
/// below A keeps their product.
OnnxValues rowsFactored(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    expectMatrices(ctx, a);
    const std::int64_t m = ctx.fixedDim(a, -2);
    const std::int64_t n = ctx.fixedDim(a, -1);
    if (m < 1 || m > n) {
        ctx.invalid(fmt::format("gelqf takes no more rows than columns, not {}", toString(ctx.shape(a))));
    }
    const std::int64_t rowAxis = rankOf(ctx, a) - 2;
    const OnnxValue both = emit::concat(ctx, {a, identities(ctx, a, n)}, rowAxis);
    const OnnxValue columns = countTo(ctx, n);
    const auto reflect = [&](const OnnxValues& states, const OnnxValues& turn) -> ScanStep {
        const OnnxValue now = states[0];
        const OnnxValue zero = number(ctx, now, 0);
        const OnnxValue one = number(ctx, now, 1);
        const OnnxValue isDone = ctx.emit("Less", {columns, turn[0]});
        const OnnxValue isOwn = ctx.emit("Equal", {columns, turn[0]});
        const OnnxValue rest = ctx.emit("Where", {isDone, zero, row(ctx, now, turn[0])});
        const OnnxValue own = ctx.emit("Where", {isOwn, rest, zero});
        const OnnxValue others = ctx.emit("Sub", {rest, own});
        const OnnxValue length = ctx.emit("Sqrt", {sum(ctx, ctx.emit("Mul", {rest, rest}))});
        // Away from zero, so that nothing cancels; a row that is done already stays.
        const OnnxValue isNegative = ctx.emit("Less", {sum(ctx, own), zero});
        const OnnxValue goal = ctx.emit("Where", {isNegative, length, ctx.emit("Neg", {length})});
        const OnnxValue direction = ctx.emit("Sub", {rest, ctx.emit("Where", {isOwn, goal, zero})});
        const OnnxValue square = sum(ctx, ctx.emit("Mul", {direction, direction}));
        const OnnxValue size = sum(ctx, ctx.emit("Mul", {others, others}));
        const OnnxValue isPlain = ctx.emit("Not", {ctx.emit("Greater", {size, zero})});
        const OnnxValue factor =
            ctx.emit("Where", {isPlain, zero,
                               ctx.emit("Div", {number(ctx, now, 2), ctx.emit("Where", {isPlain, one, square})})});
        const OnnxValue along = ctx.emit("MatMul", {now, transposedMatrices(ctx, direction)});
        const OnnxValue change = ctx.emit("MatMul", {along, ctx.emit("Mul", {direction, factor})});
        return {{ctx.emit("Sub", {now, change})}, {}};
    };
    const OnnxValue done = scan(ctx, {both}, {countTo(ctx, m)}, reflect).states[0];
    const OnnxValue first = emit::slice(ctx, done, Ints{0}, Ints{m}, Ints{rowAxis + 1});
    const OnnxValue lower = linear::triangleOf(ctx, emit::slice(ctx, first, Ints{0}, Ints{m}, Ints{rowAxis}), true);
    const OnnxValue product = emit::slice(ctx, first, Ints{m}, Ints{m + n}, Ints{rowAxis});
    return {transposedMatrices(ctx, product), lower};
}

/// Sweeps of rotations after which nothing changes any more in the precision of the type.
std::int64_t sweepsFor(std::int64_t size, ElementType type)
{
    return size == 2 ? 1 : type == ElementType::Float64 ? 14 : 10;
}

/// Jacobi's rotation of rows and columns p and q, as a matrix.
OnnxValue rotation(const NodeContext& ctx, OnnxValue a, OnnxValue p, OnnxValue q, OnnxValue identity)
{
    const auto element = [&](OnnxValue i, OnnxValue k) {
        return emit::gather(ctx, row(ctx, a, i), emit::unsqueeze(ctx, k, {0}), rankOf(ctx, a) - 1); // (..., 1, 1)
    };
    const OnnxValue zero = number(ctx, a, 0);
    const OnnxValue one = number(ctx, a, 1);
    const OnnxValue off = element(p, q);
    const OnnxValue isZero = ctx.emit("Equal", {off, zero});
    const OnnxValue twice = ctx.emit("Add", {off, off});
    const OnnxValue apart = ctx.emit("Sub", {element(q, q), element(p, p)});
    const OnnxValue ratio = ctx.emit("Div", {apart, ctx.emit("Where", {isZero, one, twice})});
    const auto root = [&](OnnxValue x) { return ctx.emit("Sqrt", {ctx.emit("Add", {ctx.emit("Mul", {x, x}), one})}); };
    const OnnxValue sign = ctx.emit("Where", {ctx.emit("Less", {ratio, zero}), number(ctx, a, -1), one});
    const OnnxValue smaller = ctx.emit("Div", {sign, ctx.emit("Add", {ctx.emit("Abs", {ratio}), root(ratio)})});
    const OnnxValue tangent = ctx.emit("Where", {isZero, zero, smaller});
    const OnnxValue cosine = ctx.emit("Div", {one, root(tangent)});
    const OnnxValue sine = ctx.emit("Mul", {tangent, cosine});
    const auto unit = [&](OnnxValue i) { return row(ctx, identity, i); }; // (1, n)
    const auto outer = [&](OnnxValue i, OnnxValue k) {
        return ctx.emit("MatMul", {transposedMatrices(ctx, unit(i)), unit(k)});
    };
    const OnnxValue kept = ctx.emit("Add", {outer(p, p), outer(q, q)});
    const OnnxValue crossed = ctx.emit("Sub", {outer(p, q), outer(q, p)});
    const OnnxValue turned =
        ctx.emit("Add", {ctx.emit("Mul", {kept, ctx.emit("Sub", {cosine, one})}), ctx.emit("Mul", {crossed, sine})});
    return ctx.emit("Add", {identity, turned});
}

/// Rows in the order of their numbers, each with its largest element positive, as MXNet turns them.
OnnxValues ordered(const NodeContext& ctx, OnnxValue numbers, OnnxValue vectors)
{
    const std::int64_t axis = rankOf(ctx, numbers) - 1;
    const OnnxValues sorted =
        ctx.onnx.add("TopK", {numbers, emit::dimVector(ctx, numbers, axis)}, {{"axis", axis}, {"largest", 0}}, 2);
    const OnnxValue places = expandTo(ctx, emit::unsqueeze(ctx, sorted[1], {axis + 1}), termsOf(ctx, vectors));
    const OnnxValue rows = ctx.emit("GatherElements", {vectors, places}, {{"axis", axis}});
    const OnnxValue largest = ctx.emit("ArgMax", {ctx.emit("Abs", {rows})}, {{"axis", axis + 1}, {"keepdims", 1}});
    const OnnxValue said = ctx.emit("GatherElements", {rows, largest}, {{"axis", axis + 1}});
    const OnnxValue isNegative = ctx.emit("Less", {said, number(ctx, said, 0)});
    return {ctx.emit("Where", {isNegative, ctx.emit("Neg", {rows}), rows}), sorted[0]};
}

OnnxValues symmetricEigen(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    expectMatrices(ctx, a);
    const std::int64_t n = ctx.fixedDim(a, -1);
    if (n < 1 || n != ctx.fixedDim(a, -2) || n > 1024) {
        ctx.invalid(fmt::format("syevd wants square matrices, not {}", toString(ctx.shape(a))));
    }
    ctx.note("ambiguous-result", "of equal eigenvalues, and of eigenvectors whose two largest elements are equally "
                                 "large, MXNet's choice depends on its LAPACK");
    const OnnxValue lower = linear::triangleOf(ctx, a, true);
    const OnnxValue isUpper = ctx.emit("Less", {emit::unsqueeze(ctx, countTo(ctx, n), {1}), countTo(ctx, n)});
    const OnnxValue symmetric = ctx.emit("Where", {isUpper, transposedMatrices(ctx, lower), lower});
    const OnnxValue vectors = identities(ctx, a, n);
    const OnnxValue identity = identities(ctx, ctx.onnx.constant(Tensor::filled(ctx.element(a), {n, n}, 0)), n);
    Ints firsts;
    Ints seconds;
    for (std::int64_t p = 0; p < n; ++p) {
        for (std::int64_t q = p + 1; q < n; ++q) {
            firsts.push_back(p);
            seconds.push_back(q);
        }
    }
    OnnxValues states{symmetric, vectors};
    if (n > 1) {
        const auto pairs = static_cast<std::int64_t>(firsts.size());
        const OnnxValue count = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(pairs));
        const OnnxValue turns =
            ctx.onnx.scalar(ElementType::Int64, static_cast<double>(pairs * sweepsFor(n, ctx.element(a))));
        const OnnxValue p = ctx.onnx.ints(firsts);
        const OnnxValue q = ctx.onnx.ints(seconds);
        ctx.onnx.refine(symmetric, ctx.shape(a));
        states = loop(ctx, turns, states, [&](OnnxValue turn, const OnnxValues& now) -> OnnxValues {
            const OnnxValue pair = ctx.emit("Mod", {turn, count});
            const OnnxValue turned =
                rotation(ctx, now[0], emit::gather(ctx, p, pair, 0), emit::gather(ctx, q, pair, 0), identity);
            const OnnxValue back = transposedMatrices(ctx, turned);
            return {ctx.emit("MatMul", {ctx.emit("MatMul", {back, now[0]}), turned}),
                    ctx.emit("MatMul", {back, now[1]})};
        });
    }
    const OnnxValue diagonal =
        emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {states[0], identity}), {rankOf(ctx, a) - 1}, false);
    return ordered(ctx, diagonal, states[1]);
}

constexpr OpRow rows[] = {
    {"_linalg_gelqf", rowsFactored, "Scan of reflections"},
    {"_linalg_syevd", symmetricEigen, "Loop of rotations"},
};

} // namespace

std::span<const OpRow> orthogonalFactorOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
