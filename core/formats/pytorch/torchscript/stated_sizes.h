#pragma once

#include "core/formats/pytorch/torchscript/graph_stack.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::pytorch {

/// The place of an axis that may be counted from the last; nothing where there is none.
std::optional<std::size_t> axisAt(std::int64_t axis, std::size_t rank);

/// The sizes of a tensor that do not depend on the inputs: those that the file stores, or that the program states as
/// constants. One for each axis, nothing for the others; empty for a tensor of which none is known.
std::vector<std::optional<std::int64_t>> statedSizes(const GraphStack& graphs, GraphValue tensor);

} // namespace crosswalk::pytorch
