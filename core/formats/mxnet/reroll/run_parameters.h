#pragma once

#include "core/formats/mxnet/reroll/unrolled_run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::mxnet {

using Runs = std::vector<const UnrolledRun*>;

/// The width of a run's input or state: the columns of its matrix. Nothing if the file does not store it.
std::optional<std::int64_t> columns(const GraphRewriter& graph, const CellOperand& operand);
/// Whether the file stores the weights of all gates.
bool isStored(const GraphRewriter& graph, const UnrolledRun& run);

/// Why the parameters of a run cannot be packed for RNN; empty if they can.
std::string packingObstacle(const GraphRewriter& graph, const UnrolledRun& run);

/// The packed parameters of one direction or of two: a stored vector if the weights are stored, else a concatenation in
/// the graph.
ValueId packedParameters(GraphRewriter& graph, const Runs& runs, const std::string& name);

} // namespace crosswalk::mxnet
