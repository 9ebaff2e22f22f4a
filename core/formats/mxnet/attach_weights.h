#pragma once

#include "core/base/diagnostic.h"
#include "core/formats/mxnet/build_graph.h"
#include "core/formats/mxnet/params_file.h"

#include <vector>

namespace crosswalk::mxnet {

/// Gives the variables their weights, by name, else (structural names, plain lists) by order and shape where that is
/// unambiguous. Variables that get one leave the graph's inputs. Whatever there is to say goes to `problems`: an array
/// whose shape contradicts the symbol file is an Error "wrong-weight".
void attachWeights(BuiltGraph& built, const std::vector<StoredArray>& arrays, std::vector<Diagnostic>& problems);

} // namespace crosswalk::mxnet
