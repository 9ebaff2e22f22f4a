#pragma once

#include "core/convert/emit.h"

namespace crosswalk::mxnet {

/// Boxes as their low corners (x, y) and their high ones, each (..., 2), with their areas (..., 1).
struct Boxes {
    OnnxValue low;
    OnnxValue high;
    OnnxValue area;
};

/// Reads boxes (..., 4) as corners (xmin, ymin, xmax, ymax) or as centre and size (x, y, width, height). The area of a
/// box turned inside out is 0. They begin at column `first` of the last axis.
Boxes boxesOf(const NodeContext& ctx, OnnxValue boxes, bool isCenter, std::int64_t first = 0);
/// The part from `first` up to `end` of the last axis.
OnnxValue columns(const NodeContext& ctx, OnnxValue x, std::int64_t first, std::int64_t end);
/// Intersection over union of boxes that broadcast with each other, (..., 1): 0 where they do not meet.
OnnxValue overlap(const NodeContext& ctx, const Boxes& a, const Boxes& b);
/// (..., 4) in the other form.
OnnxValue cornersToCenter(const NodeContext& ctx, OnnxValue boxes);
OnnxValue centerToCorners(const NodeContext& ctx, OnnxValue boxes);
/// Rows of x (N, A, W) in the order of `indices` (N, K), int64: (N, K, W).
OnnxValue rowsInOrder(const NodeContext& ctx, OnnxValue x, OnnxValue indices);

} // namespace crosswalk::mxnet
