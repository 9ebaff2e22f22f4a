#pragma once

#include "core/graph/tensor.h"

#include <optional>
#include <string>
#include <utility>

namespace crosswalk {

/// What two stored tensors differ in, as words before and after: type and shape, or elements and by how much. Of short
/// lists of integers, such as the shape of a Reshape, the values. Nothing where they are equal.
std::optional<std::pair<std::string, std::string>> tensorDifference(const Tensor& before, const Tensor& after);

} // namespace crosswalk
