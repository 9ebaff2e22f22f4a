#include "core/convert/forms/linalg/linear_systems.h"

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace crosswalk::forms::linear {
namespace {

/// Rows against columns of an n x n pattern: 1 where `op` holds of (row, column), else 0, in a's type.
OnnxValue pattern(const NodeContext& ctx, OnnxValue a, std::string_view op)
{
    const OnnxValue places = countUp(ctx, a, rankOf(ctx, a) - 1);
    return ctx.emit(op, {emit::unsqueeze(ctx, places, {1}), emit::unsqueeze(ctx, places, {0})});
}

/// One step of an elimination, in the body of a Scan. Vectors are on the last axis.
class Elimination {
public:
    Elimination(const NodeContext& ctx, OnnxValue matrix, OnnxValue unit, OnnxValue isLeft)
        : m_ctx(ctx)
        , m_matrix(matrix)
        , m_unit(unit)
    {
        // The largest element of the column, of those in rows that are left, becomes the pivot: its row is exchanged
        // with the current one.
        const OnnxValue column = columnOf(matrix);
        const OnnxValue magnitude = ctx.emit("Where", {isLeft, ctx.emit("Abs", {column}), number(-1)});
        const OnnxValue found = ctx.emit("ArgMax", {magnitude}, {{"axis", -1}, {"keepdims", 1}});
        const OnnxValue isFound = ctx.emit("Equal", {found, countUp(ctx, unit, 0)});
        const OnnxValue change = ctx.emit("Sub", {unit, emit::cast(ctx, isFound, ctx.element(unit))});
        const OnnxValue changed = ctx.emit("MatMul", {asRow(change), matrix});
        m_matrix = ctx.emit("Sub", {matrix, ctx.emit("Mul", {asColumn(change), changed})});
        m_row = ctx.emit("MatMul", {asRow(unit), m_matrix});
        m_pivot = ctx.emit("MatMul", {squareOf(m_row), asColumn(unit)});
        const OnnxValue stays =
            emit::reduce(ctx, "ReduceMax", ctx.emit("Abs", {change}), {rankOf(ctx, change) - 1}, false);
        m_sign = ctx.emit("Sub", {number(1), ctx.emit("Mul", {stays, number(2)})});
    }

    /// The matrix with the column cleared: below the pivot, or everywhere else with the pivot's row divided by it.
    OnnxValue cleared(bool everywhere, OnnxValue isLeft) const
    {
        const OnnxValue column = columnOf(m_matrix);
        const auto without = [&](OnnxValue multiples) {
            const OnnxValue factors = m_ctx.emit("Div", {asColumn(multiples), safePivot()});
            return m_ctx.emit("Sub", {m_matrix, m_ctx.emit("Mul", {factors, m_row})});
        };
        if (everywhere) {
            // A difference would lose the digits of the pivot's row if the pivot is large.
            const OnnxValue isPivot = asColumn(m_ctx.emit("Greater", {m_unit, number(0)}));
            return m_ctx.emit("Where", {isPivot, m_ctx.emit("Div", {m_row, safePivot()}), without(column)});
        }
        const OnnxValue others = m_ctx.emit("Sub", {column, m_ctx.emit("Mul", {m_unit, flatPivot()})});
        return without(m_ctx.emit("Where", {isLeft, others, number(0)}));
    }

    OnnxValue pivot() const { return flat(m_pivot); }
    OnnxValue sign() const { return m_sign; }

private:
    OnnxValue number(double value) const { return m_ctx.onnx.scalar(m_ctx.element(m_unit), value); }
    OnnxValue asRow(OnnxValue v) const { return emit::unsqueeze(m_ctx, v, {rankOf(m_ctx, v) - 1}); }
    OnnxValue asColumn(OnnxValue v) const { return emit::unsqueeze(m_ctx, v, {rankOf(m_ctx, v)}); }
    OnnxValue flat(OnnxValue v) const { return emit::squeeze(m_ctx, v, {rankOf(m_ctx, v) - 2, rankOf(m_ctx, v) - 1}); }
    OnnxValue flatPivot() const { return emit::squeeze(m_ctx, m_pivot, {rankOf(m_ctx, m_pivot) - 1}); }
    /// The first columns, as many as there are rows.
    OnnxValue squareOf(OnnxValue rows) const
    {
        const std::int64_t count = m_ctx.fixedDim(m_unit, 0);
        return m_ctx.fixedDim(rows, -1) == count ? rows : emit::slice(m_ctx, rows, Ints{0}, Ints{count}, Ints{-1});
    }
    OnnxValue columnOf(OnnxValue matrix) const
    {
        const OnnxValue column = m_ctx.emit("MatMul", {squareOf(matrix), asColumn(m_unit)});
        return emit::squeeze(m_ctx, column, {rankOf(m_ctx, column) - 1});
    }
    /// A matrix without an inverse has a pivot of zero: its rows are zero too, and stay.
    OnnxValue safePivot() const
    {
        return m_ctx.emit("Where", {m_ctx.emit("Equal", {m_pivot, number(0)}), number(1), m_pivot});
    }

    const NodeContext& m_ctx;
    OnnxValue m_matrix;
    OnnxValue m_unit;
    OnnxValue m_row;
    OnnxValue m_pivot;
    OnnxValue m_sign;
};

struct Eliminated {
    OnnxValue matrix;
    Pivots pivots;
};

/// Runs through the columns of the square part of `matrix`, which may have more columns behind it.
Eliminated eliminated(const NodeContext& ctx, OnnxValue square, OnnxValue matrix, bool everywhere)
{
    const OnnxValue units = emit::cast(ctx, pattern(ctx, square, "Equal"), ctx.element(square));
    const OnnxValue left = ctx.emit("Not", {pattern(ctx, square, "Greater")}); // row k of it: columns from k on
    const Shape one{ctx.shape(square).back()};
    ctx.onnx.beginBody();
    const OnnxValue state = ctx.onnx.bodyInput(ctx.onnx.type(matrix));
    const OnnxValue unit = ctx.onnx.bodyInput({ctx.element(square), one});
    const OnnxValue isLeft = ctx.onnx.bodyInput({ElementType::Bool, one});
    const Elimination step(ctx, state, unit, isLeft);
    const OnnxBody body = ctx.onnx.endBody({step.cleared(everywhere, isLeft), step.pivot(), step.sign()});
    const OnnxValues results = ctx.onnx.add("Scan", {matrix, units, left}, {{"body", body}, {"num_scan_inputs", 2}}, 3);
    return {results[0], {results[1], results[2]}};
}

/// The size of a batch axis, counted from the end; nothing if x lacks it.
std::optional<Dim> batchSize(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const std::int64_t place = rankOf(ctx, x) + axis;
    return place >= 0 ? std::optional(ctx.shape(x)[static_cast<std::size_t>(place)]) : std::nullopt;
}

bool isKnownToBe(const std::optional<Dim>& size, const std::optional<Dim>& other)
{
    return size && size == other && !size->isUnknown();
}

/// Whether the axis of x may have to be repeated for that of the other.
bool isRepeatedFor(const NodeContext& ctx, OnnxValue x, OnnxValue other, std::int64_t axis)
{
    const auto wanted = batchSize(ctx, other, axis);
    const auto own = batchSize(ctx, x, axis);
    return wanted && (!own || (!isKnownToBe(own, wanted) && *wanted != Dim(1) && (!own->isFixed() || *own == Dim(1))));
}

/// The common size of a batch axis as a vector.
OnnxValue commonSize(const NodeContext& ctx, OnnxValue a, OnnxValue b, std::int64_t axis)
{
    if (!isRepeatedFor(ctx, a, b, axis)) {
        return emit::dimVector(ctx, a, axis);
    }
    if (!isRepeatedFor(ctx, b, a, axis)) {
        return emit::dimVector(ctx, b, axis);
    }
    return ctx.emit("Max", {emit::dimVector(ctx, a, axis), emit::dimVector(ctx, b, axis)});
}

} // namespace

std::pair<OnnxValue, OnnxValue> withCommonBatch(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    constexpr std::int64_t lastBatchAxis = -3;
    const auto repeated = [&](OnnxValue x, OnnxValue other) {
        OnnxValues sizes;
        Shape shape;
        bool isRepeated = false;
        for (std::int64_t axis = -std::max(rankOf(ctx, x), rankOf(ctx, other)); axis <= lastBatchAxis; ++axis) {
            sizes.push_back(commonSize(ctx, x, other, axis));
            shape.emplace_back();
            isRepeated = isRepeated || isRepeatedFor(ctx, x, other, axis);
        }
        if (!isRepeated) {
            return x;
        }
        for (std::int64_t axis = lastBatchAxis + 1; axis < 0; ++axis) {
            sizes.push_back(emit::dimVector(ctx, x, axis));
            shape.push_back(*batchSize(ctx, x, axis));
        }
        const OnnxValue y = emit::expand(ctx, x, emit::concat(ctx, sizes, 0));
        ctx.onnx.refine(y, shape);
        return y;
    };
    return {repeated(a, b), repeated(b, a)};
}

Pivots pivots(const NodeContext& ctx, OnnxValue a)
{
    return eliminated(ctx, a, a, false).pivots;
}

OnnxValue solved(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const std::int64_t last = rankOf(ctx, a) - 1;
    const std::int64_t size = ctx.fixedDim(a, last);
    const OnnxValue both = emit::concat(ctx, {a, b}, last);
    const OnnxValue done = eliminated(ctx, a, both, true).matrix;
    return emit::slice(ctx, done, Ints{size}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{last});
}

OnnxValue identityLike(const NodeContext& ctx, OnnxValue a)
{
    return expandTo(ctx, emit::cast(ctx, pattern(ctx, a, "Equal"), ctx.element(a)), termsOf(ctx, a));
}

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

OnnxValue symmetricOf(const NodeContext& ctx, OnnxValue a, bool isLower)
{
    const OnnxValue isOther = pattern(ctx, a, isLower ? "Less" : "Greater");
    const OnnxValue turned = emit::swapAxes(ctx, a, rankOf(ctx, a) - 2, rankOf(ctx, a) - 1);
    const OnnxValue symmetric = ctx.emit("Where", {isOther, turned, a});
    ctx.onnx.refine(symmetric, ctx.shape(a));
    return symmetric;
}

OnnxValue triangleOf(const NodeContext& ctx, OnnxValue a, bool isLower)
{
    const OnnxValue isOther = pattern(ctx, a, isLower ? "Less" : "Greater");
    return ctx.emit("Where", {isOther, emit::scalarLike(ctx, a, 0), a});
}

OnnxValue choleskyFactor(const NodeContext& ctx, OnnxValue a)
{
    const std::int64_t rank = rankOf(ctx, a);
    const OnnxValue units = emit::cast(ctx, pattern(ctx, a, "Equal"), ctx.element(a));
    const OnnxValue left = ctx.emit("Not", {pattern(ctx, a, "Greater")});
    const Shape one{ctx.shape(a).back()};
    ctx.onnx.beginBody();
    const OnnxValue rest = ctx.onnx.bodyInput(ctx.onnx.type(a));
    const OnnxValue unit = emit::unsqueeze(ctx, ctx.onnx.bodyInput({ctx.element(a), one}), {1});
    const OnnxValue isLeft = emit::unsqueeze(ctx, ctx.onnx.bodyInput({ElementType::Bool, one}), {1});
    const OnnxValue column =
        ctx.emit("Where", {isLeft, ctx.emit("MatMul", {rest, unit}), emit::scalarLike(ctx, rest, 0)});
    const OnnxValue pivot = ctx.emit("MatMul", {emit::transpose(ctx, unit, {1, 0}), column});
    const OnnxValue factor = ctx.emit("Div", {column, ctx.emit("Sqrt", {pivot})});
    const OnnxValue product = ctx.emit("MatMul", {factor, emit::swapAxes(ctx, factor, rank - 2, rank - 1)});
    const OnnxValue done = emit::squeeze(ctx, factor, {rank - 1});
    const OnnxBody body = ctx.onnx.endBody({ctx.emit("Sub", {rest, product}), done});
    const OnnxValues results = ctx.onnx.add("Scan", {a, units, left}, {{"body", body}, {"num_scan_inputs", 2}}, 2);
    // The columns are stacked on the first axis.
    Ints axes;
    for (std::int64_t i = 1; i < rank; ++i) {
        axes.push_back(i);
    }
    axes.push_back(0);
    return emit::transpose(ctx, results[1], axes);
}

} // namespace crosswalk::forms::linear
