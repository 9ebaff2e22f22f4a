#pragma once

#include "core/graph/tensor.h"

#include <optional>
#include <string>

namespace crosswalk {

/// In words what two stored tensors differ in: type, shape, or elements and by how much. Nothing where they are equal.
std::optional<std::string> tensorDifference(const Tensor& before, const Tensor& after);

} // namespace crosswalk
