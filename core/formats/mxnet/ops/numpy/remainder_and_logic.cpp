// The numpy operators that only MXNet 2 has.

#include "core/formats/mxnet/compute_type.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/type_promotion.h"
#include "core/formats/mxnet/ops/tensor/arange.h"
#include "core/formats/mxnet/ops/tensor/arithmetic.h"
#include "core/formats/mxnet/ops/tensor/integer_arithmetic.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"
#include "core/formats/mxnet/shape_terms.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// The answer is bool.
template <arithmetic::Binary op>
OnnxValues truth(NodeContext& ctx)
{
    return {op(ctx, ctx.input(0), ctx.input(1))};
}

template <arithmetic::Binary op>
OnnxValues truthWithNumber(NodeContext& ctx)
{
    const bool isTrue = Attributes(ctx).number("scalar", 1) != 0;
    return {op(ctx, ctx.input(0), ctx.onnx.scalar(ElementType::Bool, isTrue ? 1 : 0))};
}

OnnxValue floorDivide(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (isFloating(ctx.element(a))) {
        return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
            return ctx.emit("Floor", {ctx.emit("Div", {x, y})});
        });
    }
    // What is left over has the divisor's sign, so that without it nothing is cut off.
    return computedAs(ctx, ElementType::Int64, a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Div", {ctx.emit("Sub", {x, arithmetic::modulo(ctx, x, y)}), y});
    });
}

/// The remainder with the sign of the dividend; by zero it is zero.
OnnxValue remainder(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
        const OnnxValue zero = emit::scalarLike(ctx, y, 0);
        const OnnxValue isZero = ctx.emit("Equal", {y, zero});
        const OnnxValue divisor = ctx.emit("Where", {isZero, emit::scalarLike(ctx, y, 1), y});
        return ctx.emit("Where", {isZero, zero, ctx.emit("Mod", {x, divisor}, {{"fmod", 1}})});
    });
}

/// Of a number and NaN the number.
template <arithmetic::Binary op>
OnnxValue extreme(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue found = op(ctx, a, b);
    if (!isFloating(ctx.element(a))) {
        return found;
    }
    const OnnxValue right = ctx.emit("Where", {ctx.emit("IsNaN", {a}), b, found});
    return ctx.emit("Where", {ctx.emit("IsNaN", {b}), a, right});
}

OnnxValue logOfSum(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (!isFloating(ctx.element(a))) {
        ctx.invalid(fmt::format("{} of {}", ctx.node.op, elementTypeName(ctx.element(a))));
    }
    const ElementType type = ctx.element(a) == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
    return computedAs(ctx, type, a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Log", {ctx.emit("Add", {ctx.emit("Exp", {x}), ctx.emit("Exp", {y})})});
    });
}

/// Ones on and below a diagonal.
OnnxValues triangle(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t rows = attributes.integer("N");
    const std::int64_t columns = attributes.integer("M", rows);
    const std::int64_t offset = attributes.integer("k", 0);
    if (rows < 0 || columns < 0) {
        ctx.invalid(fmt::format("a matrix of {} rows and {} columns", rows, columns), "N");
    }
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    return {computedConstant(ctx, type, {rows, columns}, [=](std::uint64_t index) {
        const auto place = static_cast<std::int64_t>(index);
        return place % columns <= place / columns + offset ? 1.0 : 0.0;
    })};
}

/// The upper triangle, zeros elsewhere.
OnnxValues upperTriangle(NodeContext& ctx)
{
    OnnxValue x = ctx.input(0);
    const std::int64_t offset = Attributes(ctx).integer("k", 0);
    if (ctx.rank(x) == 0) {
        ctx.invalid("a scalar has no triangle");
    }
    if (ctx.rank(x) == 1) {
        const ShapeTerm size = termOf(ctx, x, {0});
        x = expandTo(ctx, x, {size, size});
    }
    const std::int64_t columns = ctx.fixedDim(x, -1);
    const OnnxValue mask =
        computedConstant(ctx, ElementType::Bool, {ctx.fixedDim(x, -2), columns}, [=](std::uint64_t index) {
            const auto place = static_cast<std::int64_t>(index);
            return place % columns >= place / columns + offset ? 1.0 : 0.0;
        });
    return {ctx.emit("Where", {mask, x, emit::scalarLike(ctx, x, 0)})};
}

/// Each element of one tensor times all of the other.
OnnxValues kronecker(NodeContext& ctx)
{
    const std::size_t rank = std::max(ctx.rank(ctx.input(0)), ctx.rank(ctx.input(1)));
    const auto spread = [&](OnnxValue x, std::int64_t place) {
        Ints front(rank - ctx.rank(x));
        std::iota(front.begin(), front.end(), 0);
        Ints between;
        for (std::size_t i = 0; i < rank; ++i) {
            between.push_back(2 * static_cast<std::int64_t>(i) + place);
        }
        return emit::unsqueeze(ctx, emit::unsqueeze(ctx, x, front), between);
    };
    const OnnxValue product = arithmetic::multiply(ctx, spread(ctx.input(0), 1), spread(ctx.input(1), 0));
    ShapeTerms terms;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto at = 2 * static_cast<std::int64_t>(i);
        terms.push_back(termOf(ctx, product, {at, at + 1}));
    }
    return {reshapeTo(ctx, product, terms)};
}

/// The axis moved to stand before the one at `start`.
OnnxValues rollAxis(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const std::int64_t axis = ctx.axis(attributes.integer("axis"), ctx.rank(x));
    std::int64_t start = attributes.integer("start", 0);
    start += start < 0 ? rank : 0;
    if (start < 0 || start > rank) {
        ctx.invalid(fmt::format("start = {} of {} dimensions", start, rank), "start");
    }
    Ints order(ctx.rank(x));
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + axis);
    order.insert(order.begin() + (start > axis ? start - 1 : start), axis);
    return {emit::transpose(ctx, x, order)};
}

/// x[indices]: by numbers along the first axis, by a mask along as many as it has.
OnnxValues indexed(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue indices = ctx.input(1);
    if (ctx.element(indices) != ElementType::Bool) {
        return {emit::gather(ctx, x, emit::cast(ctx, indices, ElementType::Int64), 0)};
    }
    if (ctx.rank(indices) == 1) {
        return {ctx.emit("Compress", {x, indices}, {{"axis", 0}})};
    }
    if (ctx.rank(indices) == 0) {
        ctx.refuse("a scalar as a mask");
    }
    return {ctx.emit("GatherND", {x, emit::transpose(ctx, ctx.emit("NonZero", {indices}), {1, 0})})};
}

using namespace arithmetic;

constexpr OpRow rows[] = {
    {"_npi_advanced_indexing", indexed, "Gather, Compress or GatherND"},
    {"_npi_floor_divide", mixed<floorDivide>, "Div, Floor; Mod, Sub, Div of integers"},
    {"_npi_floor_divide_scalar", scalar<floorDivide>, "Div, Floor; Mod, Sub, Div of integers"},
    {"_npi_fmax", mixed<extreme<maximum>>, "Max, IsNaN, Where"},
    {"_npi_fmax_scalar", scalar<extreme<maximum>>, "Max, IsNaN, Where"},
    {"_npi_fmin", mixed<extreme<minimum>>, "Min, IsNaN, Where"},
    {"_npi_fmin_scalar", scalar<extreme<minimum>>, "Min, IsNaN, Where"},
    {"_npi_fmod", mixed<remainder>, "Mod, Where", Support::Exact, "by zero it is zero"},
    {"_npi_fmod_scalar", scalar<remainder>, "Mod, Where", Support::Exact, "by zero it is zero"},
    {"_npi_gcd", truth<greatestCommonDivisor>, "Loop, Mod"},
    {"_npi_kron", kronecker, "Unsqueeze, Mul, Reshape"},
    {"_npi_logaddexp", mixed<logOfSum>, "Exp, Add, Log"},
    {"_npi_logaddexp_scalar", scalar<logOfSum>, "Exp, Add, Log"},
    {"_npi_logical_and", truth<logicalAnd>, "And"},
    {"_npi_logical_and_scalar", truthWithNumber<logicalAnd>, "And"},
    {"_npi_logical_or", truth<logicalOr>, "Or"},
    {"_npi_logical_or_scalar", truthWithNumber<logicalOr>, "Or"},
    {"_npi_logical_xor", truth<logicalXor>, "Xor"},
    {"_npi_logical_xor_scalar", truthWithNumber<logicalXor>, "Xor"},
    {"_npi_rfloor_divide_scalar", reversed<floorDivide>, "Div, Floor; Mod, Sub, Div of integers"},
    {"_npi_rfmod_scalar", reversed<remainder>, "Mod, Where", Support::Exact, "by zero it is zero"},
    {"_npi_rollaxis", rollAxis, "Transpose"},
    {"_npi_tri", triangle, "a constant"},
    {"_npi_triu", upperTriangle, "Where"},
};

} // namespace

std::span<const OpRow> numpyRemainderAndLogicOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
