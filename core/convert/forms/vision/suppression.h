#pragma once

#include "core/convert/forms/vision/boxes.h"

#include <cstdint>

namespace crosswalk::forms {

/// The rule of suppression: an overlap with a better box that stays.
struct Suppression {
    double threshold = 0.5;
    bool orEqual = false;   ///< an overlap equal to the threshold also suppresses
    OnnxValue classes = {}; ///< int32 (N, K, 1): only boxes of the same class suppress each other; absent: any
    OnnxValue count = {};   ///< K, as an int64 vector, where it is at hand
};

/// Goes through boxes (N, K, ...) from the best to the worst and suppresses those that overlap a better one. `alive`,
/// bool (N, K, 1), marks the participants; returns the remaining ones.
OnnxValue suppressed(const NodeContext& ctx, const Boxes& boxes, OnnxValue alive, const Suppression& how);

/// Boxes of one class that compete. Numbers of any numeric type.
struct BoxSelection {
    OnnxValue boxes;           ///< (A, 4), two opposite corners
    OnnxValue scores;          ///< (A)
    OnnxValue most;            ///< at most so many are selected: an int64 vector of one element
    OnnxValue overlap;         ///< the largest intersection over union of two that are selected, one element
    OnnxValue leastScore = {}; ///< those selected have a higher score, one element; absent: any
};
/// The indices of the boxes that non-maximum suppression leaves, the best score first: an int64 vector.
OnnxValue selectedBoxes(const NodeContext& ctx, const BoxSelection& given);

/// The order of the marked places of (N, A) from the largest key to the smallest, equal ones as they stand: int64
/// (N, K). K is what the row with the most marked places needs, at most `limit` (none where negative) and at least 1;
/// places that are not marked fill the other rows up.
OnnxValue bestFirst(const NodeContext& ctx, OnnxValue keys, OnnxValue marked, std::int64_t limit);
/// The order of `keys` (N, A) from the largest, equal ones as they stand: int64 (N, A). `count` is A, as an int64
/// vector, where it is at hand.
OnnxValue descending(const NodeContext& ctx, OnnxValue keys, OnnxValue count = {});
/// The order that puts the marked places of (N, A), bool, first and keeps it otherwise.
OnnxValue markedFirst(const NodeContext& ctx, OnnxValue marks, OnnxValue count = {});
/// Places 0, 1, ... up to the size of an axis of x, int64 vector.
OnnxValue placesAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
OnnxValue placesUpTo(const NodeContext& ctx, OnnxValue size); ///< the same up to a number, an int64 vector

} // namespace crosswalk::forms
