// Sums, products and extremes that grow along an axis, and differences of neighbours.

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/half_steps.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// x in the type of its sums: int64 for integers and bool.
OnnxValue summed(const NodeContext& ctx, const Arguments& arguments)
{
    const OnnxValue x = arguments.tensor("self");
    const ElementType type = ctx.element(x);
    return emit::cast(ctx, x, arguments.type("dtype", isFloating(type) ? type : ElementType::Int64));
}

OnnxValue cumulativeSumOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const ElementType type = ctx.element(x) == ElementType::Float16 ? ElementType::Float32 : ctx.element(x);
    return forms::computedAs(ctx, forms::widened(type), x, [&](OnnxValue wide) {
        return ctx.emit("CumSum", {wide, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(axis))});
    });
}

OnnxValues cumulativeSum(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = summed(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    if (ctx.rank(x) == 0) {
        return {x};
    }
    return {cumulativeSumOf(ctx, x, axis)};
}

using Step = OnnxValue (*)(const NodeContext& ctx, OnnxValue before, OnnxValue element);

/// ONNX Runtime's Scan does not take a tensor without elements, which is its own result.
bool hasNoElements(const NodeContext& ctx, OnnxValue x)
{
    const Shape& shape = ctx.shape(x);
    return std::find(shape.begin(), shape.end(), Dim(0)) != shape.end();
}

OnnxValue accumulated(const NodeContext& ctx, OnnxValue x, std::int64_t axis, double start, Step step)
{
    if (ctx.rank(x) == 0 || hasNoElements(ctx, x)) {
        return x;
    }
    const OnnxValue first = forms::filledTo(ctx, ctx.element(x), start, forms::stepShape(ctx, x, axis));
    return forms::scanAlong(ctx, {.axis = axis}, {first}, {x},
                            [&](const OnnxValues& states, const OnnxValues& elements) {
                                const OnnxValue after = step(ctx, states[0], elements[0]);
                                return forms::ScanStep{{after}, {ctx.emit("Identity", {after})}};
                            })
        .stacked[0];
}

OnnxValues cumulativeProduct(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = summed(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    return {forms::computedAs(ctx, forms::widened(ctx.element(x)), x,
                              [&](OnnxValue wide) { return accumulated(ctx, wide, axis, 1, arithmetic::multiply); })};
}

OnnxValues cumulativeLogSumExp(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const ElementType type = ctx.element(x) == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
    return {forms::computedAs(ctx, type, x, [&](OnnxValue wide) {
        return accumulated(ctx, wide, axis, -std::numeric_limits<double>::infinity(), forms::elementary::logAddExp);
    })};
}

/// The largest or smallest element so far and the place of the last one that is equal to it. A missing number wins.
template <bool isMax>
OnnxValues cumulativeExtreme(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(given));
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    if (ctx.rank(given) == 0) {
        return {given, zero};
    }
    if (hasNoElements(ctx, given)) {
        return {given, emit::cast(ctx, given, ElementType::Int64)};
    }
    const OnnxValue x = emit::cast(ctx, given, forms::widened(ctx.element(given)));
    const OnnxValue first = emit::gather(ctx, x, zero, axis);
    const OnnxValue place = forms::filledTo(ctx, ElementType::Int64, 0, forms::stepShape(ctx, x, axis));
    const auto stacked =
        forms::scanAlong(
            ctx, {.axis = axis}, {first, place}, {x, forms::countUp(ctx, x, axis)},
            [&](const OnnxValues& states, const OnnxValues& elements) {
                const OnnxValue element = elements[0];
                OnnxValue wins = isMax ? arithmetic::greaterOrEqual(ctx, element, states[0])
                                       : arithmetic::lessOrEqual(ctx, element, states[0]);
                if (isFloating(ctx.element(element))) {
                    wins = ctx.emit("Or", {wins, ctx.emit("IsNaN", {element})});
                }
                const OnnxValue value = ctx.emit("Where", {wins, element, states[0]});
                const OnnxValue at = ctx.emit("Where", {wins, elements[1], states[1]});
                return forms::ScanStep{{value, at}, {ctx.emit("Identity", {value}), ctx.emit("Identity", {at})}};
            })
            .stacked;
    return {emit::cast(ctx, stacked[0], ctx.element(given)), stacked[1]};
}

OnnxValue allBut(const NodeContext& ctx, OnnxValue x, std::int64_t axis, bool isFirst)
{
    return isFirst ? emit::slice(ctx, x, Ints{1}, Ints{emit::farEnd}, Ints{axis})
                   : emit::slice(ctx, x, Ints{0}, Ints{-1}, Ints{axis});
}

/// Each element minus the one before it, n times. Without a difference nothing is put in front or behind.
OnnxValues difference(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x));
    const std::int64_t times = arguments.integer("n", 1);
    if (times < 0 || times > mostParts) {
        ctx.invalid("n is negative or too large", "n");
    }
    if (times == 0) {
        return {x};
    }
    OnnxValues parts{x};
    if (const OnnxValue before = arguments.optional("prepend")) {
        parts.insert(parts.begin(), before);
    }
    if (const OnnxValue after = arguments.optional("append")) {
        parts.push_back(after);
    }
    x = parts.size() == 1 ? x : emit::concat(ctx, parts, axis);
    const bool isBool = ctx.element(x) == ElementType::Bool;
    const HalfSteps step(ctx, ctx.element(x));
    x = step.start(x);
    for (std::int64_t i = 0; i < times; ++i) {
        const OnnxValue later = allBut(ctx, x, axis, true);
        const OnnxValue earlier = allBut(ctx, x, axis, false);
        x = isBool ? ctx.emit("Xor", {later, earlier}) : step.round(arithmetic::subtract(ctx, later, earlier));
    }
    return {step.end(x)};
}

/// The distances of the places `x`, in their type and with the rank of y. A vector lies along the axis of y.
OnnxValue distancesAlong(const NodeContext& ctx, OnnxValue x, OnnxValue y, std::int64_t axis)
{
    if (ctx.rank(x) == 1 && axis + 1 != static_cast<std::int64_t>(ctx.rank(y))) {
        Ints behind;
        for (std::int64_t i = axis + 1; i < static_cast<std::int64_t>(ctx.rank(y)); ++i) {
            behind.push_back(i - axis);
        }
        x = emit::unsqueeze(ctx, x, behind);
    }
    const std::int64_t own = static_cast<std::int64_t>(ctx.rank(x)) - static_cast<std::int64_t>(ctx.rank(y)) + axis;
    return arithmetic::subtract(ctx, allBut(ctx, x, own, true), allBut(ctx, x, own, false));
}

OnnxValue sliceAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, double place)
{
    return emit::gather(ctx, x, ctx.onnx.scalar(ElementType::Int64, place), axis);
}

/// The areas of the trapezoids between neighbours. Sums of neighbours and distances have the types of the arguments, in
/// which integers wrap.
template <bool isCumulative>
OnnxValues trapezoid(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue y = arguments.tensor("y");
    const ElementType own = ctx.element(y);
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(y));
    const OnnxValue sums = arithmetic::add(ctx, allBut(ctx, y, axis, true), allBut(ctx, y, axis, false));
    const auto total = [&](OnnxValue x) { return forms::reducedAlong(ctx, "ReduceSum", x, {axis}, false); };
    const auto times = [&](OnnxValue x, double factor) {
        return arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, factor));
    };
    if (!arguments.has("x") && !isCumulative && !isFloating(own)) {
        // The sum of all in int64, less half of the first and the last one, whose sum wraps.
        const OnnxValue ends = arithmetic::add(ctx, sliceAt(ctx, y, axis, 0), sliceAt(ctx, y, axis, -1));
        const OnnxValue all = emit::cast(ctx, total(emit::cast(ctx, y, ElementType::Int64)), ElementType::Float32);
        const OnnxValue half = times(emit::cast(ctx, ends, ElementType::Float32), 0.5);
        return {times(arithmetic::subtract(ctx, all, half), arguments.number("dx", 1))};
    }
    if (!arguments.has("x")) {
        const OnnxValue areas = times(emit::cast(ctx, sums, floatingType(own)), arguments.number("dx", 1) / 2);
        return {isCumulative ? cumulativeSumOf(ctx, areas, axis) : total(areas)};
    }
    const OnnxValue steps = distancesAlong(ctx, arguments.tensor("x"), y, axis);
    const ElementType common = promoted(own, ctx.element(steps));
    OnnxValue areas = arithmetic::multiply(ctx, emit::cast(ctx, sums, common), emit::cast(ctx, steps, common));
    areas = emit::cast(ctx, areas, isFloating(common) ? common : ElementType::Int64);
    const OnnxValue summedUp = isCumulative ? cumulativeSumOf(ctx, areas, axis) : total(areas);
    return {times(emit::cast(ctx, summedUp, floatingType(common)), 0.5)};
}

} // namespace

std::span<const OpRow> cumulativeOps()
{
    static constexpr OpRow rows[] = {
        {"aten::cumsum", cumulativeSum, "CumSum"},
        {"aten::cumprod", cumulativeProduct, "Scan"},
        {"aten::logcumsumexp", cumulativeLogSumExp, "Scan"},
        {"aten::_logcumsumexp", cumulativeLogSumExp, "Scan"},
        {"aten::cummax", cumulativeExtreme<true>, "Scan"},
        {"aten::cummin", cumulativeExtreme<false>, "Scan"},
        {"aten::diff", difference, "Slice, Sub"},
        {"aten::trapezoid", trapezoid<false>, "Slice, Add, Mul, ReduceSum"},
        {"aten::trapz", trapezoid<false>, "Slice, Add, Mul, ReduceSum"},
        {"aten::cumulative_trapezoid", trapezoid<true>, "Slice, Add, Mul, CumSum"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
