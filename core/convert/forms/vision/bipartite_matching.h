#pragma once

#include "core/convert/emit.h"

#include <cstdint>
#include <optional>

namespace crosswalk::forms {

/// The pairing of rows and columns of a matrix of scores: the best score first, each row and each column once, and of
/// equal scores the first.
struct BipartiteMatching {
    bool smallestFirst = false;
    double threshold = 0;                       ///< a pair's score is above it, or below with smallestFirst
    std::optional<std::int64_t> mostPairs = {}; ///< the maximum number of pairs
};

struct MatchedPairs {
    OnnxValue columnOfRow; ///< (..., R): the index of the partner, or -1, in the type of the scores
    OnnxValue rowOfColumn; ///< (..., C)
};

/// Floating scores (..., R, C); R and C are fixed.
MatchedPairs matchedPairs(const NodeContext& ctx, OnnxValue scores, const BipartiteMatching& how);

} // namespace crosswalk::forms
