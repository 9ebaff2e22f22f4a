#pragma once

#include "core/formats/mxnet/attribute_lookup.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace crosswalk::mxnet {

/// How many outputs an operator has.
struct OutputCount {
    std::uint64_t visible = 1; ///< those that may be graph outputs
    std::uint64_t all = 1;     ///< including hidden outputs, which edges may still refer to
    bool known = false;        ///< an unknown operator: edges may refer to more
};
OutputCount outputCount(std::string_view op, AttributeSpan attributes);

/// The suffix after the node's name in the name of an output: "_output", "_output1", "_state_output".
std::string outputSuffix(std::string_view op, OutputCount count, std::uint32_t index);

} // namespace crosswalk::mxnet
