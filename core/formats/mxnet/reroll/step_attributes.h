#pragma once

#include "core/graph/graph.h"

#include <optional>
#include <string_view>

namespace crosswalk::mxnet {

/// Text of an attribute, `fallback` where the node has none.
std::string_view attributeText(const Node& node, std::string_view name, std::string_view fallback);
std::optional<std::int64_t> attributeInteger(const Node& node, std::string_view name,
                                             std::optional<std::int64_t> fallback = {});
bool attributeFlag(const Node& node, std::string_view name, bool fallback);

} // namespace crosswalk::mxnet
