#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <string_view>

namespace crosswalk::mxnet {

/// An operator that does the same to each element, or to elements that stand in the same place, whatever the rank.
bool isElementwise(std::string_view op);

/// Which dimension of output `output` has the size that dimension `axis` of input `slot` has; nothing where the
/// operator changes it or is not known to keep it.
std::optional<std::int64_t> outputAxis(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output);
/// The other way: which dimension of input `slot` has the size that dimension `axis` of output `output` has.
std::optional<std::int64_t> inputAxis(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output);

} // namespace crosswalk::mxnet
