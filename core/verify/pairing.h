#pragma once

#include "core/verify/data_sets.h"
#include "core/verify/runtime.h"

#include <string_view>
#include <vector>

namespace crosswalk {

/// Null if no tensor has the name.
const NamedTensor* findNamed(const std::vector<NamedTensor>& tensors, std::string_view name);

/// Selects the tensors for the model's inputs: by name if the data set has all of them (recorded labels that the model
/// does not have are then ignored), otherwise by position. Throws ModelError "missing-input", and "wrong-input" for a
/// tensor whose type or shape the input does not accept: a runtime's message names no data set and often no tensor.
std::vector<NamedTensor> pairInputs(const std::vector<RuntimeSession::Port>& ports, const DataSet& set);

} // namespace crosswalk
