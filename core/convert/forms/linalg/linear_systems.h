#pragma once

#include "core/convert/node_context.h"

#include <cstdint>
#include <utility>

/// Linear algebra of square matrices on the last two axes, as loops in the graph: ONNX has only Det.
namespace crosswalk::forms::linear {

/// The rank of x, signed: last axes are counted back from it.
inline std::int64_t rankOf(const NodeContext& ctx, OnnxValue x)
{
    return static_cast<std::int64_t>(ctx.rank(x));
}

struct Pivots {
    OnnxValue values; ///< (n, ...): the pivots of an LU decomposition with row exchanges
    OnnxValue signs;  ///< (n, ...): -1 where a row was exchanged
};

Pivots pivots(const NodeContext& ctx, OnnxValue a);
/// a and b with the same batch axes: these broadcast, the last two axes stay.
std::pair<OnnxValue, OnnxValue> withCommonBatch(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// Solves a x = b for x. Both have the same batch axes.
OnnxValue solved(const NodeContext& ctx, OnnxValue a, OnnxValue b);
/// Identity matrices of the size and number of a's.
OnnxValue identityLike(const NodeContext& ctx, OnnxValue a);
/// Identity matrices of a size, as many as there are matrices in a.
OnnxValue identities(const NodeContext& ctx, OnnxValue a, std::int64_t size);
/// The symmetric matrices defined by one triangle of a.
OnnxValue symmetricOf(const NodeContext& ctx, OnnxValue a, bool isLower);
/// One triangle of a with its diagonal, zeros elsewhere.
OnnxValue triangleOf(const NodeContext& ctx, OnnxValue a, bool isLower);
/// The lower triangular factor of a = L L^T, from the lower triangle of a.
OnnxValue choleskyFactor(const NodeContext& ctx, OnnxValue a);

} // namespace crosswalk::forms::linear
