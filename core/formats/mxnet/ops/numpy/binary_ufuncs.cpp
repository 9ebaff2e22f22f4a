// Two tensors, or a tensor and a number, by numpy's rules: types are promoted, comparisons return bool, division of
// integers returns float32.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/numpy/type_promotion.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <numbers>

namespace crosswalk::mxnet {

ElementType promoted(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const ElementType left = ctx.element(a);
    const ElementType right = ctx.element(b);
    if (left == right) {
        return left;
    }
    if (isFloating(left) != isFloating(right)) {
        return isFloating(left) ? left : right;
    }
    for (const ElementType wider :
         {ElementType::Float64, ElementType::Float32, ElementType::Int64, ElementType::Int32}) {
        if (left == wider || right == wider) {
            return wider;
        }
    }
    const bool isSignMixed = left != ElementType::Bool && right != ElementType::Bool;
    return isSignMixed                 ? (isOfVersion2(ctx) ? ElementType::Int16 : ElementType::Int32)
           : left == ElementType::Bool ? right
                                       : left;
}

ElementType quotientType(ElementType promotedType)
{
    return isFloating(promotedType) ? promotedType : ElementType::Float32;
}

namespace {

template <arithmetic::Binary op>
OnnxValues binary(NodeContext& ctx)
{
    return {op(ctx, ctx.input(0), ctx.input(1))};
}

OnnxValues trueDivide(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    const ElementType type = quotientType(promoted(ctx, a, b));
    return {arithmetic::divide(ctx, emit::cast(ctx, a, type), emit::cast(ctx, b, type))};
}

/// The result has the tensor's type, whatever the number is.
template <arithmetic::Binary op>
OnnxValues integerScalar(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const double number = castNumber(ctx, ctx.element(x), Attributes(ctx).number("scalar", 1), "scalar");
    return {op(ctx, x, emit::scalarLike(ctx, x, number))};
}

OnnxValues divideScalar(NodeContext& ctx, bool isReversed)
{
    const OnnxValue x = emit::cast(ctx, ctx.input(0), quotientType(ctx.element(ctx.input(0))));
    const OnnxValue number = emit::scalarLike(ctx, x, Attributes(ctx).number("scalar", 1));
    return {isReversed ? arithmetic::divide(ctx, number, x) : arithmetic::divide(ctx, x, number)};
}

OnnxValues trueDivideScalar(NodeContext& ctx)
{
    return divideScalar(ctx, false);
}

OnnxValues trueDivideByScalar(NodeContext& ctx)
{
    return divideScalar(ctx, true);
}

/// A comparison with a number, which is converted to bool for a bool tensor.
template <arithmetic::Binary op>
OnnxValues scalarQuestion(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) == ElementType::Bool) {
        return {op(ctx, x, emit::scalarLike(ctx, x, Attributes(ctx).number("scalar", 1) != 0 ? 1 : 0))};
    }
    const auto [tensor, number] = scalarOperands(ctx);
    return {op(ctx, tensor, number)};
}

OnnxValue copySign(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    // MXNet compares with zero and ignores the sign of zeros and NaN.
    const OnnxValue zero = emit::scalarLike(ctx, a, 0);
    const OnnxValue bothUp =
        ctx.emit("And", {arithmetic::greaterOrEqual(ctx, a, zero), arithmetic::greaterOrEqual(ctx, b, zero)});
    const OnnxValue bothDown = ctx.emit("And", {arithmetic::less(ctx, a, zero), arithmetic::less(ctx, b, zero)});
    const OnnxValue isKept = ctx.emit("Or", {bothUp, bothDown});
    return computedAs(ctx, widened(ctx.element(a)), a, [&](OnnxValue x) {
        return ctx.emit("Where", {isKept, x, ctx.emit("Neg", {x})});
    });
}

/// a 2^b
OnnxValue scaledByPower(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const ElementType own = ctx.element(a);
    const ElementType type =
        !isFloating(own) || own == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
    return computedAs(ctx, type, a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Mul", {x, ctx.emit("Pow", {emit::scalarLike(ctx, x, 2), y})});
    });
}

/// Whether x is negative or negative zero.
OnnxValue hasSign(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    return ctx.emit("Or", {ctx.emit("Less", {x, zero}), ctx.emit("Less", {ctx.emit("Reciprocal", {x}), zero})});
}

/// The angle of the point (b, a); truncated for integers.
OnnxValue angle(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const bool isSingle = isFloating(ctx.element(a)) && ctx.element(a) != ElementType::Float64;
    const ElementType type = isSingle ? ElementType::Float32 : ElementType::Float64;
    return computedAs(ctx, type, a, b, [&](OnnxValue y, OnnxValue x) {
        // The angle to the nearer axis, then corrected by quadrant. Equal operands, also both zero or infinite, have no
        // usable ratio.
        const OnnxValue height = ctx.emit("Abs", {y});
        const OnnxValue width = ctx.emit("Abs", {x});
        const OnnxValue isSteep = ctx.emit("Greater", {height, width});
        const OnnxValue ratio =
            ctx.emit("Div", {ctx.emit("Where", {isSteep, width, height}), ctx.emit("Where", {isSteep, height, width})});
        const OnnxValue isEqual = ctx.emit("Equal", {height, width});
        const OnnxValue slope = ctx.emit("Where", {isEqual, ctx.emit("Sign", {height}), ratio});
        const OnnxValue near = elementary::arctan(ctx, slope);
        const auto from = [&](double whole, OnnxValue part) {
            return ctx.emit("Sub", {emit::scalarLike(ctx, part, whole), part});
        };
        const OnnxValue right = ctx.emit("Where", {isSteep, from(std::numbers::pi / 2, near), near});
        const OnnxValue upper = ctx.emit("Where", {hasSign(ctx, x), from(std::numbers::pi, right), right});
        return ctx.emit("Where", {hasSign(ctx, y), ctx.emit("Neg", {upper}), upper});
    });
}

constexpr std::string_view promotes = "types are promoted";

} // namespace

std::span<const OpRow> numpyElementwiseOps()
{
    using namespace arithmetic;
    static constexpr OpRow rows[] = {
        {"_npi_add", mixed<add>, "Add", Support::Exact, promotes},
        {"_npi_add_scalar", scalar<add>, "Add"},
        {"_npi_arctan2", binary<angle>, "Atan, Where"},
        {"_npi_arctan2_scalar", scalar<angle>, "Atan, Where"},
        {"_npi_bitwise_and", binary<bitwiseAnd>, "BitwiseAnd, or Mod and And"},
        {"_npi_bitwise_and_scalar", integerScalar<bitwiseAnd>, "BitwiseAnd, or Mod and And"},
        {"_npi_bitwise_or", binary<bitwiseOr>, "BitwiseOr, or Mod and And"},
        {"_npi_bitwise_or_scalar", integerScalar<bitwiseOr>, "BitwiseOr, or Mod and And"},
        {"_npi_bitwise_xor", binary<bitwiseXor>, "BitwiseXor, or Mod and And"},
        {"_npi_bitwise_xor_scalar", integerScalar<bitwiseXor>, "BitwiseXor, or Mod and And"},
        {"_npi_copysign", binary<copySign>, "Less, Neg, Where"},
        {"_npi_copysign_scalar", scalar<copySign>, "Less, Neg, Where"},
        {"_npi_equal", binary<equal>, "Equal"},
        {"_npi_equal_scalar", scalarQuestion<equal>, "Equal"},
        {"_npi_greater", binary<greater>, "Greater"},
        {"_npi_greater_equal", binary<greaterOrEqual>, "GreaterOrEqual"},
        {"_npi_greater_equal_scalar", scalarQuestion<greaterOrEqual>, "GreaterOrEqual"},
        {"_npi_greater_scalar", scalarQuestion<greater>, "Greater"},
        {"_npi_hypot", binary<hypotenuse>, "Mul, Add, Sqrt"},
        {"_npi_lcm", binary<leastCommonMultiple>, "Loop, Mod, Mul"},
        {"_npi_lcm_scalar", integerScalar<leastCommonMultiple>, "Loop, Mod, Mul"},
        {"_npi_ldexp", binary<scaledByPower>, "Pow, Mul"},
        {"_npi_ldexp_scalar", scalar<scaledByPower>, "Pow, Mul"},
        {"_npi_less", binary<less>, "Less"},
        {"_npi_less_equal", binary<lessOrEqual>, "LessOrEqual"},
        {"_npi_less_equal_scalar", scalarQuestion<lessOrEqual>, "LessOrEqual"},
        {"_npi_less_scalar", scalarQuestion<less>, "Less"},
        {"_npi_mod", mixed<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_npi_mod_scalar", scalar<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_npi_multiply", mixed<multiply>, "Mul", Support::Exact, promotes},
        {"_npi_multiply_scalar", scalar<multiply>, "Mul"},
        {"_npi_not_equal", binary<notEqual>, "Equal, Not"},
        {"_npi_not_equal_scalar", scalarQuestion<notEqual>, "Equal, Not"},
        {"_npi_power", mixed<power>, "Pow", Support::Exact, promotes},
        {"_npi_power_scalar", scalar<power>, "Pow"},
        {"_npi_rarctan2_scalar", reversed<angle>, "Atan, Where"},
        {"_npi_rcopysign_scalar", reversed<copySign>, "Less, Neg, Where"},
        {"_npi_rldexp_scalar", reversed<scaledByPower>, "Pow, Mul"},
        {"_npi_rmod_scalar", reversed<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_npi_rpower_scalar", reversed<power>, "Pow"},
        {"_npi_rsubtract_scalar", reversed<subtract>, "Sub"},
        {"_npi_rtrue_divide_scalar", trueDivideByScalar, "Div"},
        {"_npi_subtract", mixed<subtract>, "Sub", Support::Exact, promotes},
        {"_npi_subtract_scalar", scalar<subtract>, "Sub"},
        {"_npi_true_divide", trueDivide, "Div", Support::Exact, "of integers float32"},
        {"_npi_true_divide_scalar", trueDivideScalar, "Div", Support::Exact, "of integers float32"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
