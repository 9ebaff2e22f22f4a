#pragma once

#include "core/onnx/external_data.h"
#include "core/onnx/proto.h"

namespace crosswalk {

// External tensors are copied into the proto, so that a file written elsewhere is complete. Those of attributes, bodies
// and sparse tensors are small.

void fetchExternal(::onnx::NodeProto& node, ExternalData& external);
void fetchExternal(::onnx::GraphProto& graph, ExternalData& external);
/// `frame` is a model without the nodes and initializers of its graph.
void fetchExternal(::onnx::ModelProto& frame, ExternalData& external);

} // namespace crosswalk
