#pragma once

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/graph/tensor_type.h"

#include <cstdint>

namespace crosswalk::mxnet {

/// The element type of a type number in `__dtype__` and .params files; Undefined for an unknown number.
ElementType elementTypeOf(std::int64_t number);

/// The type from `__shape__` and `__dtype__` of a variable. Dimension 0 is unknown under the classic rules, -1 under
/// both.
TensorType typeHints(AttributeSpan attributes, bool numpyShape);
/// Completes `type` with information from `hints`.
void mergeHints(TensorType& type, const TensorType& hints);

/// Whether a variable has attributes that only gluon's parameters have.
bool hasParameterHints(AttributeSpan attributes);

} // namespace crosswalk::mxnet
