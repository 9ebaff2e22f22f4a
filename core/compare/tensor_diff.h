#pragma once

#include "core/graph/tensor.h"

#include <optional>
#include <string>
#include <utility>

namespace crosswalk {

/// Describes the difference between two stored tensors, as texts before and after: type and shape, or the number of
/// different elements and the largest difference. For short lists of integers, such as the shape of a Reshape, the
/// values. Nothing if the tensors are equal.
std::optional<std::pair<std::string, std::string>> tensorDifference(const Tensor& before, const Tensor& after);

} // namespace crosswalk
