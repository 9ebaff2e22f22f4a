#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <optional>

/// Arithmetic with dimensions: int64 vectors of one element, computed at conversion if known, else by nodes.
namespace crosswalk::forms::sizes {

OnnxValue plus(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue minus(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue times(const NodeContext& ctx, OnnxValue a, std::int64_t factor);
OnnxValue over(const NodeContext& ctx, OnnxValue a, std::int64_t divisor); ///< rounds down; a is not negative
OnnxValue modulo(const NodeContext& ctx, OnnxValue a, std::int64_t divisor);
OnnxValue larger(const NodeContext& ctx, OnnxValue a, OnnxValue b);
OnnxValue smaller(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// a times a number in single precision, rounded down.
OnnxValue scaled(const NodeContext& ctx, OnnxValue a, float factor);
/// Its value, as far as known at conversion.
std::optional<std::int64_t> known(const NodeContext& ctx, OnnxValue a);
Dim asDim(const NodeContext& ctx, OnnxValue a);

} // namespace crosswalk::forms::sizes
