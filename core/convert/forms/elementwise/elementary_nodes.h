#pragma once

#include "core/convert/forms/elementwise/compute_type.h"

#include <string_view>

/// The single nodes of which the elementary functions consist.
namespace crosswalk::forms::elementary {

inline bool isDouble(const NodeContext& ctx, OnnxValue x)
{
    return ctx.element(x) == ElementType::Float64;
}

/// op(x), computed in a type that holds x's values and that the operator supports.
inline OnnxValue plain(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    return computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue v) { return ctx.emit(op, {v}); });
}

/// op(x, number)
inline OnnxValue with(const NodeContext& ctx, std::string_view op, OnnxValue x, double number)
{
    return ctx.emit(op, {x, emit::scalarLike(ctx, x, number)});
}

} // namespace crosswalk::forms::elementary
