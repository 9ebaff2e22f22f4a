#pragma once

#include "core/convert/node_context.h"

/// Reduces the rows of a tensor by segment number: the result is (segments, ...) in the rows' type, which ONNX's
/// arithmetic must have. Sums, products, means and extremes all ignore a row with a negative number.
namespace crosswalk::forms {

struct Segments {
    OnnxValue rows;    ///< (n, ...)
    OnnxValue numbers; ///< (n), int64, below `count`
    OnnxValue count;   ///< of the segments, an int64 vector of one element
    ElementType own =
        ElementType::Undefined; ///< the type with the limits of empty segments, if the rows have a wider one
    double zero = 0;            ///< the element of the rows that represents 0
};

OnnxValue segmentSum(const NodeContext& ctx, const Segments& segments);
OnnxValue segmentProduct(const NodeContext& ctx, const Segments& segments);
OnnxValue segmentMean(const NodeContext& ctx, const Segments& segments); ///< of no rows 0
/// The sum over the square root of the number of rows.
OnnxValue segmentSumOverRoot(const NodeContext& ctx, const Segments& segments);
/// A segment without rows has the type's lowest number, or 0.
OnnxValue segmentMaximum(const NodeContext& ctx, const Segments& segments, bool isZeroWhenEmpty);
/// A segment without rows has the type's highest number, or 0.
OnnxValue segmentMinimum(const NodeContext& ctx, const Segments& segments, bool isZeroWhenEmpty);

} // namespace crosswalk::forms
