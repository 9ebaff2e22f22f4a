#pragma once

namespace crosswalk {

/// The key under which a model's metadata_props pair the inputs that hold a recurrent state with the outputs that carry
/// it on: a JSON object from input name to output name, {"h0":"rnn_state_output"}. An application that streams feeds
/// each such output back as that input of the next call. Absent where a model has no such pair.
inline constexpr const char* statesKey = "crosswalk.states";

} // namespace crosswalk
