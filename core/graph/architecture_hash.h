#pragma once

#include <cstdint>

namespace crosswalk {

class Graph;

/// A hash of the structure of a model: operators, attributes, connections, bodies and functions, and the types of its
/// inputs and stored tensors. Names and the content of tensors do not count, so that models which differ in their
/// weights only have the same hash. The order of nodes counts.
std::uint64_t architectureHash(const Graph& graph);

} // namespace crosswalk
