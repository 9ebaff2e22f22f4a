#pragma once

#include "core/convert/conversion.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// Links the nodes of the new graph to those of the source: targets, sources and verdicts. Identifies nodes by their
/// outputs; a node inserted by a rewrite belongs to the consumers of its outputs.
void linkNodes(const Graph& source, const ::onnx::GraphProto& result, Conversion& conversion);

/// Derives targets and verdicts from the sources.
void linkBySources(const Graph& source, Conversion& conversion);

/// The same if node i is still node i.
void linkUnchangedNodes(const Graph& source, Conversion& conversion);

} // namespace crosswalk
