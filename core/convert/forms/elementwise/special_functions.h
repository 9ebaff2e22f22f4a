#pragma once

#include "core/convert/node_context.h"

/// Functions that ONNX has no operator for, or ONNX Runtime none in double precision, of every numeric type; the result
/// has x's.
namespace crosswalk::forms::special {

OnnxValue gamma(const NodeContext& ctx, OnnxValue x);
OnnxValue logGamma(const NodeContext& ctx, OnnxValue x); ///< of gamma's magnitude
OnnxValue error(const NodeContext& ctx, OnnxValue x);    ///< erf
OnnxValue inverseError(const NodeContext& ctx, OnnxValue x);

} // namespace crosswalk::forms::special
