#pragma once

#include "core/formats/mxnet/attribute_lookup.h"

#include <optional>
#include <string>

namespace crosswalk::mxnet {

/// How many outputs an operator has.
struct OutputCount {
    std::uint64_t visible = 1; ///< those that a graph may give out
    std::uint64_t all = 1;     ///< with the hidden ones, which edges may still name
    bool known = false;        ///< nothing is known of this operator: edges may name more
};
OutputCount outputCount(std::string_view op, AttributeSpan attributes);

/// What follows the node's name in the name of an output: "_output", "_output1", "_state_output".
std::string outputSuffix(std::string_view op, OutputCount count, std::uint32_t index);

} // namespace crosswalk::mxnet
