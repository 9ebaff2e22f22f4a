#pragma once

#include "core/layout/layout.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace crosswalk {

/// The maximum number of boxes for dot: its time grows with the cube of the size.
inline constexpr std::size_t graphvizLimit = 150;

/// The same contract as layoutGraph, implemented by Graphviz's dot. Returns nothing if this build lacks Graphviz, if
/// the graph is larger than graphvizLimit or `limit`, or if dot fails. Cannot be stopped.
std::optional<Layout> layoutWithGraphviz(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                                         const LayoutOptions& options = {}, std::size_t limit = graphvizLimit);

} // namespace crosswalk
