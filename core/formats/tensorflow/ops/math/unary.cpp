// Functions of one tensor, element by element.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

using Unary = OnnxValue (*)(const NodeContext& ctx, OnnxValue x);

template <Unary function>
OnnxValues unary(NodeContext& ctx)
{
    return {function(ctx, ctx.input(0))};
}

/// An operator of ONNX through a type that it supports.
OnnxValue plain(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    return computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue v) { return ctx.emit(op, {v}); });
}

OnnxValue absolute(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Abs", x);
}

OnnxValue negative(const NodeContext& ctx, OnnxValue x)
{
    return plain(ctx, "Neg", x);
}

OnnxValue square(const NodeContext& ctx, OnnxValue x)
{
    return arithmetic::multiply(ctx, x, x);
}

OnnxValue reciprocal(const NodeContext& ctx, OnnxValue x)
{
    return isFloating(ctx.element(x)) ? elementary::reciprocal(ctx, x)
                                      : arithmetic::divide(ctx, emit::scalarLike(ctx, x, 1), x);
}

/// Rounds halves to even, in TensorFlow as in ONNX.
OnnxValue round(const NodeContext& ctx, OnnxValue x)
{
    return isFloating(ctx.element(x)) ? plain(ctx, "Round", x) : x;
}

OnnxValue complementaryError(const NodeContext& ctx, OnnxValue x)
{
    // In double precision, because 1 - erf(x) cancels.
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) {
        return ctx.emit("Sub", {emit::scalarLike(ctx, v, 1), special::error(ctx, v)});
    });
}

OnnxValue tested(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
    return ctx.emit(op, {isHalf ? emit::cast(ctx, x, ElementType::Float32) : x});
}

OnnxValue isNan(const NodeContext& ctx, OnnxValue x)
{
    return tested(ctx, "IsNaN", x);
}

OnnxValue isInfinite(const NodeContext& ctx, OnnxValue x)
{
    return tested(ctx, "IsInf", x);
}

OnnxValue isFinite(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Not", {ctx.emit("Or", {isNan(ctx, x), isInfinite(ctx, x)})});
}

OnnxValue logicalNot(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Not", {x});
}

/// x^2 / 2, summed up.
OnnxValue l2Loss(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue v) {
        const OnnxValue sum = emit::reduce(ctx, "ReduceSumSquare", v, {}, false);
        return ctx.emit("Mul", {sum, emit::scalarLike(ctx, sum, 0.5)});
    });
}

} // namespace

std::span<const OpRow> unaryOps()
{
    static constexpr OpRow rows[] = {
        {"Abs", unary<absolute>, "Abs"},
        {"Acos", unary<elementary::arccos>, "Acos"},
        {"Acosh", unary<elementary::arccosh>, "Acosh"},
        {"Asin", unary<elementary::arcsin>, "Asin"},
        {"Asinh", unary<elementary::arcsinh>, "Asinh"},
        {"Atan", unary<elementary::arctan>, "Atan"},
        {"Atanh", unary<elementary::arctanh>, "Atanh"},
        {"Ceil", unary<elementary::ceil>, "Ceil"},
        {"Cos", unary<elementary::cos>, "Cos"},
        {"Cosh", unary<elementary::cosh>, "Cosh"},
        {"Erf", unary<elementary::erf>, "Erf"},
        {"Erfc", unary<complementaryError>, "Sub"},
        {"Erfinv", unary<special::inverseError>, "Log, MatMul, Where"},
        {"Exp", unary<elementary::exp>, "Exp"},
        {"Expm1", unary<elementary::expMinusOne>, "Tanh, Exp, Mul"},
        {"Floor", unary<elementary::floor>, "Floor"},
        {"Inv", unary<reciprocal>, "Reciprocal"},
        {"Invert", unary<arithmetic::bitwiseNot>, "BitwiseNot, or Sub"},
        {"IsFinite", unary<isFinite>, "IsNaN, IsInf"},
        {"IsInf", unary<isInfinite>, "IsInf"},
        {"IsNan", unary<isNan>, "IsNaN"},
        {"L2Loss", unary<l2Loss>, "ReduceSumSquare, Mul"},
        {"Lgamma", unary<special::logGamma>, "Log, MatMul, Where"},
        {"Log", unary<elementary::log>, "Log"},
        {"Log1p", unary<elementary::logOnePlus>, "Log, Div, Where"},
        {"LogicalNot", unary<logicalNot>, "Not"},
        {"Neg", unary<negative>, "Neg"},
        {"Reciprocal", unary<reciprocal>, "Reciprocal"},
        {"Rint", unary<round>, "Round"},
        {"Round", unary<round>, "Round"},
        {"Rsqrt", unary<elementary::reciprocalSqrt>, "Sqrt, Reciprocal"},
        {"Sigmoid", unary<elementary::sigmoid>, "Sigmoid"},
        {"Sign", unary<arithmetic::sign>, "Sign"},
        {"Sin", unary<elementary::sin>, "Sin"},
        {"Sinh", unary<elementary::sinh>, "Sinh"},
        {"Sqrt", unary<elementary::sqrt>, "Sqrt"},
        {"Square", unary<square>, "Mul"},
        {"Tan", unary<elementary::tan>, "Tan"},
        {"Tanh", unary<elementary::tanh>, "Tanh"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
