#pragma once

#include "core/base/diagnostic.h"
#include "core/formats/mxnet/build_graph.h"
#include "core/formats/mxnet/params_file.h"

#include <vector>

namespace crosswalk::mxnet {

/// Assigns weights to the variables, by name, else (structural names, plain lists) by order and shape if that is
/// unambiguous. A variable with a weight is no longer a graph input. Diagnostics go to `problems`: an array whose shape
/// contradicts the symbol file is an Error "wrong-weight".
void attachWeights(BuiltGraph& built, const std::vector<StoredArray>& arrays, std::vector<Diagnostic>& problems);

} // namespace crosswalk::mxnet
