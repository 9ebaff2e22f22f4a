#pragma once

#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/mxnet_forms.h"

#include <array>
#include <cstdint>

namespace crosswalk::mxnet {

/// The shape that MXNet's codes derive from the shape of x: 0 copies a dimension, -1 infers one, -2 copies all the
/// remaining ones, -3 merges two, -4 splits one into the two numbers that follow (one of them may be -1). With
/// `reverse` they are read from the back. Reports shapes that MXNet rejects at attribute shape.
ShapeTerms reshapeTerms(const NodeContext& ctx, OnnxValue x, Ints codes, bool reverse);

/// The two dimensions that one splits into; one of them may be -1.
std::array<ShapeTerm, 2> splitTerm(const NodeContext& ctx, const ShapeTerm& whole, std::int64_t left,
                                   std::int64_t right);

} // namespace crosswalk::mxnet
