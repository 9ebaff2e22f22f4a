#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <limits>
#include <string_view>

namespace crosswalk::pytorch {

/// Attribute of prim::Loop, a list of integers: for each list that its steps append to, the axis of the items along
/// which everything that reads the list concatenates them. Such items may differ in size along that axis.
constexpr std::string_view joinedItems = "joined_items";
/// In place of the axis of a list that is read otherwise.
constexpr std::int64_t notJoined = std::numeric_limits<std::int64_t>::min();

void markJoinedItems(Graph& graph);

} // namespace crosswalk::pytorch
