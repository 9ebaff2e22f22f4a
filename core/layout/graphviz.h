#pragma once

#include "core/layout/layout.h"

#include <optional>

namespace crosswalk {

/// The most boxes that dot is asked to lay out: its time grows with the cube of the size.
inline constexpr std::size_t graphvizLimit = 150;

/// The same contract as layoutGraph, drawn by Graphviz's dot. Nothing where this build has no Graphviz, where the
/// graph is larger than graphvizLimit or larger than `limit`, or where dot gives up. Cannot be stopped half-way.
std::optional<Layout> layoutWithGraphviz(const std::vector<LayoutBox>& boxes, const std::vector<LayoutEdge>& edges,
                                         const LayoutOptions& options = {}, std::size_t limit = graphvizLimit);

} // namespace crosswalk
