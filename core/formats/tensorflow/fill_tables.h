#pragma once

#include "core/base/model_source.h"
#include "core/formats/tensorflow/meta_graph.h"
#include "core/graph/graph.h"

#include <span>
#include <string>

namespace crosswalk::tensorflow {

/// Stores the content of lookup tables of the main graph whose keys and values the model has: as constants, in the main
/// graph or passed to a function that it calls, or in a text file below `assetFolder`. Adds the attributes "keys" and
/// "values", vectors of equal length, to the node of each. A table that is filled in another way stays without them.
void fillTables(Graph& graph, std::span<const AssetFileDef> assets, const ModelSource& source,
                const std::string& assetFolder);

} // namespace crosswalk::tensorflow
