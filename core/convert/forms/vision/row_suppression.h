#pragma once

#include "core/convert/emit.h"

#include <cstdint>

namespace crosswalk::forms {

/// Rows that contain a box, its score and perhaps its class: the columns of each, and the rules of suppression.
struct RowSuppression {
    std::int64_t score = 1;
    std::int64_t box = 2;   ///< the first of four columns
    std::int64_t id = -1;   ///< the class; negative: none
    double leastScore = 0;  ///< only rows with a higher score participate
    double background = -1; ///< the class whose rows do not participate
    double overlap = 0.5;   ///< the largest intersection over union of two rows that both stay
    bool perClass = true;   ///< only rows of the same class suppress each other
    std::int64_t most = -1; ///< the number of rows that participate, those with the best scores; negative: all
    bool isCenter = false;  ///< a box is (x, y, width, height), else its corners
    bool toCenter = false;  ///< the same of the result
};

/// Non-maximum suppression of rows (..., A, W): those that stay, the best score first, then rows of -1. W is fixed.
OnnxValue suppressedRows(const NodeContext& ctx, OnnxValue data, const RowSuppression& how);

} // namespace crosswalk::forms
