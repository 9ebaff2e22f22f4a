// Sums, products and sums of exponentials that grow along an axis.

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <limits>

namespace crosswalk::tensorflow {
namespace {

OnnxValues cumulativeSum(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue axis = scalarOf(ctx, intVector(ctx, ctx.input(1)));
    const OnnxAttributes attributes{{"exclusive", settings.boolean("exclusive")},
                                    {"reverse", settings.boolean("reverse")}};
    const OnnxValue x = ctx.input(0);
    const Tensor* stored = ctx.onnx.content(axis);
    const auto dims = ctx.onnx.type(x).shape;
    if (stored != nullptr && stored->elements() == 1 && dims) {
        ctx.axis(stored->toInts().front(), dims->size());
    }
    // The bits of unsigned sums are those of signed ones.
    const ElementType own = ctx.element(x);
    const ElementType type = own == ElementType::UInt64 ? ElementType::Int64 : widened(own);
    return {computedAs(ctx, type, x, [&](OnnxValue value) { return ctx.emit("CumSum", {value, axis}, attributes); })};
}

using Step = OnnxValue (*)(const NodeContext& ctx, OnnxValue before, OnnxValue element);

/// ONNX has no operator for it: a Scan of `step` along the axis, from a value on.
OnnxValues accumulated(const NodeContext& ctx, OnnxValue x, double start, Step step)
{
    const Settings settings(ctx);
    const std::int64_t axis = ctx.axis(constantInt(ctx, 1, "the axis"), ctx.rank(x));
    if (ctx.shape(x)[static_cast<std::size_t>(axis)] == Dim(0)) { // a Scan has at least one step
        return {ctx.input(0)};
    }
    const OnnxValue first = filledTo(ctx, ctx.element(x), start, stepShape(ctx, x, axis));
    const bool isExclusive = settings.boolean("exclusive");
    const Scanned results =
        scanAlong(ctx, {axis, settings.boolean("reverse")}, {first}, {x},
                  [&](const OnnxValues& states, const OnnxValues& elements) {
                      const OnnxValue after = step(ctx, states[0], elements[0]);
                      return ScanStep{{after}, {ctx.emit("Identity", {isExclusive ? states[0] : after})}};
                  });
    return {emit::cast(ctx, results.stacked[0], ctx.element(ctx.input(0)))};
}

OnnxValue nextProduct(const NodeContext& ctx, OnnxValue before, OnnxValue element)
{
    return ctx.emit("Mul", {before, element});
}

OnnxValues cumulativeProduct(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return accumulated(ctx, emit::cast(ctx, x, widened(ctx.element(x))), 1, nextProduct);
}

OnnxValues cumulativeLogSumExp(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const OnnxValue wide = emit::cast(ctx, x, own == ElementType::Float64 ? own : ElementType::Float32);
    return accumulated(ctx, wide, -std::numeric_limits<double>::infinity(), elementary::logAddExp);
}

} // namespace

std::span<const OpRow> cumulativeOps()
{
    static constexpr OpRow rows[] = {
        {"Cumprod", cumulativeProduct, "Scan"},
        {"Cumsum", cumulativeSum, "CumSum"},
        {"CumulativeLogsumexp", cumulativeLogSumExp, "Scan"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
