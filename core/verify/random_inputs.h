#pragma once

#include "core/graph/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// Values of random integers. Most integer inputs are indices into a table of at least two rows; lengths and counts
/// must be at least one.
enum class IntegerValues { ZeroAndOne, Ones };

/// A random input: floats from -1 to 1, integers and booleans according to `integers`, bytes from 0 to 127. Depends
/// only on the name and `round`. Throws ModelError "missing-input" for an unsupported type, "too-large" for a tensor of
/// more than 2^30 elements.
Tensor randomTensor(ElementType type, std::vector<std::int64_t> dims, const std::string& name, std::size_t round,
                    IntegerValues integers);

/// Concatenation along an axis. Types and all other dimensions must be equal.
Tensor concatenated(std::span<const Tensor> parts, std::size_t axis);

/// All ways to combine parts into a tensor of these dimensions: concatenated along the only axis that differs,
/// interleaved along it (time and batch merged into one axis), or stacked along a new first axis: a single part only if
/// `isOpened`, that is, if the model that produced it could take more parts. Empty if the dimensions match none of
/// them.
std::vector<Tensor> concatenationCandidates(std::span<const Tensor> parts, const std::vector<std::int64_t>& dims,
                                            bool isOpened);

} // namespace crosswalk
