#pragma once

#include <string_view>

namespace crosswalk {

/// Attribute of a node, a string: where the program that the model was made from calls the operator, "net.py:15". Set
/// by readers of formats that store it. Exported nodes have it in their metadata_props, under sourceLocationKey.
inline constexpr std::string_view sourceLocationAttribute = "source_location";
inline constexpr const char* sourceLocationKey = "crosswalk.location";

} // namespace crosswalk
