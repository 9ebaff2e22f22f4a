#pragma once

#include "core/formats/tensorflow/meta_graph.h"
#include "core/graph/graph.h"
#include "crosswalk/reports.h"

#include <span>
#include <vector>

namespace crosswalk::tensorflow {

/// The lookup tables of the main graph, in its order, with the file that fills each. `assets` name the files of a
/// SavedModel, whose graph may hold paths of the machine that saved it.
std::vector<LookupTable> lookupTables(const Graph& graph, std::span<const AssetFileDef> assets);

} // namespace crosswalk::tensorflow
