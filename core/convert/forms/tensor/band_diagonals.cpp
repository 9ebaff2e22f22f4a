#include "core/convert/forms/tensor/band_diagonals.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/selection.h"

namespace crosswalk::forms {
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
    // With a fixed size, which is right for an empty batch too.
    const Dim& height = ctx.shape(x)[static_cast<std::size_t>(rank - 2)];
    const Dim& width = ctx.shape(x)[static_cast<std::size_t>(rank - 1)];
    const bool isKnown = height.isFixed() && width.isFixed() && height.size > 0 && width.size > 0;
    const OnnxValue size = ctx.onnx.ints({isKnown ? height.size * width.size : -1});
    return emit::reshape(ctx, x, rank == 2 ? size : emit::concat(ctx, {batch, size}, 0));
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

} // namespace

Band mainDiagonal(const NodeContext& ctx)
{
    return {.low = number(ctx, 0), .high = number(ctx, 0), .isOne = true};
}

OnnxValue onlyOfSeveral(const NodeContext& ctx, const Band& band, OnnxValue y)
{
    // One row more than exists, which Reshape rejects.
    const OnnxValue isOne = emit::unsqueeze(ctx, asInt64(ctx, ctx.emit("Equal", {band.low, band.high})), {0});
    const OnnxValue none = ctx.onnx.ints(Ints(ctx.rank(y) - 1, 0));
    const OnnxValue dims = ctx.emit("Add", {emit::shapeVector(ctx, y), emit::concat(ctx, {isOne, none}, 0)});
    const OnnxValue checked = ctx.emit("Reshape", {y, dims});
    ctx.onnx.refine(checked, ctx.shape(y));
    return checked;
}

OnnxValue diagonalsOf(const NodeContext& ctx, OnnxValue x, const Band& band, OnnxValue filler)
{
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

OnnxValue matrixOfDiagonal(const NodeContext& ctx, OnnxValue diagonal)
{
    const Band band = mainDiagonal(ctx);
    const OnnxValue x = withDiagonalAxis(ctx, band, diagonal);
    const OnnxValue size = lastDim(ctx, x, 1);
    return matrixOf(ctx, band, x, size, size, emit::scalarLike(ctx, x, 0));
}

OnnxValue matrixOfDiagonals(const NodeContext& ctx, const Band& band, OnnxValue diagonals, OnnxValue rows,
                            OnnxValue columns, OnnxValue others)
{
    const OnnxValue x = withDiagonalAxis(ctx, band, diagonals);
    const OnnxValue size = lastDim(ctx, x, 1);
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue leastRows = ctx.emit("Sub", {size, smaller(ctx, band.high, zero)});
    const OnnxValue leastColumns = ctx.emit("Add", {size, larger(ctx, band.low, zero)});
    const OnnxValue openRows = ctx.emit("Equal", {rows, number(ctx, -1)});
    const OnnxValue openColumns = ctx.emit("Equal", {columns, number(ctx, -1)});
    const OnnxValue square = larger(ctx, leastRows, leastColumns);
    const OnnxValue isSquare = ctx.emit("And", {openRows, openColumns});
    const auto sized = [&](OnnxValue given, OnnxValue isOpen, OnnxValue least) {
        return ctx.emit("Where", {isSquare, square, ctx.emit("Where", {isOpen, least, given})});
    };
    const OnnxValue columnCount = sized(columns, openColumns, leastColumns);
    return matrixOf(ctx, band, x, sized(rows, openRows, leastRows), columnCount, others);
}

OnnxValue withDiagonals(const NodeContext& ctx, OnnxValue x, const Band& band, OnnxValue diagonals)
{
    const OnnxValue columns = lastDim(ctx, x, 1);
    const OnnxValue rows = lastDim(ctx, x, 2);
    return matrixOf(ctx, band, withDiagonalAxis(ctx, band, diagonals), rows, columns, x);
}

namespace {

/// A matrix of the given dimensions, an int64 vector of two, with `value` on the main diagonal.
OnnxValue uniformDiagonal(const NodeContext& ctx, OnnxValue dims, ElementType type, double value)
{
    const OnnxValue zeros = constantOfShape(ctx, ElementType::Float32, dims, 0);
    const bool isMade = type == ElementType::Float64 || type == ElementType::Int32 || type == ElementType::Int64;
    const ElementType made = isMade ? type : ElementType::Float32;
    const OnnxValue ones = ctx.emit("EyeLike", {zeros}, {{"dtype", static_cast<std::int64_t>(made)}});
    const OnnxValue eye = emit::cast(ctx, ones, type);
    return value == 1 ? eye : arithmetic::multiply(ctx, eye, emit::scalarLike(ctx, eye, value));
}

OnnxValue lastTwoDims(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return rank == 2 ? emit::shapeVector(ctx, x)
                     : emit::slice(ctx, emit::shapeVector(ctx, x), Ints{rank - 2}, Ints{rank}, Ints{0});
}

} // namespace

OnnxValue matrixOfUniformDiagonal(const NodeContext& ctx, OnnxValue diagonal, double value)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(diagonal));
    const OnnxValue size = emit::dimVector(ctx, diagonal, rank - 1);
    const OnnxValue matrix = uniformDiagonal(ctx, emit::concat(ctx, {size, size}, 0), ctx.element(diagonal), value);
    return rank == 1 ? matrix
                     : emit::expand(ctx, matrix, emit::concat(ctx, {emit::shapeVector(ctx, diagonal), size}, 0));
}

OnnxValue withUniformDiagonal(const NodeContext& ctx, OnnxValue x, double value)
{
    const OnnxValue diagonal = uniformDiagonal(ctx, lastTwoDims(ctx, x), ElementType::Bool, 1);
    return choose(ctx, diagonal, emit::scalarLike(ctx, x, value), x);
}

OnnxValue uniformDiagonalLike(const NodeContext& ctx, OnnxValue x, double value)
{
    const OnnxValue matrix = uniformDiagonal(ctx, lastTwoDims(ctx, x), ctx.element(x), value);
    return ctx.rank(x) == 2 ? matrix : emit::expand(ctx, matrix, emit::shapeVector(ctx, x));
}

namespace {

/// ONNX's Trilu with a known number of diagonals on the kept side of the main one.
OnnxValue triangle(const NodeContext& ctx, OnnxValue x, bool isUpper, std::int64_t first)
{
    return ctx.emit("Trilu", {x, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(first))},
                    {{"upper", isUpper}});
}

/// The types that ONNX Runtime's Trilu supports.
bool hasTriangles(const NodeContext& ctx, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    return ctx.onnx.opset() >= 14 && (type == ElementType::Float32 || type == ElementType::Float64 ||
                                      type == ElementType::Int64 || type == ElementType::Bool);
}

constexpr std::int64_t maskLimit = 4096; ///< elements

/// Where a matrix of fixed size has elements to keep; nothing for an open or large one.
std::optional<OnnxValue> keptElements(const NodeContext& ctx, OnnxValue x, std::int64_t below, std::int64_t above)
{
    const Shape& shape = ctx.shape(x);
    const Dim& rows = shape[shape.size() - 2];
    const Dim& columns = shape.back();
    if (!rows.isFixed() || !columns.isFixed() || rows.size == 0 || columns.size > maskLimit / rows.size) {
        return std::nullopt;
    }
    Ints kept;
    for (std::int64_t row = 0; row < rows.size; ++row) {
        for (std::int64_t column = 0; column < columns.size; ++column) {
            kept.push_back((below < 0 || row - column <= below) && (above < 0 || column - row <= above) ? 1 : 0);
        }
    }
    const Tensor mask = Tensor::ints(kept).reshaped({rows.size, columns.size});
    return ctx.onnx.constant(mask.converted(ElementType::Bool));
}

} // namespace

OnnxValue bandPart(const NodeContext& ctx, OnnxValue x, OnnxValue below, OnnxValue above)
{
    const auto knownBelow = knownInts(ctx, below);
    const auto knownAbove = knownInts(ctx, above);
    if (knownBelow && knownAbove) {
        const std::int64_t lower = knownBelow->front();
        const std::int64_t upper = knownAbove->front();
        if (hasTriangles(ctx, x)) {
            const OnnxValue kept = lower < 0 ? x : triangle(ctx, x, true, -lower);
            return upper < 0 ? kept : triangle(ctx, kept, false, upper);
        }
        if (const auto mask = keptElements(ctx, x, lower, upper)) {
            return choose(ctx, *mask, x, emit::scalarLike(ctx, x, 0));
        }
    }
    const OnnxValue zero = number(ctx, 0);
    const OnnxValue distance =
        ctx.emit("Sub", {countedColumn(ctx, lastDim(ctx, x, 2)), countedRow(ctx, lastDim(ctx, x, 1))});
    const auto within = [&](OnnxValue limit, OnnxValue steps) {
        return ctx.emit("Or", {ctx.emit("Less", {limit, zero}), arithmetic::lessOrEqual(ctx, steps, limit)});
    };
    const OnnxValue isKept = ctx.emit("And", {within(below, distance), within(above, ctx.emit("Neg", {distance}))});
    return choose(ctx, isKept, x, emit::scalarLike(ctx, x, 0));
}

} // namespace crosswalk::forms
