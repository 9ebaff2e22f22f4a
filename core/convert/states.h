#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// The key under which a model's metadata_props pair the inputs that hold a recurrent state with the outputs that carry
/// it on: a JSON object from input name to output name, {"h0":"rnn_state_output"}. An application that streams feeds
/// each such output back as that input of the next call. Absent where a model has no such pair.
inline constexpr const char* statesKey = "crosswalk.states";

/// Keeps the pairs whose input and output the converted model has, in one type and in shapes that agree, and writes
/// them into it.
void pairStates(Conversion& conversion, const std::map<std::string, std::string>& pairs);

/// The pairs that a model's metadata name; none where what stands there is no such object.
std::map<std::string, std::string> statesIn(const std::map<std::string, std::string>& metadata);

} // namespace crosswalk
