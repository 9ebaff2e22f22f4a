#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <string_view>

/// A requested shape, composed of numbers and of dimensions of other tensors, some of them open.
namespace crosswalk::forms {

/// One dimension of such a shape.
struct ShapeTerm {
    Dim dim;               ///< its known value
    OnnxValue source = {}; ///< if it is open: the tensor that some of its factors come from
    Ints axes = {};        ///< the dimensions of `source` that form the product
    std::int64_t factor = 1;
    std::int64_t divisor = 1;
    bool isRest = false; ///< the rest of the elements
};
using ShapeTerms = BoundsChecked<ShapeTerm>;

ShapeTerm fixedTerm(std::int64_t size);
/// Product of dimensions of x, one dimension mostly.
ShapeTerm termOf(const NodeContext& ctx, OnnxValue x, const Ints& axes);
ShapeTerms termsOf(const NodeContext& ctx, OnnxValue x);
ShapeTerm restTerm();
Shape knownShape(const ShapeTerms& terms);

/// The shape as an int64 vector; the rest, if open, is Reshape's -1.
OnnxValue shapeVector(const NodeContext& ctx, const ShapeTerms& terms);
/// x with its elements in the shape `terms`, as open as ONNX can express it: copied dimensions and one inferred
/// dimension need no computation. At most one term is the rest. Sizes that do not fit are reported at `attribute`.
OnnxValue reshapeTo(const NodeContext& ctx, OnnxValue x, ShapeTerms terms, std::string_view attribute = "shape");
/// x repeated along its dimensions of size one.
OnnxValue expandTo(const NodeContext& ctx, OnnxValue x, const ShapeTerms& terms);

} // namespace crosswalk::forms
