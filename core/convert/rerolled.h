#pragma once

#include "core/convert/framework.h"

#include <functional>

namespace crosswalk {

/// Converts a graph whose unrolled recurrent steps were put together again, and says everything in terms of the graph
/// as the file has it. What was put together and then does not convert is converted as it stands. `convert` converts a
/// graph without any of that.
Conversion convertRerolled(const Graph& graph, const ConvertOptions& options, const Framework& framework,
                           const std::function<Conversion(const Graph&, const ConvertOptions&)>& convert);

} // namespace crosswalk
