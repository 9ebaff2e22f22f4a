// Two tensors, or a tensor and a number: floor division, fmod, fmax and fmin, gcd, logaddexp, and logic, by numpy's
// rules.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/division.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/type_promotion.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// The result is bool.
template <arithmetic::Binary op>
OnnxValues truth(NodeContext& ctx)
{
    return {op(ctx, ctx.input(0), ctx.input(1))};
}

template <arithmetic::Binary op>
OnnxValues truthWithNumber(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    double number = attributes.number("scalar", 1);
    if (attributes.boolean("is_int", true)) { // else MXNet compares integers in doubles
        number = castNumber(ctx, ctx.element(x), number, "scalar");
    }
    return {op(ctx, x, ctx.onnx.scalar(ElementType::Bool, castNumber(ElementType::Bool, number)))};
}

OnnxValue floorDivide(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (isFloating(ctx.element(a))) {
        return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
            return ctx.emit("Floor", {ctx.emit("Div", {x, y})});
        });
    }
    return arithmetic::floorQuotient(ctx, a, b);
}

/// The remainder with the sign of the dividend; division by zero returns zero.
OnnxValue remainder(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
        const OnnxValue zero = emit::scalarLike(ctx, y, 0);
        const OnnxValue isZero = ctx.emit("Equal", {y, zero});
        const OnnxValue divisor = ctx.emit("Where", {isZero, emit::scalarLike(ctx, y, 1), y});
        return ctx.emit("Where", {isZero, zero, arithmetic::truncatedRemainder(ctx, x, divisor)});
    });
}

/// For a number and NaN, returns the number.
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

} // namespace

std::span<const OpRow> numpyRemainderAndLogicOps()
{
    using namespace arithmetic;
    static constexpr OpRow rows[] = {
        {"_npi_floor_divide", mixed<floorDivide>, "Div, Floor; Mod, Sub, Div of integers"},
        {"_npi_floor_divide_scalar", scalar<floorDivide>, "Div, Floor; Mod, Sub, Div of integers"},
        {"_npi_fmax", mixed<extreme<maximum>>, "Max, IsNaN, Where"},
        {"_npi_fmax_scalar", scalar<extreme<maximum>>, "Max, IsNaN, Where"},
        {"_npi_fmin", mixed<extreme<minimum>>, "Min, IsNaN, Where"},
        {"_npi_fmin_scalar", scalar<extreme<minimum>>, "Min, IsNaN, Where"},
        {"_npi_fmod", mixed<remainder>, "Mod, Where", Support::Exact, "division by zero returns zero"},
        {"_npi_fmod_scalar", scalar<remainder>, "Mod, Where", Support::Exact, "division by zero returns zero"},
        {"_npi_gcd", truth<greatestCommonDivisor>, "Loop, Mod"},
        {"_npi_logaddexp", mixed<logOfSum>, "Exp, Add, Log"},
        {"_npi_logaddexp_scalar", scalar<logOfSum>, "Exp, Add, Log"},
        {"_npi_logical_and", truth<logicalAnd>, "And"},
        {"_npi_logical_and_scalar", truthWithNumber<logicalAnd>, "And"},
        {"_npi_logical_or", truth<logicalOr>, "Or"},
        {"_npi_logical_or_scalar", truthWithNumber<logicalOr>, "Or"},
        {"_npi_logical_xor", truth<logicalXor>, "Xor"},
        {"_npi_logical_xor_scalar", truthWithNumber<logicalXor>, "Xor"},
        {"_npi_rfloor_divide_scalar", reversed<floorDivide>, "Div, Floor; Mod, Sub, Div of integers"},
        {"_npi_rfmod_scalar", reversed<remainder>, "Mod, Where", Support::Exact, "division by zero returns zero"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
