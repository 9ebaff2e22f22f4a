#pragma once

#include "core/formats/mxnet/build_graph.h"
#include "core/formats/mxnet/params_file.h"

#include <string>
#include <utility>
#include <vector>

namespace crosswalk::mxnet {

/// Arrays whose names say nothing of the model's variables, each with the variable that it must belong to.
struct OrderMatch {
    std::vector<std::pair<ValueId, const StoredArray*>> pairs;
    std::string refusal; ///< why there is no one way to match them; empty when there is
};

/// Whether names are gluon's structural ones (`features.0.weight`), or there are none.
bool areStructural(const std::vector<StoredArray>& arrays);

/// Matches layer by layer: kinds (weight, gamma, l0_i2h_weight) and shapes must fit, in an order that a file can have.
/// Refuses where more than one way is left: two equal layers side by side, orders that come to different ends.
OrderMatch matchByOrder(const BuiltGraph& built, const std::vector<StoredArray>& arrays);

} // namespace crosswalk::mxnet
