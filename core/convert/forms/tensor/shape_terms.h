#pragma once

#include "core/convert/node_context.h"

/// A shape that a node asks for, put together from numbers and from dimensions of other tensors, some of them open.
namespace crosswalk::forms {

/// One dimension of such a shape.
struct ShapeTerm {
    Dim dim;               ///< what is known of it
    OnnxValue source = {}; ///< where it is open: the tensor that some of its factors come from
    Ints axes = {};        ///< the dimensions of `source` whose product it is
    std::int64_t factor = 1;
    std::int64_t divisor = 1;
    bool isRest = false; ///< whatever is left of the elements
};
using ShapeTerms = std::vector<ShapeTerm>;

ShapeTerm fixedTerm(std::int64_t size);
/// Product of dimensions of x, one dimension mostly.
ShapeTerm termOf(const NodeContext& ctx, OnnxValue x, const Ints& axes);
ShapeTerms termsOf(const NodeContext& ctx, OnnxValue x);
ShapeTerm restTerm();
Shape knownShape(const ShapeTerms& terms);

/// The shape as an int64 vector; the rest, where it is open, is Reshape's -1.
OnnxValue shapeVector(const NodeContext& ctx, const ShapeTerms& terms);
/// x with its elements in the shape `terms`, as openly as ONNX can say it: copied dimensions and one that is inferred
/// need no computing. At most one term is the rest. Sizes that do not fit are invalid, `attribute` being named.
OnnxValue reshapeTo(const NodeContext& ctx, OnnxValue x, ShapeTerms terms, std::string_view attribute = "shape");
/// x repeated along its dimensions of size one.
OnnxValue expandTo(const NodeContext& ctx, OnnxValue x, const ShapeTerms& terms);

} // namespace crosswalk::forms
