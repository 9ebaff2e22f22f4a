#pragma once

#include "core/convert/conversion.h"

#include <map>
#include <string>

namespace crosswalk {

/// Keeps the pairs whose input and output the converted model has, with equal types and compatible shapes, and writes
/// them into its metadata (core/onnx/state_metadata.h).
void pairStates(Conversion& conversion, const std::map<std::string, std::string>& pairs);

/// The pairs in a model's metadata; none if the metadata is not such an object.
std::map<std::string, std::string> statesIn(const std::map<std::string, std::string>& metadata);

} // namespace crosswalk
