// Matrices made of diagonals, diagonals out of matrices, and bands. Everything is indices, so that sizes and even the
// numbers of the diagonals may be computed while the model runs.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

OnnxValue number(const NodeContext& ctx, std::int64_t value)
{
    return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
}

OnnxValue larger(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return arithmetic::maximum(ctx, a, b);
}

OnnxValue smaller(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return arithmetic::minimum(ctx, a, b);
}

OnnxValue lastDim(const NodeContext& ctx, OnnxValue x, std::int64_t fromEnd)
{
    return scalarOf(ctx, emit::dimVector(ctx, x, static_cast<std::int64_t>(ctx.rank(x)) - fromEnd));
}

OnnxValue countedColumn(const NodeContext& ctx, OnnxValue size)
{
    return emit::unsqueeze(ctx, countTo(ctx, emit::unsqueeze(ctx, size, {0})), {1});
}

OnnxValue countedRow(const NodeContext& ctx, OnnxValue size)
{
    return emit::unsqueeze(ctx, countTo(ctx, emit::unsqueeze(ctx, size, {0})), {0});
}

/// The diagonals `low` to `high` of matrices; 0 is the main one, positive ones are above it.
struct Band {
    OnnxValue low;
    OnnxValue high;
    bool isOne = false;       ///< one diagonal, without an axis for it
    bool upperAtStart = true; ///< which end diagonals shorter than the longest are aligned with
    bool lowerAtStart = true;
};

Band bandOf(const NodeContext& ctx, std::size_t input)
{
    const OnnxValue k = intVector(ctx, ctx.input(input));
    const std::int64_t count = ctx.fixedDim(k, 0);
    const auto at = [&](std::int64_t i) {
        return emit::squeeze(ctx, emit::slice(ctx, k, Ints{i}, Ints{i + 1}, Ints{0}), {0});
    };
    if (count != 1 && count != 2) {
        ctx.invalid(fmt::format("k has {} numbers", count));
    }
    const auto known = knownInts(ctx, k);
    Band band{.low = at(0), .high = at(count - 1)};
    band.isOne = count == 1 || (known && known->front() == known->back());
    if (count == 2 && !known) {
        ctx.note("assumed-shape", "k is computed and has two numbers: they are taken to differ", "k");
    }
    // The align attribute of version 3: "RIGHT_LEFT" is where those above the main diagonal go, then those below.
    if (ctx.node.op.ends_with("V3")) {
        const std::string align = Settings(ctx).text("align");
        band.upperAtStart = align.starts_with("LEFT");
        band.lowerAtStart = align.ends_with("LEFT");
    }
    return band;
}

/// Length of a diagonal d in a matrix of so many rows and columns.
OnnxValue lengthOf(const NodeContext& ctx, OnnxValue d, OnnxValue rows, OnnxValue columns)
{
    const OnnxValue zero = number(ctx, 0);
    return smaller(ctx, ctx.emit("Add", {rows, smaller(ctx, d, zero)}),
                   ctx.emit("Sub", {columns, larger(ctx, d, zero)}));
}

OnnxValue longest(const NodeContext& ctx, const Band& band, OnnxValue rows, OnnxValue columns)
{
    const OnnxValue zero = number(ctx, 0);
    return smaller(ctx, ctx.emit("Add", {rows, smaller(ctx, band.high, zero)}),
                   ctx.emit("Sub", {columns, larger(ctx, band.low, zero)}));
}

/// Where the content of diagonal d begins among `size` elements.
OnnxValue offsetOf(const NodeContext& ctx, const Band& band, OnnxValue d, OnnxValue length, OnnxValue size)
{
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue behind = ctx.emit("Sub", {size, length});
    if (band.upperAtStart && band.lowerAtStart) {
        return zero;
    }
    if (!band.upperAtStart && !band.lowerAtStart) {
        return behind;
    }
    const OnnxValue isAtStart =
        band.upperAtStart ? arithmetic::greaterOrEqual(ctx, d, zero) : arithmetic::lessOrEqual(ctx, d, zero);
    return ctx.emit("Where", {isAtStart, zero, behind});
}

/// The last two axes of x as one.
OnnxValue flattened(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue batch = emit::slice(ctx, emit::shapeVector(ctx, x), Ints{0}, Ints{rank - 2}, Ints{0});
    return emit::reshape(ctx, x, rank == 2 ? ctx.onnx.ints({-1}) : emit::concat(ctx, {batch, ctx.onnx.ints({-1})}, 0));
}

OnnxValue diagonalPart(const NodeContext& ctx, const Band& band, OnnxValue filler)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue rows = lastDim(ctx, x, 2);
    const OnnxValue columns = lastDim(ctx, x, 1);
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue size = longest(ctx, band, rows, columns);
    const OnnxValue count = ctx.emit("Add", {ctx.emit("Sub", {band.high, band.low}), number(ctx, 1)});
    const OnnxValue d = ctx.emit("Sub", {band.high, countedColumn(ctx, count)}); // (diagonals, 1)
    const OnnxValue length = lengthOf(ctx, d, rows, columns);
    const OnnxValue place =
        ctx.emit("Sub", {countedRow(ctx, size), offsetOf(ctx, band, d, length, size)}); // (diagonals, elements)
    const OnnxValue isInside =
        ctx.emit("And", {arithmetic::greaterOrEqual(ctx, place, zero), ctx.emit("Less", {place, length})});
    const OnnxValue row = ctx.emit("Sub", {place, smaller(ctx, d, zero)});
    const OnnxValue column = ctx.emit("Add", {place, larger(ctx, d, zero)});
    const OnnxValue index =
        ctx.emit("Where", {isInside, ctx.emit("Add", {ctx.emit("Mul", {row, columns}), column}), zero});
    const OnnxValue found = emit::gather(ctx, flattened(ctx, x), index, static_cast<std::int64_t>(ctx.rank(x)) - 2);
    const OnnxValue all = choose(ctx, isInside, found, filler);
    return band.isOne ? emit::squeeze(ctx, all, {static_cast<std::int64_t>(ctx.rank(x)) - 2}) : all;
}

/// The matrices' elements taken from `diagonals` (..., diagonals, elements), `others` where no diagonal runs.
OnnxValue matrixOf(const NodeContext& ctx, const Band& band, OnnxValue diagonals, OnnxValue rows, OnnxValue columns,
                   OnnxValue others)
{
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue size = lastDim(ctx, diagonals, 1);
    const OnnxValue row = countedColumn(ctx, rows);
    const OnnxValue column = countedRow(ctx, columns);
    const OnnxValue d = ctx.emit("Sub", {column, row});
    const OnnxValue isInside =
        ctx.emit("And", {arithmetic::greaterOrEqual(ctx, d, band.low), arithmetic::lessOrEqual(ctx, d, band.high)});
    const OnnxValue length = lengthOf(ctx, d, rows, columns);
    const OnnxValue place = ctx.emit("Add", {smaller(ctx, row, column), offsetOf(ctx, band, d, length, size)});
    const OnnxValue index = ctx.emit(
        "Where", {isInside, ctx.emit("Add", {ctx.emit("Mul", {ctx.emit("Sub", {band.high, d}), size}), place}), zero});
    const OnnxValue found =
        emit::gather(ctx, flattened(ctx, diagonals), index, static_cast<std::int64_t>(ctx.rank(diagonals)) - 2);
    return choose(ctx, isInside, found, others);
}

OnnxValue withDiagonalAxis(const NodeContext& ctx, const Band& band, OnnxValue diagonals)
{
    return band.isOne ? emit::unsqueeze(ctx, diagonals, {static_cast<std::int64_t>(ctx.rank(diagonals)) - 1})
                      : diagonals;
}

Band mainDiagonal(const NodeContext& ctx)
{
    return {.low = number(ctx, 0), .high = number(ctx, 0), .isOne = true};
}

OnnxValues diagonal(NodeContext& ctx)
{
    const Band band = mainDiagonal(ctx);
    const OnnxValue x = withDiagonalAxis(ctx, band, ctx.input(0));
    const OnnxValue size = lastDim(ctx, x, 1);
    return {matrixOf(ctx, band, x, size, size, emit::scalarLike(ctx, x, 0))};
}

/// Sizes of -1 are the smallest that hold the diagonals; both of them make a square.
OnnxValues diagonalsByNumber(NodeContext& ctx)
{
    const Band band = bandOf(ctx, 1);
    const OnnxValue x = withDiagonalAxis(ctx, band, ctx.input(0));
    const OnnxValue size = lastDim(ctx, x, 1);
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue leastRows = ctx.emit("Sub", {size, smaller(ctx, band.high, zero)});
    const OnnxValue leastColumns = ctx.emit("Add", {size, larger(ctx, band.low, zero)});
    const OnnxValue rows = scalarOf(ctx, intVector(ctx, ctx.input(2)));
    const OnnxValue columns = scalarOf(ctx, intVector(ctx, ctx.input(3)));
    const OnnxValue openRows = ctx.emit("Equal", {rows, number(ctx, -1)});
    const OnnxValue openColumns = ctx.emit("Equal", {columns, number(ctx, -1)});
    const OnnxValue square = larger(ctx, leastRows, leastColumns);
    const OnnxValue isSquare = ctx.emit("And", {openRows, openColumns});
    const auto sized = [&](OnnxValue given, OnnxValue isOpen, OnnxValue least) {
        return ctx.emit("Where", {isSquare, square, ctx.emit("Where", {isOpen, least, given})});
    };
    return {matrixOf(ctx, band, x, sized(rows, openRows, leastRows), sized(columns, openColumns, leastColumns),
                     ctx.input(4))};
}

OnnxValues diagonalOfMatrix(NodeContext& ctx)
{
    return {diagonalPart(ctx, mainDiagonal(ctx), emit::scalarLike(ctx, ctx.input(0), 0))};
}

OnnxValues diagonalsOfMatrix(NodeContext& ctx)
{
    return {diagonalPart(ctx, bandOf(ctx, 1), ctx.input(2))};
}

OnnxValue replaced(const NodeContext& ctx, const Band& band)
{
    const OnnxValue x = ctx.input(0);
    return matrixOf(ctx, band, withDiagonalAxis(ctx, band, ctx.input(1)), lastDim(ctx, x, 2), lastDim(ctx, x, 1), x);
}

OnnxValues setDiagonal(NodeContext& ctx)
{
    return {replaced(ctx, mainDiagonal(ctx))};
}

OnnxValues setDiagonals(NodeContext& ctx)
{
    return {replaced(ctx, bandOf(ctx, 2))};
}

/// So many diagonals below and above the main one; all of them where the number is negative.
OnnxValues bandPart(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue below =
        ctx.emit("Sub", {countedColumn(ctx, lastDim(ctx, x, 2)), countedRow(ctx, lastDim(ctx, x, 1))});
    const auto within = [&](std::size_t input, OnnxValue distance) {
        const OnnxValue limit = scalarOf(ctx, intVector(ctx, ctx.input(input)));
        return ctx.emit("Or", {ctx.emit("Less", {limit, zero}), arithmetic::lessOrEqual(ctx, distance, limit)});
    };
    const OnnxValue isKept = ctx.emit("And", {within(1, below), within(2, ctx.emit("Neg", {below}))});
    return {choose(ctx, isKept, x, emit::scalarLike(ctx, x, 0))};
}

constexpr OpRow rows[] = {
    {"MatrixBandPart", bandPart, "Range, Less, Where"},       {"MatrixDiag", diagonal, "Gather, Where"},
    {"MatrixDiagPart", diagonalOfMatrix, "Gather, Where"},    {"MatrixDiagPartV2", diagonalsOfMatrix, "Gather, Where"},
    {"MatrixDiagPartV3", diagonalsOfMatrix, "Gather, Where"}, {"MatrixDiagV2", diagonalsByNumber, "Gather, Where"},
    {"MatrixDiagV3", diagonalsByNumber, "Gather, Where"},     {"MatrixSetDiag", setDiagonal, "Gather, Where"},
    {"MatrixSetDiagV2", setDiagonals, "Gather, Where"},       {"MatrixSetDiagV3", setDiagonals, "Gather, Where"},
};

} // namespace

std::span<const OpRow> matrixDiagonalOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
