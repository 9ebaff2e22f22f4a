// _linalg_gelqf and _linalg_syevd: factors with orthonormal rows, by reflections and by rotations.

#include "core/convert/emit.h"
#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/linalg/jacobi.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"

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
        ctx.invalid(fmt::format("{} requires matrices of float32 or float64", ctx.node.op));
    }
}

OnnxValue row(const NodeContext& ctx, OnnxValue a, OnnxValue place)
{
    return emit::gather(ctx, a, emit::unsqueeze(ctx, place, {0}), rankOf(ctx, a) - 2);
}

OnnxValue sum(const NodeContext& ctx, OnnxValue x)
{
    return emit::reduce(ctx, "ReduceSum", x, {rankOf(ctx, x) - 1}, true);
}

/// A = L Q. Householder reflections reduce one row after another to the diagonal, with LAPACK's signs; the identity
/// below A keeps their product.
OnnxValues rowsFactored(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    expectMatrices(ctx, a);
    const std::int64_t m = ctx.fixedDim(a, -2);
    const std::int64_t n = ctx.fixedDim(a, -1);
    if (m < 1 || m > n) {
        ctx.invalid(fmt::format("gelqf requires at most as many rows as columns, not {}", toString(ctx.shape(a))));
    }
    const std::int64_t rowAxis = rankOf(ctx, a) - 2;
    const OnnxValue both = emit::concat(ctx, {a, linear::identities(ctx, a, n)}, rowAxis);
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
        // Away from zero, to avoid cancellation; a row that is already reduced stays.
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

OnnxValues symmetricEigen(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    expectMatrices(ctx, a);
    const std::int64_t n = ctx.fixedDim(a, -1);
    if (n < 1 || n != ctx.fixedDim(a, -2) || n > 1024) {
        ctx.invalid(fmt::format("syevd requires square matrices, not {}", toString(ctx.shape(a))));
    }
    ctx.note("ambiguous-result", "for equal eigenvalues, and for eigenvectors whose two largest elements have the same "
                                 "magnitude, MXNet's choice depends on its LAPACK");
    const linear::Eigen found = linear::eigen(ctx, linear::symmetricOf(ctx, a, true));
    return {found.vectors, found.values};
}

} // namespace

std::span<const OpRow> orthogonalFactorOps()
{
    static constexpr OpRow rows[] = {
        {"_linalg_gelqf", rowsFactored, "Scan of reflections"},
        {"_linalg_syevd", symmetricEigen, "Loop of rotations"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
