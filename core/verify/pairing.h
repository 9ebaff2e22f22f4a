#pragma once

#include "core/verify/data_sets.h"
#include "core/verify/runtime.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// Null if no tensor has the name.
const NamedTensor* findNamed(const std::vector<NamedTensor>& tensors, std::string_view name);

/// For each name of the model, the index of the recorded tensor: by name, and the rest in order. Nothing if no recorded
/// tensor is left.
std::vector<std::optional<std::size_t>> pairNames(const std::vector<std::string>& names,
                                                  const std::vector<std::string>& recorded);

/// Selects the tensors for the model's inputs: as pairNames() does, or only by name if the data set has fewer or more
/// (recorded labels that the model does not have are then ignored). Throws ModelError "missing-input", and
/// "wrong-input" for a tensor whose type or shape the input does not accept: a runtime's message names no data set and
/// often no tensor.
std::vector<NamedTensor> pairInputs(const std::vector<RuntimeSession::Port>& ports, const DataSet& set);

} // namespace crosswalk
