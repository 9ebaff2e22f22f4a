#pragma once

#include "core/convert/conversion.h"

#include <vector>

namespace crosswalk {

/// The conversion of a valid model that stays as it is, except for metadata. Its nodes stay in the file. `types`: as
/// typesOfFile() returns them.
Conversion keptConversion(const Graph& graph, std::vector<TensorType> types, const NodeNames& names);

} // namespace crosswalk
