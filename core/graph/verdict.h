#pragma once

#include <cstdint>
#include <string_view>

namespace crosswalk {

/// What became of a source node.
enum class Verdict : std::uint8_t {
    Exact,       ///< one ONNX node, the same function
    Decomposed,  ///< several, the same function
    Approximate, ///< by the user's choice
    Unsupported, ///< no ONNX form: the gap stands as a node of a domain of its own
    Folded,      ///< became a constant, a view of its input, or vanished
};
std::string_view verdictName(Verdict verdict);

} // namespace crosswalk
