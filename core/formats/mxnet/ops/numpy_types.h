#pragma once

#include "core/convert/node_context.h"

/// The element types that MXNet's numpy operators give.
namespace crosswalk::mxnet {

/// The type that a and b meet in: the wider; a floating one before any integer.
ElementType promoted(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// What a quotient or a mean of the type is: float32 where it is no floating one.
ElementType quotientType(ElementType promotedType);

} // namespace crosswalk::mxnet
