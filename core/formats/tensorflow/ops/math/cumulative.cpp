// Cumulative sums and products along an axis.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

OnnxValues cumulativeSum(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue axis = scalarOf(ctx, intVector(ctx, ctx.input(1)));
    const OnnxAttributes attributes{{"exclusive", settings.boolean("exclusive")},
                                    {"reverse", settings.boolean("reverse")}};
    const OnnxValue x = ctx.input(0);
    return {computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue value) {
        return ctx.emit("CumSum", {value, axis}, attributes);
    })};
}

/// ONNX has no operator for it: a Scan along the axis.
OnnxValues cumulativeProduct(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue given = ctx.input(0);
    const ElementType own = ctx.element(given);
    const OnnxValue x = emit::cast(ctx, given, widened(own));
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
    const OnnxValue ones = filledTo(ctx, ctx.element(x), 1, shape);
    ctx.onnx.beginBody();
    const OnnxValue before = ctx.onnx.bodyInput({ctx.element(x), slice});
    const OnnxValue element = ctx.onnx.bodyInput({ctx.element(x), slice});
    const OnnxValue after = ctx.emit("Mul", {before, element});
    const OnnxValue output = ctx.emit("Identity", {settings.boolean("exclusive") ? before : after});
    const OnnxBody body = ctx.onnx.endBody({after, output});
    const std::int64_t direction = settings.boolean("reverse") ? 1 : 0;
    const OnnxValues results = ctx.onnx.add("Scan", {ones, x},
                                            {{"body", body},
                                             {"num_scan_inputs", 1},
                                             {"scan_input_axes", Ints{axis}},
                                             {"scan_output_axes", Ints{axis}},
                                             {"scan_input_directions", Ints{direction}},
                                             {"scan_output_directions", Ints{direction}}},
                                            2);
    return {emit::cast(ctx, results[1], own)};
}

constexpr OpRow rows[] = {
    {"Cumprod", cumulativeProduct, "Scan"},
    {"Cumsum", cumulativeSum, "CumSum"},
};

} // namespace

std::span<const OpRow> cumulativeOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
