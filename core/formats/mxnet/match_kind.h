#pragma once

#include "core/formats/mxnet/weight_wants.h"

#include <string>
#include <vector>

namespace crosswalk::mxnet {

/// Matches arrays of one kind, in the order of the file, to as many variables of that kind, in the order of the graph.
/// Shape decides where it can; where it leaves a choice, order does, as far as the order of layers is a fact: gluon
/// numbers them as they are made, or one reads the other. Gives the variable's array for each, or says in `refusal` why
/// none of this holds.
std::vector<const StoredArray*> matchKind(const Graph& graph, std::vector<WeightWant>& wants,
                                          const std::vector<const StoredArray*>& arrays, std::string& refusal);

} // namespace crosswalk::mxnet
