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
    return {combine(ctx, truthOf(ctx, arguments.tensor("self")), truthOf(ctx, arguments.tensor("other")))};
}

OnnxValues logicalNot(NodeContext& ctx)
{
    return {ctx.emit("Not", {truthOf(ctx, Arguments(ctx).tensor("self"))})};
}

OnnxValues where(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (!arguments.has("self")) {
        ctx.refuse("where of a condition alone returns a list whose length depends on the data", "condition");
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

constexpr OpRow rows[] = {
    {"aten::eq", comparison<arithmetic::equal>, "Equal"},
    {"aten::ne", comparison<arithmetic::notEqual>, "Equal, Not"},
    {"aten::gt", comparison<arithmetic::greater>, "Greater"},
    {"aten::ge", comparison<arithmetic::greaterOrEqual>, "GreaterOrEqual"},
    {"aten::lt", comparison<arithmetic::less>, "Less"},
    {"aten::le", comparison<arithmetic::lessOrEqual>, "LessOrEqual"},
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
};

} // namespace

std::span<const OpRow> comparisonOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
