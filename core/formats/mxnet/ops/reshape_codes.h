#pragma once

#include "core/formats/mxnet/shape_terms.h"

namespace crosswalk::mxnet {

/// The shape that MXNet's codes make of x's: 0 copies a dimension, -1 infers one, -2 copies all that are left, -3
/// merges two, -4 splits one into the two numbers that follow (one of them may be -1). With `reverse` they are read
/// from the back. What MXNet refuses is invalid at attribute shape.
ShapeTerms reshapeTerms(const NodeContext& ctx, OnnxValue x, Ints codes, bool reverse);

} // namespace crosswalk::mxnet
