#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// Keeps the pairs whose input and output the converted model has, in one type and in shapes that agree, and writes
/// them into its metadata (core/onnx/state_metadata.h).
void pairStates(Conversion& conversion, const std::map<std::string, std::string>& pairs);

/// The pairs that a model's metadata name; none where what stands there is no such object.
std::map<std::string, std::string> statesIn(const std::map<std::string, std::string>& metadata);

} // namespace crosswalk
