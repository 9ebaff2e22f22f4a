#include "core/convert/forms/tensor/reduce.h"

#include "core/convert/forms/elementwise/compute_type.h"

#include <array>
#include <limits>

namespace crosswalk::forms {
namespace {

/// Whether the runtime reduces tensors of the type.
bool hasKernel(const NodeContext& ctx, std::string_view op, ElementType type)
{
    const bool isByte = type == ElementType::Int8 || type == ElementType::UInt8;
    return (!isNarrowInteger(type) && type != ElementType::UInt32 && type != ElementType::BFloat16) ||
           (isByte && ctx.onnx.opset() >= 12 && (op == "ReduceMax" || op == "ReduceMin"));
}

/// The bits of the numbers as int64, for which sums and products are the same. To compare them the highest bit changes,
/// so that the smaller half becomes negative.
OnnxValue reducedUnsigned(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims)
{
    const bool compares = op == "ReduceMax" || op == "ReduceMin";
    const std::array<std::int64_t, 1> highest{std::numeric_limits<std::int64_t>::min()};
    const auto turned = [&](OnnxValue value) {
        return compares ? ctx.emit("Add", {value, ctx.onnx.constant(Tensor::ints(highest).reshaped({}))}) : value;
    };
    return computedAs(ctx, ElementType::Int64, x,
                      [&](OnnxValue value) { return turned(emit::reduce(ctx, op, turned(value), axes, keepDims)); });
}

} // namespace

OnnxValue reducedAlong(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims)
{
    if (axes.empty()) { // to ONNX no axes mean all
        return x;
    }
    const ElementType own = ctx.element(x);
    const ElementType type = hasKernel(ctx, op, own) ? own : widened(own);
    const bool isAll = axes.size() == ctx.rank(x);
    if (own == ElementType::UInt64) {
        return reducedUnsigned(ctx, op, x, isAll ? Ints{} : axes, keepDims);
    }
    return computedAs(ctx, type, x,
                      [&](OnnxValue value) { return emit::reduce(ctx, op, value, isAll ? Ints{} : axes, keepDims); });
}

} // namespace crosswalk::forms
