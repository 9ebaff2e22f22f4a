// One input, one output, element by element, where numpy's rules differ from MXNet's older ones: bool predicates,
// rounding to digits, replacement of NaN and infinities.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

enum class Infinities { Both, Positive, Negative };

/// x in a type for which ONNX Runtime detects infinities.
OnnxValue wide(const NodeContext& ctx, OnnxValue x)
{
    return ctx.element(x) == ElementType::Float64 ? x : emit::cast(ctx, x, ElementType::Float32);
}

OnnxValue isInfinite(const NodeContext& ctx, OnnxValue x, Infinities which)
{
    OnnxAttributes attributes;
    if (which == Infinities::Positive) {
        attributes.emplace_back("detect_negative", 0);
    } else if (which == Infinities::Negative) {
        attributes.emplace_back("detect_positive", 0);
    }
    return ctx.emit("IsInf", {wide(ctx, x)}, attributes);
}

/// A bool result, the same for every integer.
template <typename Ask>
OnnxValues asked(const NodeContext& ctx, bool ofIntegers, Ask ask)
{
    const OnnxValue x = ctx.input(0);
    return {isFloating(ctx.element(x)) ? ask(x) : filledLike(ctx, x, ElementType::Bool, ofIntegers ? 1 : 0)};
}

OnnxValues isNan(NodeContext& ctx)
{
    return asked(ctx, false, [&](OnnxValue x) { return ctx.emit("IsNaN", {wide(ctx, x)}); });
}

template <Infinities which>
OnnxValues isInf(NodeContext& ctx)
{
    return asked(ctx, false, [&](OnnxValue x) { return isInfinite(ctx, x, which); });
}

OnnxValues isFinite(NodeContext& ctx)
{
    return asked(ctx, true, [&](OnnxValue x) {
        const OnnxValue isOther =
            ctx.emit("Or", {ctx.emit("IsNaN", {wide(ctx, x)}), isInfinite(ctx, x, Infinities::Both)});
        return ctx.emit("Not", {isOther});
    });
}

OnnxValues logicalNot(NodeContext& ctx)
{
    return {ctx.emit("Not", {emit::cast(ctx, ctx.input(0), ElementType::Bool)})};
}

OnnxValues bitsTurned(NodeContext& ctx)
{
    return {arithmetic::bitwiseNot(ctx, ctx.input(0))};
}

double largestFinite(ElementType type)
{
    return type == ElementType::Float64   ? std::numeric_limits<double>::max()
           : type == ElementType::Float16 ? 65504
                                          : static_cast<double>(std::numeric_limits<float>::max());
}

OnnxValues withoutSpecial(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    OnnxValue x = ctx.input(0);
    if (!isFloating(ctx.element(x))) {
        return {x};
    }
    const double limit = largestFinite(ctx.element(x));
    const OnnxValue isPositive = isInfinite(ctx, x, Infinities::Positive);
    const OnnxValue isNegative = isInfinite(ctx, x, Infinities::Negative);
    const OnnxValue isNone = ctx.emit("IsNaN", {wide(ctx, x)});
    const auto replace = [&](OnnxValue where, double number) {
        x = ctx.emit("Where", {where, emit::scalarLike(ctx, x, number), x});
    };
    replace(isPositive, attributes.optionalNumber("posinf").value_or(limit));
    replace(isNegative, attributes.optionalNumber("neginf").value_or(-limit));
    replace(isNone, attributes.number("nan", 0));
    return {x};
}

constexpr std::int64_t digitLimit = 40;

/// To a number of decimals, halves to even; for integers the last digits are truncated.
OnnxValues around(NodeContext& ctx)
{
    const std::int64_t decimals = Attributes(ctx).integer("decimals", 0);
    OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    if (std::abs(decimals) > digitLimit) {
        ctx.refuse(fmt::format("rounding to {} decimals", decimals), "decimals");
    }
    if (!isFloating(own)) {
        if (decimals >= 0) {
            return {x};
        }
        const double unit = std::pow(10.0, static_cast<double>(-decimals));
        if (unit >= std::pow(2.0, static_cast<double>(8 * byteSize(own)))) {
            return {filledLike(ctx, x, own, 0)};
        }
        return {computedAs(ctx, ElementType::Int64, x, [&](OnnxValue v) {
            const OnnxValue number = emit::scalarLike(ctx, v, unit);
            return ctx.emit("Mul", {ctx.emit("Div", {v, number}), number});
        })};
    }
    // One digit at a time, as in MXNet: each product is rounded.
    const auto shift = [&](OnnxValue v, std::string_view op) {
        for (std::int64_t i = 0; i < std::abs(decimals); ++i) {
            v = ctx.emit(op, {v, emit::scalarLike(ctx, v, 10)});
        }
        return v;
    };
    return {computedAs(ctx, widened(own), x, [&](OnnxValue v) {
        const OnnxValue rounded = ctx.emit("Round", {shift(v, decimals > 0 ? "Mul" : "Div")});
        return shift(rounded, decimals > 0 ? "Div" : "Mul");
    })};
}

} // namespace

std::span<const OpRow> numpyUnaryOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_around", around, "Mul, Round, Div", Support::Exact, "rounds halves to even"},
        {"_npi_bitwise_not", bitsTurned, "Sub"},
        {"_npi_isfinite", isFinite, "IsNaN, IsInf, Or, Not"},
        {"_npi_isinf", isInf<Infinities::Both>, "IsInf"},
        {"_npi_isnan", isNan, "IsNaN"},
        {"_npi_isneginf", isInf<Infinities::Negative>, "IsInf"},
        {"_npi_isposinf", isInf<Infinities::Positive>, "IsInf"},
        {"_npi_logical_not", logicalNot, "Not"},
        {"_npi_nan_to_num", withoutSpecial, "IsInf, IsNaN, Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
