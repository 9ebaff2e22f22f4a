#pragma once

#include "core/convert/node_context.h"

/// Eigenvalues and singular values of the matrices on the last two axes, whose sizes are fixed, by Jacobi's rotations
/// in a loop. Vectors are rows.
namespace crosswalk::forms::linear {

struct Eigen {
    OnnxValue values;  ///< (..., n), ascending
    OnnxValue vectors; ///< (..., n, n), each with its largest element positive
};
/// Of symmetric matrices.
Eigen eigen(const NodeContext& ctx, OnnxValue symmetric);

struct Singular {
    OnnxValue values; ///< (..., m), descending
    OnnxValue left;   ///< (..., m, m)
    OnnxValue right;  ///< (..., m, n), each with its largest element positive, zeros where the value is 0
};
/// Of matrices (..., m, n) with no more rows than columns: left^T diag(values) right.
Singular singular(const NodeContext& ctx, OnnxValue a);

} // namespace crosswalk::forms::linear
