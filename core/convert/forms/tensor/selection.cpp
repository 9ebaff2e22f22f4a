#include "core/convert/forms/tensor/selection.h"

#include "core/convert/emit.h"

namespace crosswalk::forms {

OnnxValue choose(const NodeContext& ctx, OnnxValue condition, OnnxValue a, OnnxValue b)
{
    const ElementType own = ctx.element(a);
    ElementType type = own;
    switch (own) {
    case ElementType::Bool:
        // a or b by the condition, without a Where of bool, which the runtime lacks.
        return ctx.emit("Or", {ctx.emit("And", {condition, a}), ctx.emit("And", {ctx.emit("Not", {condition}), b})});
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::UInt16:
        type = ElementType::Int32;
        break;
    case ElementType::UInt32:
    case ElementType::UInt64: // the same bits there and back
        type = ElementType::Int64;
        break;
    case ElementType::BFloat16:
        type = ElementType::Float32;
        break;
    default:
        break;
    }
    return emit::cast(ctx, ctx.emit("Where", {condition, emit::cast(ctx, a, type), emit::cast(ctx, b, type)}), own);
}

} // namespace crosswalk::forms
