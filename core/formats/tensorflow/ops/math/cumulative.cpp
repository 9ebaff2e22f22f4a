// Sums, products and sums of exponentials that grow along an axis.

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
    OnnxValues dims;
    Shape slice = ctx.shape(x);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(slice.size()); ++i) {
        if (i != axis) {
            dims.push_back(emit::dimVector(ctx, x, i));
        }
    }
    slice.erase(slice.begin() + axis);
    const OnnxValue shape = dims.empty() ? ctx.onnx.ints({}) : emit::concat(ctx, dims, 0);
    const OnnxValue first = filledTo(ctx, ctx.element(x), start, shape);
    ctx.onnx.beginBody();
    const OnnxValue before = ctx.onnx.bodyInput({ctx.element(x), slice});
    const OnnxValue element = ctx.onnx.bodyInput({ctx.element(x), slice});
    const OnnxValue after = step(ctx, before, element);
    const OnnxValue output = ctx.emit("Identity", {settings.boolean("exclusive") ? before : after});
    const OnnxBody body = ctx.onnx.endBody({after, output});
    const std::int64_t direction = settings.boolean("reverse") ? 1 : 0;
    const OnnxValues results = ctx.onnx.add("Scan", {first, x},
                                            {{"body", body},
                                             {"num_scan_inputs", 1},
                                             {"scan_input_axes", Ints{axis}},
                                             {"scan_output_axes", Ints{axis}},
                                             {"scan_input_directions", Ints{direction}},
                                             {"scan_output_directions", Ints{direction}}},
                                            2);
    return {emit::cast(ctx, results[1], ctx.element(ctx.input(0)))};
}

OnnxValue product(const NodeContext& ctx, OnnxValue before, OnnxValue element)
{
    return ctx.emit("Mul", {before, element});
}

/// log(exp(a) + exp(b)) as the larger operand plus log1p(exp(-difference)), which cannot overflow. Equal operands,
/// which may be infinite, count as a difference of 0.
OnnxValue logSumExp(const NodeContext& ctx, OnnxValue before, OnnxValue element)
{
    const OnnxValue larger = ctx.emit("Max", {before, element});
    const OnnxValue smaller = ctx.emit("Min", {before, element});
    const OnnxValue zero = emit::scalarLike(ctx, larger, 0);
    const OnnxValue gap = choose(ctx, ctx.emit("Equal", {larger, smaller}), zero, ctx.emit("Sub", {smaller, larger}));
    return ctx.emit("Add", {larger, elementary::logOnePlus(ctx, elementary::exp(ctx, gap))});
}

OnnxValues cumulativeProduct(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return accumulated(ctx, emit::cast(ctx, x, widened(ctx.element(x))), 1, product);
}

OnnxValues cumulativeLogSumExp(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType own = ctx.element(x);
    const OnnxValue wide = emit::cast(ctx, x, own == ElementType::Float64 ? own : ElementType::Float32);
    return accumulated(ctx, wide, -std::numeric_limits<double>::infinity(), logSumExp);
}

constexpr OpRow rows[] = {
    {"Cumprod", cumulativeProduct, "Scan"},
    {"Cumsum", cumulativeSum, "CumSum"},
    {"CumulativeLogsumexp", cumulativeLogSumExp, "Scan"},
};

} // namespace

std::span<const OpRow> cumulativeOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
