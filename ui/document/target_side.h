#pragma once

#include "ui/document/graph_side.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace crosswalk::ui {

/// What a graph was made from.
struct Provenance {
    const DrawnSide& source;
    const std::vector<std::vector<NodeId>>& nodes; ///< source nodes of each node
};

/// Like DrawnSide::make, with the groups of the source, of which at first the same ones are open.
DrawnSide makeTargetSide(std::shared_ptr<const Graph> graph, const Provenance& from, const DrawnSide& previous,
                         std::stop_token stop, Flow flow, QSizeF room);

} // namespace crosswalk::ui
