#include "core/convert/forms/tensor/reduce.h"

#include "core/convert/forms/elementwise/compute_type.h"

namespace crosswalk::forms {
namespace {

/// Whether the runtime reduces tensors of the type.
bool hasKernel(const NodeContext& ctx, std::string_view op, ElementType type)
{
    const bool isByte = type == ElementType::Int8 || type == ElementType::UInt8;
    return (!isNarrowInteger(type) && type != ElementType::UInt32 && type != ElementType::BFloat16) ||
           (isByte && ctx.onnx.opset() >= 12 && (op == "ReduceMax" || op == "ReduceMin"));
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
    return computedAs(ctx, type, x,
                      [&](OnnxValue value) { return emit::reduce(ctx, op, value, isAll ? Ints{} : axes, keepDims); });
}

} // namespace crosswalk::forms
