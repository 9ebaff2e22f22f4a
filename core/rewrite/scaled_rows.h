#pragma once

#include "core/graph/tensor.h"

#include <vector>

namespace crosswalk {

/// The tensor with row i (along axis 0) multiplied by factors[i], computed when it is read. Floating-point types only.
Tensor scaledRows(const Tensor& tensor, std::vector<double> factors);

} // namespace crosswalk
