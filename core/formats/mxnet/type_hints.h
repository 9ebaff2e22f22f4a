#pragma once

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/graph/tensor_type.h"

namespace crosswalk::mxnet {

/// The element type of a number as `__dtype__` and .params files have it; Undefined for one that MXNet does not know.
ElementType elementTypeOf(std::int64_t number);

/// What `__shape__` and `__dtype__` of a variable say. Dimension 0 is unknown under the classic rules, -1 under both.
TensorType typeHints(AttributeSpan attributes, bool numpyShape);
/// Adds what `hints` knows and `type` does not.
void mergeHints(TensorType& type, const TensorType& hints);

/// Whether a variable carries what gluon writes on parameters and nobody on data.
bool hasParameterHints(AttributeSpan attributes);

} // namespace crosswalk::mxnet
