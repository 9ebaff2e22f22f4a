#pragma once

#include "core/convert/emit.h"

#include <cstdint>
#include <optional>

namespace crosswalk::forms {

/// Boxes as their low corners (x, y) and their high ones, each (..., 2), with their areas (..., 1).
struct Boxes {
    OnnxValue low;
    OnnxValue high;
    OnnxValue area;
};

/// Reads boxes (..., 4) as corners (xmin, ymin, xmax, ymax) or as centre and size (x, y, width, height). The area of an
/// inverted box is 0. They begin at column `first` of the last axis.
Boxes boxesOf(const NodeContext& ctx, OnnxValue boxes, bool isCenter, std::int64_t first = 0);
/// The part from `first` up to `end` of the last axis.
OnnxValue columns(const NodeContext& ctx, OnnxValue x, std::int64_t first, std::int64_t end);
/// Intersection over union of boxes that broadcast with each other, (..., 1): 0 if they do not overlap.
OnnxValue overlap(const NodeContext& ctx, const Boxes& a, const Boxes& b);
/// (..., 4) in the other form.
OnnxValue cornersToCenter(const NodeContext& ctx, OnnxValue boxes);
OnnxValue centerToCorners(const NodeContext& ctx, OnnxValue boxes);
/// Intersection over union of every box of `left` (..., 4) with every one of `right`: the leading dimensions of both,
/// one after the other.
OnnxValue overlapOfAll(const NodeContext& ctx, OnnxValue left, OnnxValue right, bool isCenter);

struct BoxPair {
    double x = 1;
    double y = 1;
};

/// Decodes the moves (..., 4) that a network predicts for anchors: the middle moves by sizes of the anchor, the size
/// grows by the exponential.
struct BoxDecoding {
    bool isCenter = true;            ///< the anchors are (x, y, width, height), else corners
    BoxPair shift = {};              ///< factors of the moves of the middle
    BoxPair growth = {};             ///< factors of the exponents
    std::optional<double> clip = {}; ///< the largest exponent
};
/// The boxes as corners.
OnnxValue decodedBoxes(const NodeContext& ctx, OnnxValue moves, OnnxValue anchors, const BoxDecoding& how);

/// Anchors and their target boxes, both as corners.
struct BoxEncoding {
    OnnxValue samples;    ///< (N, A): above 0.5 if the anchor is matched
    OnnxValue matches;    ///< (N, A): the index of the anchor's reference
    OnnxValue anchors;    ///< (N, A, 4)
    OnnxValue references; ///< (N, R, 4)
    OnnxValue means;      ///< (4), subtracted from the moves
    OnnxValue deviations; ///< (4), which the moves are divided by
};
struct EncodedBoxes {
    OnnxValue moves; ///< (N, A, 4): the moves that decode to the reference; 0 if the anchor is not matched
    OnnxValue masks; ///< (N, A, 4): 1 if it is matched, else 0
};
EncodedBoxes encodedBoxes(const NodeContext& ctx, const BoxEncoding& given);

/// Rows of x (N, A, W) in the order of `indices` (N, K), int64: (N, K, W).
OnnxValue rowsInOrder(const NodeContext& ctx, OnnxValue x, OnnxValue indices);

} // namespace crosswalk::forms
