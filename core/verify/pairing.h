#pragma once

#include "core/verify/data_sets.h"
#include "core/verify/runtime.h"

#include <string_view>

namespace crosswalk {

/// Null where no tensor has the name.
const NamedTensor* findNamed(const std::vector<NamedTensor>& tensors, std::string_view name);

/// What the model is fed: by name where the data set has all of its inputs by name (then recorded labels that the
/// model lacks stay behind), else by position. Throws ModelError "missing-input".
std::vector<NamedTensor> pairInputs(const std::vector<RuntimeSession::Port>& ports, const DataSet& set);

} // namespace crosswalk
