#pragma once

#include "core/convert/node_context.h"

/// Several neighbouring diagonals of the matrices on the last two axes. Everything is indices, so that sizes and even
/// the numbers of the diagonals may be computed at run time. All numbers are int64 scalars.
namespace crosswalk::forms {

/// The diagonals `low` to `high` of matrices; 0 is the main one, positive ones are above it.
struct Band {
    OnnxValue low;
    OnnxValue high;
    bool isOne = false;       ///< one diagonal, without an axis for it
    bool upperAtStart = true; ///< which end diagonals shorter than the longest are aligned with
    bool lowerAtStart = true;
};

Band mainDiagonal(const NodeContext& ctx);

/// y, or a run-time error if low and high are equal: the rank of y would differ.
OnnxValue onlyOfSeveral(const NodeContext& ctx, const Band& band, OnnxValue y);

/// The diagonals of x: (..., high - low + 1, elements of the longest), or (..., elements) of one; from `high` down to
/// `low`, those shorter than the longest padded with `filler`.
OnnxValue diagonalsOf(const NodeContext& ctx, OnnxValue x, const Band& band, OnnxValue filler);
/// Square matrices with the last axis of `diagonal` on the main diagonal, zeros elsewhere.
OnnxValue matrixOfDiagonal(const NodeContext& ctx, OnnxValue diagonal);
/// Matrices of so many rows and columns with diagonals in the layout of diagonalsOf, `others` elsewhere. A size of -1
/// is the smallest that holds the diagonals; two of them make a square.
OnnxValue matrixOfDiagonals(const NodeContext& ctx, const Band& band, OnnxValue diagonals, OnnxValue rows,
                            OnnxValue columns, OnnxValue others);
/// x with its diagonals replaced.
OnnxValue withDiagonals(const NodeContext& ctx, OnnxValue x, const Band& band, OnnxValue diagonals);
/// Square matrices with `value` on the main diagonal, zeros elsewhere, in the shape and type of matrixOfDiagonal.
OnnxValue matrixOfUniformDiagonal(const NodeContext& ctx, OnnxValue diagonal, double value);
/// x with `value` on the main diagonal.
OnnxValue withUniformDiagonal(const NodeContext& ctx, OnnxValue x, double value);
/// Zeros in the shape and type of x, with `value` on the main diagonal.
OnnxValue uniformDiagonalLike(const NodeContext& ctx, OnnxValue x, double value);
/// x with zeros beyond so many diagonals below and above the main one; a negative number keeps all of them.
OnnxValue bandPart(const NodeContext& ctx, OnnxValue x, OnnxValue below, OnnxValue above);

} // namespace crosswalk::forms
