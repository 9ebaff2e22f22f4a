// One input, one output, element by element.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/convert/forms/random/samplers.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/equal_shapes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// The input. From version 2 on numpy's functions return float16 for 8-bit integers and float32 for other integers.
OnnxValue promotedInput(const NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const bool isPromoted = ctx.node.op.starts_with("_npi_") && ctx.node.op != "_npi_reciprocal" && isOfVersion2(ctx);
    if (!isPromoted || isFloating(own)) {
        return x;
    }
    return emit::cast(ctx, x, byteSize(own) == 1 ? ElementType::Float16 : ElementType::Float32);
}

/// A function of real numbers. For integers MXNet computes it in doubles and truncates the result.
template <elementary::Unary function>
OnnxValues real(NodeContext& ctx)
{
    const OnnxValue x = promotedInput(ctx);
    if (isFloating(ctx.element(x))) {
        return {function(ctx, x)};
    }
    return {computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return function(ctx, v); })};
}

/// A function whose value at an integer is that integer.
template <elementary::Unary function>
OnnxValues rounding(NodeContext& ctx)
{
    const OnnxValue x = promotedInput(ctx);
    return {isFloating(ctx.element(x)) ? function(ctx, x) : x};
}

/// An operator that ONNX has for all numeric types; small integers are widened where ONNX lacks them.
OnnxValues numeric(NodeContext& ctx, bool hasUnsigned, const auto& form)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const bool isLacking = own == ElementType::Bool || own == ElementType::BFloat16 ||
                           (!hasUnsigned && (own == ElementType::UInt8 || own == ElementType::UInt16));
    return {computedAs(ctx, isLacking ? widened(own) : own, x, form)};
}

OnnxValues absolute(NodeContext& ctx)
{
    return numeric(ctx, true, [&](OnnxValue x) { return ctx.emit("Abs", {x}); });
}

OnnxValues negative(NodeContext& ctx)
{
    return numeric(ctx, false, [&](OnnxValue x) { return ctx.emit("Neg", {x}); });
}

/// NaN has the sign 0.
OnnxValues sign(NodeContext& ctx)
{
    return numeric(ctx, true, [&](OnnxValue x) { return arithmetic::signOrZero(ctx, x); });
}

OnnxValues relu(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {isFloating(ctx.element(x)) ? ctx.emit("Relu", {x})
                                       : arithmetic::maximum(ctx, x, emit::scalarLike(ctx, x, 0))};
}

OnnxValues square(NodeContext& ctx)
{
    return {arithmetic::multiply(ctx, ctx.input(0), ctx.input(0))};
}

OnnxValues logicalNot(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {emit::cast(ctx, ctx.emit("Not", {emit::cast(ctx, x, ElementType::Bool)}), ctx.element(x))};
}

/// Whether MXNet's float32 comparison of integers with a bound equals the integer comparison.
bool comparesExactly(ElementType type, float bound)
{
    constexpr float exact = 1 << 24;
    return byteSize(type) < 4 || std::abs(bound) < exact || std::isinf(bound);
}

/// Clips integers between bounds that float32 cannot distinguish from their neighbours.
OnnxValue clippedAsFloats(const NodeContext& ctx, OnnxValue x, float low, float high)
{
    const ElementType type = ctx.element(x);
    const auto replaced = [&](OnnxValue y, std::string_view comparison, float bound, std::string_view attribute) {
        const OnnxValue isBeyond = ctx.emit(
            comparison, {emit::cast(ctx, x, ElementType::Float32), ctx.onnx.scalar(ElementType::Float32, bound)});
        return ctx.emit("Where", {isBeyond, castLike(ctx, x, bound, attribute), y});
    };
    const double end = byteSize(type) == 8 ? 0x1p63 : 0x1p31;
    const OnnxValue raised = low < -end ? x : replaced(x, "Less", low, "a_min");
    return high >= end ? raised : replaced(raised, "Greater", high, "a_max");
}

OnnxValues clip(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    // The type of MXNet's parameters, whatever the data type.
    const auto low = static_cast<float>(attributes.number("a_min"));
    const auto high = static_cast<float>(attributes.number("a_max"));
    const ElementType own = ctx.element(x);
    if (!isFloating(own)) {
        const bool isSigned = own != ElementType::UInt8 && own != ElementType::Bool;
        const double end = std::exp2(8.0 * static_cast<double>(byteSize(own)) - (isSigned ? 1 : 0));
        if (low >= end || high < (isSigned ? -end : 0)) {
            ctx.refuse(
                fmt::format(
                    "the bounds {} and {} have no value of {} between them; MXNet's result depends on the processor",
                    low, high, elementTypeName(own)),
                low >= end ? "a_min" : "a_max");
        }
        if (!comparesExactly(own, low) || !comparesExactly(own, high)) {
            return {clippedAsFloats(ctx, x, low, high)};
        }
    }
    const bool isLacking = own == ElementType::Int16 || own == ElementType::UInt16 || own == ElementType::Bool;
    const auto form = [&](OnnxValue v) {
        if (low <= high) {
            return emit::clip(ctx, v, low, high);
        }
        // MXNet checks the upper bound first: the lower one raises only values that are not above it.
        const OnnxValue bound = emit::scalarLike(ctx, v, high);
        const OnnxValue raised = emit::clip(ctx, v, low, std::nullopt);
        return ctx.emit("Where", {ctx.emit("Greater", {v, bound}), bound, raised});
    };
    return {computedAs(ctx, isLacking ? ElementType::Int32 : own, x, form)};
}

/// a x^2 + b x + c. For integers MXNet computes it in float32, the type of the coefficients, and truncates the result.
OnnxValues quadratic(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    return {computedAs(ctx, isFloating(own) ? own : ElementType::Float32, x, [&](OnnxValue v) {
        const auto number = [&](std::string_view name) { return emit::scalarLike(ctx, v, attributes.number(name, 0)); };
        const OnnxValue inner = arithmetic::add(ctx, arithmetic::multiply(ctx, number("a"), v), number("b"));
        return arithmetic::add(ctx, arithmetic::multiply(ctx, inner, v), number("c"));
    })};
}

/// The identity at inference.
OnnxValues passThrough(NodeContext& ctx)
{
    return {ctx.input(0)};
}

/// The identity, for operands of equal shapes.
OnnxValues identityLike(NodeContext& ctx)
{
    expectEqualShapes(ctx);
    return {ctx.input(0)};
}

/// Also the identity at inference, except for a node with mode = always.
OnnxValues dropout(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const double chance = attributes.number("p", 0.5);
    if (!(chance >= 0 && chance <= 1)) {
        ctx.invalid(fmt::format("p = {} is not a probability", chance), "p");
    }
    if (attributes.choice("mode", {"training", "always"}, "training") == "training" || chance == 0) {
        return {x};
    }
    if (chance == 1) {
        ctx.invalid("p = 1 keeps no element", "p");
    }
    ShapeTerms terms = termsOf(ctx, x);
    for (const auto axis : attributes.ints("axes")) { // elements along these axes share one choice
        terms[static_cast<std::size_t>(ctx.axis(axis, terms.size(), "axes"))] = fixedTerm(1);
    }
    const OnnxValue keep = ctx.onnx.scalar(ElementType::Float32, 1 - chance);
    const OnnxValue isKept = ctx.emit("Less", {random::uniform(ctx, terms), keep});
    const OnnxValue mask =
        ctx.emit("Mul", {emit::cast(ctx, isKept, ctx.element(x)), emit::scalarLike(ctx, x, 1 / (1 - chance))});
    return {ctx.emit("Mul", {x, mask})};
}

} // namespace

std::span<const OpRow> unaryOps()
{
    using namespace elementary;
    static constexpr OpRow rows[] = {
        {"BlockGrad", passThrough, "-"},
        {"Dropout", dropout, "-", Support::Exact, "identity at inference, random with mode = always"},
        {"MakeLoss", passThrough, "-"},
        {"_contrib_gradientmultiplier", passThrough, "-"},
        {"_contrib_quadratic", quadratic, "Mul, Add"},
        {"_contrib_round_ste", rounding<roundAwayFromZero>, "Floor, Ceil, Where", Support::Exact,
         "rounds halves away from zero"},
        {"_contrib_sign_ste", sign, "Sign, IsNaN, Where"},
        {"_CrossDeviceCopy", passThrough, "-"},
        {"_copy", passThrough, "-"},
        {"_copyto", passThrough, "-"},
        {"_identity_with_attr_like_rhs", identityLike, "-"},
        {"_np_copy", passThrough, "-"},
        {"_npi_absolute", absolute, "Abs"},
        {"_npi_arccos", real<arccos>, "Acos"},
        {"_npi_arccosh", real<arccosh>, "Acosh"},
        {"_npi_arcsin", real<arcsin>, "Asin"},
        {"_npi_arcsinh", real<arcsinh>, "Asinh"},
        {"_npi_arctan", real<arctan>, "Atan"},
        {"_npi_arctanh", real<arctanh>, "Atanh"},
        {"_npi_cbrt", real<cbrt>, "Abs, Pow, Sign, Mul"},
        {"_npi_ceil", rounding<ceil>, "Ceil"},
        {"_npi_cos", real<cos>, "Cos"},
        {"_npi_cosh", real<cosh>, "Cosh"},
        {"_npi_degrees", real<degrees>, "Mul"},
        {"_npi_exp", real<exp>, "Exp"},
        {"_npi_expm1", real<expMinusOne>, "Exp, Tanh, Mul"},
        {"_npi_fix", rounding<truncate>, "Floor, Ceil, Where"},
        {"_npi_floor", rounding<floor>, "Floor"},
        {"_npi_log", real<log>, "Log"},
        {"_npi_log10", real<log10>, "Log, Div"},
        {"_npi_log1p", real<logOnePlus>, "Log, Where"},
        {"_npi_log2", real<log2>, "Log, Div"},
        {"_npi_negative", negative, "Neg"},
        {"_npi_radians", real<radians>, "Mul"},
        {"_npi_reciprocal", real<reciprocal>, "Reciprocal"},
        {"_npi_rint", rounding<roundHalfDown>, "Floor, Ceil, Where", Support::Exact, "rounds halves down"},
        {"_npi_sign", sign, "Sign, IsNaN, Where"},
        {"_npi_sin", real<sin>, "Sin"},
        {"_npi_sinh", real<sinh>, "Sinh"},
        {"_npi_sqrt", real<sqrt>, "Sqrt"},
        {"_npi_square", square, "Mul"},
        {"_npi_tan", real<tan>, "Tan"},
        {"_npi_tanh", real<tanh>, "Tanh"},
        {"_npi_trunc", rounding<truncate>, "Floor, Ceil, Where"},
        {"_npx_relu", relu, "Relu"},
        {"_npx_sigmoid", real<sigmoid>, "Sigmoid"},
        {"abs", absolute, "Abs"},
        {"arccos", real<arccos>, "Acos"},
        {"arccosh", real<arccosh>, "Acosh"},
        {"arcsin", real<arcsin>, "Asin"},
        {"arcsinh", real<arcsinh>, "Asinh"},
        {"arctan", real<arctan>, "Atan"},
        {"arctanh", real<arctanh>, "Atanh"},
        {"cbrt", real<cbrt>, "Abs, Pow, Sign, Mul"},
        {"ceil", rounding<ceil>, "Ceil"},
        {"clip", clip, "Clip"},
        {"cos", real<cos>, "Cos"},
        {"cosh", real<cosh>, "Cosh"},
        {"degrees", real<degrees>, "Mul"},
        {"erf", real<erf>, "Erf"},
        {"erfinv", real<special::inverseError>, "Log, MatMul, Where", Support::Exact,
         "a polynomial, accurate to 4e-14"},
        {"exp", real<exp>, "Exp"},
        {"expm1", real<expMinusOne>, "Exp, Tanh, Mul"},
        {"fix", rounding<truncate>, "Floor, Ceil, Where"},
        {"floor", rounding<floor>, "Floor"},
        {"gamma", real<special::gamma>, "Log, Exp, Where", Support::Exact, "Lanczos' series in float64"},
        {"gammaln", real<special::logGamma>, "Log, Where", Support::Exact, "Lanczos' series in float64"},
        {"log", real<log>, "Log"},
        {"log10", real<log10>, "Log, Div"},
        {"log1p", real<logOnePlus>, "Log, Where"},
        {"log2", real<log2>, "Log, Div"},
        {"logical_not", logicalNot, "Not, Cast"},
        {"make_loss", passThrough, "-"},
        {"negative", negative, "Neg"},
        {"radians", real<radians>, "Mul"},
        {"rcbrt", real<reciprocalCbrt>, "Abs, Pow, Sign, Mul, Reciprocal"},
        {"reciprocal", real<reciprocal>, "Reciprocal"},
        {"relu", relu, "Relu"},
        {"rint", rounding<roundHalfDown>, "Floor, Ceil, Where", Support::Exact, "rounds halves down"},
        {"round", rounding<roundAwayFromZero>, "Floor, Ceil, Where", Support::Exact, "rounds halves away from zero"},
        {"rsqrt", real<reciprocalSqrt>, "Sqrt, Reciprocal"},
        {"sigmoid", real<sigmoid>, "Sigmoid"},
        {"sign", sign, "Sign, IsNaN, Where"},
        {"sin", real<sin>, "Sin"},
        {"sinh", real<sinh>, "Sinh"},
        {"softsign", real<softsign>, "Softsign"},
        {"sqrt", real<sqrt>, "Sqrt"},
        {"square", square, "Mul"},
        {"tan", real<tan>, "Tan"},
        {"tanh", real<tanh>, "Tanh"},
        {"trunc", rounding<truncate>, "Floor, Ceil, Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
