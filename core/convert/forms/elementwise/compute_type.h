#pragma once

#include "core/convert/emit.h"

/// The types for computing where an operator lacks a tensor's type.
namespace crosswalk::forms {

inline bool isUnsigned(ElementType type)
{
    return type == ElementType::UInt8 || type == ElementType::UInt16 || type == ElementType::UInt32 ||
           type == ElementType::UInt64;
}

/// Int64, and the types whose numbers only int64 holds.
inline bool isWideInteger(ElementType type)
{
    return type == ElementType::Int64 || type == ElementType::UInt32 || type == ElementType::UInt64;
}

inline bool isNarrowInteger(ElementType type)
{
    return type == ElementType::Int8 || type == ElementType::UInt8 || type == ElementType::Int16 ||
           type == ElementType::UInt16 || type == ElementType::Bool;
}

/// A type that holds all values of `type` and that ONNX's arithmetic supports at every opset.
inline ElementType widened(ElementType type)
{
    return isNarrowInteger(type)           ? ElementType::Int32
           : type == ElementType::UInt32   ? ElementType::Int64
           : type == ElementType::BFloat16 ? ElementType::Float32
                                           : type;
}

/// compute(x) in another type, the result back in x's.
template <typename Compute>
OnnxValue computedAs(const NodeContext& ctx, ElementType type, OnnxValue x, Compute compute)
{
    return emit::cast(ctx, compute(emit::cast(ctx, x, type)), ctx.element(x));
}

/// compute(a, b) in another type, the result back in a's.
template <typename Compute>
OnnxValue computedAs(const NodeContext& ctx, ElementType type, OnnxValue a, OnnxValue b, Compute compute)
{
    const ElementType own = ctx.element(a);
    return emit::cast(ctx, compute(emit::cast(ctx, a, type), emit::cast(ctx, b, type)), own);
}

} // namespace crosswalk::forms
