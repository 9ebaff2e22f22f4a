#include "core/formats/keras/ops/accumulation.h"

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/keras/ops/call_arguments.h"

namespace crosswalk::keras {

OnnxValue inSumType(const Layer& layer, OnnxValue x)
{
    if (const auto named = Arguments(layer).type({"dtype"})) {
        return emit::cast(layer.ctx, x, *named);
    }
    const ElementType type = layer.ctx.element(x);
    if (layer.major() < 3 || !isNarrowInteger(type)) {
        return x;
    }
    const bool isUnsigned = type == ElementType::UInt8 || type == ElementType::UInt16;
    return emit::cast(layer.ctx, x, isUnsigned ? ElementType::UInt32 : ElementType::Int32);
}

OnnxValue inRunningSumType(const Layer& layer, OnnxValue x)
{
    const ElementType type = layer.ctx.element(x);
    return emit::cast(layer.ctx, x,
                      Arguments(layer).type({"dtype"}).value_or(type == ElementType::Bool ? ElementType::Int32 : type));
}

} // namespace crosswalk::keras
