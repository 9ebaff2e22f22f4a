#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace crosswalk::mxnet {

/// An elementwise operator, on one or several inputs of any rank.
bool isElementwise(std::string_view op);

/// Whether the operator requires inputs of one shape, which its output has.
bool combinesEqualShapes(std::string_view op);

/// The dimension of output `output` whose size equals dimension `axis` of input `slot`; nothing if the operator changes
/// it or is not known to keep it.
std::optional<std::int64_t> outputAxis(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output);
/// The inverse: the dimension of input `slot` whose size equals dimension `axis` of output `output`.
std::optional<std::int64_t> inputAxis(const Node& node, std::size_t slot, std::int64_t axis, std::size_t output);

} // namespace crosswalk::mxnet
