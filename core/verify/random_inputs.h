#pragma once

#include "core/graph/tensor.h"

#include <span>
#include <string>

namespace crosswalk {

/// How whole numbers are made up: most are places in a table, and few tables have less than two rows; lengths and
/// counts have to be at least one.
enum class IntegerValues { ZeroAndOne, Ones };

/// A tensor to feed a model with: floats from -1 to 1, whole numbers and booleans as said, bytes from 0 to 127. The
/// same for the same name and `round`, another for any other. Throws ModelError "missing-input" for a type that
/// nothing can be made up for, "too-large" for what would take gigabytes.
Tensor randomTensor(ElementType type, std::vector<std::int64_t> dims, const std::string& name, std::size_t round,
                    IntegerValues whole);

/// Tensors put together along an axis; types and all other dimensions are equal.
Tensor concatenated(std::span<const Tensor> parts, std::size_t axis);

/// The ways in which parts can make up one tensor of these dimensions: along the one axis that they do not agree in,
/// or taking turns within it (time and batch in one axis), or along a new first one. None where the dimensions are no
/// such multiple.
std::vector<Tensor> concatenationCandidates(std::span<const Tensor> parts, const std::vector<std::int64_t>& dims);

} // namespace crosswalk
