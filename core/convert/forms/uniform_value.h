#pragma once

#include "core/graph/tensor.h"

#include <optional>

namespace crosswalk::forms {

/// The value that all elements of a numeric tensor have; nothing if they differ or there are none.
std::optional<double> uniformValue(const Tensor& tensor);

} // namespace crosswalk::forms
