#pragma once

#include "core/formats/mxnet/build_graph.h"
#include "core/formats/mxnet/params_file.h"

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::mxnet {

/// Arrays whose names do not identify variables, each with the variable that it must belong to.
struct OrderMatch {
    std::vector<std::pair<ValueId, const StoredArray*>> pairs;
    std::string refusal; ///< why there is no unique match; empty if there is one
};

/// Whether names are gluon's structural ones (`features.0.weight`) or absent.
bool areStructural(const std::vector<StoredArray>& arrays);

/// Matches layer by layer: kinds (weight, gamma, l0_i2h_weight) and shapes must fit, in a possible order of the file.
/// Fails if more than one match remains: arrays that can be exchanged, or orders with different results.
OrderMatch matchByOrder(const BuiltGraph& built, const std::vector<StoredArray>& arrays);

} // namespace crosswalk::mxnet
