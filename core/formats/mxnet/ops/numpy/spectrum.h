#pragma once

#include "core/convert/node_context.h"

/// Translators of numpy's functions that need eigenvalues of symmetric matrices, or singular values.
namespace crosswalk::mxnet::spectrum {

OnnxValues symmetricValues(NodeContext& ctx);       ///< eigvalsh
OnnxValues symmetricEigen(NodeContext& ctx);        ///< eigh
OnnxValues singularValues(NodeContext& ctx);        ///< svd
OnnxValues pseudoInverse(NodeContext& ctx);         ///< pinv, its cutoff an input
OnnxValues pseudoInverseOfNumber(NodeContext& ctx); ///< pinv, its cutoff an attribute
OnnxValues matrixRank(NodeContext& ctx);            ///< matrix_rank, with a tolerance or without

} // namespace crosswalk::mxnet::spectrum
