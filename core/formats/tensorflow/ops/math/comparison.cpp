// Comparisons and logic.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/math/binary_operator.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

/// ONNX compares strings from opset 19; before, the numbers that Unique gives them.
OnnxValue equalStrings(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.onnx.opset() >= 19) {
        return ctx.emit("Equal", {a, b});
    }
    const OnnxValue first = emit::reshape(ctx, a, Ints{-1});
    const OnnxValue all = emit::concat(ctx, {first, emit::reshape(ctx, b, Ints{-1})}, 0);
    const OnnxValue numbers = ctx.onnx.add("Unique", {all}, {{"sorted", 0}}, 3)[2];
    const OnnxValue zero = ctx.onnx.ints({0});
    const OnnxValue middle = emit::shapeVector(ctx, first);
    const OnnxValue end = emit::shapeVector(ctx, all);
    const auto part = [&](OnnxValue start, OnnxValue stop, OnnxValue like) {
        return emit::reshape(ctx, emit::slice(ctx, numbers, start, stop, zero), emit::shapeVector(ctx, like));
    };
    return ctx.emit("Equal", {part(zero, middle, a), part(middle, end, b)});
}

OnnxValue equal(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.element(a) == ElementType::String ? equalStrings(ctx, a, b) : arithmetic::equal(ctx, a, b);
}

OnnxValue notEqual(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.emit("Not", {equal(ctx, a, b)});
}

/// Unless incompatible_shape_error, tensors whose shapes do not broadcast are unequal as a whole.
template <arithmetic::Binary function>
OnnxValues compared(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    const bool mayDiffer = !Settings(ctx).boolean("incompatible_shape_error");
    const auto fit = [&] {
        const auto& left = ctx.onnx.shape(a);
        const auto& right = ctx.onnx.shape(b);
        if (!left || !right) {
            return false;
        }
        for (std::size_t i = 0; i < std::min(left->size(), right->size()); ++i) {
            const Dim& l = (*left)[left->size() - 1 - i];
            const Dim& r = (*right)[right->size() - 1 - i];
            if (l != r && l != Dim(1) && r != Dim(1)) {
                return false;
            }
        }
        return true;
    };
    if (mayDiffer && !fit()) {
        ctx.refuse("incompatible_shape_error = false: the result is one bool if the shapes do not broadcast",
                   "incompatible_shape_error", "fix the shapes of the inputs");
    }
    return {function(ctx, a, b)};
}

OnnxValues approximatelyEqual(NodeContext& ctx)
{
    const OnnxValue difference = arithmetic::subtract(ctx, ctx.input(0), ctx.input(1));
    const OnnxValue distance = computedAs(ctx, widened(ctx.element(difference)), difference,
                                          [&](OnnxValue x) { return ctx.emit("Abs", {x}); });
    return {arithmetic::less(ctx, distance, emit::scalarLike(ctx, distance, Settings(ctx).number("tolerance")))};
}

} // namespace

std::span<const OpRow> comparisonOps()
{
    static constexpr OpRow rows[] = {
        {"ApproximateEqual", approximatelyEqual, "Sub, Abs, Less"},
        {"Equal", compared<equal>, "Equal, or Unique for strings"},
        {"Greater", binary<arithmetic::greater>, "Greater"},
        {"GreaterEqual", binary<arithmetic::greaterOrEqual>, "GreaterOrEqual"},
        {"Less", binary<arithmetic::less>, "Less"},
        {"LessEqual", binary<arithmetic::lessOrEqual>, "LessOrEqual"},
        {"LogicalAnd", binary<arithmetic::logicalAnd>, "And"},
        {"LogicalOr", binary<arithmetic::logicalOr>, "Or"},
        {"NotEqual", compared<notEqual>, "Equal, Not"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
