#pragma once

#include "core/onnx/external_data.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// Takes the tensors of attributes and bodies that lie in other files into the proto: they are small.
void fetchExternal(::onnx::NodeProto& node, ExternalData& external);

} // namespace crosswalk
