// Comparisons, logic, and selection by a condition.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;
using Binary = OnnxValue (*)(const NodeContext& ctx, OnnxValue a, OnnxValue b);

template <Binary compare>
OnnxValues comparison(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "other"});
    return {compare(ctx, operand(ctx, arguments, "self", type), operand(ctx, arguments, "other", type))};
}

OnnxValue truthOf(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, ElementType::Bool);
}

template <Binary combine>
OnnxValues logical(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "other"}); // in which 256 can become 0
    const auto truth = [&](std::string_view name) { return truthOf(ctx, operand(ctx, arguments, name, type)); };
    return {combine(ctx, truth("self"), truth("other"))};
}

OnnxValues logicalNot(NodeContext& ctx)
{
    return {ctx.emit("Not", {truthOf(ctx, Arguments(ctx).tensor("self"))})};
}

/// Without operands the places where the condition is true, one vector for each axis.
OnnxValues where(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (!arguments.has("self")) {
        const OnnxValue condition = truthOf(ctx, arguments.tensor("condition"));
        const OnnxValue places = ctx.emit("NonZero", {condition});
        OnnxValues parts;
        for (std::size_t i = 0; i < ctx.rank(condition); ++i) {
            const OnnxValue axis = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i));
            parts.push_back(emit::gather(ctx, places, axis, 0));
        }
        return parts;
    }
    const ElementType type = resultType(ctx, arguments, {"self", "other"});
    return {forms::choose(ctx, truthOf(ctx, arguments.tensor("condition")), operand(ctx, arguments, "self", type),
                          operand(ctx, arguments, "other", type))};
}

OnnxValues maskedFill(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue value = operand(ctx, arguments, "value", ctx.element(x));
    return {forms::choose(ctx, truthOf(ctx, arguments.tensor("mask")), value, x)};
}

OnnxValues isNan(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    if (!isFloating(ctx.element(x))) {
        return {ctx.emit("Not", {ctx.emit("Equal", {x, x})})};
    }
    return {ctx.emit("IsNaN", {x})};
}

template <bool negative, bool positive>
OnnxValues isInfinite(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    if (!isFloating(ctx.element(x))) {
        return {ctx.emit("Not", {ctx.emit("Equal", {x, x})})};
    }
    const bool isDouble = ctx.element(x) == ElementType::Float64; // a large number is infinite in float32
    return {ctx.emit("IsInf", {isDouble ? x : emit::cast(ctx, x, ElementType::Float32)},
                     {{"detect_negative", negative}, {"detect_positive", positive}})};
}

OnnxValues isFinite(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    if (!isFloating(ctx.element(x))) {
        return {ctx.emit("Equal", {x, x})};
    }
    // The difference of a number and itself is 0 unless it is infinite or no number.
    const OnnxValue difference = ctx.emit("Sub", {x, x});
    return {ctx.emit("Equal", {difference, emit::scalarLike(ctx, x, 0)})};
}

/// |a - b| <= atol + rtol |b|, or both equal, which infinite numbers have to be.
OnnxValues isClose(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType own = resultType(ctx, arguments, {"self", "other"});
    const OnnxValue a = operand(ctx, arguments, "self", own);
    const OnnxValue b = operand(ctx, arguments, "other", own);
    const OnnxValue isEqual = arithmetic::equal(ctx, a, b);
    const ElementType type = floatingType(own);
    const auto magnitude = [&](OnnxValue x) { return ctx.emit("Abs", {x}); };
    const OnnxValue difference = magnitude(emit::cast(ctx, arithmetic::subtract(ctx, a, b), type));
    const OnnxValue relative = magnitude(
        arithmetic::multiply(ctx, emit::cast(ctx, b, type), ctx.onnx.scalar(type, arguments.number("rtol", 1e-5))));
    const OnnxValue allowed = arithmetic::add(ctx, relative, ctx.onnx.scalar(type, arguments.number("atol", 1e-8)));
    OnnxValue isNear = arithmetic::lessOrEqual(ctx, difference, allowed);
    if (isFloating(own)) {
        const OnnxValue rest = ctx.emit("Sub", {difference, difference}); // NaN where it is not finite
        isNear = ctx.emit("And", {isNear, ctx.emit("Equal", {rest, emit::scalarLike(ctx, rest, 0)})});
    }
    isNear = ctx.emit("Or", {isEqual, isNear});
    if (arguments.truth("equal_nan") && isFloating(own)) {
        isNear = ctx.emit("Or", {isNear, ctx.emit("And", {ctx.emit("IsNaN", {a}), ctx.emit("IsNaN", {b})})});
    }
    return {isNear};
}

/// Whether each element is one of the others.
OnnxValues isIn(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const auto nameOf = [&](std::string_view many, std::string_view one) { return arguments.has(many) ? many : one; };
    const std::string_view elements = nameOf("elements", "element");
    const std::string_view tests = nameOf("test_elements", "test_element");
    const ElementType type = resultType(ctx, arguments, {elements, tests});
    const OnnxValue x = operand(ctx, arguments, elements, type);
    const OnnxValue among = emit::reshape(ctx, operand(ctx, arguments, tests, type), Ints{-1});
    const auto last = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue isEqual = arithmetic::equal(ctx, emit::unsqueeze(ctx, x, {last}), among);
    const OnnxValue count = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isEqual, ElementType::Int32), {last}, false);
    const OnnxValue isThere = emit::cast(ctx, count, ElementType::Bool);
    return {arguments.truth("invert") ? ctx.emit("Not", {isThere}) : isThere};
}

OnnxValues isReal(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    return {emit::expand(ctx, ctx.onnx.scalar(ElementType::Bool, 1), emit::shapeVector(ctx, x))};
}

} // namespace

std::span<const OpRow> comparisonOps()
{
    static constexpr OpRow rows[] = {
        {"aten::eq", comparison<arithmetic::equal>, "Equal"},
        {"aten::ne", comparison<arithmetic::notEqual>, "Equal, Not"},
        {"aten::gt", comparison<arithmetic::greater>, "Greater"},
        {"aten::ge", comparison<arithmetic::greaterOrEqual>, "GreaterOrEqual"},
        {"aten::lt", comparison<arithmetic::less>, "Less"},
        {"aten::le", comparison<arithmetic::lessOrEqual>, "LessOrEqual"},
        {"aten::greater", comparison<arithmetic::greater>, "Greater"},
        {"aten::greater_equal", comparison<arithmetic::greaterOrEqual>, "GreaterOrEqual"},
        {"aten::less", comparison<arithmetic::less>, "Less"},
        {"aten::less_equal", comparison<arithmetic::lessOrEqual>, "LessOrEqual"},
        {"aten::not_equal", comparison<arithmetic::notEqual>, "Equal, Not"},
        {"aten::logical_and", logical<arithmetic::logicalAnd>, "And"},
        {"aten::logical_or", logical<arithmetic::logicalOr>, "Or"},
        {"aten::logical_xor", logical<arithmetic::logicalXor>, "Xor"},
        {"aten::logical_not", logicalNot, "Not"},
        {"aten::where", where, "Where"},
        {"aten::masked_fill", maskedFill, "Where"},
        {"aten::isnan", isNan, "IsNaN"},
        {"aten::isinf", isInfinite<true, true>, "IsInf"},
        {"aten::isposinf", isInfinite<false, true>, "IsInf"},
        {"aten::isneginf", isInfinite<true, false>, "IsInf"},
        {"aten::isfinite", isFinite, "Sub, Equal"},
        {"aten::isclose", isClose, "Sub, Abs, LessOrEqual"},
        {"aten::isin", isIn, "Equal, ReduceSum"},
        {"aten::isreal", isReal, "Expand"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
