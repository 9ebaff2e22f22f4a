#pragma once

#include "core/convert/conversion.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// Fills in which node of the new graph came from which of the source: targets, sources and verdicts. Nodes are told
/// by the values that they make; one that a rewrite has put in belongs to those that read its outputs.
void linkNodes(const Graph& source, const ::onnx::GraphProto& result, Conversion& conversion);

/// Targets and verdicts as the sources say them.
void linkBySources(const Graph& source, Conversion& conversion);

/// The same where node i is node i still.
void linkUnchangedNodes(const Graph& source, Conversion& conversion);

} // namespace crosswalk
